// Balls on a circle in the plane of the first and the last axis.
#include "registries/added.hpp"
#include "talus/sampling/vectors.hpp"
#include "talus/simulation/simulation.hpp"

namespace talus {

namespace {

template <int D>
void add_ring(Simulation<D>& simulation, const scene::Value& generator, std::uint64_t, const ShapeFiles&)
{
    const std::int64_t count = generator.at("count").integer();
    Body<D> ball;
    ball.material = simulation.materials.index(generator.at("material").text());
    ball.shape = simulation.shapes.add_ball(generator.at("radius").number());
    const MassProperties<D> properties = mass_properties(simulation.shapes, ball.shape);
    const double density = simulation.materials[ball.material].density;
    ball.mass = density * properties.volume;
    ball.inertia = density * properties.inertia;
    for (std::int64_t k = 0; k < count; ++k) {
        const double angle = 2 * M_PI * double(k) / double(count);
        ball.position = vector_of<D>(generator.at("centre"));
        ball.position[0] += generator.at("distance").number() * std::cos(angle);
        ball.position[D - 1] += generator.at("distance").number() * std::sin(angle);
        simulation.bodies.add(ball);
    }
}

} // namespace

GeneratorKind ring_generator()
{
    using namespace scene;
    return {
        {"ring",
         "balls on a circle",
         {vector("centre", "of the circle").in("m").required(),
          number("distance", "of the balls from it").in("m").above(0).required(),
          number("radius", "of a ball").in("m").above(0).required(), integer("count", "balls").at_least(1).required()},
         {add_ring<2>, add_ring<3>}}};
}

} // namespace talus
