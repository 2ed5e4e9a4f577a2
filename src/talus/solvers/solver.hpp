// How a contact problem is solved (Solver), and what is said about it afterwards (SolveReport). How well it is solved
// is judged apart, in residual.hpp.
#pragma once

#include "talus/partition/partition.hpp"
#include "talus/scene/value.hpp"
#include "talus/solvers/contact_problem.hpp"

#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace talus {

enum class Stop { residual, mean_dvor, quad_dv, quad_dvr, sweeps };

struct SolverOptions {
    std::string name = "nlgs";
    std::string storage = "elg"; // or "sdl"
    std::string local = "exact"; // or "projection"
    Stop stop = Stop::residual;
    double tolerance = 1e-2;
    double good_enough = 0; // residual below which sweeps that creep stop short of the tolerance (Patience)
    int sweeps = 1000;      // the cap, or the fixed number; n_DDM of a decomposition
    int check_every = 10;   // sweeps between two looks at the criterion
    double operations = std::numeric_limits<double>::infinity(); // floating-point, after which the referee gives up
    // of a decomposition (BALLAST alg. 1)
    int inner_sweeps = 1;              // n: on each sub-domain
    int interface_sweeps = 1;          // m: on Γ
    std::string interface = "colours"; // or "sequential"
    std::vector<int> plan;             // outer iterations in which each sub-domain is active (§10.1); empty: all
    scene::Value given;                // [solver] of the scene, for a solver with keys of its own; null without a scene

    static bool is_criterion(Stop by) { return by != Stop::residual && by != Stop::sweeps; } // of BALLAST §3.3
    bool goes_by_criterion() const { return is_criterion(stop); }
    bool looks_at(int sweep) const { return sweep % check_every == 0 || sweep == sweeps; }
};

struct SolveReport {
    int sweeps = 0;
    double residual = 0;          // rms over the contacts of the scaled natural map, in units of v_ref (MODEL §2)
    double residual_max = 0;      // its largest contact, same units
    double criterion = 0;         // the value of the chosen criterion where it is not the residual
    bool reached = true;          // the tolerance asked for
    std::string ended = "";       // why it stopped: "reached", "sweeps" (the number asked for), "cap", "stalled";
                                  // "diverged" where no impulses at all are better, and none are applied; "failed"
                                  // where the residual is no finite number
    std::size_t left_out = 0;     // contacts that carry nothing: neither body gives way along the normal
    std::string solver = "";      // what solved it, where a fallback may have
    std::int64_t updates = 0;     // contacts visited, all sweeps together
    double subdomain_seconds = 0; // [s] of a decomposition: sweeps on the sub-domains, waiting for the last included
    double interface_seconds = 0; // [s] sweeps on Γ
};

template <int D>
class Solver {
  public:
    virtual ~Solver() = default;
    // From the impulses in the problem to the solution; body velocities follow.
    virtual SolveReport solve(ContactProblem<D>& problem, const Partition& partition) = 0;
    SolveReport solve(ContactProblem<D>& problem) { return solve(problem, Partition{}); }

    // Of the steps to come: what is aimed at, and what is good enough where the aim costs too much. A fixed number of
    // sweeps has none.
    virtual void set_tolerance(double /*aimed*/, double /*good_enough*/) {}
    virtual bool uses_partition() const { return true; } // else none is made
    virtual bool reproducible() const { return true; }   // the same bits each time, for any number of threads
};

// By its name in the registry (solver_kind.hpp). Refuses by name what does not exist or lacks what the law needs.
template <int D>
std::unique_ptr<Solver<D>> make_solver(const SolverOptions& options, bool rolling_friction);

} // namespace talus
