// A convex polygon (2D) or convex polyhedron (3D): vertices, faces, edges and face planes, with mass, bounds and
// support. Volume and moments are exact sums over simplices from an interior point to each face.
#pragma once

#include "talus/math/mass_properties.hpp"
#include "talus/math/space.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace talus {

template <int D>
struct Plane {
    Vec<D> normal; // unit, outward
    double offset; // [m] normal·x ≤ offset everywhere in the solid, with equality on the face
};

// An edge of a polyhedron: it runs from the first vertex to the second in the loop of the first face, and back in that
// of the second.
struct PolytopeEdge {
    std::array<std::int32_t, 2> vertices; // the smaller index first
    std::array<std::int32_t, 2> faces;
};

template <int D>
struct Bounds {
    Vec<D> lower, upper; // [m]
};

template <int D>
struct Polytope {
    std::vector<Vec<D>> vertices; // [m] in 2D counter-clockwise
    // Face f has the vertices face_vertices[face_offsets[f] .. face_offsets[f + 1]): in 3D counter-clockwise seen from
    // outside, coplanar triangles merged; in 2D the two ends of an edge.
    std::vector<std::int32_t> face_offsets;
    std::vector<std::int32_t> face_vertices;
    std::vector<Plane<D>> planes;    // one per face
    std::vector<PolytopeEdge> edges; // 3D only, each once, sorted by its vertices

    std::size_t face_count() const { return planes.size(); }
    std::span<const std::int32_t> face(std::size_t f) const
    {
        return std::span(face_vertices).subspan(face_offsets[f], face_offsets[f + 1] - face_offsets[f]);
    }

    std::int32_t support_vertex(const Vec<D>& direction) const; // the lowest index among equals
    Vec<D> support(const Vec<D>& direction) const { return vertices[support_vertex(direction)]; }
    double bounding_radius() const; // [m] about the origin
    Bounds<D> bounds(const Rotation<D>& orientation = {}) const;
};

// From vertices and faces of a closed convex surface, ordered as above: adds the planes and the edges.
template <int D>
Polytope<D> polytope_of_faces(std::vector<Vec<D>> vertices, std::vector<std::int32_t> face_offsets,
                              std::vector<std::int32_t> face_vertices);

// The hull of at least D + 1 points. Vertices keep the order in which they were given (3D) or start at the lowest x
// and run counter-clockwise (2D). Points closer than flatness × size to a face or an edge are not vertices, so that
// almost coplanar triangles form one face; a cloud thinner than that is refused, with the reason. 3D needs Qhull.
template <int D>
Polytope<D> convex_hull(std::span<const Vec<D>> points, double flatness = 1e-10);

// Centred on the origin, with these edge lengths.
template <int D>
Polytope<D> box(const Vec<D>& size);

// Of density 1. Moments that agree to 1e-12 are made equal. Where the given axes are principal already they are kept,
// else the moments ascend; an axis that symmetry leaves free is chosen close to a given one.
template <int D>
MassProperties<D> mass_properties(const Polytope<D>& polytope);
// The same of several solids that are one body; where they overlap, the common part counts in each of them.
template <int D>
MassProperties<D> mass_properties(std::span<const Polytope<D>> parts);

// The same solid in its body frame: the origin at the centre of mass, the axes principal.
template <int D>
Polytope<D> centred(const Polytope<D>& polytope, const MassProperties<D>& properties);

} // namespace talus
