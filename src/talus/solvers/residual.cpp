#include "talus/solvers/residual.hpp"

#include "talus/exec/parallel.hpp"
#include "talus/math/rolling.hpp"

namespace talus {

namespace {

// |m| ≤ μ_r r_n against the relative spin: the same map, brought to a velocity by the lever of the candidate
template <int D>
double rolling_residual_squared(const RollingRow<D>& row, const ContactRow<D>& contact, const Ang<D>& relative_spin)
{
    if (row.rolling_friction == 0) return 0;
    const double mean = row.compliance.trace() / angular<D>;
    if (!(mean > 0)) return 0;
    return rolling_map_squared(components_of(row.impulse), components_of(relative_spin), mean,
                               row.rolling_friction * contact.impulse[0]) *
           contact.candidate_lever.squaredNorm();
}

} // namespace

ResidualSum ResidualSum::plus(const ResidualSum& other) const
{
    return {total + other.total, larger_of(maximum, other.maximum), left_out + other.left_out};
}

template <int D>
ResidualSum residual_of_row(const ContactRow<D>& row, const RollingRow<D>* rolling,
                            const std::vector<BodyRecord<D>>& bodies)
{
    if (!(row.block.normal > 0)) return {0, 0, 1};
    const BodyRecord<D>& c = bodies[row.candidate];
    const BodyRecord<D>& a = bodies[row.antagonist];
    const Vec<D> v = row.frame.transpose() * relative_velocity(row, c, a) + row.offset;
    double squared = natural_map(row.block, row.impulse, v).squaredNorm();
    if (rolling) squared += rolling_residual_squared<D>(*rolling, row, c.spin - a.spin);
    return {squared, squared, 0};
}

Residual residual_of(const ResidualSum& sum, std::size_t rows, double unit)
{
    if (rows == 0) return {};
    return {std::sqrt(sum.total / double(rows)) / unit, std::sqrt(sum.maximum) / unit, sum.left_out};
}

void conclude(SolveReport& report, const Residual& residual, const SolverOptions& options, const char* otherwise)
{
    constexpr double rounding = 1e-6; // sums in another order than those that stopped the sweeps
    report.residual = residual.rms;
    report.residual_max = residual.maximum;
    report.left_out = residual.left_out;
    const double value = options.goes_by_criterion() ? report.criterion : residual.rms;
    const bool finite = std::isfinite(residual.rms);
    const bool asked = options.stop == Stop::sweeps; // a fixed number of sweeps is always reached
    report.reached = finite && (asked || value <= options.tolerance * (1 + rounding));
    report.ended = !finite ? "failed" : asked ? "sweeps" : report.reached ? "reached" : otherwise;
}

template <int D>
Residual natural_residual(const ContactProblem<D>& problem)
{
    const auto one = [&](std::size_t k) {
        return residual_of_row(problem.rows[k], problem.rolling.empty() ? nullptr : &problem.rolling[k],
                               problem.bodies);
    };
    const ResidualSum sum = parallel_reduce(problem.rows.size(), ResidualSum{}, one,
                                            [](const ResidualSum& a, const ResidualSum& b) { return a.plus(b); });
    return residual_of(sum, problem.rows.size(), problem.reference_velocity);
}

template ResidualSum residual_of_row(const ContactRow<2>&, const RollingRow<2>*, const std::vector<BodyRecord<2>>&);
template ResidualSum residual_of_row(const ContactRow<3>&, const RollingRow<3>*, const std::vector<BodyRecord<3>>&);
template Residual natural_residual(const ContactProblem<2>&);
template Residual natural_residual(const ContactProblem<3>&);

} // namespace talus
