// crossing_triangles of mesh_checks.hpp: candidates by a sweep along the longest axis, then edges through faces; in
// one plane, edges across edges. Triangles that merely touch, as neighbours do, do not cross.
#include "talus/shapes/mesh_checks.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace talus {

namespace {

constexpr double clear = 1e-9; // of the mesh's size: what is closer touches

using Corners = std::array<Vec<3>, 3>;

// on which side of the line a → b the point is: twice the signed area
double side(const Vec<2>& a, const Vec<2>& b, const Vec<2>& point)
{
    return (b - a)[0] * (point - a)[1] - (b - a)[1] * (point - a)[0];
}

struct FlatTriangle {
    std::array<Vec<2>, 3> corner; // counter-clockwise

    bool holds(const Vec<2>& point, double margin) const
    {
        for (int k = 0; k < 3; ++k) {
            if (side(corner[k], corner[(k + 1) % 3], point) <= margin) return false;
        }
        return true;
    }
    Vec<2> centre() const { return (corner[0] + corner[1] + corner[2]) / 3; }
};

FlatTriangle flattened(const Corners& triangle, int axis)
{
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    FlatTriangle flat;
    for (int k = 0; k < 3; ++k) flat.corner[k] = {triangle[k][u], triangle[k][v]};
    if (side(flat.corner[0], flat.corner[1], flat.corner[2]) < 0) std::swap(flat.corner[1], flat.corner[2]);
    return flat;
}

bool overlap_in_plane(const Corners& first, const Corners& second, const Vec<3>& normal, double size)
{
    int axis = 0;
    normal.cwiseAbs().maxCoeff(&axis);
    const FlatTriangle a = flattened(first, axis), b = flattened(second, axis);
    const double margin = clear * size * size;
    if (a.holds(b.centre(), margin) || b.holds(a.centre(), margin)) return true;
    for (int i = 0; i < 3; ++i) {
        const Vec<2>&p = a.corner[i], &q = a.corner[(i + 1) % 3];
        for (int k = 0; k < 3; ++k) {
            const Vec<2>&r = b.corner[k], &s = b.corner[(k + 1) % 3];
            const double at_r = side(p, q, r), at_s = side(p, q, s), at_p = side(r, s, p), at_q = side(r, s, q);
            const double least = std::min({std::abs(at_r), std::abs(at_s), std::abs(at_p), std::abs(at_q)});
            if (least > margin && at_r * at_s < 0 && at_p * at_q < 0) return true;
        }
    }
    return false;
}

// Whether an edge of `first` goes through the inside of `second`.
bool pierces(const Corners& first, const Corners& second, const Vec<3>& normal, double size)
{
    int axis = 0;
    normal.cwiseAbs().maxCoeff(&axis);
    const FlatTriangle flat = flattened(second, axis);
    std::array<double, 3> height;
    for (int k = 0; k < 3; ++k) height[k] = normal.dot(first[k] - second[0]);
    for (int k = 0; k < 3; ++k) {
        const double from = height[k], to = height[(k + 1) % 3];
        if (std::min(std::abs(from), std::abs(to)) <= clear * size || from * to > 0) continue;
        const Vec<3> point = first[k] + from / (from - to) * (first[(k + 1) % 3] - first[k]);
        if (flat.holds({point[(axis + 1) % 3], point[(axis + 2) % 3]}, clear * size * size)) return true;
    }
    return false;
}

bool cross(const Corners& first, const Corners& second, double size)
{
    const Vec<3> normal_1 = (first[1] - first[0]).cross(first[2] - first[0]).normalized();
    const Vec<3> normal_2 = (second[1] - second[0]).cross(second[2] - second[0]).normalized();
    const bool in_plane = std::all_of(first.begin(), first.end(), [&](const Vec<3>& corner) {
        return std::abs(normal_2.dot(corner - second[0])) <= clear * size;
    });
    if (in_plane) return overlap_in_plane(first, second, normal_2, size);
    return pierces(first, second, normal_2, size) || pierces(second, first, normal_1, size);
}

} // namespace

CrossingPairs crossing_triangles(const TriangleMesh& mesh)
{
    const std::size_t count = mesh.triangles.size();
    std::vector<Corners> corners(count);
    std::vector<Vec<3>> lower(count), upper(count);
    Vec<3> least = Vec<3>::Constant(std::numeric_limits<double>::infinity()), most = -least;
    for (std::size_t t = 0; t < count; ++t) {
        for (int k = 0; k < 3; ++k) corners[t][k] = mesh.vertices[mesh.triangles[t][k]];
        lower[t] = corners[t][0].cwiseMin(corners[t][1]).cwiseMin(corners[t][2]);
        upper[t] = corners[t][0].cwiseMax(corners[t][1]).cwiseMax(corners[t][2]);
        least = least.cwiseMin(lower[t]);
        most = most.cwiseMax(upper[t]);
    }
    int axis = 0;
    const double size = count ? (most - least).maxCoeff(&axis) : 0;
    std::vector<std::int32_t> order(count);
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
        return lower[a][axis] < lower[b][axis] || (lower[a][axis] == lower[b][axis] && a < b);
    });
    CrossingPairs found{0, {0, 0}};
    for (std::size_t i = 0; i < count; ++i) {
        const std::int32_t a = order[i];
        for (std::size_t k = i + 1; k < count && lower[order[k]][axis] <= upper[a][axis]; ++k) {
            const std::int32_t b = order[k];
            if ((lower[b].array() > upper[a].array()).any() || (lower[a].array() > upper[b].array()).any()) continue;
            if (!cross(corners[a], corners[b], size)) continue;
            if (found.first++ == 0) found.second = {std::min(a, b), std::max(a, b)};
        }
    }
    return found;
}

} // namespace talus
