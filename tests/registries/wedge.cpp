// A box cut along a diagonal: a triangle in 2D, a prism in 3D.
#include "registries/added.hpp"
#include "talus/sampling/vectors.hpp"

namespace talus {

namespace {

template <int D>
void make_wedge(const scene::Value& given, const ShapeFiles&, ShapeTable<D>& shapes, Body<D>& body)
{
    std::vector<Vec<D>> corners;
    for (const Vec<D>& corner : box<D>(vector_of<D>(given.at("size"))).vertices) {
        if (corner[0] < 0 || corner[D - 1] < 0) corners.push_back(corner);
    }
    const Polytope<D> wedge = convex_hull<D>(corners);
    const MassProperties<D> properties = mass_properties(wedge);
    move_to_frame(body, properties);
    body.shape = shapes.add_polytope(centred(wedge, properties));
}

} // namespace

BodyShapeKind wedge_shape()
{
    return {{"wedge",
             "a box cut along a diagonal",
             {scene::vector("size", "of the box").in("m").above(0).required()},
             {make_wedge<2>, make_wedge<3>}}};
}

} // namespace talus
