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
#include <tuple>
#include <utility>

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
double dense_contacts(int dimension, bool round, double bodies)
{
    if (bodies < 20) return bodies;
    return bodies * (dimension == 2 ? (round ? 2.4 : 3.0) : (round ? 3.7 : 6.0));
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

// A track, as measured (docs/ballast.md, "What it will cost"). Contacts over bodies are means over a stage or a run: up
// to four points of a pair, and near ones too; in a loose bed, as friction makes it, and in one settled without.
constexpr double loose_at_rest = 4.4, dense_at_rest = 7.5, loose_at_work = 5.2, dense_at_work = 6.6;
// A deposit without friction has twice the contacts and a sixth of the sweeps: it takes as long.
constexpr double contacts_of_deposit = 3.5;
constexpr double deposit_time = 1.3, slow_deposit = 2.5, relaxation_time = 0.9; // [s] simulated; slow: the most
constexpr double vertices_of_grain = 26, bytes_in_library = 102;                // of our ballast; [B] of a vertex
constexpr double walls = 5, columns_of_track = 400, columns_of_stage = 70;

double library_vertices(const scene::Value& track) { return vertices_of_grain * double(track.at("variety").integer()); }

// What a scene holds, as far as its cost goes.
struct Contents {
    int dimension = 3;
    double bodies = 0, share = 1; // at the end, and how many of them there are over the run in the mean
    Contacts contacts;
    double dense = 0;    // contacts
    bool round = false;  // no polygons or polyhedra
    double vertices = 0; // of those
    double columns = 0;  // of the series
    double parts = 1;    // of a step
};

// [B] of a run's folder. Bytes of a body and of a contact are those of their columns (docs/run-file.md); those of the
// files themselves, the share that compression leaves and the length of a number were measured on the scenes of
// scenes/.
double disk_bytes(const Contents& in, double frames, double lines)
{
    const bool flat = in.dimension == 2;
    const double frame = 0.5 * (in.share * in.bodies * (flat ? 49 : 105) + in.contacts.mean * (flat ? 73 : 97));
    const double shapes = in.vertices * (flat ? 52 : 170);
    const double checkpoint = 31e3 + in.bodies * (flat ? 97 : 193) + in.contacts.last * (flat ? 100 : 105) + shapes;
    const double run_file = 22e3 + 25 * in.bodies + shapes;
    return frames * frame + 12e3 * (1 + std::ceil(frames / 64)) + 2 * checkpoint + run_file + 10e3 +
           lines * 7 * in.columns;
}

// [s] of all steps; not a number where the method does not tell.
double run_seconds(const scene::Value& scene, const Contents& in, double steps)
{
    const MethodKind& method = method_of(scene);
    if (!method.cost) return std::numeric_limits<double>::quiet_NaN();
    const StepCost step = method.cost(scene, {in.bodies, in.dense, in.round});
    return steps * in.parts * (step.alone + step.shared / std::min(thread_count(), 8));
}

Cost cost_of(const scene::Value& scene, const Contents& in)
{
    const bool flat = in.dimension == 2;
    Cost cost;
    cost.steps = step_count(scene);
    cost.bodies = in.bodies;
    cost.contacts = in.dense;
    // bytes per body and per contact as measured by `talus bench memory`, 3D; 2D needs about half. Those of polyhedra
    // as measured on tracks.
    const bool polyhedra = !flat && in.vertices > 0;
    const double of_contact = polyhedra ? 2000 : flat ? 250 : 400;
    cost.memory = 30e6 + in.bodies * (flat ? 350 : 600) + in.dense * of_contact + (polyhedra ? 900 * in.vertices : 0);
    const RunPlan plan = plan_of(scene);
    cost.disk = disk_bytes(in, double(cost.steps) / double(plan.frame_steps) + 1,
                           double(cost.steps) / double(plan.series_steps) + 1);
    cost.seconds = in.share * run_seconds(scene, in, double(cost.steps)) + 1e-6 * cost.disk / 100;
    return cost;
}

// 0: as loose as friction makes it; 1: settled without friction. Between, compacity falls so (docs/ballast.md).
double density_of_bed(const scene::Value& track)
{
    const scene::Value* friction = track.find("settle_friction");
    return friction ? std::exp(-4 * friction->number()) : 0;
}

// Its grains touch from the start, and what is done to it shakes them apart and together again.
Contents contents_of_track(const scene::Value& scene, double bodies)
{
    const bool works = !scene.at("operations").list().empty();
    const double dense = density_of_bed(scene.at("track"));
    Contents in;
    in.bodies = bodies;
    in.dense = bodies * (works ? std::lerp(loose_at_work, dense_at_work, dense)
                               : std::lerp(loose_at_rest, dense_at_rest, dense));
    in.contacts = {in.dense, in.dense};
    return in;
}

} // namespace

template <int D>
Cost estimate_cost(const scene::Value& scene, const Simulation<D>& simulation)
{
    const double fed = fed_bodies(scene), bodies = double(simulation.bodies.size()) + fed;
    Contents in;
    if (scene.find("track")) {
        in = contents_of_track(scene, bodies);
    } else {
        in.dimension = D;
        in.bodies = bodies;
        in.round = simulation.shapes.polytopes.empty();
        const double first = first_contacts(simulation);
        in.dense = std::max(first, dense_contacts(D, in.round, bodies));
        // a grain that is fed late costs only from then on: half on average
        in.share = bodies > 0 ? 1 - 0.5 * fed / bodies : 1;
        in.contacts = grown_contacts(first, in.dense, fall_time(scene, simulation),
                                     double(step_count(scene)) * simulation.clock.dt);
        in.contacts.mean *= in.share;
    }
    for (const auto& polytope : simulation.shapes.polytopes) in.vertices += double(polytope.vertices.size());
    in.columns = double(io::series_columns(simulation).size());
    in.parts = double(simulation.engine->parts_of(simulation.clock.dt));
    return cost_of(scene, in);
}

template Cost estimate_cost(const scene::Value&, const Simulation<2>&);
template Cost estimate_cost(const scene::Value&, const Simulation<3>&);

Cost estimate_track_cost(const scene::Value& scene, const Track& track)
{
    const double tools = track.has_tools() ? double(track.tool_places(0).size()) : 0;
    Contents in = contents_of_track(scene, track.expected_grains + double(track.sleepers.size()) + tools + walls);
    in.vertices = library_vertices(scene.at("track"));
    in.columns = columns_of_track;
    return cost_of(scene, in);
}

Cost estimate_sample_cost(const scene::Value& scene, const Track& track)
{
    const scene::Value& given = scene.at("track");
    scene::Value solver = scene::Value::table(), stage = scene; // each stage has the default method and solver
    solver.set("stop", scene::Value("residual"));
    solver.set("sweeps", scene::Value(1000));
    stage.set("solver", std::move(solver));
    stage.at("scene").set("method", scene::Value("contact_dynamics"));
    const double deposited = track.grains_to_deposit(mean_grain_volume(grading_of(given)));
    const double settling = given.find("settle_friction") ? slow_deposit : deposit_time;
    Cost cost;
    for (const auto& [grains, contacts, time] : {std::tuple(deposited, contacts_of_deposit, settling),
                                                 std::tuple(track.expected_grains, loose_at_rest, relaxation_time)}) {
        Contents in;
        in.bodies = grains + walls;
        in.dense = contacts * grains;
        in.contacts = {in.dense, in.dense};
        in.vertices = library_vertices(given);
        in.columns = columns_of_stage;
        cost.disk += disk_bytes(in, 2, time / 0.01);
        cost.seconds += run_seconds(stage, in, time / given.at("settle_dt").number());
    }
    cost.disk += bytes_in_library * library_vertices(given);
    return cost;
}
