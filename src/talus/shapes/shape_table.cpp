#include "talus/shapes/shape_table.hpp"

#include <limits>
#include <stdexcept>

namespace talus {

template <int D>
std::int32_t ShapeTable<D>::add_ball(double radius)
{
    // runs of equal grains share one entry
    if (!shapes.empty() && shapes.back().kind == ShapeKind::ball && shapes.back().radius == radius) {
        return std::int32_t(size()) - 1;
    }
    shapes.push_back({ShapeKind::ball, 0, radius});
    return std::int32_t(size()) - 1;
}

template <int D>
std::int32_t ShapeTable<D>::add_hollow_ball(double radius)
{
    shapes.push_back({ShapeKind::hollow_ball, 0, radius});
    return std::int32_t(size()) - 1;
}

template <int D>
std::int32_t ShapeTable<D>::add_half_space(const Vec<D>& normal)
{
    half_spaces.push_back({normal.normalized()});
    shapes.push_back({ShapeKind::half_space, std::int32_t(half_spaces.size()) - 1, 0.0});
    return std::int32_t(size()) - 1;
}

template <int D>
std::int32_t ShapeTable<D>::add_segment(const Vec<D>& half, double radius)
{
    segments.push_back({half});
    shapes.push_back({ShapeKind::segment, std::int32_t(segments.size()) - 1, radius});
    return std::int32_t(size()) - 1;
}

template <>
std::int32_t ShapeTable<3>::add_hollow_cylinder(double radius, const Vec<3>& axis)
{
    hollow_cylinders.push_back({axis.normalized()});
    shapes.push_back({ShapeKind::hollow_cylinder, std::int32_t(hollow_cylinders.size()) - 1, radius});
    return std::int32_t(size()) - 1;
}

template <>
std::int32_t ShapeTable<2>::add_hollow_cylinder(double, const Vec<2>&)
{
    throw std::logic_error("a hollow cylinder lives in three dimensions");
}

template <int D>
std::int32_t ShapeTable<D>::add_polytope(Polytope<D> polytope)
{
    const double radius = polytope.bounding_radius();
    polytopes.push_back(std::move(polytope));
    shapes.push_back({ShapeKind::polytope, std::int32_t(polytopes.size()) - 1, radius});
    return std::int32_t(size()) - 1;
}

template <int D>
std::int32_t ShapeTable<D>::add_cluster(std::vector<Polytope<D>> parts)
{
    double radius = 0;
    for (const Polytope<D>& part : parts) radius = std::max(radius, part.bounding_radius());
    clusters.push_back({std::int32_t(polytopes.size()), std::int32_t(parts.size())});
    polytopes.insert(polytopes.end(), std::make_move_iterator(parts.begin()), std::make_move_iterator(parts.end()));
    shapes.push_back({ShapeKind::cluster, std::int32_t(clusters.size()) - 1, radius});
    return std::int32_t(size()) - 1;
}

template <>
std::int32_t ShapeTable<3>::add_mesh(TriangleMesh mesh)
{
    double square = 0;
    for (const Vec<3>& vertex : mesh.vertices) square = std::max(square, vertex.squaredNorm());
    meshes.push_back(std::move(mesh));
    shapes.push_back({ShapeKind::mesh, std::int32_t(meshes.size()) - 1, std::sqrt(square)});
    return std::int32_t(size()) - 1;
}

template <>
std::int32_t ShapeTable<2>::add_mesh(TriangleMesh)
{
    throw std::logic_error("a triangle mesh lives in three dimensions");
}

template <int D>
std::string shape_name(ShapeKind kind)
{
    switch (kind) {
    case ShapeKind::ball:
        return D == 2 ? "disk" : "sphere";
    case ShapeKind::half_space:
        return "half_space";
    case ShapeKind::segment:
        return "segment";
    case ShapeKind::hollow_ball:
        return D == 2 ? "hollow_disk" : "hollow_sphere";
    case ShapeKind::hollow_cylinder:
        return "hollow_cylinder";
    case ShapeKind::polytope:
        return D == 2 ? "polygon" : "polyhedron";
    case ShapeKind::cluster:
        return "cluster";
    case ShapeKind::mesh:
        return "mesh";
    }
    return "unknown";
}

bool is_unbounded(ShapeKind kind)
{
    return kind == ShapeKind::half_space || kind == ShapeKind::hollow_ball || kind == ShapeKind::hollow_cylinder;
}

template <int D>
double bounding_radius(const ShapeTable<D>& shapes, std::int32_t index)
{
    const Shape<D>& shape = shapes[index];
    if (is_unbounded(shape.kind)) return std::numeric_limits<double>::infinity();
    if (shape.kind == ShapeKind::segment) return shapes.segments[shape.detail].half.norm() + shape.radius;
    return shape.radius;
}

template <int D>
double wall_distance(const ShapeTable<D>& shapes, std::int32_t index, const Vec<D>& position,
                     const Rotation<D>& orientation, const Vec<D>& point)
{
    const Shape<D>& shape = shapes[index];
    const Vec<D> offset = point - position;
    switch (shape.kind) {
    case ShapeKind::half_space:
        return offset.dot(orientation * shapes.half_spaces[shape.detail].normal);
    case ShapeKind::hollow_ball:
        return shape.radius - offset.norm();
    case ShapeKind::hollow_cylinder: {
        if constexpr (D == 3) {
            const Vec<3> axis = orientation * shapes.hollow_cylinders[shape.detail].axis;
            return shape.radius - (offset - offset.dot(axis) * axis).norm();
        }
        break;
    }
    default:
        break;
    }
    throw std::logic_error("wall_distance: " + shape_name<D>(shape.kind) + " is not a wall");
}

template <int D>
MassProperties<D> mass_properties(const ShapeTable<D>& shapes, std::int32_t index)
{
    const Shape<D>& shape = shapes[index];
    MassProperties<D> properties;
    if (shape.kind == ShapeKind::ball) {
        properties.volume = ball_volume<D>(shape.radius);
        properties.inertia.setConstant(ball_inertia<D>(properties.volume, shape.radius));
    } else if (shape.kind == ShapeKind::polytope) {
        properties = mass_properties(shapes.polytopes[shape.detail]);
    } else if (shape.kind == ShapeKind::cluster) {
        const Cluster& cluster = shapes.clusters[shape.detail];
        properties = mass_properties<D>(std::span(shapes.polytopes).subspan(cluster.first, cluster.count));
    }
    return properties;
}

#define TALUS_INSTANTIATE(D)                                                                                           \
    template class ShapeTable<D>;                                                                                      \
    template std::string shape_name<D>(ShapeKind);                                                                     \
    template double bounding_radius(const ShapeTable<D>&, std::int32_t);                                               \
    template double wall_distance(const ShapeTable<D>&, std::int32_t, const Vec<D>&, const Rotation<D>&,               \
                                  const Vec<D>&);                                                                      \
    template MassProperties<D> mass_properties(const ShapeTable<D>&, std::int32_t);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

} // namespace talus
