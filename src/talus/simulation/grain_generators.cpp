// Grains by the number: placed at the start, or fed during the run.
#include "talus/crowd/obstacles.hpp"
#include "talus/drivers/feeder.hpp"
#include "talus/sampling/deposit.hpp"
#include "talus/sampling/generator_schema.hpp"
#include "talus/sampling/grain_shapes.hpp"
#include "talus/sampling/placement.hpp"
#include "talus/simulation/generator_kind.hpp"
#include "talus/simulation/simulation.hpp"

namespace talus {

using namespace scene;

namespace {

constexpr double most_grains = 1e9;

template <int D>
GrainSource<D> grain_source(Simulation<D>& simulation, const Value& generator, std::uint64_t seed,
                            const ShapeFiles& files)
{
    const std::int32_t material = simulation.materials.index(generator.at("material").text());
    const double density = simulation.materials[material].density;
    if (!has_corners(generator)) return GrainSource<D>(generator, material, density);
    Random random(~seed); // a sequence of its own: shapes and places do not hang on each other
    const std::vector<Polytope<D>> shapes = grain_shapes<D>(generator, files, random);
    return GrainSource<D>(generator, material, density, shapes, simulation.shapes);
}

template <int D>
using Placement = void (*)(const Value& generator, const GrainSource<D>& source, Random& random, BodyTable<D>& bodies,
                           ShapeTable<D>& shapes);

template <int D, Placement<D> place>
void place_grains(Simulation<D>& simulation, const Value& generator, std::uint64_t seed, const ShapeFiles& files)
{
    const GrainSource<D> source = grain_source(simulation, generator, seed, files);
    Random random(seed);
    place(generator, source, random, simulation.bodies, simulation.shapes);
}

// On the ground that walls and obstacles leave to people.
template <int D>
void place_random_grains(Simulation<D>& simulation, const Value& generator, std::uint64_t seed, const ShapeFiles& files)
{
    const GrainSource<D> source = grain_source(simulation, generator, seed, files);
    Random random(seed);
    IsAllowed<D> is_allowed;
    if constexpr (D == 2) {
        const Obstacles obstacles = obstacles_of(simulation.bodies, simulation.shapes, fixed_bodies(simulation.bodies));
        if (generator.at("free_ground").boolean()) {
            is_allowed = [obstacles](const Vec<2>& place, double radius) {
                return obstacles.nearest(place).distance > radius;
            };
        }
    } else if (generator.at("free_ground").boolean()) {
        throw InputError({mistake(generator.at("free_ground"), "needs scene.dimension = 2")});
    }
    place_at_random(generator, source, random, simulation.bodies, simulation.shapes, is_allowed);
}

template <int D>
void feed_grains(Simulation<D>& simulation, const Value& generator, std::uint64_t seed, const ShapeFiles& files)
{
    simulation.drivers.push_back(
        std::make_unique<Feeder<D>>(generator, grain_source(simulation, generator, seed, files), seed));
}

double fed_grains(const Value& generator, double duration)
{
    const double time = std::max(0.0, duration - generator.at("start").number());
    return std::min(double(generator.at("count").integer()), generator.at("rate").number() * time + 1);
}

Key as_many_as_fit()
{
    return integer("count", "grains; \"auto\": as many as fit").at_least(1).at_most(most_grains).automatic();
}

} // namespace

GeneratorKind lattice_generator()
{
    return {
        {"lattice",
         "grains on a regular lattice",
         grain_keys(
             {number("spacing", "between centres; \"auto\": as close as the largest grain allows")
                  .in("m")
                  .above(0)
                  .automatic(),
              number("jitter", "random shift, as a fraction of the free room").at_least(0).below(0.5).otherwise_zero(),
              as_many_as_fit()}),
         {place_grains<2, place_on_lattice<2>>, place_grains<3, place_on_lattice<3>>}}};
}

GeneratorKind random_generator()
{
    return {{"random",
             "grains at random places without overlap",
             grain_keys({integer("count", "grains").at_least(1).at_most(most_grains).required(),
                         boolean("free_ground", "only where the fixed bodies that were given before leave room (2D)")
                             .otherwise(Value(false))}),
             {place_random_grains<2>, place_random_grains<3>}}};
}

GeneratorKind deposit_generator()
{
    return {{"deposit",
             "grains that drop one by one and roll down on those before until they rest: a loose pile in the box, "
             "layer by layer, by geometry alone",
             grain_keys({number("gap", "clearance between grains, as a fraction of the diameter")
                             .at_least(0)
                             .at_most(10)
                             .otherwise_zero(),
                         as_many_as_fit()}),
             {place_grains<2, deposit<2>>, place_grains<3, deposit<3>>}}};
}

GeneratorKind feeder_generator()
{
    return {{"feeder",
             "grains that appear during the run, at random places of the box that are free",
             grain_keys({number("rate", "grains per second").in("1/s").above(0).required(),
                         integer("count", "grains in all").at_least(1).at_most(most_grains).required(),
                         number("start", "when the first appears").in("s").at_least(0).otherwise_zero()}),
             {feed_grains<2>, feed_grains<3>}},
            fed_grains};
}

} // namespace talus
