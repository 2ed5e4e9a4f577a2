// Smooth contact and crowds, judged by what a step publishes (docs/fuzzing.md): numbers are finite, reactions are the
// sums of the contacts' impulses, the ledger closes, contacts take energy; people by nsm1 never overlap.
#include "fuzz/claims.hpp"
#include "fuzz/turnover.hpp"
#include "talus/simulation/crowd_contact.hpp"
#include "talus/simulation/smooth_dem.hpp"

namespace talus::fuzz {

namespace {

// of the energy turned over: contacts begin and end, and walls change their velocity, within its steps
constexpr double of_integrator = 0.2;

template <int D>
class PublishedJudge {
  public:
    explicit PublishedJudge(Simulation<D>& simulation)
        : simulation_(simulation), start_(simulation.kinetic_energy() + simulation.potential_energy())
    {
        smooth_ = dynamic_cast<const SmoothDem<D>*>(simulation.engine.get());
        double largest = 0;
        for (const std::int32_t shape : simulation.bodies.shape) {
            const double radius = bounding_radius(simulation.shapes, shape);
            if (std::isfinite(radius)) largest = std::max(largest, radius);
        }
        if (smooth_) least_ = 0.5 * smooth_->stiffness * std::pow(1e-8 * largest, 2);
        if constexpr (D == 2) crowd_ = dynamic_cast<const CrowdContact*>(simulation.engine.get());
    }

    Verdict run(int steps)
    {
        int touching = 0;
        for (int step = 0; step < steps && verdict_.faults.empty(); ++step) {
            const EnergyLedger before = simulation_.energy;
            const StepReport report = simulation_.step();
            ++verdict_.steps;
            verdict_.contacts = std::max(verdict_.contacts, report.contacts);
            if (!report.solve.reached) ++verdict_.missed;
            if (!is_finite(report)) break;
            if (report.contacts > 0 && ++touching == steps_with_contacts) verdict_.hash = simulation_.state_hash();
            check_reactions();
            check_energy(before, report);
            check_ledger(before);
            if (crowd_ && verdict_.missed == 0) check_overlaps();
        }
        if (touching < steps_with_contacts) verdict_.hash = simulation_.state_hash();
        return verdict_;
    }

  private:
    bool is_finite(const StepReport& report)
    {
        if (report.non_finite >= 0) verdict_.blame("non-finite: body {}", report.non_finite);
        for (const Vec<D>& impulse : simulation_.contacts.impulse) {
            if (!impulse.allFinite()) verdict_.blame("non-finite: an impulse");
        }
        if (!std::isfinite(simulation_.energy.balance())) verdict_.blame("non-finite: the ledger");
        return verdict_.faults.empty();
    }

    void check_reactions()
    {
        const ContactTable<D>& contacts = simulation_.contacts;
        std::vector<Vec<D>> sum(simulation_.bodies.size(), Vec<D>::Zero());
        double largest = 0; // [N] what rounding goes by
        for (std::size_t k = 0; k < contacts.size(); ++k) {
            const Vec<D> force = contacts.impulse[k] / simulation_.clock.dt;
            sum[std::size_t(contacts.candidate[k])] += force;
            sum[std::size_t(contacts.antagonist[k])] -= force;
            largest += force.norm();
        }
        for (std::size_t i = 0; i < sum.size(); ++i) {
            const double off = (sum[i] - simulation_.bodies.reaction[i]).norm();
            if (off > 1e-12 * largest) verdict_.blame("reaction: of body {} is {:.3e} N off its contacts' sum", i, off);
        }
    }

    void check_energy(const EnergyLedger& before, const StepReport& report)
    {
        const double taken = simulation_.energy.dissipated() - before.dissipated();
        turnover_.add(std::abs(taken));
        if (smooth_) check_smooth_energy();
        const bool is_solved = crowd_ && crowd_->treatment != CrowdTreatment::soft && report.solve.reached;
        if (is_solved) check_percussions(taken, report.solve.residual);
    }

    // Springs give back what they hold, dashpots and sliding take: both together never give.
    void check_smooth_energy()
    {
        const double stored_at_start = simulation_.energy.start - start_;
        const double taken = simulation_.energy.dissipated() + smooth_->stored_energy() - stored_at_start;
        if (-taken > of_integrator * (turnover_.scale() + least_)) {
            verdict_.blame("energy: contacts made {:.3e} J, {:.3e} J are turned over", -taken, turnover_.scale());
        }
    }

    // What loads may give to contacts that press although they were opening is a quarter of T (docs/fuzzing.md); what
    // nsm1 gives where it pushes overlaps apart is r_n |g|/h.
    void check_percussions(double taken, double residual)
    {
        const BodyTable<D>& bodies = simulation_.bodies;
        const ContactTable<D>& contacts = simulation_.contacts;
        const double dt = simulation_.clock.dt;
        double allowed = 0, excess = 0;
        for (std::size_t i = 0; i < bodies.size(); ++i) {
            if (!bodies.is_passive(i)) allowed += 0.125 * dt * dt * bodies.force[i].squaredNorm() / bodies.mass[i];
        }
        for (std::size_t k = 0; k < contacts.size(); ++k) {
            const double size = contacts.impulse[k].norm();
            excess += 4 * residual * size; // the law is met to that, in each of two directions
            if (crowd_->treatment == CrowdTreatment::places) allowed += size * std::max(0.0, -contacts.gap[k]) / dt;
        }
        if (-taken > allowed + excess + 1e-9 * (turnover_.scale() + simulation_.kinetic_energy())) {
            verdict_.blame("energy: contacts made {:.3e} J, {:.3e} J are the law's, {:.3e} J the solver's", -taken,
                           allowed, excess);
        }
    }

    // Round-off with crowds; with smooth contact the error of the integrator, of the ends of contacts above all.
    void check_ledger(const EnergyLedger& before)
    {
        const double imbalance = turnover_.imbalance(simulation_, before);
        verdict_.imbalance = std::max(verdict_.imbalance, imbalance);
        const bool rests = turnover_.scale() < least_; // what is left is round-off of places
        if (imbalance > (smooth_ ? of_integrator : 1e-9) && !rests) {
            verdict_.blame("ledger: off by {:.3e} of {:.3e} J", imbalance, turnover_.scale());
        }
    }

    // D + h G u ≥ 0 is on the safe side for walls that are convex, the inside of a drum is not.
    void check_overlaps()
    {
        if (crowd_->treatment != CrowdTreatment::places) return;
        const auto detector = make_detector<D>("all_pairs");
        ContactTable<D> contacts;
        contacts.detect(simulation_.bodies, simulation_.shapes, *detector, 0.0);
        const double allowed = 1e-12 + 2 * crowd_->options.tolerance * simulation_.clock.dt;
        for (std::size_t k = 0; k < contacts.size(); ++k) {
            const auto kind = [&](std::int32_t body) {
                return simulation_.shapes[simulation_.bodies.shape[std::size_t(body)]].kind;
            };
            if (kind(contacts.candidate[k]) == ShapeKind::hollow_ball ||
                kind(contacts.antagonist[k]) == ShapeKind::hollow_ball)
                continue;
            if (contacts.gap[k] < -allowed)
                verdict_.blame("overlap: {:.3e} m, {:.3e} m are allowed", -contacts.gap[k], allowed);
        }
    }

    Simulation<D>& simulation_;
    const double start_; // [J] before springs are known
    double least_ = 0;   // [J] of an overlap of 1e-8 of the largest radius
    const SmoothDem<D>* smooth_ = nullptr;
    const CrowdContact* crowd_ = nullptr;
    Verdict verdict_;
    Turnover turnover_;
};

} // namespace

template <int D>
Verdict judge_published(Simulation<D>& simulation, int steps)
{
    return PublishedJudge<D>(simulation).run(steps);
}

template Verdict judge_published(Simulation<2>&, int);
template Verdict judge_published(Simulation<3>&, int);

} // namespace talus::fuzz
