// scene.method = "contact_dynamics": from [solver], [detection], [partition] and [quality].
#include "talus/base/error.hpp"
#include "talus/partition/partition_schema.hpp"
#include "talus/simulation/generator_kind.hpp"
#include "talus/simulation/method.hpp"
#include "talus/simulation/simulation.hpp"
#include "talus/solvers/solver_schema.hpp"

#include <fmt/format.h>

namespace talus {

namespace {

// number, or what stands for "auto"
double number_or(const scene::Value& value, double automatic) { return value.is_text() ? automatic : value.number(); }

// More sub-domains than grains are a slip of the pen, unless more grains are to come.
template <int D>
void refuse_too_many_parts(const Simulation<D>& simulation, const scene::Value& scene)
{
    for (const scene::Value& generator : scene.at("generators").list()) {
        if (kind_of_generator(generator).bodies_to_come) return;
    }
    const PartitionOptions options = partition_options(scene.at("partition"));
    double parts = std::max(options.parts, 1);
    for (const int count : options.boxes) parts *= count;
    std::size_t grains = 0;
    for (std::size_t i = 0; i < simulation.bodies.size(); ++i) grains += !simulation.bodies.is_passive(i);
    if (parts <= 1 || parts <= double(grains)) return;
    const scene::Value& key = scene.at("partition").at(options.boxes.empty() ? "parts" : "boxes");
    throw InputError({mistake(key, fmt::format("makes more sub-domains than there are free grains: {}", grains))});
}

// The tolerance of the residual is given in [solver] or in [quality].
SolverOptions asked_of_solver(const scene::Value& scene)
{
    SolverOptions options = solver_options(scene.at("solver"));
    const scene::Value& residual = scene.at("quality").at("residual");
    if (options.stop == Stop::residual) options.tolerance = number_or(residual, options.tolerance);
    return options;
}

ToleranceControl tolerance_control(const SolverOptions& solver, const scene::Value& scene)
{
    const scene::Value& quality = scene.at("quality");
    ToleranceControl control;
    control.asked = control.aimed = solver.tolerance;
    control.automatic = solver.stop == Stop::residual && scene.at("solver").at("tolerance").is_text() &&
                        quality.at("residual").is_text();
    control.stop = solver.stop;
    for (const scene::Value& means : quality.at("adapt").list()) {
        if (means.is_text("sweeps")) control.may_tighten = solver.stop != Stop::sweeps;
    }
    control.interpenetration_limit = quality.at("interpenetration").number();
    return control;
}

template <int D>
void use_contact_dynamics(Simulation<D>& simulation, const scene::Value& scene)
{
    const scene::Value& detection = scene.at("detection");
    const SolverOptions solver = asked_of_solver(scene);
    simulation.use_solver(solver);
    ContactDynamics<D>& dynamics = simulation.contact_dynamics();
    dynamics.detector =
        make_detector<D>(detection.at("method").text(), {number_or(detection.at("skin"), 0), detection});
    if (!detection.at("alert_distance").is_text()) dynamics.alert_distance = detection.at("alert_distance").number();
    dynamics.tolerance = tolerance_control(solver, scene);
    refuse_too_many_parts(simulation, scene);
    dynamics.partitioner = Partitioner<D>(partition_options(scene.at("partition")));
    dynamics.warm_start = scene.at("solver").at("warm_start").boolean();
    if (scene.at("solver").at("position_correction").boolean()) dynamics.correction.emplace();
}

StepCost contact_dynamics_cost(const scene::Value& scene, const StepSize& size)
{
    const scene::Value& solver = scene.at("solver");
    const double allowed = double(solver.at("sweeps").integer());
    const double sweeps = solver.at("stop").is_text("sweeps") ? allowed : std::min(60.0, allowed);
    return {50e-9 * sweeps * size.contacts, 300e-9 * size.bodies + 350e-9 * size.contacts};
}

} // namespace

MethodKind contact_dynamics_method()
{
    MethodKind kind = method_kind("contact_dynamics", "impulses of rigid contacts",
                                  {use_contact_dynamics<2>, use_contact_dynamics<3>}, contact_dynamics_cost);
    kind.aliases = {"nscd"};
    kind.has_contact_problem = true;
    return kind;
}

} // namespace talus
