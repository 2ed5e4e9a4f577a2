// A run folder of format 2, written before bodies could leave, is opened, resumed and viewed as it was then. It is in
// tests/data/format-2: 30 disks with rolling friction in a box and a feeder, stopped half way.
#include "robustness/command.hpp"
#include "robustness/viewed_run.hpp"

#include <algorithm>

namespace talus::robustness {
namespace {

class OldRun : public testing::Test {
  protected:
    void SetUp() override
    {
        fs::copy(TALUS_SCENES "/../tests/data/format-2", here / "run", fs::copy_options::recursive);
    }
    Workplace here;
};

TEST_F(OldRun, IsSoundAndCanBeLookedAt)
{
    EXPECT_EQ(talus_command(here, {"check", "run"}).status, 0);
    const Outcome measured = talus_command(here, {"measure", "run"});
    EXPECT_EQ(measured.status, 0) << measured;
    EXPECT_TRUE(has(measured.out, "coordination")) << measured;
    const Outcome viewed = talus_command(here, {"view", "run", "--export", "view.html"});
    if (!has_page(viewed.err)) GTEST_SKIP() << viewed.err;
    EXPECT_EQ(viewed.status, 0) << viewed;
    EXPECT_EQ(talus_command(here, {"report", "run"}).status, 0);
    EXPECT_TRUE(fs::exists(here / "view.html") && fs::exists(here / "run" / "report.html"));
}

TEST_F(OldRun, IsResumed)
{
    const std::string before = contents(here / "run" / "series.csv");
    const Outcome resumed =
        talus_command(here, {"run", "run/scene.toml", "--out", "run", "--resume", "--until", "0.3 s"});
    EXPECT_EQ(resumed.status, 0) << resumed;
    const std::string after = contents(here / "run" / "series.csv");
    EXPECT_EQ(after.substr(0, before.size()), before) << "what was written stays";
    EXPECT_EQ(std::ranges::count(after, '\n'), 32) << "a header and a line for each 10 ms from 0 to 0.3 s";
    EXPECT_EQ(talus_command(here, {"check", "run"}).status, 0);
    const Outcome measured = talus_command(here, {"measure", "run"});
    EXPECT_TRUE(has(measured.out, "0.3 s")) << measured;
}

TEST_F(OldRun, IsAStartForAnother)
{
    here.write("next.toml", "[scene]\ndimension = 2\ndt = \"0.5 ms\"\nduration = \"10 ms\"\n[start]\nrun = \"run\"\n"
                            "[materials]\nglass = { preset = \"glass\" }\n[[drivers]]\ntype = \"gravity\"\n");
    const Outcome outcome = talus_command(here, {"run", "next.toml", "--out", "next"});
    EXPECT_EQ(outcome.status, 0) << outcome;
}

} // namespace
} // namespace talus::robustness
