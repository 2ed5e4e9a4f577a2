#include "talus/probes/pair_overlap.hpp"

#include "talus/math/ball_overlap.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace talus {

namespace {

// Exact as long as the ball meets either the straight part of the rod or one of its ends.
template <int D>
PairOverlap ball_and_segment(const Sample<D>& sample, std::size_t ball, std::size_t segment)
{
    const Shape<D>& rod = sample.shape(segment);
    const double radius = sample.shape(ball).radius;
    const Vec<D> half = sample.bodies.orientation[segment] * sample.shapes.segments[rod.detail].half;
    const Vec<D> offset = sample.bodies.position[ball] - sample.bodies.position[segment];
    const double square = half.squaredNorm();
    const double along = square > 0 ? std::clamp(offset.dot(half) / square, -1.0, 1.0) : 1.0;
    const double distance = (offset - along * half).norm();
    const double volume = rod.radius == 0       ? 0 // a line has no inside
                          : std::abs(along) < 1 ? ball_in_rod<D>(radius, rod.radius, distance)
                                                : overlap_of_balls<D>(radius, rod.radius, distance);
    return {volume, radius + rod.radius - distance};
}

template <int D>
PairOverlap ball_and_wall(const Sample<D>& sample, std::size_t ball, std::size_t wall)
{
    const BodyTable<D>& bodies = sample.bodies;
    const Shape<D>& solid = sample.shape(wall);
    const double radius = sample.shape(ball).radius;
    const double height = wall_distance(sample.shapes, bodies.shape[wall], bodies.position[wall],
                                        bodies.orientation[wall], bodies.position[ball]);
    const double depth = radius - height;
    if (depth <= 0) return {0, depth};
    if (solid.kind == ShapeKind::half_space) return {ball_below_plane<D>(radius, height), depth};
    if (solid.kind == ShapeKind::hollow_ball) {
        return {ball_outside_bowl<D>(radius, solid.radius, solid.radius - height), depth};
    }
    return {ball_outside_drum(radius, solid.radius, solid.radius - height), depth};
}

template <int D>
PairOverlap parts_and_wall(const Sample<D>& sample, std::size_t grain, std::size_t wall)
{
    const BodyTable<D>& bodies = sample.bodies;
    const std::int32_t solid = bodies.shape[wall];
    const Mat<D> turn = bodies.orientation[grain].matrix();
    double lowest = std::numeric_limits<double>::infinity(), volume = 0;
    for (const Polytope<D>& part : sample.parts(grain)) {
        double height = std::numeric_limits<double>::infinity();
        for (const Vec<D>& vertex : part.vertices) { // the deepest point is one of them
            height =
                std::min(height, wall_distance<D>(sample.shapes, solid, bodies.position[wall], bodies.orientation[wall],
                                                  bodies.position[grain] + turn * vertex));
        }
        lowest = std::min(lowest, height);
        if (height >= 0) continue;
        volume += volume_in_wall(sample.placed(part, grain), sample.shapes, solid, bodies.position[wall],
                                 bodies.orientation[wall]);
    }
    return {volume, -lowest};
}

// The common volume of the parts of one body and a body of bounded shape.
template <int D>
double parts_and_solid(const Sample<D>& sample, std::size_t one, std::size_t other)
{
    const Shape<D>& solid = sample.shape(other);
    const Vec<D>& centre = sample.bodies.position[other];
    double volume = 0;
    for (const Polytope<D>& part : sample.parts(one)) {
        const PlacedPolytope<D> placed = sample.placed(part, one);
        if (solid.kind == ShapeKind::ball) volume += volume_in_ball(placed, centre, solid.radius);
        if (solid.kind == ShapeKind::segment) {
            const Vec<D> half = sample.bodies.orientation[other] * sample.shapes.segments[solid.detail].half;
            volume += volume_in_rod(placed, centre, half, solid.radius);
        }
        for (const Polytope<D>& opposite : sample.parts(other)) {
            volume += intersection_volume(placed, sample.placed(opposite, other));
        }
    }
    return volume;
}

} // namespace

template <int D>
PairOverlap overlap_of_pair(const Sample<D>& sample, std::size_t grain, std::size_t other, double gap)
{
    const Shape<D>& solid = sample.shape(other);
    if (sample.shape(grain).kind != ShapeKind::ball) {
        if (is_unbounded(solid.kind)) return parts_and_wall(sample, grain, other);
        return {gap < 0 ? parts_and_solid(sample, grain, other) : 0, -gap};
    }
    switch (solid.kind) {
    case ShapeKind::ball: {
        const double distance = (sample.bodies.position[grain] - sample.bodies.position[other]).norm();
        const double radius = sample.shape(grain).radius;
        return {overlap_of_balls<D>(radius, solid.radius, distance), radius + solid.radius - distance};
    }
    case ShapeKind::segment:
        return ball_and_segment(sample, grain, other);
    case ShapeKind::half_space:
    case ShapeKind::hollow_ball:
    case ShapeKind::hollow_cylinder:
        return ball_and_wall(sample, grain, other);
    case ShapeKind::polytope:
    case ShapeKind::cluster:
        return {gap < 0 ? parts_and_solid(sample, other, grain) : 0, -gap};
    case ShapeKind::mesh: // a surface has no inside
        break;
    }
    return {0, -gap};
}

template <int D>
Bounds<D> bounds_of_grain(const Sample<D>& sample, std::size_t grain)
{
    const Vec<D>& centre = sample.bodies.position[grain];
    if (sample.shape(grain).kind == ShapeKind::ball) {
        const Vec<D> reach = Vec<D>::Constant(sample.shape(grain).radius);
        return {centre - reach, centre + reach};
    }
    Bounds<D> all{centre, centre};
    bool is_first = true;
    for (const Polytope<D>& part : sample.parts(grain)) {
        const Bounds<D> one = part.bounds(sample.bodies.orientation[grain]);
        all.lower = is_first ? one.lower : Vec<D>(all.lower.cwiseMin(one.lower));
        all.upper = is_first ? one.upper : Vec<D>(all.upper.cwiseMax(one.upper));
        is_first = false;
    }
    return {centre + all.lower, centre + all.upper};
}

#define TALUS_INSTANTIATE(D)                                                                                           \
    template PairOverlap overlap_of_pair(const Sample<D>&, std::size_t, std::size_t, double);                          \
    template Bounds<D> bounds_of_grain(const Sample<D>&, std::size_t);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

} // namespace talus
