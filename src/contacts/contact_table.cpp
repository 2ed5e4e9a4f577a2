#include "contacts/contact_table.hpp"

#include "exec/parallel.hpp"
#include "shapes/collide.hpp"

namespace talus {

template <int D>
void ContactTable<D>::find_pairs(const BodyTable<D>& bodies, const ShapeTable<D>& shapes, Detector<D>& detector,
                                 double alert)
{
    radius_.resize(bodies.size());
    passive_.resize(bodies.size());
    walls_.clear();
    parallel_for(bodies.size(), [&](std::size_t i) {
        const double radius = bounding_radius(shapes, bodies.shape[i]);
        radius_[i] = std::isfinite(radius) ? radius : -1.0;
        passive_[i] = bodies.is_passive(i);
    });
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        if (radius_[i] >= 0) continue;
        walls_.push_back({std::int32_t(i), [&bodies, &shapes, i](const Vec<D>& where) {
                              return wall_distance(shapes, bodies.shape[i], bodies.position[i], bodies.orientation[i],
                                                   where);
                          }});
    }
    detector.find({bodies.position, radius_, passive_, walls_, alert}, pairs_);
}

template <int D>
void ContactTable<D>::detect(const BodyTable<D>& bodies, const ShapeTable<D>& shapes, Detector<D>& detector,
                             double alert)
{
    old_identity_.resize(size());
    parallel_for(size(), [&](std::size_t k) { old_identity_[k] = identity(k); });
    old_impulse_.swap(impulse);
    old_rolling_.swap(rolling_impulse);

    find_pairs(bodies, shapes, detector, alert);
    resize(pairs_.size());
    parallel_for(pairs_.size(), [&](std::size_t k) {
        std::int32_t c = pairs_[k].first, a = pairs_[k].second;
        if (second_is_candidate(shapes[bodies.shape[c]].kind, shapes[bodies.shape[a]].kind)) std::swap(c, a);
        const auto contact = collide<D>(shapes, {shapes[bodies.shape[c]], bodies.position[c], bodies.orientation[c]},
                                        {shapes[bodies.shape[a]], bodies.position[a], bodies.orientation[a]});
        candidate[k] = c;
        antagonist[k] = a;
        feature[k] = contact.feature;
        point[k] = contact.point;
        normal[k] = contact.normal;
        gap[k] = contact.gap;
    });
    drop_wider_than(alert);
}

// Bounding balls may be close where the shapes are not. In order, so that the table stays sorted.
template <int D>
void ContactTable<D>::drop_wider_than(double alert)
{
    std::size_t kept = 0;
    for (std::size_t k = 0; k < size(); ++k) {
        if (!(gap[k] <= alert)) continue;
        if (kept != k) {
            candidate[kept] = candidate[k];
            antagonist[kept] = antagonist[k];
            feature[kept] = feature[k];
            point[kept] = point[k];
            normal[kept] = normal[k];
            gap[kept] = gap[k];
        }
        ++kept;
    }
    resize(kept);
}

template <int D>
void ContactTable<D>::resize(std::size_t count)
{
    candidate.resize(count);
    antagonist.resize(count);
    feature.resize(count);
    point.resize(count);
    normal.resize(count);
    gap.resize(count);
}

template <int D>
void ContactTable<D>::inherit()
{
    const bool rolling = !old_rolling_.empty();
    impulse.resize(size());
    rolling_impulse.resize(rolling ? size() : 0);
    // both tables are sorted by identity: walk them side by side, each chunk from its own start
    parallel_chunks(size(), [&](std::size_t begin, std::size_t end) {
        auto old = std::lower_bound(old_identity_.begin(), old_identity_.end(), identity(begin));
        for (std::size_t k = begin; k < end; ++k) {
            const Identity now = identity(k);
            while (old != old_identity_.end() && *old < now) ++old;
            const bool persists = old != old_identity_.end() && *old == now;
            const std::size_t before = std::size_t(old - old_identity_.begin());
            impulse[k] = persists ? old_impulse_[before] : Vec<D>(Vec<D>::Zero());
            if (rolling) rolling_impulse[k] = persists ? old_rolling_[before] : Ang<D>(Ang<D>::Zero());
        }
    });
}

template <int D>
void ContactTable<D>::forget()
{
    impulse.assign(size(), Vec<D>::Zero());
    rolling_impulse.clear();
}

template class ContactTable<2>;
template class ContactTable<3>;

} // namespace talus
