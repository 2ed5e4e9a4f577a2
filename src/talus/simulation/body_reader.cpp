#include "talus/simulation/body_reader.hpp"

#include "talus/drivers/feeder.hpp"
#include "talus/sampling/deposit.hpp"
#include "talus/sampling/grain_shapes.hpp"
#include "talus/sampling/placement.hpp"
#include "talus/sampling/vectors.hpp"
#include "talus/simulation/shape_reader.hpp"

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

template <int D>
GrainSource<D> grain_source(Simulation<D>& simulation, const scene::Value& generator, std::int32_t material,
                            std::uint64_t seed, const ShapeFiles& files)
{
    const double density = simulation.materials[material].density;
    if (!has_corners(generator)) return GrainSource<D>(generator, material, density);
    Random random(~seed); // a sequence of its own: shapes and places do not hang on each other
    const std::vector<Polytope<D>> shapes = grain_shapes<D>(generator, files, random);
    return GrainSource<D>(generator, material, density, shapes, simulation.shapes);
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
    add_shape(simulation.shapes, given, files, body);
    const double density = simulation.materials[body.material].density;
    body.mass *= density;
    body.inertia *= density;
    if (given.find("mass")) give_mass(body, simulation.shapes, given);
    const std::int32_t index = simulation.bodies.add(body);
    if (const scene::Value* name = given.find("name")) simulation.groups.push_back({name->text(), index, 1});
}

template <int D>
void add_generator(Simulation<D>& simulation, const scene::Value& generator, std::uint64_t seed, std::size_t number,
                   const ShapeFiles& files)
{
    const std::string& type = generator.at("type").text();
    if (type == "container") return add_container(simulation, generator);
    const std::int32_t material = simulation.materials.index(generator.at("material").text());
    const std::uint64_t own_seed = seed * 1000003ull + number;
    GrainSource<D> source = grain_source(simulation, generator, material, own_seed, files);
    if (type == "feeder") {
        simulation.drivers.push_back(std::make_unique<Feeder<D>>(generator, std::move(source), own_seed));
        return;
    }
    Random random(own_seed);
    const std::int32_t first = std::int32_t(simulation.bodies.size());
    const auto place = type == "lattice" ? place_on_lattice<D> : type == "random" ? place_at_random<D> : deposit<D>;
    place(generator, source, random, simulation.bodies, simulation.shapes);
    if (const scene::Value* name = generator.find("name")) {
        simulation.groups.push_back({name->text(), first, std::int32_t(simulation.bodies.size()) - first});
    }
}

#define TALUS_INSTANTIATE(D)                                                                                           \
    template void add_body(Simulation<D>&, const scene::Value&, const ShapeFiles&);                                    \
    template void add_generator(Simulation<D>&, const scene::Value&, std::uint64_t, std::size_t, const ShapeFiles&);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

} // namespace talus
