#include "talus/probes/region.hpp"

#include "talus/math/ball_overlap.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace talus {

namespace {

// How a ball lies to the region, safe on both sides: what is neither inside nor outside is cut.
enum class Place { inside, across, outside };

Place place_between(double distance, double radius, double reach) // of the ball, from the middle of the region
{
    if (distance >= reach + radius) return Place::outside;
    return distance + radius <= reach ? Place::inside : Place::across;
}

// Outside of one side is outside of all; inside is inside of each.
Place worse(Place a, Place b) { return std::max(a, b); }

template <int D>
Place place_of_ball(const Region<D>& region, const Vec<D>& centre, double radius) // centre in the region's own axes
{
    Place place = Place::inside;
    switch (region.kind) {
    case RegionKind::ball:
        return place_between(centre.norm(), radius, region.radius);
    case RegionKind::box:
        for (int k = 0; k < D; ++k) {
            place = worse(place, place_between(std::abs(centre[k]), radius, region.half[k]));
        }
        return place;
    case RegionKind::cylinder:
        return worse(place_between(centre.template head<D - 1>().norm(), radius, region.radius),
                     place_between(std::abs(centre[D - 1]), radius, region.half[D - 1]));
    }
    return place;
}

double ball_in_cylinder_region(const Region<3>& region, const Vec<3>& centre, double radius)
{
    return ball_in_cylinder(radius, region.radius, centre.head<2>().norm(), -region.half[2] - centre[2],
                            region.half[2] - centre[2]);
}
double part_in_cylinder_region(const Region<3>& region, const PlacedPolytope<3>& part)
{
    return volume_in_cylinder(part, Vec<3>::Zero(), region.turn * Vec<3>(0, 0, region.half[2]), region.radius);
}
double ball_in_cylinder_region(const Region<2>&, const Vec<2>&, double)
{
    throw std::logic_error("a cylinder lives in three dimensions");
}
double part_in_cylinder_region(const Region<2>&, const PlacedPolytope<2>&)
{
    throw std::logic_error("a cylinder lives in three dimensions");
}

// A ball that crosses the surface, its centre in the region's own axes.
template <int D>
double cut_ball(const Region<D>& region, const Vec<D>& centre, double radius)
{
    switch (region.kind) {
    case RegionKind::box:
        return ball_in_box<D>(centre, radius, -region.half, region.half);
    case RegionKind::ball:
        return overlap_of_balls<D>(radius, region.radius, centre.norm());
    case RegionKind::cylinder:
        return ball_in_cylinder_region(region, centre, radius);
    }
    return 0;
}

template <int D>
double part_in_box(const Region<D>& region, const PlacedPolytope<D>& part)
{
    const Mat<D> axes = region.turn.matrix();
    std::array<Plane<D>, 2 * D> faces;
    for (int k = 0; k < D; ++k) {
        faces[2 * k] = {-axes.col(k), region.half[k]};
        faces[2 * k + 1] = {axes.col(k), region.half[k]};
    }
    return volume_inside<D>(part, faces);
}

// A part that may cross the surface, placed relative to the centre of the region.
template <int D>
double cut_part(const Region<D>& region, const PlacedPolytope<D>& part)
{
    switch (region.kind) {
    case RegionKind::box:
        return part_in_box(region, part);
    case RegionKind::ball:
        return volume_in_ball<D>(part, Vec<D>::Zero(), region.radius);
    case RegionKind::cylinder:
        return part_in_cylinder_region(region, part);
    }
    return 0;
}

Region<3> cylinder_along(const Vec<3>& axis)
{
    const Mat<3> frame = frame_of(Vec<3>(axis.normalized()));
    Eigen::Matrix3d axes; // its own, the last one along the cylinder
    axes << frame.col(1), frame.col(2), frame.col(0);
    Region<3> region;
    region.turn = Rotation<3>(Eigen::Quaterniond(axes));
    return region;
}
Region<2> cylinder_along(const Vec<2>&) { throw std::logic_error("a cylinder lives in three dimensions"); }

} // namespace

template <int D>
Region<D> Region<D>::box(const Vec<D>& lower, const Vec<D>& upper)
{
    Region region;
    region.centre = 0.5 * (lower + upper);
    region.half = 0.5 * (upper - lower);
    return region;
}

template <int D>
Region<D> Region<D>::ball(const Vec<D>& centre, double radius)
{
    Region region;
    region.kind = RegionKind::ball;
    region.centre = centre;
    region.radius = radius;
    return region;
}

template <int D>
Region<D> Region<D>::cylinder(const Vec<D>& centre, const Vec<D>& axis, double radius, double length)
{
    Region region = cylinder_along(axis);
    region.kind = RegionKind::cylinder;
    region.centre = centre;
    region.half[D - 1] = 0.5 * length;
    region.radius = radius;
    return region;
}

template <int D>
double Region<D>::volume() const
{
    switch (kind) {
    case RegionKind::box:
        return (2 * half).prod();
    case RegionKind::ball:
        return ball_volume<D>(radius);
    case RegionKind::cylinder:
        return M_PI * radius * radius * 2 * half[D - 1];
    }
    return 0;
}

template <int D>
double Region<D>::width() const
{
    switch (kind) {
    case RegionKind::box:
        return 2 * half.minCoeff();
    case RegionKind::ball:
        return 2 * radius;
    case RegionKind::cylinder:
        return 2 * std::min(radius, half[D - 1]);
    }
    return 0;
}

template <int D>
bool Region<D>::contains(const Vec<D>& point) const
{
    const Vec<D> own = turn.inverse() * Vec<D>(point - centre);
    const auto is_between = [&](int k) { return own[k] >= -half[k] && own[k] < half[k]; };
    switch (kind) {
    case RegionKind::box:
        for (int k = 0; k < D; ++k) {
            if (!is_between(k)) return false;
        }
        return true;
    case RegionKind::ball:
        return own.norm() < radius;
    case RegionKind::cylinder:
        return own.template head<D - 1>().norm() < radius && is_between(D - 1);
    }
    return false;
}

template <int D>
Bounds<D> Region<D>::bounds() const
{
    const Mat<D> axes = turn.matrix();
    Vec<D> reach = Vec<D>::Constant(radius);
    if (kind == RegionKind::box) reach = axes.cwiseAbs() * half;
    if (kind == RegionKind::cylinder) {
        for (int k = 0; k < D; ++k) { // of its end disks
            const double along = std::min(1.0, std::abs(axes(k, D - 1)));
            reach[k] = along * half[D - 1] + radius * std::sqrt((1 - along) * (1 + along));
        }
    }
    return {centre - reach, centre + reach};
}

namespace {

template <int D>
Vec<D> own_place(const Region<D>& region, const Sample<D>& sample, std::size_t grain)
{
    return region.turn.inverse() * Vec<D>(sample.bodies.position[grain] - region.centre);
}

template <int D>
Place place_of_grain(const Region<D>& region, const Sample<D>& sample, std::size_t grain)
{
    return place_of_ball(region, own_place(region, sample, grain),
                         bounding_radius(sample.shapes, sample.bodies.shape[grain]));
}

} // namespace

template <int D>
bool is_inside(const Region<D>& region, const Sample<D>& sample, std::size_t grain)
{
    return place_of_grain(region, sample, grain) == Place::inside;
}

template <int D>
double volume_within(const Region<D>& region, const Sample<D>& sample, std::size_t grain)
{
    const Place place = place_of_grain(region, sample, grain);
    if (place == Place::outside) return 0;
    if (place == Place::inside) return sample.volume(grain);
    if (sample.shape(grain).kind == ShapeKind::ball) {
        return cut_ball(region, own_place(region, sample, grain), sample.shape(grain).radius);
    }
    const Vec<D> offset = sample.bodies.position[grain] - region.centre;
    double volume = 0;
    for (const Polytope<D>& part : sample.parts(grain)) {
        volume += cut_part<D>(region, {part, offset, sample.bodies.orientation[grain]});
    }
    return volume;
}

#define TALUS_INSTANTIATE(D)                                                                                           \
    template struct Region<D>;                                                                                         \
    template double volume_within(const Region<D>&, const Sample<D>&, std::size_t);                                    \
    template bool is_inside(const Region<D>&, const Sample<D>&, std::size_t);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

} // namespace talus
