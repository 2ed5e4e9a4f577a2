// A wall of the box under a harmonic force f(t) = F (1 − sin 2πft) into the ballast (BALLAST §8.1).
#include "talus/railway/operation.hpp"

namespace talus {

using namespace scene;

namespace {

class WallForce final : public Operation {
  public:
    WallForce(const Value& given, const OperationSite& site)
        : Operation(site), force_(site.scale * given.at("force").number()), frequency_(given.at("frequency").number()),
          mass_(given.at("mass").number()), time_(given.at("time").number())
    {
    }
    void release(BodyTable<3>& bodies) override { still(bodies, site_.wall.front()); }
    void apply(BodyTable<3>& bodies, ShapeTable<3>& shapes, const Clock& clock) override
    {
        const std::size_t wall = std::size_t(site_.wall.front());
        const double since = clock.time() + 0.5 * clock.dt - site_.from;
        const bool acts = since >= 0 && since < time_;
        const Vec<3> normal =
            bodies.orientation[wall] * shapes.half_spaces[std::size_t(shapes[bodies.shape[wall]].detail)].normal;
        if (acts != acts_) {
            bodies.mass[wall] = mass_;
            bodies.inertia[wall].setConstant(mass_); // its rotations are imposed
            const int axis = std::abs(normal.x()) > 0.5 ? along_x : along_y;
            hold(bodies, site_.wall.front(), acts ? all_imposed<3> & ~(1u << axis) : all_imposed<3>);
            still(bodies, site_.wall.front());
            acts_ = acts;
        }
        if (acts) bodies.force[wall] += force_ * (1 - std::sin(2 * M_PI * frequency_ * since)) * normal;
    }
    double frequency() const override { return frequency_; }
    std::vector<std::uint64_t> save() const override { return {std::uint64_t(acts_)}; }
    void restore(std::span<const std::uint64_t> words) override { acts_ = words[0] != 0; }

  private:
    double force_, frequency_, mass_, time_; // [N], [Hz], [kg], [s]
    bool acts_ = false;
};

} // namespace

OperationKind wall_force()
{
    return {"wall_force",
            "a harmonic force F (1 - sin 2πft) on a wall of the box, into the ballast",
            {choice("wall", "which one", {"left", "right", "front", "back"}).otherwise(Value("left")),
             number("force", "mean value, times scene.scale").in("N").at_least(0).otherwise(Value(5e3)),
             number("frequency", "0: constant").in("Hz").at_least(0).otherwise(Value(5.0)),
             number("mass", "of the wall").in("kg").above(0).otherwise(Value(100.0)),
             number("time", "in which it acts").in("s").above(0).required()},
            [](const Value& given, const Track&) { return given.at("time").number(); },
            [](const Value& given, const OperationSite& site) -> std::unique_ptr<Driver<3>> {
                return std::make_unique<WallForce>(given, site);
            }};
}

} // namespace talus
