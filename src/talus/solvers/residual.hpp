// The judge: how well impulses and velocities satisfy the contact law, whatever the algorithm (MODEL §2).
#pragma once

#include "talus/solvers/contact_problem.hpp"
#include "talus/solvers/solver.hpp"

#include <cmath>
#include <limits>

namespace talus {

struct Residual {
    double rms = 0;           // over the rows, of the scaled natural map, in units of v_ref
    double maximum = 0;       // its largest row
    std::size_t left_out = 0; // rows that carry nothing because neither body gives way along the normal
};

template <int D>
Residual natural_residual(const ContactProblem<D>& problem);

// The larger of two; what is not a number is not hidden by what is.
inline double larger_of(double a, double b) { return a >= b || std::isnan(a) ? a : b; }

// The same in pieces, for those who hold the rows in another order: squares of the scaled natural map [m²/s²].
struct ResidualSum {
    double total = 0, maximum = 0;
    std::size_t left_out = 0;
    ResidualSum plus(const ResidualSum& other) const;
};
// `rolling` is null without rolling friction.
template <int D>
ResidualSum residual_of_row(const ContactRow<D>& row, const RollingRow<D>* rolling,
                            const std::vector<BodyRecord<D>>& bodies);
Residual residual_of(const ResidualSum& sum, std::size_t rows, double unit);

// Sweeps that are good enough and creep: the residual has not halved in some of them.
class Patience {
  public:
    bool is_out(int sweep, double residual, const SolverOptions& options)
    {
        if (residual <= 0.5 * halved_) {
            halved_ = residual;
            since_ = sweep;
        }
        return residual <= options.good_enough && sweep - since_ >= 64;
    }

  private:
    double halved_ = std::numeric_limits<double>::infinity();
    int since_ = 0; // sweep
};

// The verdict on a solve, one rule for all solvers: the residual of what is returned, or the criterion at the last
// look, against the tolerance. `otherwise` says why it ended where that was not reached.
void conclude(SolveReport& report, const Residual& residual, const SolverOptions& options,
              const char* otherwise = "cap");

} // namespace talus
