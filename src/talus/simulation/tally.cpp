#include "talus/simulation/tally.hpp"

#include <algorithm>

namespace talus {

void Tally::add(const StepReport& report)
{
    for (std::size_t p = 0; p < phase_seconds.size(); ++p) phase_seconds[p] += report.seconds[p];
    ++steps;
    contacts_last = std::int64_t(report.contacts);
    contacts_max = std::max(contacts_max, contacts_last);
    sweeps_total += report.solve.sweeps;
    sweeps_max = std::max<std::int64_t>(sweeps_max, report.solve.sweeps);
    residual_last = report.solve.residual;
    const double residual = report.solve.residual;
    if (std::isnan(residual) || residual > residual_worst) residual_worst = residual; // not a number stays the worst
    if (!report.solve.reached) ++steps_over_tolerance;
    if (report.solve.ended == "cap") ++solves_capped;
    if (report.solve.ended == "stalled") ++solves_stalled;
    if (report.solve.ended == "diverged") ++solves_diverged;
    left_out_max = std::max(left_out_max, std::int64_t(report.solve.left_out));
    contact_gain += report.contact_gain;
    solver = report.solve.solver;
    partition_last = report.partition;
    reproducible = reproducible && report.reproducible;
}

} // namespace talus
