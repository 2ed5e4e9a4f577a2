#include "talus/simulation/state.hpp"

namespace talus {

template <int D>
void keep_bodies(State<D>& state, const std::vector<std::uint8_t>& kept)
{
    keep_rows(state.bodies, kept);
    const auto kept_before = [&](std::int32_t end) {
        return std::int32_t(std::count(kept.begin(), kept.begin() + end, std::uint8_t(1)));
    };
    for (BodyGroup& group : state.groups) {
        const std::int32_t first = kept_before(group.first);
        group.count = kept_before(group.first + group.count) - first;
        group.first = first;
    }
    state.contacts = {};
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
    template void keep_bodies(State<D>&, const std::vector<std::uint8_t>&);                                            \
    template std::uint64_t state_hash(const State<D>&);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

} // namespace talus
