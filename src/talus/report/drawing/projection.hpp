// What differs between pictures of 2D and of 3D runs: the directions of the view and the faces of solids.
#pragma once

#include "talus/report/drawing/sketch.hpp"

namespace talus::report {

template <int D>
struct Projection {
    Vec<D> right, up, toward; // unit, in the world; toward the viewer (zero in 2D)

    Vec<2> operator()(const Vec<D>& point) const { return {right.dot(point), up.dot(point)}; }
    double depth(const Vec<D>& point) const { return toward.dot(point); }
    Vec<D> point_at(const Vec<2>& place) const { return place[0] * right + place[1] * up; } // at depth 0
};

template <int D>
Projection<D> projection_of(View view);
template <>
Projection<2> projection_of<2>(View view);
template <>
Projection<3> projection_of<3>(View view);

// A large square (2D: a segment) of half side `half` in the plane through `foot`.
std::vector<Vec<2>> patch(const Vec<2>& foot, const Vec<2>& normal, double half);
std::vector<Vec<3>> patch(const Vec<3>& foot, const Vec<3>& normal, double half);

// A box as the corners of its outline in 2D; nothing in 3D, where what is free of walls has no outline.
std::vector<Vec<2>> outline_of_box(const Vec<2>& lower, const Vec<2>& upper);
std::vector<Vec<2>> outline_of_box(const Vec<3>& lower, const Vec<3>& upper);

// 3D: cut into pieces no wider than `piece`.
std::vector<Facet> visible_facets(const Polytope<2>& polytope, const Vec<2>& position, const Rotation<2>& orientation,
                                  const Projection<2>& projection, double piece);
std::vector<Facet> visible_facets(const Polytope<3>& polytope, const Vec<3>& position, const Rotation<3>& orientation,
                                  const Projection<3>& projection, double piece);

// The triangles of a mesh, as seen with the grains around `middle`; none of other shapes and none in 2D.
std::vector<Pane> panes_of(const io::Frame<2>& frame, std::size_t body, const Projection<2>& projection,
                           const Vec<2>& middle);
std::vector<Pane> panes_of(const io::Frame<3>& frame, std::size_t body, const Projection<3>& projection,
                           const Vec<3>& middle);

// Closed curves in the world that show a bowl or a drum (as long as the grains' bodies reach); none for other shapes.
template <int D>
using Curves = std::vector<std::vector<Vec<D>>>;
Curves<2> rounded_walls(const io::Frame<2>& frame, std::size_t body, const Projection<2>& projection);
Curves<3> rounded_walls(const io::Frame<3>& frame, std::size_t body, const Projection<3>& projection);

// The names and directions of the world's axes; none in 2D, where they are those of the page.
std::vector<Axis> shown_axes(const Projection<2>& projection);
std::vector<Axis> shown_axes(const Projection<3>& projection);

// Where the light comes from: right, up and toward the viewer.
inline const Vec<3> light_direction = Vec<3>(-0.42, 0.55, 0.72).normalized();

} // namespace talus::report
