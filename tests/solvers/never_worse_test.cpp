// `auto` is never worse than plain Gauss-Seidel after the same number of sweeps, on every recorded problem that comes
// with the tests and the benchmarks. Of others: talus bench convergence --problems FOLDER.
#include "benchmarks/never_worse.hpp"
#include "recorded_problems.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

using namespace talus;

namespace {

void expect_never_worse(const std::string& file)
{
    bench::compare_with_plain_sweeps(file, [&](int sweeps, double ours, double plain) {
        EXPECT_LE(ours, plain) << fmt::format("{}, {} sweeps", file, sweeps);
    });
}

TEST(NeverWorse, ThanPlainGaussSeidelOnRecordedProblems)
{
    for (const std::string& name : recorded_names) expect_never_worse(recorded_problem(name));
    expect_never_worse(recorded_problem("RockPile_tob1"));
}

TEST(NeverWorse, ThanPlainGaussSeidelOnTwoThousandPolyhedra)
{
    expect_never_worse(std::string(TALUS_SCENES) + "/../benchmarks/data/poly2000-problem.h5");
}

} // namespace
