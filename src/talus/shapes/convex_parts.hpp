// The convex solids that a shape is made of: a polytope of itself, a cluster of its parts.
#pragma once

#include "talus/shapes/shape_table.hpp"

#include <span>

namespace talus {

// None of other kinds.
template <int D>
std::span<const Polytope<D>> convex_parts(const ShapeTable<D>& shapes, std::int32_t index)
{
    const std::span all(shapes.polytopes);
    const Shape<D>& shape = shapes[index];
    if (shape.kind == ShapeKind::polytope) return all.subspan(std::size_t(shape.detail), 1);
    if (shape.kind != ShapeKind::cluster) return {};
    const Cluster& cluster = shapes.clusters[std::size_t(shape.detail)];
    return all.subspan(std::size_t(cluster.first), std::size_t(cluster.count));
}

} // namespace talus
