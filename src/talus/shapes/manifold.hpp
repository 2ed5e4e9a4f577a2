// The contact manifold of two convex sets: the faces that look at each other are projected along the normal and cut
// with each other; the corners of the common region that are closer than the alert distance are the contact points. One
// for vertex-face and edge-edge (simple), two for edge-face (double), three or four for face-face (triple).
//
// A corner is a vertex of one set or the crossing of two edges: its feature, which stays while the sets move a little.
#pragma once

#include "talus/shapes/separation.hpp"

#include <array>

namespace talus {

inline constexpr int most_points = 4;

template <int D>
struct ManifoldPoint {
    Vec<D> point; // [m] relative to the centre of a; the middle between the two surfaces
    double gap;   // [m] along the direction
    std::uint32_t feature;
};

template <int D>
struct Manifold {
    int count = 0;
    std::array<ManifoldPoint<D>, most_points> points;
};

// 24 bits: the kind, and the two features.
inline constexpr std::uint32_t vertex_of_a(int v) { return 1u << 22 | std::uint32_t(v) << 11; }
inline constexpr std::uint32_t vertex_of_b(int v) { return 2u << 22 | std::uint32_t(v); }
inline constexpr std::uint32_t edge_pair(int e, int f) { return 3u << 22 | std::uint32_t(e) << 11 | std::uint32_t(f); }

struct ManifoldOptions {
    double alert = 0;                          // [m]
    int most = most_points;                    // points kept; 3 as in BALLAST
    std::span<const std::uint64_t> previous{}; // features kept in the last step: among equals they stay
    bool only_over_each_other = false;         // no point at all where the projected faces have nothing in common
};

template <int D>
Manifold<D> manifold_of(const Convex<D>& a, const Convex<D>& b, const Separation<D>& separation,
                        const ManifoldOptions& options);
template <>
Manifold<2> manifold_of(const Convex<2>& a, const Convex<2>& b, const Separation<2>& separation,
                        const ManifoldOptions& options);
template <>
Manifold<3> manifold_of(const Convex<3>& a, const Convex<3>& b, const Separation<3>& separation,
                        const ManifoldOptions& options);

// Vertices of `a` that are closer than the alert distance to a half-space with this normal, whose surface is at
// `height` along it (relative to the centre of a): the manifold of a wall.
template <int D>
Manifold<D> manifold_on_wall(const Convex<D>& a, const Vec<D>& normal, double height, const ManifoldOptions& options);
template <>
Manifold<2> manifold_on_wall(const Convex<2>& a, const Vec<2>& normal, double height, const ManifoldOptions& options);
template <>
Manifold<3> manifold_on_wall(const Convex<3>& a, const Vec<3>& normal, double height, const ManifoldOptions& options);

} // namespace talus
