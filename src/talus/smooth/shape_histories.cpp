// Which pairs of shapes are looked at, and the histories that their contacts keep from one step, and one list, to the
// next.
#include "talus/shapes/common_volume.hpp"
#include "talus/smooth/shape_pairs.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace talus {

namespace {

constexpr double match_radius = 0.05; // of the mean radius

} // namespace

template <int D>
void ShapePairs<D>::set_pairs(const std::vector<Pair>& pairs, const BodyTable<D>& bodies, const ShapeTable<D>& shapes,
                              const PackedBodies<D>& pack, double mean_radius)
{
    match_distance_ = match_radius * mean_radius;
    if (by_volume) {
        reference_area_.clear();
        for (const Polytope<D>& part : shapes.polytopes) {
            reference_area_.push_back(largest_shadow(part) / std::sqrt(double(1 << (D - 1))));
        }
    }
    std::map<std::pair<std::int32_t, std::int32_t>, std::vector<Contact>> old;
    for (const Chunk& one : chunks_) {
        for (const Contact& contact : one.old()) {
            const Listed& pair = pairs_[contact.pair];
            old[{pair.candidate, pair.antagonist}].push_back(contact);
        }
    }
    shaped_.clear();
    std::vector<std::int32_t> place_among(bodies.size(), 0);
    for (const std::int32_t place : pack.others) {
        const std::int32_t body = pack.body[std::size_t(place)];
        place_among[std::size_t(body)] = std::int32_t(shaped_.size());
        shaped_.push_back(body);
    }
    shape_.resize(shaped_.size());
    for (std::size_t k = 0; k < shaped_.size(); ++k) shape_[k] = bodies.shape[shaped_[k]];
    pairs_.clear();
    for (const Pair& pair : pairs) {
        std::int32_t c = pair.first, a = pair.second;
        if (second_is_candidate(shapes[bodies.shape[c]].kind, shapes[bodies.shape[a]].kind)) std::swap(c, a);
        pairs_.push_back({c, a, {place_among[c], place_among[a]}, Vec<D>::Zero()});
    }
    chunks_.assign((pairs_.size() + chunk - 1) / chunk, {});
    for (std::size_t k = 0; k < pairs_.size(); ++k) {
        std::vector<Contact>& kept = chunks_[k / chunk].contacts[0];
        pairs_[k].first = std::uint32_t(kept.size());
        if (const auto found = old.find({pairs_[k].candidate, pairs_[k].antagonist}); found != old.end()) {
            for (Contact& contact : found->second) {
                contact.pair = std::uint32_t(k);
                kept.push_back(contact);
            }
        }
        pairs_[k].count = std::uint32_t(kept.size()) - pairs_[k].first;
    }
    link_bodies(pack);
}

template <int D>
void ShapePairs<D>::link_bodies(const PackedBodies<D>& pack)
{
    pairs_begin_.assign(pack.size() + 1, 0);
    const auto for_sides = [&](auto&& do_side) {
        for (std::size_t k = 0; k < pairs_.size(); ++k) {
            do_side(pack.place_of[std::size_t(pairs_[k].candidate)], std::uint32_t(2 * k));
            do_side(pack.place_of[std::size_t(pairs_[k].antagonist)], std::uint32_t(2 * k + 1));
        }
    };
    for_sides([&](std::int32_t place, std::uint32_t) { ++pairs_begin_[std::size_t(place)]; });
    exclusive_scan(pairs_begin_);
    pairs_of_.resize(2 * pairs_.size());
    std::vector<std::uint32_t> next = pairs_begin_;
    for_sides([&](std::int32_t place, std::uint32_t side) { pairs_of_[next[std::size_t(place)]++] = side; });
}

template <int D>
void ShapePairs<D>::take_history(const ContactTable<D>& contacts, const PackedBodies<D>&)
{
    std::map<std::pair<std::int32_t, std::int32_t>, std::uint32_t> place;
    for (std::size_t k = 0; k < pairs_.size(); ++k) {
        place[{pairs_[k].candidate, pairs_[k].antagonist}] = std::uint32_t(k);
    }
    std::vector<std::vector<Contact>> of_pair(pairs_.size());
    for (std::size_t row = 0; row < contacts.size(); ++row) {
        const auto found = place.find({contacts.candidate[row], contacts.antagonist[row]});
        if (found == place.end()) continue;
        Contact contact;
        contact.pair = found->second;
        contact.feature = contacts.feature[row];
        contact.point = in_space(contacts.point[row]);
        contact.normal = in_space(contacts.normal[row]);
        if (!contacts.slip.empty()) contact.slip = in_space(contacts.slip[row]);
        if (!contacts.slip_energy.empty()) contact.slip_energy = contacts.slip_energy[row];
        if (!contacts.roll_energy.empty()) contact.roll_energy = contacts.roll_energy[row];
        if (!contacts.roll.empty()) {
            for (int axis = 0; axis < angular<D>; ++axis)
                contact.roll[3 - angular<D> + axis] = contacts.roll[row][axis];
        }
        of_pair[found->second].push_back(contact);
    }
    for (Chunk& one : chunks_) one = {};
    for (std::size_t k = 0; k < pairs_.size(); ++k) {
        std::vector<Contact>& kept = chunks_[k / chunk].contacts[0];
        pairs_[k].first = std::uint32_t(kept.size());
        pairs_[k].count = std::uint32_t(of_pair[k].size());
        kept.insert(kept.end(), of_pair[k].begin(), of_pair[k].end());
    }
}

// The history of the same feature; else of the nearest old point of the pair that no other takes.
template <int D>
void ShapePairs<D>::recall(const Listed& pair, const Chunk& from, std::size_t first_new,
                           std::vector<Contact>& contacts) const
{
    if (pair.count == 0) return;
    const Contact* const old = from.old().data() + pair.first;
    std::uint64_t taken = 0; // bits; a pair has few points
    const std::uint32_t count = std::min<std::uint32_t>(pair.count, 64);
    std::uint64_t served = 0;
    const auto take = [&](std::size_t row, std::uint32_t k) {
        taken |= std::uint64_t(1) << k;
        if (row - first_new < 64) served |= std::uint64_t(1) << (row - first_new);
        contacts[row].inherit(old[k]);
    };
    for (std::size_t row = first_new; row < contacts.size(); ++row) {
        for (std::uint32_t k = 0; k < count; ++k) {
            if (old[k].feature == contacts[row].feature && !(taken >> k & 1)) {
                take(row, k);
                break;
            }
        }
    }
    for (std::size_t row = first_new; row < std::min(contacts.size(), first_new + 64); ++row) {
        if (served >> (row - first_new) & 1) continue;
        double nearest = match_distance_;
        std::uint32_t found = count;
        for (std::uint32_t k = 0; k < count; ++k) {
            const double distance = (old[k].point - contacts[row].point).norm();
            if ((taken >> k & 1) || !(distance < nearest)) continue;
            nearest = distance;
            found = k;
        }
        if (found < count) take(row, found);
    }
}

#define TALUS_INSTANTIATE(D)                                                                                           \
    template void ShapePairs<D>::set_pairs(const std::vector<Pair>&, const BodyTable<D>&, const ShapeTable<D>&,        \
                                           const PackedBodies<D>&, double);                                            \
    template void ShapePairs<D>::take_history(const ContactTable<D>&, const PackedBodies<D>&);                         \
    template void ShapePairs<D>::recall(const Listed&, const Chunk&, std::size_t, std::vector<Contact>&) const;
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

} // namespace talus
