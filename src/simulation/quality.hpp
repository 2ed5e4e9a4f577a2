// Quality against cost: how much a run asks of its solver as interpenetration grows, and what BALLAST eq. 10.3 expects
// of a choice of dt and sweeps.
#pragma once

#include "bodies/body_table.hpp"
#include "shapes/shape_table.hpp"
#include "solvers/solver.hpp"

#include <string>
#include <vector>

namespace talus {

// The solver's tolerance in a run: the one that was asked for, tightened while interpenetration is large.
struct ToleranceControl {
    double asked = 1e-2;
    Stop stop = Stop::residual;
    bool may_tighten = false;
    double interpenetration_limit = 0.02;
    double factor = 1;   // present tolerance over the asked one; part of a checkpoint, as is the next
    double tightest = 1; // smallest factor so far

    double present() const { return factor * asked; }

    // Halves the tolerance above half of the limit, down to a hundredth of what was asked; doubles it again below a
    // tenth. True where it changed.
    bool follow(double interpenetration);

    // A solve that missed a tightened tolerance may be as good as was asked. Where v_ref is 0 nothing is tightened.
    bool is_met_by(const SolveReport& report, double reference_velocity) const;
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

struct CostChoice {
    double dt;     // [s]
    double sweeps; // per step
};

// A smaller step, or more sweeps, that would have brought `measured` down to `limit`: eq. 10.3 with its constant from
// the run itself. Over the same time n_t ~ 1/h, so Y ~ h⁹/n_DDM².
CostChoice suggested_choice(const CostChoice& run, double measured, double limit);

} // namespace talus
