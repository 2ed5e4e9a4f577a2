// Half-spaces around a box.
#include "talus/sampling/generator_schema.hpp"
#include "talus/sampling/vectors.hpp"
#include "talus/simulation/generator_kind.hpp"
#include "talus/simulation/simulation.hpp"

namespace talus {

using namespace scene;

namespace {

struct Side {
    const char* name;
    int axis; // that it lies across; −1: the last
    bool upper;
    int dimension; // in which it exists; 0: both
};
constexpr Side sides[] = {{"left", 0, false, 0}, {"right", 0, true, 0},  {"bottom", -1, false, 0},
                          {"top", -1, true, 0},  {"front", 1, false, 3}, {"back", 1, true, 3}};

bool has_wall(const Side& side, const Value& container, int dimension)
{
    const Value* open = container.find("open");
    if (side.dimension != 0 && side.dimension != dimension) return false;
    return !open || !open->is_list() ||
           std::ranges::none_of(open->list(), [&](const Value& name) { return name.is_text(side.name); });
}

std::vector<std::string> walls_of(const Value& container, int dimension)
{
    std::vector<std::string> walls;
    for (const Side& side : sides) {
        if (has_wall(side, container, dimension)) walls.push_back(side.name);
    }
    return walls;
}

template <int D>
void add_container(Simulation<D>& simulation, const Value& generator, std::uint64_t, const ShapeFiles&)
{
    const Vec<D> lower = vector_of<D>(generator.at("lower")), upper = vector_of<D>(generator.at("upper"));
    for (const Side& side : sides) {
        if (!has_wall(side, generator, D)) continue;
        const int axis = side.axis < 0 ? D - 1 : side.axis;
        Body<D> wall;
        wall.position = 0.5 * (lower + upper);
        wall.position[axis] = side.upper ? upper[axis] : lower[axis];
        const Vec<D> normal = (side.upper ? -1.0 : 1.0) * Vec<D>::Unit(axis);
        wall.shape = simulation.shapes.add_half_space(normal);
        wall.material = simulation.materials.index(generator.at("material").text());
        wall.imposed = all_imposed<D>;
        const std::int32_t index = simulation.bodies.add(wall);
        if (const Value* name = generator.find("name")) {
            simulation.groups.push_back({name->text() + "." + side.name, index, 1});
        }
    }
}

} // namespace

GeneratorKind container_generator()
{
    std::vector<Choice> names;
    for (const Side& side : sides) names.push_back({side.name, side.dimension, {}});
    std::vector<Key> keys = region_keys();
    keys.push_back(texts("open", "sides without a wall").among(std::move(names)).otherwise(Value(Value::List{})));
    return {{"container",
             "fixed half-spaces around a box: left and right across x, bottom and top across the last axis, front and "
             "back across y in 3D",
             std::move(keys),
             {add_container<2>, add_container<3>}},
            nullptr,
            walls_of};
}

} // namespace talus
