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

// The same in pieces, for those who hold the rows in another order: squares of the scaled natural map [m²/s²].
struct ResidualSum {
    double total = 0, maximum = 0;
    ResidualSum plus(const ResidualSum& other) const;
};
// `rolling` is null without rolling friction.
template <int D>
ResidualSum residual_of_row(const ContactRow<D>& row, const RollingRow<D>* rolling,
                            const std::vector<BodyRecord<D>>& bodies);
Residual residual_of(const ResidualSum& sum, std::size_t rows, double reference_velocity);

} // namespace talus
