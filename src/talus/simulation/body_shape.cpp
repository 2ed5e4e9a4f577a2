#include "talus/simulation/body_shape.hpp"

#include "talus/sampling/vectors.hpp"

namespace talus {

using namespace scene;

// One line per kind.
std::vector<BodyShapeKind>& body_shape_kinds()
{
    static std::vector<BodyShapeKind> kinds = {
        disk_shape(),
        sphere_shape(),
        half_space_shape(),
        segment_shape(),
        hollow_disk_shape(),
        hollow_sphere_shape(),
        hollow_cylinder_shape(),
        polygon_shape(),
        polyhedron_shape(),
        cluster_shape(),
        mesh_shape(),
        box_shape(),
    };
    return kinds;
}

std::vector<Variant> body_shape_variants()
{
    std::vector<Variant> variants = variants_of(body_shape_kinds());
    for (std::size_t k = 0; k < variants.size(); ++k) {
        const BodyShapeKind& kind = body_shape_kinds()[k];
        variants[k].name.dimension = !kind.make.in_3d ? 2 : !kind.make.in_2d ? 3 : 0;
        variants[k].name.instead = kind.instead;
        if (kind.placed_by.empty()) continue;
        variants[k].without = {"position"};
        variants[k].without_reason = "its place is given by " + kind.placed_by;
    }
    return variants;
}

template <int D>
void add_shape(const Value& given, const ShapeFiles& files, ShapeTable<D>& shapes, Body<D>& body)
{
    if (const Value* position = given.find("position")) body.position = vector_of<D>(*position);
    const BodyShapeKind* kind = find_kind(body_shape_kinds(), given.at("shape").text()); // the schema has seen to it
    kind->maker<D>()(given, files, shapes, body);
    const MassProperties<D> properties = mass_properties(shapes, body.shape);
    body.mass = properties.volume;
    body.inertia = properties.inertia;
}

template void add_shape(const Value&, const ShapeFiles&, ShapeTable<2>&, Body<2>&);
template void add_shape(const Value&, const ShapeFiles&, ShapeTable<3>&, Body<3>&);

} // namespace talus
