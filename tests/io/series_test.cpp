#include "made_up_run.hpp"
#include "talus/base/error.hpp"
#include "talus/io/runs/series.hpp"

#include <gtest/gtest.h>

namespace talus::io {

using Row = std::vector<std::optional<double>>;

TEST(Series, NumbersReadBackAndAbsentOnesAreEmpty)
{
    const Scratch scratch;
    SeriesFile series(scratch / "s.csv", {"time_s", "a", "b,c"});
    series.write(Row{0.1, std::nullopt, 1.0 / 3});
    series.write(Row{1e-300, 12345678, -0.0});
    EXPECT_EQ(contents(scratch / "s.csv"), "time_s,a,b_c\n0.1,,0.3333333333333333\n1e-300,12345678,-0\n");
    EXPECT_TRUE(verify_series(scratch / "s.csv").empty());
}

TEST(Series, TornAndLaterLinesAreCutOnResume)
{
    const Scratch scratch;
    std::uint64_t bytes = 0;
    {
        SeriesFile series(scratch / "s.csv", {"time_s", "a"});
        series.write(Row{1, 2});
        bytes = series.bytes();
        series.write(Row{3, 4});
    }
    overwrite(scratch / "s.csv", contents(scratch / "s.csv") + "5,");
    EXPECT_EQ(verify_series(scratch / "s.csv").size(), 1u);
    SeriesFile series = SeriesFile::reopen(scratch / "s.csv", {"time_s", "a"}, bytes);
    series.write(Row{7, 8});
    EXPECT_EQ(contents(scratch / "s.csv"), "time_s,a\n1,2\n7,8\n");
}

TEST(Series, OtherColumnsOrTooFewLinesAreRefused)
{
    const Scratch scratch;
    {
        SeriesFile series(scratch / "s.csv", {"time_s", "a"});
    }
    EXPECT_THROW(SeriesFile::reopen(scratch / "s.csv", {"time_s", "b"}, 9), InputError);
    EXPECT_THROW(SeriesFile::reopen(scratch / "s.csv", {"time_s", "a"}, 10), InputError);
    EXPECT_EQ(contents(scratch / "s.csv"), "time_s,a\n");
}

TEST(Series, FullDiskIsARunError) { EXPECT_THROW(SeriesFile("/dev/full", {"time_s"}), RunError); }

TEST(Series, ColumnsAndValuesOfARunFitTogether)
{
    auto plane = made_up_simulation<2>();
    auto space = made_up_simulation<3>();
    plane.gauges.push_back(Gauge<2>::sample("all"));
    space.gauges.push_back(Gauge<3>::box("middle", Vec<3>::Constant(-1), Vec<3>::Constant(1)));
    space.gauges.push_back(Gauge<3>::box("nowhere", Vec<3>::Constant(5), Vec<3>::Constant(6)));
    const std::vector<GaugeLine> in_plane = measure_gauges(plane);
    const std::vector<GaugeLine> in_space(2); // none is due
    EXPECT_EQ(series_columns(plane).size(), series_values<2>(plane, made_up_step(plane), in_plane).size());
    EXPECT_EQ(series_columns(space).size(), series_values<3>(space, made_up_step(space), in_space).size());
    EXPECT_EQ(series_columns(space).back(), "nowhere.inertial_number_ballast");
    const auto columns = series_columns(plane);
    EXPECT_NE(std::find(columns.begin(), columns.end(), "angular_momentum_z_kgm2ps"), columns.end());
    EXPECT_EQ(std::find(columns.begin(), columns.end(), "momentum_z_kgmps"), columns.end());
}

} // namespace talus::io
