// What is counted on the way of a run. A checkpoint carries it, so that a resumed run sums up as if it had never
// stopped.
#pragma once

#include "talus/simulation/simulation.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace talus {

struct Tally {
    double wall_seconds = 0; // [s] kept by the caller
    PhaseTimes phase_seconds{};
    std::int64_t steps = 0;
    std::int64_t contacts_last = 0, contacts_max = 0;
    std::int64_t sweeps_total = 0, sweeps_max = 0;
    double residual_last = 0, residual_worst = 0;
    std::int64_t steps_over_tolerance = 0;              // solves that did not reach what was asked
    std::int64_t solves_capped = 0, solves_stalled = 0; // that ended at the most sweeps allowed, or got no further
    std::int64_t solves_diverged = 0;                   // whose impulses were worse than none, and not applied
    std::int64_t left_out_max = 0;                      // contacts of a step that carry nothing (SolveReport)
    double contact_gain = 0;                            // [J] sum over the steps in which contacts gave energy
    std::string solver;                                 // that solved the last step
    std::int64_t lines = 0;             // of the series, after the start: where the next three are measured
    double interpenetration_max = 0;    // over the gauges
    double speed_sum = 0;               // [m/s] mean speed of the grains, sum over the lines
    double contacts_sum = 0;            // of the first gauge, sum over the lines
    PartitionStatistics partition_last; // of the sub-domains, where there are any
    bool reproducible = true;           // every solve gives the same bits each time
    bool quality_exceeded = false;      // set by the caller, as are the warnings
    std::vector<std::string> warnings;

    void add(const StepReport& report);
    double mean_sweeps() const { return steps > 0 ? double(sweeps_total) / double(steps) : 0; }
};

} // namespace talus
