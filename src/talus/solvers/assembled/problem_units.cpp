#include "talus/solvers/assembled/problem_units.hpp"

#include <algorithm>
#include <cmath>

namespace talus {

namespace {

// 2^exponent, not so far out that its inverse would be infinite
double power_of_two(double exponent) { return std::ldexp(1.0, int(std::clamp(std::round(exponent), -1000.0, 1000.0))); }

// of the largest of some velocities; 1 where all are 0
double unit_of(double fastest)
{
    return fastest > 0 && std::isfinite(fastest) ? power_of_two(std::ilogb(fastest)) : 1.0;
}

class Compliances {
  public:
    void add(double compliance)
    {
        if (!(compliance > 0)) return;
        exponents_ += std::ilogb(compliance);
        ++count_;
    }
    double unit() const { return count_ > 0 ? power_of_two(exponents_ / count_) : 1.0; }

  private:
    double exponents_ = 0, count_ = 0;
};

template <int D>
Vec<D> free_velocity_in_units(const Vec<D>& q, const ProblemUnits& units)
{
    Vec<D> scaled = q / units.velocity;
    if (is_open_contact(q[0])) scaled[0] = open_contact; // an offset that nothing beats stays what it is
    return scaled;
}

template <class Impulse>
Impulse impulse_in_units(const Impulse& r, const ProblemUnits& units)
{
    return r * units.compliance / units.velocity;
}

// and back
template <class Impulse>
Impulse impulse_in(const ProblemUnits& units, const Impulse& number)
{
    return number / units.compliance * units.velocity;
}

} // namespace

template <int D>
ProblemUnits units_of(const AssembledProblem<D>& problem)
{
    double fastest = 0;
    Compliances compliances;
    for (std::size_t k = 0; k < problem.size(); ++k) {
        const Vec<D>& q = problem.free_velocity[k];
        if (!is_open_contact(q[0])) fastest = std::max(fastest, q.cwiseAbs().maxCoeff());
        compliances.add(diagonal_block(problem, k)(0, 0));
    }
    return {unit_of(fastest), compliances.unit()};
}

template <int D>
ProblemUnits units_of(const ContactProblem<D>& problem)
{
    double fastest = 0;
    Compliances compliances;
    for (const ContactRow<D>& row : problem.rows) {
        const Vec<D> v = relative_velocity(row, problem.bodies[row.candidate], problem.bodies[row.antagonist]);
        fastest = std::max(fastest, v.cwiseAbs().maxCoeff());
        if (!is_open_contact(row.offset[0])) fastest = std::max(fastest, row.offset.cwiseAbs().maxCoeff());
        compliances.add(row.block.normal);
    }
    return {unit_of(fastest), compliances.unit()};
}

template <int D>
AssembledProblem<D> in_units(const AssembledProblem<D>& problem, const ProblemUnits& units)
{
    AssembledProblem<D> scaled = problem;
    for (Mat<D>& block : scaled.block) block /= units.compliance;
    for (Vec<D>& q : scaled.free_velocity) q = free_velocity_in_units<D>(q, units);
    for (Vec<D>& r : scaled.impulse) r = impulse_in_units(r, units);
    scaled.unit /= units.velocity;
    scaled.reference_velocity /= units.velocity;
    return scaled;
}

template <int D>
ContactProblem<D> in_units(const ContactProblem<D>& problem, const ProblemUnits& units)
{
    ContactProblem<D> scaled = problem;
    for (BodyRecord<D>& body : scaled.bodies) {
        body.velocity /= units.velocity;
        body.spin /= units.velocity;
        body.inverse_mass /= units.compliance;
        body.inverse_inertia = body.inverse_inertia.scaled(1 / units.compliance);
    }
    for (ContactRow<D>& row : scaled.rows) {
        row.offset = free_velocity_in_units<D>(row.offset, units);
        row.impulse = impulse_in_units(row.impulse, units);
        row.block.normal /= units.compliance;
        row.block.inverse_normal *= units.compliance;
        row.block.schur /= units.compliance;
        row.block.inverse_schur *= units.compliance;
    }
    for (RollingRow<D>& row : scaled.rolling) {
        row.impulse = impulse_in_units(row.impulse, units);
        row.compliance /= units.compliance;
        row.inverse_compliance *= units.compliance;
    }
    scaled.reference_velocity /= units.velocity;
    return scaled;
}

template <int D>
AssembledProblem<D> out_of_units(const AssembledProblem<D>& solved, AssembledProblem<D> problem,
                                 const ProblemUnits& units)
{
    for (std::size_t k = 0; k < problem.size(); ++k) problem.impulse[k] = impulse_in(units, solved.impulse[k]);
    return problem;
}

template <int D>
ContactProblem<D> out_of_units(const ContactProblem<D>& solved, ContactProblem<D> problem, const ProblemUnits& units)
{
    for (std::size_t k = 0; k < problem.rows.size(); ++k) {
        problem.rows[k].impulse = impulse_in(units, solved.rows[k].impulse);
    }
    for (std::size_t k = 0; k < problem.rolling.size(); ++k) {
        problem.rolling[k].impulse = impulse_in(units, solved.rolling[k].impulse);
    }
    return problem;
}

#define TALUS_INSTANTIATE(D)                                                                                           \
    template ProblemUnits units_of(const AssembledProblem<D>&);                                                        \
    template ProblemUnits units_of(const ContactProblem<D>&);                                                          \
    template AssembledProblem<D> in_units(const AssembledProblem<D>&, const ProblemUnits&);                            \
    template ContactProblem<D> in_units(const ContactProblem<D>&, const ProblemUnits&);                                \
    template AssembledProblem<D> out_of_units(const AssembledProblem<D>&, AssembledProblem<D>, const ProblemUnits&);   \
    template ContactProblem<D> out_of_units(const ContactProblem<D>&, ContactProblem<D>, const ProblemUnits&);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

} // namespace talus
