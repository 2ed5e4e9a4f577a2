#include "talus/simulation/state.hpp"

#include "talus/exec/erase_rows.hpp"

#include <numeric>

namespace talus {

template <int D>
std::vector<std::int32_t> remove_others(State<D>& state, const std::vector<std::uint8_t>& kept)
{
    std::vector<std::int32_t> place(kept.size(), -1);
    std::size_t from = 0, gone = 0;
    const auto stay_until = [&](std::size_t row) {
        std::iota(place.begin() + std::ptrdiff_t(from), place.begin() + std::ptrdiff_t(row), std::int32_t(from - gone));
    };
    for (const std::size_t i : rows_not_kept(kept)) {
        stay_until(i);
        from = i + 1;
        ++gone;
        if (state.bodies.is_passive(i)) continue; // a door that opens is nobody who left
        state.left.push_back({state.bodies.id(i), state.clock.time()});
    }
    stay_until(kept.size());
    state.contacts.follow(place);
    state.bodies.remove_others(kept);
    return place;
}

template <int D>
void renumber(State<D>& state)
{
    state.left.clear();
    std::vector<std::int32_t>& number = state.bodies.number;
    if (number.empty()) return;
    for (BodyGroup& group : state.groups) {
        const auto in_group = [&](std::int32_t n) { return group.has(BodyId(n)); };
        const auto count = std::int32_t(std::count_if(number.begin(), number.end(), in_group));
        const auto first = std::int32_t(std::find_if(number.begin(), number.end(), in_group) - number.begin());
        group.first = count > 0 ? first : 0;
        group.count = count;
    }
    number.clear();
    state.bodies.born = 0;
}

template <int D>
void keep_bodies(State<D>& state, const std::vector<std::uint8_t>& kept)
{
    state.contacts = {};
    state.bodies.remove_others(kept);
    renumber(state);
}

template <int D>
std::uint64_t state_hash(const State<D>& state)
{
    Hash hash;
    hash_columns(hash, state.bodies, {Role::state});
    hash_columns<ContactColumns<D>>(hash, state.contacts, {Role::history});
    return hash.value();
}

#define TALUS_INSTANTIATE(D)                                                                                           \
    template std::vector<std::int32_t> remove_others(State<D>&, const std::vector<std::uint8_t>&);                     \
    template void renumber(State<D>&);                                                                                 \
    template void keep_bodies(State<D>&, const std::vector<std::uint8_t>&);                                            \
    template std::uint64_t state_hash(const State<D>&);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

} // namespace talus
