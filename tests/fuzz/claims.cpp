// Energy of a step through its contacts (docs/fuzzing.md). With the law met on ṽ = v⁺ + offset, a contact takes
//   −½ r·(v⁺ + v⁻) = −½ r·ṽ − ½ r·(v⁻ − offset),
// and r·ṽ ≤ 0. With one coefficient e everywhere (e_n = e_t) the sum over the contacts of a step is at least
// −¼ (1−e)/(1+e) T, T the kinetic energy of the load impulses; otherwise the second term may be of either sign.
#include "fuzz/claims.hpp"

#include "fuzz/turnover.hpp"
#include "talus/solvers/residual.hpp"

namespace talus::fuzz {

namespace {

// The problem as it was before the solver, and what it has become.
template <int D>
struct Solve {
    std::vector<BodyRecord<D>> free; // before: free velocities
    std::vector<Vec<D>> velocity;    // V_i
    std::vector<Ang<D>> spin;
    const ContactProblem<D>* solved = nullptr; // after

    void keep(const ContactProblem<D>& problem, const BodyTable<D>& bodies)
    {
        solved = &problem;
        velocity = bodies.velocity;
        spin = bodies.spin;
        free = problem.bodies;
    }
    Vec<D> velocity_before(const ContactRow<D>& row) const
    {
        const std::int32_t c = row.candidate, a = row.antagonist;
        const Vec<D> relative =
            velocity[c] + cross(spin[c], row.candidate_lever) - velocity[a] - cross(spin[a], row.antagonist_lever);
        return row.frame.transpose() * relative;
    }
};

// v = v_free + W r from the impulses alone: what the solver's own velocities should be.
template <int D>
ContactProblem<D> recomputed(const Solve<D>& solve)
{
    ContactProblem<D> problem = *solve.solved;
    problem.bodies = solve.free;
    for (std::size_t k = 0; k < problem.rows.size(); ++k) {
        const ContactRow<D>& row = problem.rows[k];
        BodyRecord<D>&c = problem.bodies[row.candidate], &a = problem.bodies[row.antagonist];
        give_impulse<D>(row, c, a, row.frame * row.impulse);
        if (problem.rolling.empty()) continue;
        c.spin += c.inverse_inertia * problem.rolling[k].impulse;
        a.spin -= a.inverse_inertia * problem.rolling[k].impulse;
    }
    return problem;
}

// [m/s] largest of the terms that a relative velocity is the difference of
template <int D>
double fastest(const ContactProblem<D>& problem)
{
    double speed = 0;
    for (const ContactRow<D>& row : problem.rows) {
        const BodyRecord<D>&c = problem.bodies[row.candidate], &a = problem.bodies[row.antagonist];
        speed = std::max({speed, c.velocity.norm(), a.velocity.norm(), c.spin.norm() * row.candidate_lever.norm(),
                          a.spin.norm() * row.antagonist_lever.norm(), row.block.mean_diagonal() * row.impulse.norm()});
    }
    return speed;
}

struct StepEnergy {
    double dissipated = 0;  // [J] by contacts
    double turned_over = 0; // sum of absolute values
    double solver_gain = 0; // Σ max(0, ½ r·ṽ)
    double law_gain = 0;    // Σ ½ r·(v⁻ − offset)
    double load = 0;        // T, kinetic energy of the load impulses
    double e = -1;          // of all contacts with an impulse; −1: none yet
    bool uniform = true;    // they have one e

    void take_coefficient(double coefficient)
    {
        if (e < 0) e = coefficient;
        uniform = uniform && e == coefficient;
    }
    // what the law may add, by the theorem or contact by contact
    double allowed() const { return uniform ? (e < 0 ? 0 : 0.25 * (1 - e) / (1 + e) * load) : std::max(0.0, law_gain); }
};

template <int D>
StepEnergy energy_of(const Solve<D>& solve, const ContactProblem<D>& after, const Simulation<D>& simulation)
{
    StepEnergy energy;
    const BodyTable<D>& bodies = simulation.bodies;
    for (std::size_t k = 0; k < after.rows.size(); ++k) {
        const ContactRow<D>& row = after.rows[k];
        const std::int32_t c = row.candidate, a = row.antagonist;
        const bool rolls = !after.rolling.empty() && (after.rolling[k].impulse.array() != 0).any();
        if ((row.impulse.array() == 0).all() && !rolls) continue;
        const Vec<D> before = solve.velocity_before(row);
        const Vec<D> now = row.frame.transpose() * relative_velocity(row, after.bodies[c], after.bodies[a]);
        double taken = -0.5 * row.impulse.dot(now + before);
        double excess = 0.5 * row.impulse.dot(now + row.offset);
        energy.law_gain += 0.5 * row.impulse.dot(before - row.offset);
        if (rolls) {
            const Ang<D>& moment = after.rolling[k].impulse;
            const Ang<D> spin_before = solve.spin[c] - solve.spin[a];
            const Ang<D> spin_now = after.bodies[c].spin - after.bodies[a].spin;
            taken -= 0.5 * moment.dot(spin_now + spin_before);
            excess += 0.5 * moment.dot(spin_now);
            energy.law_gain += 0.5 * moment.dot(spin_before);
            energy.take_coefficient(0);
        }
        energy.dissipated += taken;
        energy.turned_over += std::abs(taken) + 0.5 * std::abs(row.impulse[0] * now[0]);
        energy.solver_gain += std::max(0.0, excess);
        const ContactLaw& law = simulation.materials.law(bodies.material[c], bodies.material[a]);
        energy.take_coefficient(law.restitution);
        if ((row.impulse.template tail<D - 1>().array() != 0).any())
            energy.take_coefficient(law.tangential_restitution);
    }
    for (std::size_t i = 0; i < solve.free.size(); ++i) {
        if (bodies.is_passive(i)) continue;
        energy.load += 0.5 * simulation.clock.dt *
                       (bodies.force[i].dot(solve.free[i].velocity - solve.velocity[i]) +
                        bodies.torque[i].dot(Ang<D>(solve.free[i].spin - solve.spin[i])));
    }
    return energy;
}

template <int D>
class Judge {
  public:
    explicit Judge(Simulation<D>& simulation) : simulation_(simulation)
    {
        simulation.contact_dynamics().on_problem = [this](const ContactProblem<D>& problem, const Partition&) {
            solve_.keep(problem, simulation_.bodies);
        };
    }
    ~Judge() { simulation_.contact_dynamics().on_problem = nullptr; }

    Verdict run(int steps)
    {
        int touching = 0;
        for (int step = 0; step < steps && verdict_.faults.empty(); ++step) {
            const EnergyLedger before = simulation_.energy;
            kinetic_ = simulation_.kinetic_energy();
            const StepReport report = simulation_.step();
            ++verdict_.steps;
            verdict_.contacts = std::max(verdict_.contacts, report.contacts);
            verdict_.reproducible = verdict_.reproducible && report.reproducible;
            if (!is_finite(report)) break;
            if (report.contacts > 0 && ++touching == steps_with_contacts) verdict_.hash = simulation_.state_hash();
            const ContactProblem<D> after = recomputed(solve_);
            check_tolerance(report, after);
            check_energy(before);
            check_ledger(before);
        }
        if (touching < steps_with_contacts) verdict_.hash = simulation_.state_hash();
        return verdict_;
    }

  private:
    bool is_finite(const StepReport& report)
    {
        bool impulses = true;
        for (const ContactRow<D>& row : solve_.solved->rows) impulses = impulses && row.impulse.allFinite();
        if (report.non_finite >= 0) verdict_.blame("non-finite: body {}", report.non_finite);
        if (!impulses) verdict_.blame("non-finite: an impulse");
        if (!std::isfinite(report.solve.residual)) verdict_.blame("non-finite: the residual");
        if (!std::isfinite(simulation_.energy.balance())) verdict_.blame("non-finite: the ledger");
        return verdict_.faults.empty();
    }

    // Reached means reached by the impulses alone; what the report says is what they have.
    void check_tolerance(const StepReport& report, const ContactProblem<D>& after)
    {
        const SolveReport& said = report.solve;
        const double residual = natural_residual(after).rms;
        // solvers carry body velocities along, visit by visit: rounding of a thousand sweeps, less than any tolerance
        const double round_off =
            1e-10 * (1 + said.residual_max) + 1e-12 * (1 + fastest(after) / after.reference_velocity);
        if (std::abs(residual - said.residual) > 1e-6 * residual + round_off) {
            verdict_.blame("residual: {} said {:.3e}, the impulses have {:.3e}", said.solver, said.residual, residual);
        }
        const ToleranceControl& control = simulation_.contact_dynamics().tolerance;
        if (control.stop == Stop::residual) {
            const double limit = std::max(control.asked, control.round_off);
            if (said.reached && residual > limit * (1 + 1e-6) + round_off) {
                verdict_.blame("tolerance: said reached at {:.3e}, asked for {:.3e}", residual, limit);
            }
            if (!said.reached && said.residual <= limit) {
                verdict_.blame("tolerance: said missed at {:.3e}, asked for {:.3e}", said.residual, limit);
            }
        }
        if (!said.reached) ++verdict_.missed;
    }

    void check_energy(const EnergyLedger& before)
    {
        const EnergyLedger& now = simulation_.energy;
        const StepEnergy energy = energy_of(solve_, *solve_.solved, simulation_);
        const double scale = kinetic_ + energy.load + energy.turned_over;
        turnover_.add(energy.turned_over + energy.load);
        const double round_off = 1e-9 * scale;
        const double sums = std::abs(now.friction) + std::abs(now.impact); // what rounding of a difference goes by
        const double booked = now.dissipated() - before.dissipated();
        if (std::abs(booked - energy.dissipated) > round_off + 1e-14 * sums) {
            verdict_.blame("ledger: booked {:.6e} J of contacts, which took {:.6e} J", booked, energy.dissipated);
        }
        const double excess = 2 * energy.solver_gain;
        if (-energy.dissipated > energy.allowed() + excess + round_off) {
            verdict_.blame(
                "energy: contacts made {:.3e} J of {:.3e} J; {:.3e} J are the law's, {:.3e} J the solver's (e = {}, "
                "{})",
                -energy.dissipated, scale, energy.allowed(), excess, energy.e, energy.uniform ? "uniform" : "mixed");
        }
        const double given = kinetic_ + energy.load + std::abs(now.driver_work - before.driver_work);
        if (!(given > 0)) return;
        const double made = std::max(0.0, -energy.dissipated), by_law = std::min(energy.allowed(), made);
        verdict_.law_gain = std::max(verdict_.law_gain, by_law / given);
        verdict_.solver_gain = std::max(verdict_.solver_gain, (made - by_law) / given);
        // wedges left unsolved have made a few hundred times the little there was; sweeps that diverge make 1e40 times
        if (made - by_law > 1e6 * given) {
            verdict_.blame("energy: unsolved contacts made {:.3e} J, where {:.3e} J were", made - by_law, given);
        }
        verdict_.turning = std::max(verdict_.turning, std::abs(now.turning - before.turning) / given);
    }

    void check_ledger(const EnergyLedger& before)
    {
        const double imbalance = turnover_.imbalance(simulation_, before);
        verdict_.imbalance = std::max(verdict_.imbalance, imbalance);
        if (imbalance > 1e-9) verdict_.blame("ledger: off by {:.3e} of {:.3e} J", imbalance, turnover_.scale());
    }

    Simulation<D>& simulation_;
    Solve<D> solve_;
    Verdict verdict_;
    Turnover turnover_;
    double kinetic_ = 0; // [J] before the step
};

} // namespace

template <int D>
Verdict judge(Simulation<D>& simulation, int steps)
{
    const bool has_problem = dynamic_cast<const ContactDynamics<D>*>(simulation.engine.get());
    return has_problem ? Judge<D>(simulation).run(steps) : judge_published(simulation, steps);
}

template <int D>
std::uint64_t hash_of_run(Simulation<D>& simulation, int steps)
{
    int touching = 0;
    for (int step = 0; step < steps && touching < steps_with_contacts; ++step) {
        if (simulation.step().contacts > 0) ++touching;
    }
    return simulation.state_hash();
}

template Verdict judge(Simulation<2>&, int);
template Verdict judge(Simulation<3>&, int);
template std::uint64_t hash_of_run(Simulation<2>&, int);
template std::uint64_t hash_of_run(Simulation<3>&, int);

} // namespace talus::fuzz
