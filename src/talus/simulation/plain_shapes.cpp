// Shapes that a few numbers give: balls, and walls without a mass of their own.
#include "talus/sampling/vectors.hpp"
#include "talus/simulation/body_shape.hpp"

namespace talus {

using namespace scene;

namespace {

Key radius_key() { return number("radius", "radius").in("m").above(0).required(); }

template <int D>
void make_ball(const Value& given, const ShapeFiles&, ShapeTable<D>& shapes, Body<D>& body)
{
    body.shape = shapes.add_ball(given.at("radius").number());
}

template <int D>
void make_hollow_ball(const Value& given, const ShapeFiles&, ShapeTable<D>& shapes, Body<D>& body)
{
    body.shape = shapes.add_hollow_ball(given.at("radius").number());
}

void make_hollow_cylinder(const Value& given, const ShapeFiles&, ShapeTable<3>& shapes, Body<3>& body)
{
    body.shape = shapes.add_hollow_cylinder(given.at("radius").number(), vector_of<3>(given.at("axis")));
}

template <int D>
void make_half_space(const Value& given, const ShapeFiles&, ShapeTable<D>& shapes, Body<D>& body)
{
    body.shape = shapes.add_half_space(vector_of<D>(given.at("normal")));
}

template <int D>
void make_segment(const Value& given, const ShapeFiles&, ShapeTable<D>& shapes, Body<D>& body)
{
    const Vec<D> from = vector_of<D>(given.at("from")), to = vector_of<D>(given.at("to"));
    body.position = 0.5 * (from + to);
    const Vec<D> half = body.orientation.inverse() * Vec<D>(0.5 * (to - from));
    body.shape = shapes.add_segment(half, given.at("radius").number());
}

std::vector<Mistake> mistakes_of_ends(const Value& given)
{
    const Value *from = given.find("from"), *to = given.find("to");
    if (!from || !to || !from->is_list() || from->list().empty() || !(*from == *to)) return {};
    return {mistake(*to, "must differ from the other end, from = " + from->shown())};
}

} // namespace

BodyShapeKind disk_shape() { return {{"disk", "a disk", {radius_key()}, {make_ball<2>, nullptr}}, "sphere"}; }

BodyShapeKind sphere_shape() { return {{"sphere", "a sphere", {radius_key()}, {nullptr, make_ball<3>}}, "disk"}; }

BodyShapeKind half_space_shape()
{
    return {{"half_space",
             "all that lies behind a plane (2D: a line) through `position`; no mass of its own",
             {vector("normal", "points out of the solid; of any length").nonzero().required()},
             {make_half_space<2>, make_half_space<3>}},
            {},
            false};
}

BodyShapeKind segment_shape()
{
    return {{"segment",
             "a straight wall between two points, rounded by `radius`; no mass of its own",
             {vector("from", "one end").in("m").required(), vector("to", "the other end").in("m").required(),
              number("radius", "half the thickness").in("m").at_least(0).otherwise_zero()},
             {make_segment<2>, make_segment<3>}},
            {},
            false,
            "from and to",
            mistakes_of_ends};
}

BodyShapeKind hollow_disk_shape()
{
    return {{"hollow_disk",
             "the inside of a circle, a drum or bowl; no mass of its own",
             {radius_key()},
             {make_hollow_ball<2>, nullptr}},
            "hollow_sphere",
            false};
}

BodyShapeKind hollow_sphere_shape()
{
    return {{"hollow_sphere",
             "the inside of a sphere, a bowl; no mass of its own",
             {radius_key()},
             {nullptr, make_hollow_ball<3>}},
            "hollow_disk",
            false};
}

BodyShapeKind hollow_cylinder_shape()
{
    return {{"hollow_cylinder",
             "the inside of an endless cylinder, a drum; no mass of its own",
             {radius_key(), vector("axis", "direction of the axis; of any length").nonzero().required()},
             {nullptr, make_hollow_cylinder}},
            "hollow_disk",
            false};
}

} // namespace talus
