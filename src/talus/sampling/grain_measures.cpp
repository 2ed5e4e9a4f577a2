#include "talus/sampling/grain_measures.hpp"

#include <cmath>
#include <limits>
#include <utility>

namespace talus {

namespace {

template <int D>
double extent(const Polytope<D>& grain, const Vec<D>& direction)
{
    return direction.dot(grain.support(direction)) - direction.dot(grain.support(-direction));
}

double face_area(const Polytope<2>& grain, std::span<const std::int32_t> face)
{
    return (grain.vertices[face[1]] - grain.vertices[face[0]]).norm();
}

double face_area(const Polytope<3>& grain, std::span<const std::int32_t> face)
{
    Vec<3> area = Vec<3>::Zero();
    for (std::size_t k = 2; k < face.size(); ++k) {
        area += 0.5 * (grain.vertices[face[k - 1]] - grain.vertices[face[0]])
                          .cross(grain.vertices[face[k]] - grain.vertices[face[0]]);
    }
    return area.norm();
}

// perimeter or surface of the ball of this volume
double ball_surface(double volume, const Polytope<2>&) { return 2 * std::sqrt(M_PI * volume); }
double ball_surface(double volume, const Polytope<3>&) { return std::cbrt(36 * M_PI * volume * volume); }

double flatness_of(const GrainBox<2>&) { return 1; }
double flatness_of(const GrainBox<3>& box) { return box.size[2] / box.size[1]; }

} // namespace

template <>
GrainBox<2> grain_box(const Polytope<2>& grain)
{
    double least = std::numeric_limits<double>::infinity();
    Vec<2> across = Vec<2>::UnitY();
    for (const Plane<2>& side : grain.planes) {
        const double width = extent(grain, side.normal);
        if (width >= least) continue;
        least = width;
        across = side.normal;
    }
    GrainBox<2> box;
    const Vec<2> along(across[1], -across[0]);
    box.axes.col(0) = along;
    box.axes.col(1) = across;
    box.size = {extent(grain, along), least};
    return box;
}

template <>
GrainBox<3> grain_box(const Polytope<3>& grain)
{
    GrainBox<3> box;
    box.size.setConstant(std::numeric_limits<double>::infinity());
    // all boxes of a tetrahedron have the same volume: the stoutest of those that tie
    const auto is_smaller = [](const Vec<3>& size, const Vec<3>& than) {
        const double volume = size.prod(), other = than.prod();
        if (!(std::abs(volume - other) <= 1e-9 * other)) return volume < other;
        return size.squaredNorm() < than.squaredNorm() * (1 - 1e-9);
    };
    std::vector<Vec<2>> shadow(grain.vertices.size());
    for (const Plane<3>& side : grain.planes) {
        const Mat<3> frame = frame_of(side.normal);
        const Vec<3> t = frame.col(1), s = frame.col(2);
        for (std::size_t v = 0; v < shadow.size(); ++v) {
            shadow[v] = {t.dot(grain.vertices[v]), s.dot(grain.vertices[v])};
        }
        const double height = extent(grain, side.normal);
        const Polytope<2> outline = convex_hull<2>(shadow);
        for (const Plane<2>& edge : outline.planes) {
            const Vec<2> along(edge.normal[1], -edge.normal[0]);
            const Vec<3> size(height, extent(outline, edge.normal), extent(outline, along));
            if (!is_smaller(size, box.size)) continue;
            box.size = size;
            box.axes.col(0) = side.normal;
            box.axes.col(1) = edge.normal[0] * t + edge.normal[1] * s;
            box.axes.col(2) = along[0] * t + along[1] * s;
        }
    }
    const auto order = [&](int i, int k) {
        if (box.size[i] >= box.size[k]) return;
        std::swap(box.size[i], box.size[k]);
        box.axes.col(i).swap(box.axes.col(k));
    };
    order(0, 1);
    order(1, 2);
    order(0, 1);
    return box;
}

template <int D>
GrainMeasures measure_grain(const Polytope<D>& grain)
{
    const GrainBox<D> box = grain_box(grain);
    double surface = 0;
    for (std::size_t f = 0; f < grain.face_count(); ++f) surface += face_area(grain, grain.face(f));
    GrainMeasures measures;
    measures.sieve_size = box.size[1];
    measures.elongation = box.size[1] / box.size[0];
    measures.flatness = flatness_of(box);
    measures.volume = mass_properties(grain).volume;
    measures.sphericity = ball_surface(measures.volume, grain) / surface;
    return measures;
}

template GrainMeasures measure_grain(const Polytope<2>&);
template GrainMeasures measure_grain(const Polytope<3>&);

} // namespace talus
