#include "solvers/residual.hpp"

#include "exec/parallel.hpp"

namespace talus {

namespace {

// |m| ≤ μ_r r_n against the relative spin: the same map, brought to a velocity by the lever of the candidate
template <int D>
double rolling_residual_squared(const RollingRow<D>& row, const ContactRow<D>& contact, const Ang<D>& relative_spin)
{
    if (row.rolling_friction == 0) return 0;
    const double mean = row.compliance.trace() / angular<D>;
    if (!(mean > 0)) return 0;
    const double limit = row.rolling_friction * contact.impulse[0];
    Ang<D> target = row.impulse - relative_spin / mean;
    const double size = target.norm();
    if (size > limit) target *= limit / size;
    return (mean * (row.impulse - target)).squaredNorm() * contact.candidate_lever.squaredNorm();
}

struct Sum {
    double total = 0, maximum = 0;
};

} // namespace

template <int D>
Residual natural_residual(const ContactProblem<D>& problem)
{
    const auto one = [&](std::size_t k) -> Sum {
        const ContactRow<D>& row = problem.rows[k];
        if (!(row.block.normal > 0)) return {};
        const BodyRecord<D>& c = problem.bodies[row.candidate];
        const BodyRecord<D>& a = problem.bodies[row.antagonist];
        const Vec<D> v = row.frame.transpose() * relative_velocity(row, c, a) + row.offset;
        double squared = natural_map(row.block, row.impulse, v).squaredNorm();
        if (!problem.rolling.empty()) {
            squared += rolling_residual_squared<D>(problem.rolling[k], row, c.spin - a.spin);
        }
        return {squared, squared};
    };
    const Sum sum = parallel_reduce(problem.rows.size(), Sum{}, one, [](const Sum& a, const Sum& b) -> Sum {
        return {a.total + b.total, std::max(a.maximum, b.maximum)};
    });
    if (problem.rows.empty()) return {};
    const double unit = problem.reference_velocity > 0 ? problem.reference_velocity : 1.0;
    return {std::sqrt(sum.total / double(problem.rows.size())) / unit, std::sqrt(sum.maximum) / unit};
}

template Residual natural_residual(const ContactProblem<2>&);
template Residual natural_residual(const ContactProblem<3>&);

} // namespace talus
