// A contact problem in units of its own: velocities and compliances of order one, so that no square overflows or
// vanishes, whatever the units of who recorded it. The law is homogeneous: W/c, q/v, r·c/v is the same problem. Powers
// of two round nothing.
#pragma once

#include "talus/solvers/assembled/assembled_problem.hpp"

namespace talus {

struct ProblemUnits {
    double velocity = 1;   // [m/s]
    double compliance = 1; // [1/kg]
    // what a number in these units is in N s and in J; infinite where no double holds it
    double impulse(double number) const { return number / compliance * velocity; }
    double energy(double number) const { return impulse(number) * velocity; }
};

// The largest free velocity, and the geometric mean of the compliances along the normals, to a power of two.
template <int D>
ProblemUnits units_of(const AssembledProblem<D>& problem);
template <int D>
ProblemUnits units_of(const ContactProblem<D>& problem);

template <int D>
AssembledProblem<D> in_units(const AssembledProblem<D>& problem, const ProblemUnits& units);
template <int D>
ContactProblem<D> in_units(const ContactProblem<D>& problem, const ProblemUnits& units);

// `solved` is in units, `problem` what it was made from: the same problem with the impulses of the solution.
template <int D>
AssembledProblem<D> out_of_units(const AssembledProblem<D>& solved, AssembledProblem<D> problem,
                                 const ProblemUnits& units);
template <int D>
ContactProblem<D> out_of_units(const ContactProblem<D>& solved, ContactProblem<D> problem, const ProblemUnits& units);

} // namespace talus
