#include "talus/simulation/quality.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace talus {

namespace {

constexpr double least_factor = 0.01;

constexpr std::pair<const char*, double> processes[] = {{"tamping", 2}, {"stabilisation", 8}, {"squeezing", 15}}; // α

} // namespace

double automatic_tolerance(std::size_t contacts, double restitution)
{
    constexpr double loosest = 1e-2, of_one_contact = 1e-11, of_elastic_impacts = 1e-6;
    const double n = double(std::max<std::size_t>(contacts, 1)), by_size = of_one_contact * n * n * n;
    const double by_bounce = std::max(of_elastic_impacts, loosest * (1 - restitution) * (1 - restitution));
    return std::min({loosest, by_size, by_bounce});
}

bool ToleranceControl::follow(double interpenetration)
{
    if (!may_tighten) return false;
    const double before = factor;
    if (interpenetration > 0.5 * interpenetration_limit) factor = std::max(least_factor, factor / 2);
    if (interpenetration < 0.1 * interpenetration_limit) factor = std::min(1.0, factor * 2);
    return factor != before;
}

bool ToleranceControl::is_met_by(const SolveReport& report) const
{
    constexpr double rounding = 1e-6; // sums in another order than those that stopped the sweeps
    if (stop == Stop::sweeps) return std::isfinite(report.residual);
    if (stop == Stop::residual) return report.residual <= std::max(asked * (1 + rounding), round_off);
    return report.criterion <= asked * (1 + rounding);
}

std::vector<std::string> process_names()
{
    std::vector<std::string> names;
    for (const auto& [name, alpha] : processes) names.emplace_back(name);
    return names;
}

double estimated_interpenetration(const EstimateTerms& terms)
{
    const auto* process = std::find_if(std::begin(processes), std::end(processes),
                                       [&](const auto& entry) { return terms.process == entry.first; });
    const double alpha = process->second;
    return alpha * 0.65e32 * terms.contacts * terms.steps * std::pow(terms.normalised_step, 10) /
           (terms.sweeps * terms.sweeps);
}

bool is_in_fitted_range(const EstimateTerms& terms)
{
    return terms.normalised_step >= smallest_fitted_step && terms.normalised_step <= largest_fitted_step;
}

CostChoice suggested_choice(const CostChoice& run, double measured, double limit)
{
    return {run.dt * std::pow(limit / measured, 1.0 / 9), std::ceil(run.sweeps * std::sqrt(measured / limit))};
}

} // namespace talus
