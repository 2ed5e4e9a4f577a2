#include "cost.hpp"

#include "talus/exec/parallel.hpp"
#include "talus/io/load.hpp"
#include "talus/io/runs/series.hpp"
#include "talus/sampling/vectors.hpp"
#include "talus/simulation/generator_kind.hpp"
#include "talus/simulation/method.hpp"
#include "talus/simulation/run.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

using namespace talus;

namespace {

double fed_bodies(const scene::Value& scene)
{
    const double duration = scene.at("scene").at("duration").number();
    double fed = 0;
    for (const scene::Value& generator : scene.at("generators").list()) {
        const auto to_come = kind_of_generator(generator).bodies_to_come;
        if (to_come) fed += to_come(generator, duration);
    }
    return fed;
}

// [m] smallest diameter of a body that can move; infinite where there is none
template <int D>
double smallest_diameter(const Simulation<D>& simulation)
{
    double smallest = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < simulation.bodies.size(); ++i) {
        const double radius = bounding_radius(simulation.shapes, simulation.bodies.shape[i]);
        if (!simulation.bodies.is_passive(i)) smallest = std::min(smallest, 2 * radius);
    }
    return smallest;
}

// As the scene begins: bricks of a wall touch before the first step.
template <int D>
double first_contacts(const Simulation<D>& simulation)
{
    const double smallest = smallest_diameter(simulation);
    if (!std::isfinite(smallest)) return 0;
    const auto detector = make_detector<D>("auto");
    ContactTable<D> contacts;
    const auto* dynamics = dynamic_cast<const ContactDynamics<D>*>(simulation.engine.get());
    contacts.detect(simulation.bodies, simulation.shapes, *detector,
                    dynamics ? dynamics->alert_distance.value_or(0.02 * smallest) : 0.0);
    return double(contacts.size());
}

// A dense pile has about six neighbours a grain in 3D, four in 2D, and some more within the alert distance; flat sides
// meet in more than one point.
template <int D>
double dense_contacts(const Simulation<D>& simulation, double bodies)
{
    if (bodies < 20) return bodies;
    const bool round = simulation.shapes.polytopes.empty();
    return bodies * (D == 2 ? (round ? 2.4 : 3.0) : (round ? 3.7 : 6.0));
}

// [s] that the highest grain takes to the lowest: from then on the pile is dense. None without weight.
template <int D>
std::optional<double> fall_time(const scene::Value& scene, const Simulation<D>& simulation)
{
    Vec<D> gravity = Vec<D>::Zero();
    for (const scene::Value& driver : scene.at("drivers").list()) {
        if (driver.at("type").is_text("gravity")) gravity = vector_of<D>(driver.at("acceleration"));
    }
    if (gravity.isZero()) return {};
    const Vec<D> down = gravity.normalized();
    double lowest = -std::numeric_limits<double>::infinity(), highest = -lowest;
    for (std::size_t i = 0; i < simulation.bodies.size(); ++i) {
        if (simulation.bodies.is_passive(i)) continue;
        lowest = std::max(lowest, down.dot(simulation.bodies.position[i]));
        highest = std::min(highest, down.dot(simulation.bodies.position[i]));
    }
    return lowest > highest ? std::sqrt(2 * (lowest - highest) / gravity.norm()) : 0;
}

// Contacts at the end, and their mean over a run's frames: they grow from the first to a dense pile's as grains fall.
struct Contacts {
    double last, mean;
};
Contacts grown_contacts(double first, double dense, const std::optional<double>& fall, double duration)
{
    if (!fall) return {0.5 * (first + dense), 0.5 * (first + dense)}; // who knows when: half way
    if (duration >= *fall) return {dense, dense - 0.5 * (dense - first) * (duration > 0 ? *fall / duration : 0)};
    const double last = first + (dense - first) * duration / *fall;
    return {last, 0.5 * (first + last)};
}

// [B] of a run's folder. Bytes of a body and of a contact are those of their columns (docs/run-file.md); those of the
// files themselves, the share that compression leaves and the length of a number were measured on the scenes of
// scenes/.
template <int D>
double disk_bytes(const Simulation<D>& simulation, const RunPlan& plan, const Cost& cost, const Contacts& contacts,
                  double mean_bodies)
{
    const double frames = double(cost.steps) / double(plan.frame_steps) + 1,
                 lines = double(cost.steps) / double(plan.series_steps) + 1;
    const double frame = 0.5 * (mean_bodies * (D == 2 ? 49 : 105) + contacts.mean * (D == 2 ? 73 : 97));
    double shapes = 0;
    for (const auto& polytope : simulation.shapes.polytopes)
        shapes += double(polytope.vertices.size()) * (D == 2 ? 52 : 170);
    const double checkpoint = 31e3 + cost.bodies * (D == 2 ? 97 : 193) + contacts.last * (D == 2 ? 100 : 105) + shapes;
    const double run_file = 22e3 + 25 * cost.bodies + shapes;
    return frames * frame + 12e3 * (1 + std::ceil(frames / 64)) + 2 * checkpoint + run_file + 10e3 +
           lines * 7 * double(io::series_columns(simulation).size());
}

// [s] of all steps; not a number where the method does not tell.
template <int D>
double run_seconds(const scene::Value& scene, const Simulation<D>& simulation, const Cost& cost)
{
    const MethodKind& method = method_of(scene);
    if (!method.cost) return std::numeric_limits<double>::quiet_NaN();
    const StepCost step = method.cost(scene, {cost.bodies, cost.contacts, simulation.shapes.polytopes.empty()});
    const double parts = double(simulation.engine->parts_of(simulation.clock.dt));
    return double(cost.steps) * parts * (step.alone + step.shared / std::min(thread_count(), 8));
}

} // namespace

template <int D>
Cost estimate_cost(const scene::Value& scene, const Simulation<D>& simulation)
{
    Cost cost;
    const RunPlan plan = plan_of(scene);
    cost.steps = step_count(scene);
    const double fed = fed_bodies(scene), first = first_contacts(simulation);
    cost.bodies = double(simulation.bodies.size()) + fed;
    cost.contacts = std::max(first, dense_contacts(simulation, cost.bodies));
    // bytes per body and per contact as measured by `talus bench memory`, 3D; 2D needs about half
    cost.memory = 30e6 + cost.bodies * (D == 2 ? 350 : 600) + cost.contacts * (D == 2 ? 250 : 400);
    // a grain that is fed late costs only from then on: half on average
    const double share = cost.bodies > 0 ? 1 - 0.5 * fed / cost.bodies : 1;
    Contacts contacts =
        grown_contacts(first, cost.contacts, fall_time(scene, simulation), double(cost.steps) * simulation.clock.dt);
    contacts.mean *= share;
    cost.disk = disk_bytes(simulation, plan, cost, contacts, share * cost.bodies);
    cost.seconds = share * run_seconds(scene, simulation, cost) + 1e-6 * cost.disk / 100;
    return cost;
}

template Cost estimate_cost(const scene::Value&, const Simulation<2>&);
template Cost estimate_cost(const scene::Value&, const Simulation<3>&);
