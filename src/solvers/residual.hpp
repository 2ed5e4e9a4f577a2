// The judge: how well impulses and velocities satisfy the contact law, whatever the algorithm (MODEL §2).
#pragma once

#include "solvers/contact_problem.hpp"

namespace talus {

struct Residual {
    double rms = 0;     // over the rows, of the scaled natural map, in units of v_ref (m/s where v_ref is 0)
    double maximum = 0; // its largest row
};

template <int D>
Residual natural_residual(const ContactProblem<D>& problem);

} // namespace talus
