// Balls whose radii and places lie in a file; all of them, or those in a box or of some radii.
#include "talus/base/error.hpp"
#include "talus/sampling/vectors.hpp"
#include "talus/simulation/generator_kind.hpp"
#include "talus/simulation/simulation.hpp"

#include <fmt/format.h>

namespace talus {

using namespace scene;

namespace {

// Which balls of the file are taken.
template <int D>
class Filter {
  public:
    explicit Filter(const Value& generator)
    {
        if (const Value* corner = generator.find("lower")) lower_ = vector_of<D>(*corner);
        if (const Value* corner = generator.find("upper")) upper_ = vector_of<D>(*corner);
        if (const Value* radius = generator.find("radius_at_least")) smallest_ = radius->number();
        if (const Value* radius = generator.find("radius_at_most")) largest_ = radius->number();
    }
    bool takes(double radius, const Vec<D>& position) const
    {
        return radius >= smallest_ && radius <= largest_ && (position.array() >= lower_.array()).all() &&
               (position.array() <= upper_.array()).all();
    }

  private:
    static constexpr double far = std::numeric_limits<double>::infinity();
    Vec<D> lower_ = Vec<D>::Constant(-far), upper_ = Vec<D>::Constant(far); // [m]
    double smallest_ = 0, largest_ = far;                                   // [m]
};

template <int D>
void add_balls(Simulation<D>& simulation, const Value& generator, std::uint64_t, const ShapeFiles& files)
{
    const Value& file = generator.at("file");
    const Filter<D> filter(generator);
    Body<D> body;
    body.material = simulation.materials.index(generator.at("material").text());
    body.velocity = vector_of<D>(generator.at("velocity"));
    body.spin = angular_of<D>(generator.at("spin"));
    const double density = simulation.materials[body.material].density;
    const std::vector<ListedBall> balls = files.read_balls(file, D);
    const std::size_t before = simulation.bodies.size();
    for (const ListedBall& ball : balls) {
        body.position = ball.position.template head<D>();
        if (!filter.takes(ball.radius, body.position)) continue;
        body.shape = simulation.shapes.add_ball(ball.radius);
        body.mass = density * ball_volume<D>(ball.radius);
        body.inertia.setConstant(ball_inertia<D>(body.mass, ball.radius));
        simulation.bodies.add(body);
    }
    if (simulation.bodies.size() > before) return;
    throw InputError({mistake(file, fmt::format("has {} balls, but none of this radius in this box", balls.size()))});
}

} // namespace

GeneratorKind file_generator()
{
    return {{"file",
             "balls from a text file, one per line: radius x y z, in 2D radius x y, in metres; lines that begin with # "
             "are passed over, and so is a first line of words",
             {text("file", "its path from the scene's folder; compressed if the name ends with .gz").required(),
              vector("lower", "only balls with their centre above this corner").in("m"),
              vector("upper", "only balls with their centre below this corner").in("m"),
              number("radius_at_least", "only balls as large as this").in("m").above(0),
              number("radius_at_most", "only balls as small as this").in("m").above(0),
              vector("velocity", "at the start").in("m/s").otherwise_zero(),
              rotation("spin", "at the start").in("rad/s").otherwise_zero()},
             {add_balls<2>, add_balls<3>}}};
}

} // namespace talus
