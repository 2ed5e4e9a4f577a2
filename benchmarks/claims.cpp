#include "benchmarks/claims.hpp"

#include <fmt/format.h>

#include <cmath>

namespace talus::bench {

namespace {

void say(Report& report, const Claim& claim, double measured, const std::string& expected, bool holds)
{
    report.add(claim.path, claim.metric, measured, claim.unit);
    report.say(fmt::format("  {}: expected {}, measured {:.4g} {}: {}", claim.words, expected, measured, claim.unit,
                           holds ? "holds" : "DOES NOT HOLD"));
}

} // namespace

void judge(Report& report, const Claim& claim, double measured, double expected, double tolerance)
{
    say(report, claim, measured, fmt::format("{:.4g} ± {:.2g}", expected, tolerance),
        std::abs(measured - expected) <= tolerance);
}

void judge_below(Report& report, const Claim& claim, double measured, double limit)
{
    say(report, claim, measured, fmt::format("below {:g}", limit), measured < limit);
}

void judge_above(Report& report, const Claim& claim, double measured, double limit)
{
    say(report, claim, measured, fmt::format("above {:g}", limit), measured > limit);
}

void judge_between(Report& report, const Claim& claim, double measured, double lower, double upper)
{
    say(report, claim, measured, fmt::format("between {:g} and {:g}", lower, upper),
        measured >= lower && measured <= upper);
}

} // namespace talus::bench
