#include "talus/shapes/mesh_tree.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>

namespace talus {

namespace {

double square_distance(const Bounds<3>& box, const Vec<3>& p)
{
    return (box.lower - p).cwiseMax(p - box.upper).cwiseMax(0.0).squaredNorm();
}

// Ericson 2005, Real-Time Collision Detection §5.1.5
Vec<3> closest_on_triangle(const Vec<3>& p, const Vec<3>& a, const Vec<3>& b, const Vec<3>& c)
{
    const Vec<3> ab = b - a, ac = c - a, ap = p - a;
    const double d1 = ab.dot(ap), d2 = ac.dot(ap);
    if (d1 <= 0 && d2 <= 0) return a;
    const Vec<3> bp = p - b;
    const double d3 = ab.dot(bp), d4 = ac.dot(bp);
    if (d3 >= 0 && d4 <= d3) return b;
    const double vc = d1 * d4 - d3 * d2;
    if (vc <= 0 && d1 >= 0 && d3 <= 0) return a + d1 / (d1 - d3) * ab;
    const Vec<3> cp = p - c;
    const double d5 = ab.dot(cp), d6 = ac.dot(cp);
    if (d6 >= 0 && d5 <= d6) return c;
    const double vb = d5 * d2 - d1 * d6;
    if (vb <= 0 && d2 >= 0 && d6 <= 0) return a + d2 / (d2 - d6) * ac;
    const double va = d3 * d6 - d5 * d4;
    if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) return b + (d4 - d3) / ((d4 - d3) + (d5 - d6)) * (c - b);
    return a + vb / (va + vb + vc) * ab + vc / (va + vb + vc) * ac;
}

} // namespace

MeshTree::MeshTree(const TriangleMesh& mesh) : mesh_(mesh)
{
    const std::int32_t count = std::int32_t(mesh_.triangles.size());
    for (std::int32_t t = 0; t < count; ++t) {
        normals_.push_back((corner(t, 1) - corner(t, 0)).cross(corner(t, 2) - corner(t, 0)).normalized());
    }
    link_neighbours();
    order_.resize(count);
    std::iota(order_.begin(), order_.end(), 0);
    nodes_.emplace_back();
    build(0, 0, count);
}

// Edges by their two ends; equal positions count as one vertex, as STL files repeat them.
void MeshTree::link_neighbours()
{
    std::map<std::array<double, 3>, std::int32_t> place;
    const auto name = [&](const Vec<3>& p) {
        return place.try_emplace({p[0], p[1], p[2]}, std::int32_t(place.size())).first->second;
    };
    std::map<std::pair<std::int32_t, std::int32_t>, std::pair<std::int32_t, int>> open;
    neighbours_.assign(mesh_.triangles.size(), {-1, -1, -1});
    for (std::int32_t t = 0; t < std::int32_t(mesh_.triangles.size()); ++t) {
        for (int k = 0; k < 3; ++k) {
            const std::pair<std::int32_t, std::int32_t> ends = std::minmax(name(corner(t, k)), name(corner(t, k + 1)));
            const auto [found, is_new] = open.try_emplace(ends, t, k);
            if (is_new) continue;
            const auto [other, side] = found->second;
            neighbours_[t][k] = other;
            neighbours_[other][side] = t;
        }
    }
}

std::int32_t MeshTree::build(std::int32_t node, std::int32_t first, std::int32_t count)
{
    Bounds<3> box{Vec<3>::Constant(std::numeric_limits<double>::infinity()),
                  Vec<3>::Constant(-std::numeric_limits<double>::infinity())};
    for (std::int32_t i = first; i < first + count; ++i) {
        for (int k = 0; k < 3; ++k) {
            box.lower = box.lower.cwiseMin(corner(order_[i], k));
            box.upper = box.upper.cwiseMax(corner(order_[i], k));
        }
    }
    if (count <= 4) {
        nodes_[node] = {box, first, count};
        return node;
    }
    int axis = 0;
    (box.upper - box.lower).maxCoeff(&axis);
    const auto middle = [&](std::int32_t t) { return corner(t, 0)[axis] + corner(t, 1)[axis] + corner(t, 2)[axis]; };
    const std::int32_t half = count / 2;
    std::nth_element(order_.begin() + first, order_.begin() + first + half, order_.begin() + first + count,
                     [&](std::int32_t a, std::int32_t b) { return middle(a) < middle(b); });
    const std::int32_t children = std::int32_t(nodes_.size());
    nodes_.resize(nodes_.size() + 2);
    nodes_[node] = {box, children, 0};
    build(children, first, half);
    build(children + 1, first + half, count - half);
    return node;
}

void MeshTree::near(const Vec<3>& point, double reach, std::vector<std::int32_t>& triangles) const
{
    triangles.clear();
    std::array<std::int32_t, 64> waiting{0}; // the tree halves at each level: never deeper than this
    int count = 1;
    while (count > 0) {
        const Node& node = nodes_[waiting[--count]];
        if (square_distance(node.box, point) > reach * reach) continue;
        if (node.count == 0) {
            waiting[count++] = node.first;
            waiting[count++] = node.first + 1;
            continue;
        }
        triangles.insert(triangles.end(), order_.begin() + node.first, order_.begin() + node.first + node.count);
    }
    std::sort(triangles.begin(), triangles.end());
}

double MeshTree::distance(const Vec<3>& point) const
{
    double least = std::numeric_limits<double>::infinity();
    std::array<std::int32_t, 64> waiting{0};
    int count = 1;
    while (count > 0) {
        const Node& node = nodes_[waiting[--count]];
        if (square_distance(node.box, point) >= least) continue;
        if (node.count == 0) {
            // the nearer child is looked at first
            const bool first_is_nearer =
                square_distance(nodes_[node.first].box, point) <= square_distance(nodes_[node.first + 1].box, point);
            waiting[count++] = node.first + first_is_nearer;
            waiting[count++] = node.first + !first_is_nearer;
            continue;
        }
        for (std::int32_t i = node.first; i < node.first + node.count; ++i) {
            const std::int32_t t = order_[i];
            const Vec<3> q = closest_on_triangle(point, corner(t, 0), corner(t, 1), corner(t, 2));
            least = std::min(least, (q - point).squaredNorm());
        }
    }
    return std::sqrt(least);
}

} // namespace talus
