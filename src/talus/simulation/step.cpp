// One time step of contact dynamics, the story (MODEL §2; BALLAST ch. 3).
#include "talus/base/stopwatch.hpp"
#include "talus/exec/parallel.hpp"
#include "talus/integrators/moreau.hpp"
#include "talus/simulation/simulation.hpp"
#include "talus/solvers/residual.hpp"

#include <fmt/format.h>

#include <atomic>

namespace talus {

namespace {

// distances over the smallest diameter: up to which contacts are looked for at least, and up to which those of slow
// bodies are kept
constexpr double least_alert = 0.02, least_reach = 0.003;

} // namespace

template <int D>
StepReport ContactDynamics<D>::step(Simulation<D>& simulation)
{
    BodyTable<D>& bodies = simulation.bodies;
    ContactTable<D>& contacts = simulation.contacts;
    const Clock& clock = simulation.clock;
    EnergyLedger& energy = simulation.energy;
    StepReport report;
    Stopwatch watch;
    const auto finish = [&](Phase phase) { report.seconds[std::size_t(phase)] += watch.lap(); };

    simulation.begin_step(); // what the experimenter imposes
    simulation.add_own_loads(next_step(clock));
    finish(Phase::drivers);

    energy.turning += moreau_open(bodies, clock.dt); // to the middle of the step, where contacts are evaluated
    finish(Phase::motion);

    simulation.add_mutual_loads(next_step(clock)); // there the scheme keeps their energy
    finish(Phase::drivers);

    measure_motion(simulation, report);
    report.alert = choose_alert_distance(clock.dt, report);
    contacts.detect(bodies, simulation.shapes, *detector, report.alert,
                    reach_of_bodies(simulation, report)); // gaps, normals
    warm_start ? contacts.inherit() : contacts.forget();  // impulses of contacts that persist
    report.contacts = contacts.size();
    finish(Phase::detection);

    build_problem(problem_, contacts, bodies, simulation.materials, clock.dt); // free velocities, frames, blocks
    finish(Phase::problem);

    const Partition& partition = divide(simulation, report); // who works on which bodies
    finish(Phase::partition);

    if (on_problem) on_problem(problem_, partition); // hook: record this problem
    tolerance.choose(problem_);
    solver->set_tolerance(tolerance.present(), tolerance.asked);
    report.solve = solver->solve(problem_, partition);
    finish(Phase::solver);

    publish(simulation, report.solve); // impulses to the contacts, reactions to the bodies, velocities from them
    const double dissipated = energy.dissipated();
    account<D>(
        energy, contacts, bodies, [&](std::size_t i) { return mean_motion(bodies, problem_, i); },
        [&](std::size_t i) { return simulation.field_load(i); }, clock.dt);
    report.contact_gain = std::max(0.0, dissipated - energy.dissipated());
    energy.turning += moreau_close(bodies, problem_, clock.dt); // new velocities, second half of the motion
    remove_penetration(simulation, partition, report);          // positions only, no kinetic energy
    simulation.end_step();
    report.non_finite = first_non_finite(bodies);
    finish(Phase::motion);
    return report;
}

// What the solve is judged by is what is published. A problem may have no solution (a grain wedged between bodies with
// imposed velocities), and some solvers diverge then: impulses that are worse than none at all are not applied, and the
// step has missed its tolerance.
template <int D>
void ContactDynamics<D>::publish(State<D>& state, SolveReport& solve)
{
    BodyTable<D>& bodies = state.bodies;
    ContactTable<D>& contacts = state.contacts;
    const double dt = state.clock.dt;
    constexpr double as_good_as_none = 1; // without impulses closed contacts keep their free velocity: about one v_ref
    contacts_of_bodies_.build(contacts, bodies.size());
    const auto judge_impulses = [&] {
        publish_impulses(problem_, contacts);
        publish_reactions(bodies, contacts, contacts_of_bodies_, dt);
        velocities_from_reactions(problem_, bodies, dt);
        return natural_residual(problem_);
    };
    Residual residual = judge_impulses();
    if (!(residual.rms <= as_good_as_none)) {
        const std::vector<ContactRow<D>> rows = problem_.rows;
        const std::vector<RollingRow<D>> rolling = problem_.rolling;
        for (ContactRow<D>& row : problem_.rows) row.impulse.setZero();
        for (RollingRow<D>& row : problem_.rolling) row.impulse.setZero();
        const Residual without = judge_impulses();
        const bool diverged = !(residual.rms <= without.rms);
        if (diverged) {
            residual = without;
            solve.ended = "diverged";
        } else {
            problem_.rows = rows;
            problem_.rolling = rolling;
            judge_impulses();
        }
    }
    solve.residual = residual.rms;
    solve.residual_max = residual.maximum;
    solve.left_out = residual.left_out;
    solve.reached = tolerance.is_met_by(solve);
}

template <int D>
void ContactDynamics<D>::measure_motion(const State<D>& state, StepReport& report)
{
    const BodyTable<D>& bodies = state.bodies;
    const ShapeTable<D>& shapes = state.shapes;
    speed_.resize(bodies.size());
    struct Extremes {
        double speed = 0, diameter = std::numeric_limits<double>::infinity();
    };
    const Extremes extremes = parallel_reduce(
        bodies.size(), Extremes{},
        [&](std::size_t i) -> Extremes {
            const double radius = bounding_radius(shapes, bodies.shape[i]);
            const bool grain = !bodies.is_passive(i) && std::isfinite(radius);
            // of its fastest point; a ball that turns stays where it is
            const bool sweeps_space = std::isfinite(radius) && shapes[bodies.shape[i]].kind != ShapeKind::ball;
            const double turning = sweeps_space ? radius * bodies.spin[i].norm() : 0.0;
            const double speed = bodies.velocity[i].norm() + turning;
            const bool turns_far_away = !std::isfinite(radius) && !bodies.spin[i].isZero();
            speed_[i] = turns_far_away ? std::numeric_limits<double>::infinity() : speed;
            return {speed, grain ? 2 * radius : std::numeric_limits<double>::infinity()};
        },
        [](const Extremes& a, const Extremes& b) -> Extremes {
            return {std::max(a.speed, b.speed), std::min(a.diameter, b.diameter)};
        });
    report.fastest = extremes.speed;
    report.smallest = extremes.diameter;
    // no grain moves more than a tenth of the smallest diameter
    if (!alert_distance && report.fastest > 0) report.safe_dt = 0.1 * report.smallest / report.fastest;
}

template <int D>
const Partition& ContactDynamics<D>::divide(const State<D>& state, StepReport& report)
{
    static const Partition whole;
    report.reproducible = solver->reproducible();
    if (!solver->uses_partition()) return whole;
    const Partition& partition = partitioner.assign(state.bodies, state.shapes, state.contacts);
    report.partition = partitioner.statistics();
    return partition;
}

template <int D>
void ContactDynamics<D>::remove_penetration(Simulation<D>& simulation, const Partition& partition, StepReport& report)
{
    if (!correction || simulation.contacts.size() == 0 || !std::isfinite(report.smallest)) return;
    CorrectionOptions options = *correction;
    options.allowance = 1e-4 * report.smallest; // below what an indicator sees, above what rounding makes
    options.limit = 1e-3 * report.smallest;
    options.dt = simulation.clock.dt;
    const double before = simulation.potential_energy();
    report.correction = correct_positions(simulation.bodies, simulation.contacts, problem_, partition, options);
    if (report.correction.contacts > 0) simulation.energy.correction_work += simulation.potential_energy() - before;
}

// Contacts are looked for up to the distance two of the fastest grains can close in a step; never less than 2 % of the
// smallest diameter, never more than 20 % (the advice on dt keeps a run below that). In powers of two of the least,
// so that neighbour lists stay valid.
template <int D>
double ContactDynamics<D>::choose_alert_distance(double dt, const StepReport& report) const
{
    if (alert_distance) return *alert_distance;
    if (!std::isfinite(report.smallest)) return 0;
    const double least = least_alert * report.smallest, most = 0.2 * report.smallest;
    double alert = least;
    while (alert < most && alert < 2 * report.fastest * dt) alert *= 2;
    return std::min(alert, most);
}

// Most grains are slow: an open contact of two of them is kept up to twice the distance they can close in the step,
// their loads included, and not less than least_reach. A blow passes through grains that touch within a step: a body
// has at least half the reach of those it touched, or nearly touched, in the last step. One fast grain need not cost
// all the others.
template <int D>
std::span<const double> ContactDynamics<D>::reach_of_bodies(const State<D>& state, const StepReport& report)
{
    const BodyTable<D>& bodies = state.bodies;
    const ContactTable<D>& contacts = state.contacts;
    const double dt = state.clock.dt;
    constexpr int passed_on = 2; // from contact to contact
    reach_.clear();
    if (alert_distance || !std::isfinite(report.smallest)) return reach_;
    reach_.resize(bodies.size());
    const double least = 0.5 * least_reach * report.smallest;
    parallel_for(bodies.size(), [&](std::size_t i) {
        const double gained = dt * inverse_mass(bodies, i).cwiseProduct(bodies.force[i]).norm();
        reach_[i] = std::max(least, 2 * (speed_[i] + gained) * dt);
    });
    for (int pass = 0; pass < passed_on; ++pass) {
        const std::vector<double> before = reach_;
        const auto pass_on = [&](std::int32_t from, std::int32_t to) {
            if (bodies.is_passive(std::size_t(to)) || !std::isfinite(before[from])) return;
            const double passed = 0.5 * before[from];
            std::atomic_ref<double> reach(reach_[to]);
            double present = reach.load(std::memory_order_relaxed);
            while (present < passed && !reach.compare_exchange_weak(present, passed)) {
            } // the order does not matter
        };
        parallel_for(contacts.size(), [&](std::size_t k) {
            pass_on(contacts.candidate[k], contacts.antagonist[k]);
            pass_on(contacts.antagonist[k], contacts.candidate[k]);
        });
    }
    return reach_;
}

template <int D>
EngineMemory ContactDynamics<D>::save() const
{
    return {.numbers = {{"tolerance_factor", tolerance.factor}, {"tightest_tolerance", tolerance.tightest}},
            .columns = {{"partition", partitioner.save()}}};
}

template <int D>
std::string ContactDynamics<D>::restore(const EngineMemory& memory)
{
    Partitioner<D> restored = partitioner;
    if (!restored.restore(memory.columns.front().second)) return "has no sound partition";
    partitioner = std::move(restored);
    tolerance.factor = memory.numbers[0].second;
    tolerance.tightest = memory.numbers[1].second;
    return {};
}

template <int D>
std::string ContactDynamics<D>::adapt(double interpenetration)
{
    if (!tolerance.follow(interpenetration)) return {};
    return fmt::format("the solver's tolerance is {:.3g} now ({:.3g} was asked)", tolerance.present(), tolerance.asked);
}

template <int D>
std::optional<ResidualAsked> ContactDynamics<D>::residual() const
{
    if (tolerance.stop != Stop::residual) return {};
    return ResidualAsked{tolerance.asked, std::min(tolerance.tightest, tolerance.present())};
}

template class ContactDynamics<2>;
template class ContactDynamics<3>;

} // namespace talus
