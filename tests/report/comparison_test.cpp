// The table of a comparison: three methods, one of which does not apply, and numbers that are not there.
#include "talus/io/runs/run_text.hpp"
#include "talus/report/comparison.hpp"
#include "texts.hpp"

#include <gtest/gtest.h>

namespace talus::report {
namespace {

ComparedRun run_of(const std::string& method, double energy, std::optional<double> compacity, double wall)
{
    return {method,
            {},
            {{"done", "reached the end", 0},
             {{"energy", "kinetic_J", energy}, {"gauge a,b", "compacity", compacity}, {"cost", "wall_time_s", wall}}}};
}

TEST(Comparison, DifferencesAreToTheFirstThatRan)
{
    const Comparison three{"s.toml",
                           {{"one", "needs a radius", {}}, run_of("two", -2, 0.5, 4), run_of("three", -1, 0.4, 1)}};
    EXPECT_EQ(three.reference(), 1u);
    const std::string csv = to_csv(three);
    EXPECT_TRUE(csv.starts_with("group,quantity,one,two,three,three_difference,three_relative\n")) << csv;
    EXPECT_TRUE(has(csv, "energy,kinetic_J,,-2,-1,1,0.5\n")) << csv; // relative to the size of the first
    EXPECT_TRUE(has(csv, "\"gauge a,b\",compacity,,0.5,0.4,"));
    EXPECT_TRUE(has(csv, "cost,wall_time_ratio,,1,0.25,,\n")) << csv;
    EXPECT_TRUE(has(to_text(three), "one does not apply: needs a radius\n"));
    EXPECT_EQ(io::first_json_error(to_json(three)), std::nullopt);
}

TEST(Comparison, ThreeThatRanHaveTwoDifferences)
{
    const Comparison three{"s.toml", {run_of("one", 0, 0.6, 1), run_of("two", 0, {}, 2), run_of("three", 3, 0.6, 3)}};
    const std::string csv = to_csv(three);
    EXPECT_TRUE(has(csv, "energy,kinetic_J,0,0,3,0,,3,\n")) << csv; // nothing is relative to 0
    EXPECT_TRUE(has(csv, "compacity,0.6,,0.6,,,0,0\n")) << csv;
    EXPECT_TRUE(has(to_json(three), "\"two\": null"));
}

TEST(Comparison, NothingRanIsATableWithoutNumbers)
{
    const Comparison none{"s.toml", {{"one", "no", {}}, {"two", "no", {}}}};
    EXPECT_FALSE(none.reference());
    EXPECT_TRUE(none.figures().empty());
}

} // namespace
} // namespace talus::report
