#include "talus/shapes/common_volume.hpp"

#include "talus/shapes/cut_solid.hpp"

#include <algorithm>
#include <cmath>

namespace talus {

namespace {

// A polytope seen from its body, along the axes of the world.
template <int D>
CutSolid<D>& loaded(const PlacedPolytope<D>& placed)
{
    thread_local CutSolid<D> solid;
    solid.load(placed.polytope, Vec<D>::Zero(), Mat<D>(placed.orientation.matrix().transpose()));
    return solid;
}

template <int D>
CommonVolume<D> measured(const CutSolid<D>& solid, const Vec<D>& position)
{
    CommonVolume<D> common;
    common.volume = solid.volume();
    if (!(common.volume > 0)) return {};
    const Vec<D> origin = solid.corners()[0]; // near all caps: no digits are lost
    Ang<D> turning = Ang<D>::Zero();
    Vec<D> centre = Vec<D>::Zero();
    double sum = 0;
    solid.for_each_cap([&](const Vec<D>& at, const Vec<D>& area) {
        const Vec<D> lever = at - origin;
        const double weight = area.norm();
        common.area += area;
        turning += moment(lever, area);
        centre += weight * lever;
        sum += weight;
    });
    const double square = common.area.squaredNorm();
    if (!(square > 0)) return {};
    // on the axis of the wrench, beside the middle of the surface
    Vec<D> arm = -cross(turning, common.area) / square;
    arm += common.area * (common.area.dot(centre / sum - arm) / square);
    common.twist = turning - moment(arm, common.area);
    common.point = position + origin + arm;
    return common;
}

// [m²]
double face_area(const Polytope<2>& polygon, std::size_t edge)
{
    const auto ends = polygon.face(edge);
    return (polygon.vertices[ends[1]] - polygon.vertices[ends[0]]).norm();
}
double face_area(const Polytope<3>& polyhedron, std::size_t face)
{
    const auto loop = polyhedron.face(face);
    const Vec<3>& base = polyhedron.vertices[loop[0]];
    Vec<3> twice = Vec<3>::Zero();
    for (std::size_t k = 2; k < loop.size(); ++k) {
        twice += (polyhedron.vertices[loop[k - 1]] - base).cross(polyhedron.vertices[loop[k]] - base);
    }
    return 0.5 * twice.norm();
}

} // namespace

template <int D>
CommonVolume<D> common_volume(const PlacedPolytope<D>& first, const PlacedPolytope<D>& second)
{
    CutSolid<D>& solid = loaded(first);
    const Mat<D> turn = second.orientation.matrix();
    const Vec<D> between = second.position - first.position;
    for (const Plane<D>& plane : second.polytope.planes) {
        const Vec<D> normal = turn * plane.normal;
        if (solid.cut({normal, plane.offset + normal.dot(between)})) continue;
        CommonVolume<D> none;
        none.apart_along = -normal;
        return none;
    }
    return measured(solid, first.position);
}

template <int D>
CommonVolume<D> common_volume(const PlacedPolytope<D>& first, const Vec<D>& position, const Vec<D>& normal)
{
    CutSolid<D>& solid = loaded(first);
    if (!solid.cut({normal, normal.dot(position - first.position)})) return {};
    return measured(solid, first.position);
}

// Cauchy: half the sum of the faces' areas times the cosines of their angles to the plane.
template <int D>
double largest_shadow(const Polytope<D>& polytope)
{
    double largest = 0;
    for (const Plane<D>& along : polytope.planes) {
        double sum = 0;
        for (std::size_t f = 0; f < polytope.face_count(); ++f) {
            sum += std::abs(along.normal.dot(polytope.planes[f].normal)) * face_area(polytope, f);
        }
        largest = std::max(largest, 0.5 * sum);
    }
    return largest;
}

#define TALUS_INSTANTIATE(D)                                                                                           \
    template CommonVolume<D> common_volume(const PlacedPolytope<D>&, const PlacedPolytope<D>&);                        \
    template CommonVolume<D> common_volume(const PlacedPolytope<D>&, const Vec<D>&, const Vec<D>&);                    \
    template double largest_shadow(const Polytope<D>&);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

} // namespace talus
