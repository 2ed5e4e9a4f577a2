#include "talus/simulation/body_reader.hpp"

#include "talus/sampling/vectors.hpp"
#include "talus/simulation/body_shape.hpp"

#include <array>

namespace talus {

namespace {

template <int D>
FreedomMask imposed_of(const scene::Value& motion)
{
    if (motion.is_text("free")) return 0;
    if (motion.is_text("fixed")) return all_imposed<D>;
    static constexpr std::array<const char*, 3> names_2d = {"x", "y", "rotation"};
    static constexpr std::array<const char*, 6> names_3d = {"x", "y", "z", "rx", "ry", "rz"};
    FreedomMask imposed = all_imposed<D>;
    for (const scene::Value& name : motion.list()) {
        for (int freedom = 0; freedom < freedoms<D>; ++freedom) {
            if (name.is_text(D == 2 ? names_2d[freedom] : names_3d[freedom])) imposed &= FreedomMask(~(1u << freedom));
        }
    }
    return imposed;
}

// A given mass for a shape that has none of its own: a rod turns as a thin rod, an unbounded wall must not turn.
template <int D>
void give_mass(Body<D>& body, const ShapeTable<D>& shapes, const scene::Value& given)
{
    const double mass = given.at("mass").number();
    const Shape<D>& shape = shapes[body.shape];
    if (body.mass > 0) {
        body.inertia *= mass / body.mass;
    } else if (shape.kind == ShapeKind::segment) {
        const double length = 2 * shapes.segments[shape.detail].half.norm();
        body.inertia.setConstant(mass * (length * length / 12 + shape.radius * shape.radius / 4));
    } else {
        body.inertia.setConstant(1); // never used: its rotations are imposed
        constexpr FreedomMask rotations = all_imposed<D> & ~((1u << D) - 1u);
        if ((body.imposed & rotations) != rotations) {
            throw InputError({mistake(given.at("motion"), "a " + shape_name<D>(shape.kind) +
                                                              " has no inertia: list only x, y, z among its free "
                                                              "degrees of freedom")});
        }
    }
    body.mass = mass;
}

} // namespace

template <int D>
void add_body(Simulation<D>& simulation, const scene::Value& given, const ShapeFiles& files)
{
    Body<D> body;
    body.orientation = Rotation<D>::from_vector(angular_of<D>(given.at("rotation")));
    body.velocity = vector_of<D>(given.at("velocity"));
    body.spin = angular_of<D>(given.at("spin"));
    body.material = simulation.materials.index(given.at("material").text());
    body.imposed = imposed_of<D>(given.at("motion"));
    add_shape(given, files, simulation.shapes, body);
    const double density = simulation.materials[body.material].density;
    body.mass *= density;
    body.inertia *= density;
    if (given.find("mass")) give_mass(body, simulation.shapes, given);
    const std::int32_t index = simulation.bodies.add(body);
    if (const scene::Value* name = given.find("name")) simulation.groups.push_back({name->text(), index, 1});
}

template void add_body(Simulation<2>&, const scene::Value&, const ShapeFiles&);
template void add_body(Simulation<3>&, const scene::Value&, const ShapeFiles&);

} // namespace talus
