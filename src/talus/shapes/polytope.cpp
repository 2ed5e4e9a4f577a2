#include "talus/shapes/polytope.hpp"

#include "talus/base/error.hpp"
#include "talus/math/principal.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <tuple>

namespace talus {

namespace {

// Moments of a solid about a point, added up from simplices that have a corner there.
template <int D>
struct Moments {
    double volume = 0;                      // ∫ 1
    Vec<D> first = Vec<D>::Zero();          // ∫ x
    Mat<D> second = Mat<D>::Zero();         // ∫ x xᵀ
    void add_simplex(const Mat<D>& corners) // the other corners as columns, positively oriented
    {
        // over the simplex {0, a, ...} of volume v: ∫x = v Σa/(D+1), ∫xxᵀ = v (ΣaΣaᵀ + Σaaᵀ)/((D+1)(D+2))
        const double simplex = corners.determinant() / (D == 2 ? 2 : 6);
        const Vec<D> sum = corners.rowwise().sum();
        volume += simplex;
        first += simplex / (D + 1) * sum;
        second += simplex / ((D + 1) * (D + 2)) * (sum * sum.transpose() + corners * corners.transpose());
    }
};

template <int D>
Vec<D> mean_vertex(const Polytope<D>& polytope)
{
    Vec<D> sum = Vec<D>::Zero();
    for (const Vec<D>& vertex : polytope.vertices) sum += vertex;
    return sum / double(polytope.vertices.size());
}

template <int D>
Mat<D> second_moments(const Moments<D>& about_inside, const Vec<D>& shift)
{
    return about_inside.second - about_inside.volume * shift * shift.transpose();
}

template <int D>
void add_moments(Moments<D>& moments, const Polytope<D>& polytope, const Vec<D>& origin, const Mat<D>& turn)
{
    for (std::size_t f = 0; f < polytope.face_count(); ++f) {
        const auto face = polytope.face(f);
        const auto corner = [&](std::size_t k) -> Vec<D> { return turn * (polytope.vertices[face[k]] - origin); };
        Mat<D> corners;
        corners.col(0) = corner(0);
        for (std::size_t k = D - 1; k < face.size(); ++k) { // in 3D a fan of triangles, in 2D the edge itself
            for (int c = 1; c < D; ++c) corners.col(c) = corner(k - (D - 1) + c);
            moments.add_simplex(corners);
        }
    }
}

template <int D>
Moments<D> moments_about(std::span<const Polytope<D>> parts, const Vec<D>& origin, const Mat<D>& turn)
{
    Moments<D> moments;
    for (const Polytope<D>& part : parts) add_moments(moments, part, origin, turn);
    return moments;
}

constexpr double equal_moments = 1e-12; // relative; above the rounding of the sums, far below any real difference

bool agree(double a, double b) { return std::abs(a - b) <= equal_moments * std::max(std::abs(a), std::abs(b)); }

// the given axis least along `direction`, made orthogonal to it
Vec<3> free_axis(const Vec<3>& direction)
{
    int least = 0;
    direction.cwiseAbs().minCoeff(&least);
    const Vec<3> axis = Vec<3>::Unit(least);
    return (axis - axis.dot(direction) * direction).normalized();
}

Vec<3> positive(const Vec<3>& axis)
{
    int largest = 0;
    axis.cwiseAbs().maxCoeff(&largest);
    return axis[largest] < 0 ? Vec<3>(-axis) : axis;
}

// Right-handed principal axes of a solid with these second moments about its centre.
Rotation<2> principal_axes(const Mat<2>&) { return {}; }
Rotation<3> principal_axes(const Mat<3>& second)
{
    const double products = std::max({std::abs(second(0, 1)), std::abs(second(0, 2)), std::abs(second(1, 2))});
    if (products <= equal_moments * second.trace()) return {};
    // the longest extent has the smallest moment of inertia, hence the opposite of the solver's ascending order
    const Principal<3> solid = principal<3>(second);
    const Vec<3> extent = solid.values;
    Mat<3> axes = solid.directions.rowwise().reverse();
    axes.col(0) = positive(axes.col(0));
    axes.col(2) = positive(axes.col(2));
    const double resolution = equal_moments * second.trace();
    if (extent[2] - extent[1] <= resolution) {
        axes.col(0) = positive(free_axis(axes.col(2)));
    } else if (extent[1] - extent[0] <= resolution) {
        axes.col(2) = positive(free_axis(axes.col(0)));
    }
    axes.col(1) = axes.col(2).cross(axes.col(0));
    return Rotation<3>(Eigen::Quaterniond(Eigen::Matrix3d(axes)).normalized());
}

// Moments of inertia from second moments along principal axes; those that differ by rounding only are made equal.
Ang<2> principal_inertia(const Mat<2>& second) { return Ang<2>(second.trace()); }
Ang<3> principal_inertia(const Mat<3>& second)
{
    // sums of two, not differences to the trace: a needle keeps its small moment
    Ang<3> inertia(second(1, 1) + second(2, 2), second(2, 2) + second(0, 0), second(0, 0) + second(1, 1));
    for (int i = 0; i < 3; ++i) {
        double& next = inertia[(i + 1) % 3];
        if (agree(inertia[i], next)) next = inertia[i];
    }
    return inertia;
}

// area vector of a face, times two in 3D (Newell); the length of the normal in 2D is that of the edge
Vec<2> area_vector(const Polytope<2>& polytope, std::span<const std::int32_t> face)
{
    const Vec<2> along = polytope.vertices[face[1]] - polytope.vertices[face[0]];
    return {along[1], -along[0]};
}
Vec<3> area_vector(const Polytope<3>& polytope, std::span<const std::int32_t> face)
{
    Vec<3> area = Vec<3>::Zero();
    const Vec<3>& origin = polytope.vertices[face[0]];
    for (std::size_t k = 2; k < face.size(); ++k) {
        area += (polytope.vertices[face[k - 1]] - origin).cross(polytope.vertices[face[k]] - origin);
    }
    return area;
}

template <int D>
void set_planes(Polytope<D>& polytope)
{
    for (std::size_t f = 0; f + 1 < polytope.face_offsets.size(); ++f) {
        const Vec<D> normal = area_vector(polytope, polytope.face(f)).normalized();
        polytope.planes.push_back({normal, normal.dot(polytope.support(normal))});
    }
}

void set_edges(Polytope<2>&) {}
void set_edges(Polytope<3>& polytope)
{
    std::vector<std::tuple<std::int32_t, std::int32_t, bool, std::int32_t>> sides; // low, high, runs backward, face
    for (std::size_t f = 0; f < polytope.face_count(); ++f) {
        const auto face = polytope.face(f);
        for (std::size_t k = 0; k < face.size(); ++k) {
            const std::int32_t from = face[k], to = face[(k + 1) % face.size()];
            sides.emplace_back(std::min(from, to), std::max(from, to), from > to, std::int32_t(f));
        }
    }
    std::sort(sides.begin(), sides.end());
    assert(sides.size() % 2 == 0);
    for (std::size_t k = 0; k + 1 < sides.size(); k += 2) {
        const auto& [low, high, backward, face] = sides[k];
        assert(!backward && std::get<0>(sides[k + 1]) == low && std::get<1>(sides[k + 1]) == high &&
               std::get<2>(sides[k + 1]));
        polytope.edges.push_back({{low, high}, {face, std::get<3>(sides[k + 1])}});
    }
}

} // namespace

template <int D>
std::int32_t Polytope<D>::support_vertex(const Vec<D>& direction) const
{
    std::int32_t best = 0;
    double reach = direction.dot(vertices[0]);
    for (std::size_t v = 1; v < vertices.size(); ++v) {
        const double here = direction.dot(vertices[v]);
        if (here > reach) {
            reach = here;
            best = std::int32_t(v);
        }
    }
    return best;
}

template <int D>
double Polytope<D>::bounding_radius() const
{
    double square = 0;
    for (const Vec<D>& vertex : vertices) square = std::max(square, vertex.squaredNorm());
    return std::sqrt(square);
}

template <int D>
Bounds<D> Polytope<D>::bounds(const Rotation<D>& orientation) const
{
    const Mat<D> turn = orientation.matrix();
    Bounds<D> result;
    result.lower = result.upper = turn * vertices[0];
    for (const Vec<D>& vertex : vertices) {
        const Vec<D> turned = turn * vertex;
        result.lower = result.lower.cwiseMin(turned);
        result.upper = result.upper.cwiseMax(turned);
    }
    return result;
}

template <int D>
Polytope<D> polytope_of_faces(std::vector<Vec<D>> vertices, std::vector<std::int32_t> face_offsets,
                              std::vector<std::int32_t> face_vertices)
{
    Polytope<D> polytope;
    polytope.vertices = std::move(vertices);
    polytope.face_offsets = std::move(face_offsets);
    polytope.face_vertices = std::move(face_vertices);
    set_planes(polytope);
    set_edges(polytope);
    return polytope;
}

template <int D>
Polytope<D> box(const Vec<D>& size)
{
    if (!size.allFinite() || !(size.array() > 0).all()) throw InputError("a box needs positive, finite edge lengths");
    const Vec<D> half = 0.5 * size;
    if constexpr (D == 2) {
        return polytope_of_faces<2>({-half, {half[0], -half[1]}, half, {-half[0], half[1]}}, {0, 2, 4, 6, 8},
                                    {0, 1, 1, 2, 2, 3, 3, 0});
    } else {
        std::vector<Vec<3>> corners; // bits of the index: which side in x, y, z
        for (int k = 0; k < 8; ++k) {
            corners.emplace_back(k & 1 ? half[0] : -half[0], k & 2 ? half[1] : -half[1], k & 4 ? half[2] : -half[2]);
        }
        return polytope_of_faces<3>(std::move(corners), {0, 4, 8, 12, 16, 20, 24},
                                    {0, 1, 5, 4, 0, 2, 3, 1, 0, 4, 6, 2, 1, 3, 7, 5, 2, 6, 7, 3, 4, 5, 7, 6});
    }
}

template <int D>
MassProperties<D> mass_properties(const Polytope<D>& polytope)
{
    return mass_properties<D>(std::span<const Polytope<D>>(&polytope, 1));
}

template <int D>
MassProperties<D> mass_properties(std::span<const Polytope<D>> parts)
{
    Vec<D> inside = Vec<D>::Zero();
    for (const Polytope<D>& part : parts) inside += mean_vertex(part) / double(parts.size());
    const Moments<D> given = moments_about(parts, inside, Mat<D>(Mat<D>::Identity()));
    const Vec<D> shift = given.first / given.volume;
    MassProperties<D> properties;
    properties.volume = given.volume;
    properties.centre = inside + shift;
    properties.axes = principal_axes(second_moments(given, shift));
    // once more along the principal axes: turning the tensor instead would lose the small moments of a needle
    const Mat<D> to_body = properties.axes.matrix().transpose();
    const Moments<D> turned = moments_about(parts, inside, to_body);
    properties.inertia = principal_inertia(second_moments(turned, Vec<D>(to_body * shift)));
    return properties;
}

template <int D>
Polytope<D> centred(const Polytope<D>& polytope, const MassProperties<D>& properties)
{
    const Mat<D> to_body = properties.axes.matrix().transpose();
    Polytope<D> result = polytope;
    for (Vec<D>& vertex : result.vertices) vertex = to_body * (vertex - properties.centre);
    for (Plane<D>& plane : result.planes) {
        plane.normal = (to_body * plane.normal).normalized();
        plane.offset = plane.normal.dot(result.support(plane.normal));
    }
    return result;
}

#define TALUS_INSTANTIATE(D)                                                                                           \
    template struct Polytope<D>;                                                                                       \
    template Polytope<D> polytope_of_faces(std::vector<Vec<D>>, std::vector<std::int32_t>, std::vector<std::int32_t>); \
    template Polytope<D> box(const Vec<D>&);                                                                           \
    template MassProperties<D> mass_properties(const Polytope<D>&);                                                    \
    template MassProperties<D> mass_properties(std::span<const Polytope<D>>);                                          \
    template Polytope<D> centred(const Polytope<D>&, const MassProperties<D>&);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

} // namespace talus
