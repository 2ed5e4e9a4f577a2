// What a verification study claims, and whether the measurement bears it out: a row of the report, and a line that says
// so in words.
#pragma once

#include "benchmarks/bench.hpp"

namespace talus::bench {

struct Claim {
    std::string path;   // "2d/disks"
    std::string words;  // "V18 compacity in the bulk"
    std::string metric; // "compacity"
    std::string unit = "";
};

void judge(Report& report, const Claim& claim, double measured, double expected, double tolerance);
void judge_below(Report& report, const Claim& claim, double measured, double limit);
void judge_above(Report& report, const Claim& claim, double measured, double limit);
void judge_between(Report& report, const Claim& claim, double measured, double lower, double upper);

} // namespace talus::bench
