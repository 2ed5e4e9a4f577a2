// Heights of a convex set along a direction.
#pragma once

#include "talus/shapes/convex.hpp"

#include <algorithm>

namespace talus {

template <int D>
TALUS_INLINE Lanes heights(const double* columns, int rows, int row, const Vec<D>& direction)
{
    const Lanes* x = reinterpret_cast<const Lanes*>(columns + row);
    Lanes h = *x * direction[0];
    for (int axis = 1; axis < D; ++axis) {
        x = reinterpret_cast<const Lanes*>(columns + axis * rows + row);
        h += *x * direction[axis];
    }
    return h;
}

TALUS_INLINE double largest(const Lanes& lanes)
{
    double best = lanes[0];
    for (int i = 1; i < lane_count; ++i) best = std::max(best, lanes[i]);
    return best;
}

// max of direction·x over the vertices
template <int D>
TALUS_INLINE double highest(const Convex<D>& set, const Vec<D>& direction)
{
    const int rows = padded(set.model->vertices);
    Lanes best = heights<D>(set.vertices, rows, 0, direction);
    for (int row = lane_count; row < rows; row += lane_count) {
        const Lanes h = heights<D>(set.vertices, rows, row, direction);
        best = h > best ? h : best;
    }
    return largest(best);
}

// Heights of all vertices; returns the first of the highest.
template <int D>
TALUS_INLINE int all_heights(const Convex<D>& set, const Vec<D>& direction, double* height)
{
    const int rows = padded(set.model->vertices);
    Lanes best = heights<D>(set.vertices, rows, 0, direction);
    *reinterpret_cast<Lanes*>(height) = best;
    for (int row = lane_count; row < rows; row += lane_count) {
        const Lanes h = heights<D>(set.vertices, rows, row, direction);
        *reinterpret_cast<Lanes*>(height + row) = h;
        best = h > best ? h : best;
    }
    const double top = largest(best);
    int first = 0;
    while (height[first] != top) ++first;
    return first;
}

// the first vertex that attains it
template <int D>
TALUS_INLINE int highest_vertex(const Convex<D>& set, const Vec<D>& direction)
{
    const int rows = padded(set.model->vertices);
    Lanes best = heights<D>(set.vertices, rows, 0, direction);
    LaneMask where = {0, 1, 2, 3}, here = where;
    for (int row = lane_count; row < rows; row += lane_count) {
        here += lane_count;
        const Lanes h = heights<D>(set.vertices, rows, row, direction);
        const LaneMask higher = h > best;
        best = higher ? h : best;
        where = higher ? here : where;
    }
    const double top = largest(best);
    long long first = rows;
    for (int i = 0; i < lane_count; ++i) {
        if (best[i] == top) first = std::min(first, where[i]);
    }
    return int(first); // padding repeats vertex 0, which comes first
}

// separation of two sets without roundings along a unit direction from a to b; `offset` = centre of b − centre of a
template <int D>
TALUS_INLINE double separation_along(const Convex<D>& a, const Convex<D>& b, const Vec<D>& offset,
                                     const Vec<D>& direction)
{
    return direction.dot(offset) - highest<D>(b, -direction) - highest<D>(a, direction);
}

} // namespace talus
