// Quality against cost: how much a run asks of its solver as interpenetration grows, and what BALLAST eq. 10.3 expects
// of a choice of dt and sweeps.
#pragma once

#include "talus/bodies/body_table.hpp"
#include "talus/shapes/shape_table.hpp"
#include "talus/solvers/solver.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

namespace talus {

// What the solver aims at where the scene does not say: 1e-11 n³ for n contacts, up to 1e-2. In small problems it costs
// nothing, and stacks, arches and single impacts want it; large ones flow, and cost counts. An impact that gives back e
// of its speed must not lose the 1 − e in the tolerance: at most 1e-2 (1 − e)², down to 1e-6.
double automatic_tolerance(std::size_t contacts, double restitution);

// The solver's tolerance in a run: the one that was asked for, tightened while interpenetration is large.
struct ToleranceControl {
    double asked = 1e-2;    // a solve above this has missed
    double aimed = asked;   // what the solver is given, times the factor; never above what is asked
    bool automatic = false; // the aim is chosen from each step's problem
    double round_off = 0;   // of the step's residual: less cannot be seen
    Stop stop = Stop::residual;
    bool may_tighten = false;
    double interpenetration_limit = 0.02;
    double factor = 1; // present tolerance over the aimed one; part of a checkpoint, as is the next
    double tightest = std::numeric_limits<double>::infinity(); // smallest tolerance so far

    double present() const { return factor * aimed; }

    // For a step's problem: no more than round-off allows is aimed at.
    template <int D>
    void choose(const ContactProblem<D>& problem)
    {
        round_off = problem.round_off / problem.reference_velocity;
        if (automatic) aimed = std::max(automatic_tolerance(problem.rows.size(), problem.restitution), round_off);
        tightest = std::min(tightest, present());
    }

    // Halves the tolerance above half of the limit, down to a hundredth of what was asked; doubles it again below a
    // tenth. True where it changed.
    bool follow(double interpenetration);

    // By its residual or its criterion; a fixed number of sweeps always, if what came out is a number.
    bool is_met_by(const SolveReport& report) const;
};

// What eq. 10.3 asks of a run.
struct EstimateTerms {
    std::string process = "tamping"; // one of process_names()
    double contacts = 0;             // n_c of the gauge
    double steps = 0;                // n_t
    double normalised_step = 0;      // H̄ = h V_mean/d_mean
    double sweeps = 0;               // n_DDM per step
};

std::vector<std::string> process_names();

// [%] BALLAST eq. 10.3: Y = α · 0.65e32 · n_c n_t H̄¹⁰/n_DDM², with α = 2 for tamping, 8 for stabilisation, 15 for
// squeezing. It ranks choices; on its own data it is an order of magnitude too large.
double estimated_interpenetration(const EstimateTerms& terms);

// It was fitted on tamped tracks at H̄ of 2.65e-4 to 5e-4 (BALLAST table 10.4); its tenth power means nothing far from
// there.
inline constexpr double smallest_fitted_step = 2.65e-4, largest_fitted_step = 5e-4; // H̄
bool is_in_fitted_range(const EstimateTerms& terms);

struct CostChoice {
    double dt;     // [s]
    double sweeps; // per step
};

// A smaller step, or more sweeps, that would have brought `measured` down to `limit`: eq. 10.3 with its constant from
// the run itself. Over the same time n_t ~ 1/h, so Y ~ h⁹/n_DDM².
CostChoice suggested_choice(const CostChoice& run, double measured, double limit);

} // namespace talus
