#include "talus/contacts/near_pairs.hpp"

#include "talus/exec/erase_rows.hpp"
#include "talus/shapes/collide.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace talus {

namespace {

constexpr double large = 8; // times the mean radius: a body that many cells hold is found like a wall

template <int D>
double mean_radius_of_grains(const BodyTable<D>& bodies, const ShapeTable<D>& shapes)
{
    struct Sum {
        double radius = 0, count = 0;
    };
    const Sum grains = parallel_reduce(
        bodies.size(), Sum{},
        [&](std::size_t i) {
            const double radius = bounding_radius(shapes, bodies.shape[i]);
            return bodies.is_passive(i) || !std::isfinite(radius) ? Sum{} : Sum{radius, 1};
        },
        [](const Sum& a, const Sum& b) {
            return Sum{a.radius + b.radius, a.count + b.count};
        });
    return grains.count > 0 ? grains.radius / grains.count : std::numeric_limits<double>::infinity();
}

} // namespace

template <int D>
void NearPairs<D>::find(const BodyTable<D>& bodies, const ShapeTable<D>& shapes, const ConvexBodies<D>& convex,
                        Detector<D>& detector, double reach, std::vector<Pair>& pairs)
{
    mean_radius_ = mean_radius_of_grains(bodies, shapes);
    radius_.resize(bodies.size());
    passive_.resize(bodies.size());
    is_wall_.resize(bodies.size());
    walls_.clear();
    parallel_for(bodies.size(), [&](std::size_t i) {
        const double radius = bounding_radius(shapes, bodies.shape[i]);
        const ShapeKind kind = shapes[bodies.shape[i]].kind;
        const bool is_wall = !std::isfinite(radius) || kind == ShapeKind::mesh ||
                             (kind != ShapeKind::ball && radius > large * mean_radius_);
        radius_[i] = is_wall ? -1.0 : radius;
        is_wall_[i] = is_wall;
        passive_[i] = bodies.is_passive(i);
    });
    for_bytes(is_wall_, 1, [&](std::size_t i) {
        // by its faces a rod is as long as its line: its ball ends it
        const double within = bounding_radius(shapes, bodies.shape[i]);
        walls_.push_back({std::int32_t(i), [&convex, &bodies, &shapes, i, within](const Vec<D>& where) {
                              const double from_ball = (where - bodies.position[i]).norm() - within;
                              const double from_faces =
                                  convex.distance(shapes, i, bodies.position[i], bodies.orientation[i], where);
                              return std::max(from_ball, from_faces);
                          }});
    });
    detector.find({bodies.position, radius_, passive_, walls_, reach}, pairs);
    add_pairs_of_large_bodies(bodies, shapes, reach, pairs);
}

// The detector does not look for pairs of walls.
template <int D>
void NearPairs<D>::add_pairs_of_large_bodies(const BodyTable<D>& bodies, const ShapeTable<D>& shapes, double reach,
                                             std::vector<Pair>& pairs) const
{
    const std::size_t found = pairs.size();
    const bool all_passive = std::ranges::all_of(walls_, [&](const auto& wall) { return passive_[wall.body] != 0; });
    for (std::size_t a = 0; a < walls_.size() && !all_passive; ++a) {
        for (std::size_t b = a + 1; b < walls_.size(); ++b) {
            const std::int32_t i = walls_[a].body, j = walls_[b].body;
            if (passive_[i] && passive_[j]) continue;
            if (!can_collide(shapes[bodies.shape[i]].kind, shapes[bodies.shape[j]].kind)) continue;
            const bool i_is_bounded = std::isfinite(bounding_radius(shapes, bodies.shape[i]));
            const std::int32_t body = i_is_bounded ? i : j;
            const double within = bounding_radius(shapes, bodies.shape[body]) + reach;
            if ((i_is_bounded ? walls_[b] : walls_[a]).distance(bodies.position[body]) > within) continue;
            pairs.push_back({i, j});
        }
    }
    std::inplace_merge(pairs.begin(), pairs.begin() + std::ptrdiff_t(found), pairs.end());
}

template class NearPairs<2>;
template class NearPairs<3>;

} // namespace talus
