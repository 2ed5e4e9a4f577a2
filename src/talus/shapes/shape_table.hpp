// The shapes that bodies refer to. A ball (disk in 2D, sphere in 3D) needs its radius alone; the others keep what they
// need in a list of their kind. Lengths and directions are in the frame of the body, whose origin is its centre.
#pragma once

#include "talus/math/mass_properties.hpp"
#include "talus/shapes/polytope.hpp"
#include "talus/shapes/triangle_mesh.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace talus {

enum class ShapeKind : std::uint8_t {
    ball,
    half_space,
    segment,
    hollow_ball,
    hollow_cylinder,
    polytope,
    cluster,
    mesh
};
inline constexpr int shape_kinds = int(ShapeKind::mesh) + 1;

template <int D>
struct HalfSpace {
    Vec<D> normal; // unit, out of the solid; the surface passes through the body's centre
};

// A straight rod between −half and +half, rounded by the shape's radius (which may be 0).
template <int D>
struct Segment {
    Vec<D> half; // [m]
};

// The outside of an endless cylinder (a drum): grains live inside.
struct HollowCylinder {
    Vec<3> axis; // unit
};

// Several convex parts on one body: non-convex tools and grains. The parts lie in the frame of the body.
struct Cluster {
    std::int32_t first, count; // its polytopes, one after another in the list
};

template <int D>
struct Shape {
    ShapeKind kind;
    std::int32_t detail; // index into the list of its kind; unused by balls and hollow balls
    double radius; // [m] of the ball, the bowl, the drum, the rounding of a segment; bounding radius of all others
};

template <int D>
class ShapeTable {
  public:
    std::int32_t add_ball(double radius);
    std::int32_t add_hollow_ball(double radius);
    std::int32_t add_half_space(const Vec<D>& normal);
    std::int32_t add_segment(const Vec<D>& half, double radius);
    std::int32_t add_hollow_cylinder(double radius, const Vec<D>& axis); // 3D only
    std::int32_t add_polytope(Polytope<D> polytope);
    std::int32_t add_cluster(std::vector<Polytope<D>> parts);
    std::int32_t add_mesh(TriangleMesh mesh); // 3D only

    std::size_t size() const { return shapes.size(); }
    const Shape<D>& operator[](std::int32_t index) const { return shapes[index]; }

    std::vector<Shape<D>> shapes;
    std::vector<HalfSpace<D>> half_spaces;
    std::vector<Segment<D>> segments;
    std::vector<HollowCylinder> hollow_cylinders;
    std::vector<Polytope<D>> polytopes; // shapes of their own and parts of clusters
    std::vector<Cluster> clusters;
    std::vector<TriangleMesh> meshes;
};

// What the user calls it: "disk" in 2D, "sphere" in 3D, ...
template <int D>
std::string shape_name(ShapeKind kind);

// true for solids that reach to infinity: they have no bounding ball and no mass of their own
bool is_unbounded(ShapeKind kind);

// Radius of a ball around the body's centre that holds the shape.
template <int D>
double bounding_radius(const ShapeTable<D>& shapes, std::int32_t shape);

// Distance of a world point to an unbounded solid; negative inside the solid.
template <int D>
double wall_distance(const ShapeTable<D>& shapes, std::int32_t shape, const Vec<D>& position,
                     const Rotation<D>& orientation, const Vec<D>& point);

// Of density 1; volume 0 for a shape without mass of its own.
template <int D>
MassProperties<D> mass_properties(const ShapeTable<D>& shapes, std::int32_t shape);

} // namespace talus
