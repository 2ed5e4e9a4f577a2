#include "simulation/body_reader.hpp"

#include "drivers/feeder.hpp"
#include "sampling/placement.hpp"
#include "sampling/vectors.hpp"

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

std::vector<double> flattened(const scene::Value& list)
{
    std::vector<double> all;
    for (const scene::Value& row : list.list()) {
        for (const double x : row.numbers()) all.push_back(x);
    }
    return all;
}

template <int D>
Polytope<D> hull_of(const scene::Value& body)
{
    const std::vector<double> numbers = flattened(body.at("vertices"));
    std::vector<Vec<D>> points(numbers.size() / D);
    for (std::size_t i = 0; i < points.size(); ++i) {
        for (int axis = 0; axis < D; ++axis) points[i][axis] = numbers[i * D + axis];
    }
    try {
        return convex_hull<D>(points);
    } catch (const InputError& error) {
        throw InputError({problem(body.at("vertices"), error.what())});
    }
}

// Adds the shape; `body` gets its place, its volume of density 1 in mass, and its inertia per unit of density.
template <int D>
void add_shape(ShapeTable<D>& shapes, const scene::Value& given, Body<D>& body)
{
    const std::string& shape = given.at("shape").text();
    if (shape == "segment") {
        const Vec<D> from = vector_of<D>(given.at("from")), to = vector_of<D>(given.at("to"));
        body.position = 0.5 * (from + to);
        const Vec<D> half = body.orientation.inverse() * Vec<D>(0.5 * (to - from));
        body.shape = shapes.add_segment(half, given.at("radius").number());
        return;
    }
    body.position = vector_of<D>(given.at("position"));
    if (shape == "disk" || shape == "sphere") {
        body.shape = shapes.add_ball(given.at("radius").number());
    } else if (shape == "half_space") {
        body.shape = shapes.add_half_space(vector_of<D>(given.at("normal")));
    } else if (shape == "hollow_disk" || shape == "hollow_sphere") {
        body.shape = shapes.add_hollow_ball(given.at("radius").number());
    } else if (shape == "hollow_cylinder") {
        body.shape = shapes.add_hollow_cylinder(given.at("radius").number(), vector_of<D>(given.at("axis")));
    } else {
        // the frame of a body is at its centre of mass, along its principal axes
        const Polytope<D> solid = shape == "box" ? box<D>(vector_of<D>(given.at("size"))) : hull_of<D>(given);
        const MassProperties<D> properties = mass_properties(solid);
        body.position += body.orientation * properties.centre;
        body.orientation = body.orientation * properties.axes;
        body.shape = shapes.add_polytope(centred(solid, properties));
    }
    const MassProperties<D> properties = mass_properties(shapes, body.shape);
    body.mass = properties.volume;
    body.inertia = properties.inertia;
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
            throw InputError({problem(given.at("motion"), "a " + shape_name<D>(shape.kind) +
                                                              " has no inertia: list only x, y, z among its free "
                                                              "degrees of freedom")});
        }
    }
    body.mass = mass;
}

// Half-spaces around a box; left and right across x, bottom and top across the last axis, front and back across y.
template <int D>
void add_container(Simulation<D>& simulation, const scene::Value& generator)
{
    struct Side {
        const char* name;
        int axis;
        bool upper;
    };
    std::vector<Side> sides = {{"left", 0, false}, {"right", 0, true}, {"bottom", D - 1, false}, {"top", D - 1, true}};
    if constexpr (D > 2) {
        sides.push_back({"front", 1, false});
        sides.push_back({"back", 1, true});
    }
    const Vec<D> lower = vector_of<D>(generator.at("lower")), upper = vector_of<D>(generator.at("upper"));
    for (const Side& side : sides) {
        bool open = false;
        for (const scene::Value& name : generator.at("open").list()) open = open || name.is_text(side.name);
        if (open) continue;
        Body<D> wall;
        wall.position = 0.5 * (lower + upper);
        wall.position[side.axis] = side.upper ? upper[side.axis] : lower[side.axis];
        const Vec<D> normal = (side.upper ? -1.0 : 1.0) * Vec<D>::Unit(side.axis);
        wall.shape = simulation.shapes.add_half_space(normal);
        wall.material = simulation.materials.index(generator.at("material").text());
        wall.imposed = all_imposed<D>;
        const std::int32_t index = simulation.bodies.add(wall);
        if (const scene::Value* name = generator.find("name")) {
            simulation.groups.push_back({name->text() + "." + side.name, index, 1});
        }
    }
}

} // namespace

template <int D>
void add_body(Simulation<D>& simulation, const scene::Value& given)
{
    Body<D> body;
    body.orientation = Rotation<D>::from_vector(angular_of<D>(given.at("rotation")));
    body.velocity = vector_of<D>(given.at("velocity"));
    body.spin = angular_of<D>(given.at("spin"));
    body.material = simulation.materials.index(given.at("material").text());
    body.imposed = imposed_of<D>(given.at("motion"));
    add_shape(simulation.shapes, given, body);
    const double density = simulation.materials[body.material].density;
    body.mass *= density;
    body.inertia *= density;
    if (given.find("mass")) give_mass(body, simulation.shapes, given);
    const std::int32_t index = simulation.bodies.add(body);
    if (const scene::Value* name = given.find("name")) simulation.groups.push_back({name->text(), index, 1});
}

template <int D>
void add_generator(Simulation<D>& simulation, const scene::Value& generator, std::uint64_t seed, std::size_t number)
{
    const std::string& type = generator.at("type").text();
    if (type == "container") return add_container(simulation, generator);
    const std::int32_t material = simulation.materials.index(generator.at("material").text());
    GrainSource<D> source(generator, material, simulation.materials[material].density);
    const std::uint64_t own_seed = seed * 1000003ull + number;
    if (type == "feeder") {
        simulation.drivers.push_back(std::make_unique<Feeder<D>>(generator, std::move(source), own_seed));
        return;
    }
    Random random(own_seed);
    const std::int32_t first = std::int32_t(simulation.bodies.size());
    const auto place = type == "lattice" ? place_on_lattice<D> : place_at_random<D>;
    place(generator, source, random, simulation.bodies, simulation.shapes);
    if (const scene::Value* name = generator.find("name")) {
        simulation.groups.push_back({name->text(), first, std::int32_t(simulation.bodies.size()) - first});
    }
}

#define TALUS_INSTANTIATE(D)                                                                                           \
    template void add_body(Simulation<D>&, const scene::Value&);                                                       \
    template void add_generator(Simulation<D>&, const scene::Value&, std::uint64_t, std::size_t);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

} // namespace talus
