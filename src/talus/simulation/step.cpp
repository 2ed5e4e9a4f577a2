// One time step of contact dynamics, the story (MODEL §2; BALLAST ch. 3).
#include "talus/base/stopwatch.hpp"
#include "talus/exec/parallel.hpp"
#include "talus/integrators/moreau.hpp"
#include "talus/simulation/simulation.hpp"
#include "talus/solvers/residual.hpp"

#include <atomic>

namespace talus {

namespace {

// distances over the smallest diameter: up to which contacts are looked for at least, and up to which those of slow
// bodies are kept
constexpr double least_alert = 0.02, least_reach = 0.003;

} // namespace

template <int D>
StepReport Simulation<D>::step()
{
    StepReport report;
    Stopwatch watch;
    const auto finish = [&](Phase phase) { report.seconds[std::size_t(phase)] += watch.lap(); };

    let_bodies_leave();
    apply_drivers(); // what the experimenter imposes
    finish(Phase::drivers);

    energy.turning += moreau_open(bodies, clock.dt); // to the middle of the step, where contacts are evaluated
    finish(Phase::motion);

    measure_motion(report);
    report.alert = choose_alert_distance(report);
    contacts.detect(bodies, shapes, *detector, report.alert, reach_of_bodies(report)); // pairs, gaps, normals
    warm_start ? contacts.inherit() : contacts.forget(); // impulses of contacts that persist
    report.contacts = contacts.size();
    finish(Phase::detection);

    build_problem(problem_, contacts, bodies, materials, clock.dt); // free velocities, frames, blocks
    finish(Phase::problem);

    const Partition& partition = divide(report); // who works on which bodies
    finish(Phase::partition);

    if (on_problem) on_problem(problem_, partition); // hook: record this problem
    tolerance.choose(problem_);
    solver->set_tolerance(tolerance.present(), tolerance.asked);
    report.solve = solver->solve(problem_, partition);
    finish(Phase::solver);

    publish(report.solve); // impulses to the contacts, reactions to the bodies, velocities from them
    const double dissipated = energy.dissipated();
    account<D>(
        energy, problem_, contacts, bodies, [this](std::size_t i) { return field_force(i); }, clock.dt);
    report.contact_gain = std::max(0.0, dissipated - energy.dissipated());
    energy.turning += moreau_close(bodies, problem_, clock.dt); // new velocities, second half of the motion
    remove_penetration(partition, report);                      // positions only, no kinetic energy
    judge_rest();
    ++clock.step;
    report.non_finite = first_non_finite(bodies);
    finish(Phase::motion);
    return report;
}

// What the solve is judged by is what is published. A problem may have no solution (a grain wedged between bodies with
// imposed velocities), and some solvers diverge then: impulses that are worse than none at all are not applied, and the
// step has missed its tolerance.
template <int D>
void Simulation<D>::publish(SolveReport& solve)
{
    constexpr double as_good_as_none = 1; // without impulses closed contacts keep their free velocity: about one v_ref
    contacts_of_bodies_.build(contacts, bodies.size());
    const auto judge_impulses = [&] {
        publish_impulses(problem_, contacts);
        publish_reactions(bodies, contacts, contacts_of_bodies_, clock.dt);
        velocities_from_reactions(problem_, bodies, clock.dt);
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

// Through an outlet, with the energy they have.
template <int D>
void Simulation<D>::let_bodies_leave()
{
    if (clock.step == 0) energy.start = kinetic_energy() + potential_energy();
    leaves_.assign(bodies.size(), 0);
    for (const auto& driver : drivers) driver->let_go(bodies, clock, leaves_);
    if (std::ranges::find(leaves_, std::uint8_t(1)) == leaves_.end()) return;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        if (!leaves_[i]) continue;
        energy.fed -= talus::kinetic_energy(bodies, i);
        for (const auto& driver : drivers) energy.fed -= driver->potential(bodies, i);
    }
    for (std::uint8_t& flag : leaves_) flag = !flag; // who stays
    partitioner.follow(remove_others(*this, leaves_));
    for (const auto& driver : drivers) driver->find_bodies(bodies);
}

template <int D>
void Simulation<D>::apply_drivers()
{
    clear_loads(bodies);
    const std::size_t count = bodies.size();
    energy.driver_work -= guided_energy(count);
    for (const auto& driver : drivers) driver->release(bodies);
    for (const auto& driver : drivers) driver->apply(bodies, shapes, clock);
    energy.driver_work += guided_energy(count);
    for (std::size_t i = count; i < bodies.size(); ++i) { // grains that were just fed bring their energy along
        energy.fed += talus::kinetic_energy(bodies, i);
        for (const auto& driver : drivers) energy.fed += driver->potential(bodies, i);
    }
}

template <int D>
void Simulation<D>::measure_motion(StepReport& report)
{
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
}

template <int D>
const Partition& Simulation<D>::divide(StepReport& report)
{
    static const Partition whole;
    report.reproducible = solver->reproducible();
    if (!solver->uses_partition()) return whole;
    const Partition& partition = partitioner.assign(bodies, shapes, contacts);
    report.partition = partitioner.statistics();
    return partition;
}

template <int D>
void Simulation<D>::remove_penetration(const Partition& partition, StepReport& report)
{
    if (!correction || !std::isfinite(report.smallest)) return;
    CorrectionOptions options = *correction;
    options.allowance = 1e-4 * report.smallest; // below what an indicator sees, above what rounding makes
    options.limit = 1e-3 * report.smallest;
    options.dt = clock.dt;
    const double before = potential_energy();
    report.correction = correct_positions(bodies, contacts, problem_, partition, options);
    if (report.correction.contacts > 0) energy.correction_work += potential_energy() - before;
}

template <int D>
void Simulation<D>::judge_rest()
{
    if (!rest) return;
    const bool below = measure_rest(bodies, shapes, contacts, clock.dt).is_below(*rest);
    steps_at_rest = below ? steps_at_rest + 1 : 0;
}

template <int D>
bool Simulation<D>::is_at_rest() const
{
    return rest && steps_at_rest > 0 && double(steps_at_rest) * clock.dt >= rest->hold;
}

// Contacts are looked for up to the distance two of the fastest grains can close in a step; never less than 2 % of the
// smallest diameter, never more than 20 % (the advice on dt keeps a run below that). In powers of two of the least,
// so that neighbour lists stay valid.
template <int D>
double Simulation<D>::choose_alert_distance(const StepReport& report) const
{
    if (alert_distance) return *alert_distance;
    if (!std::isfinite(report.smallest)) return 0;
    const double least = least_alert * report.smallest, most = 0.2 * report.smallest;
    double alert = least;
    while (alert < most && alert < 2 * report.fastest * clock.dt) alert *= 2;
    return std::min(alert, most);
}

// Most grains are slow: an open contact of two of them is kept up to twice the distance they can close in the step,
// their loads included, and not less than least_reach. A blow passes through grains that touch within a step: a body
// has at least half the reach of those it touched, or nearly touched, in the last step. One fast grain need not cost
// all the others.
template <int D>
std::span<const double> Simulation<D>::reach_of_bodies(const StepReport& report)
{
    constexpr int passed_on = 2; // from contact to contact
    reach_.clear();
    if (alert_distance || !std::isfinite(report.smallest)) return reach_;
    reach_.resize(bodies.size());
    const double least = 0.5 * least_reach * report.smallest;
    parallel_for(bodies.size(), [&](std::size_t i) {
        const double gained = clock.dt * inverse_mass(bodies, i).cwiseProduct(bodies.force[i]).norm();
        reach_[i] = std::max(least, 2 * (speed_[i] + gained) * clock.dt);
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

template class Simulation<2>;
template class Simulation<3>;

} // namespace talus
