// talus solve: what it prints, how it exits, what it refuses, what it writes; and the problems that a run keeps.
#include "recorded_problems.hpp"
#include "robustness/command.hpp"
#include "robustness/small_scenes.hpp"
#include "same_problems.hpp"
#include "talus/io/problems/problem_file.hpp"

#include <cmath>

namespace talus::robustness {
namespace {

// the value of an entry of a JSON object without depth, as it is written
std::string entry(const std::string& json, const std::string& name)
{
    const auto at = json.find("\"" + name + "\": ");
    if (at == std::string::npos) return "(none)";
    const auto begin = at + name.size() + 4;
    return json.substr(begin, json.find_first_of(",\n", begin) - begin);
}
double number(const std::string& json, const std::string& name) { return std::stod(entry(json, name)); }

const std::string problem_steps = "problem_steps = [40, 120]\n";

// shaken disks, with the problems of two steps kept
std::string kept_problems(std::string scene = shaken_disks)
{
    return with(std::move(scene), "[output]\n", "[output]\n" + problem_steps);
}

void expect_refused(const Workplace& here, const Arguments& arguments, const std::string& why)
{
    const auto before = all_files(here.path());
    const Outcome outcome = talus_command(here, arguments);
    EXPECT_EQ(outcome.status, 2) << outcome;
    EXPECT_TRUE(has(outcome.err, why)) << why << "\n" << outcome;
    EXPECT_EQ(outcome.out, "");
    EXPECT_TRUE(all_files(here.path()) == before) << "nothing may be written";
}

TEST(Solve, JsonSaysHowItWentAndHowWell)
{
    const Workplace here;
    const std::string file = recorded_problem("Box_Stacks-i0122-82-5");
    const Outcome outcome = talus_command(here, {"solve", file, "--json", "--solver", "nlgs"});
    EXPECT_EQ(outcome.status, 0) << outcome;
    for (const char* name : {"problem", "dimension", "contacts", "solver", "status", "sweeps", "updates", "seconds",
                             "residual_scaled", "residual_scaled_max", "residual_run", "residual_siconos",
                             "worst_approach", "cone_violation", "dissipation"}) {
        EXPECT_NE(entry(outcome.out, name), "(none)") << name;
    }
    EXPECT_EQ(entry(outcome.out, "problem"), "\"" + file + "\"");
    EXPECT_EQ(entry(outcome.out, "dimension"), "3");
    EXPECT_EQ(entry(outcome.out, "contacts"), "82");
    EXPECT_EQ(entry(outcome.out, "solver"), "\"nlgs\"");
    EXPECT_EQ(entry(outcome.out, "status"), "\"reached\"");
    EXPECT_EQ(number(outcome.out, "updates"), 82 * number(outcome.out, "sweeps"));
    EXPECT_EQ(entry(outcome.out, "residual_run"), "null"); // nobody recorded v_ref
    EXPECT_LE(number(outcome.out, "residual_scaled"), 1e-4);
    EXPECT_GE(number(outcome.out, "residual_scaled_max"), number(outcome.out, "residual_scaled"));
    EXPECT_EQ(outcome.out.front(), '{');
    EXPECT_TRUE(outcome.out.ends_with("\n}\n"));
}

TEST(Solve, TheTextHasTheSameNames)
{
    const Workplace here;
    const Outcome outcome = talus_command(here, {"solve", recorded_problem("FrictionContactProblem00031")});
    EXPECT_EQ(outcome.status, 0) << outcome;
    for (const char* name :
         {"contacts", "solver", "status", "sweeps", "seconds", "residual_scaled", "worst_approach"}) {
        EXPECT_TRUE(has(outcome.out, std::string("\n") + name + " ")) << name << "\n" << outcome;
    }
}

TEST(Solve, ToleranceNotReachedIsStatus3)
{
    const Workplace here;
    const Outcome outcome = talus_command(here, {"solve", recorded_problem("OneObject-i1028-138"), "--solver", "nlgs",
                                                 "--json", "--sweeps", "3", "--tolerance", "1e-8"});
    EXPECT_EQ(outcome.status, 3) << outcome;
    EXPECT_EQ(entry(outcome.out, "status"), "\"cap\"");
    EXPECT_EQ(entry(outcome.out, "sweeps"), "3");
}

TEST(Solve, BadInputIsStatus2AndWritesNothing)
{
    const Workplace here;
    const std::string good = recorded_problem("Rover1039");
    here.write("text.h5", "hello");
    here.write("cut.h5", contents(good).substr(0, 5000));
    here.write("there.h5", "");
    expect_refused(here, {"solve", "nothing.h5"}, "nothing.h5: no such file");
    expect_refused(here, {"solve", "text.h5"}, "text.h5: is not an HDF5 file");
    expect_refused(here, {"solve", "cut.h5"}, "cut.h5: is an HDF5 file that is cut off or damaged");
    expect_refused(here, {"solve", good, "--solver", "gauss"}, "no solver \"gauss\"");
    expect_refused(here, {"solve", good, "--solver", "gauss"}, "\"nlgs\"");
    expect_refused(here, {"solve", good, "--write", "there.h5"}, "there.h5 exists: --force");
    expect_refused(here, {"solve", good, "--write", "no/out.h5"}, "there is no folder no");
    expect_refused(here, {"solve", good, "--write", "out.h5", "--to", "talus"}, "--to fclib");
    expect_refused(here, {"solve", good, "--to", "fclib"}, "--write");
    for (const Arguments& bad : {Arguments{"--tolerance", "0"},
                                 {"--tolerance", "-1"},
                                 {"--sweeps", "0"},
                                 {"--start", "warm"},
                                 {"--to", "matlab"},
                                 {"--threads", "0"}}) {
        Arguments line{"solve", good};
        line.insert(line.end(), bad.begin(), bad.end());
        EXPECT_EQ(talus_command(here, line).status, 2) << bad[0] << " " << bad[1];
    }
}

TEST(Solve, WrittenSolutionIsWhereTheNextOneStarts)
{
    const Workplace here;
    const std::string file = recorded_problem("OneObject-i1028-138");
    const Outcome first = talus_command(here, {"solve", file, "--solver", "nlgs", "--json", "--write", "out.h5"});
    EXPECT_EQ(first.status, 0) << first;
    const Outcome again = talus_command(here, {"solve", "out.h5", "--solver", "nlgs", "--json", "--start", "zero"});
    const Outcome further = talus_command(here, {"solve", "out.h5", "--solver", "nlgs", "--json"});
    EXPECT_EQ(entry(again.out, "sweeps"), entry(first.out, "sweeps"));
    EXPECT_EQ(entry(again.out, "residual_scaled"), entry(first.out, "residual_scaled"));
    EXPECT_EQ(entry(again.out, "residual_siconos"), entry(first.out, "residual_siconos"));
    EXPECT_LT(number(further.out, "sweeps"), number(first.out, "sweeps"));
    EXPECT_EQ(talus_command(here, {"solve", file, "--write", "out.h5", "--force"}).status, 0);
}

TEST(RunProblems, AreKeptAsTheSolverReceivedThem)
{
    const Workplace here;
    here.write("scene.toml", kept_problems() + "name = \"nlgs\"\ntolerance = 1e-2\n");
    ASSERT_EQ(talus_command(here, {"run", "scene.toml", "--out", "run", "--steps", "125"}).status, 0);
    EXPECT_EQ(all_files(here / "run/problems").size(), 2u);
    const Outcome solved =
        talus_command(here, {"solve", "run/problems/000120.h5", "--solver", "nlgs", "--json", "--tolerance", "1e-2"});
    EXPECT_EQ(solved.status, 0) << solved;
    EXPECT_GT(number(solved.out, "contacts"), 100);
    EXPECT_GT(number(solved.out, "residual_run"), 0);
    EXPECT_LE(number(solved.out, "residual_run"), 1e-2);
    // the same sweeps and the same residual as the line of that step in the run
    const std::string series = contents(here / "run/series.csv");
    const auto at = series.find("\n0.12,120,");
    ASSERT_NE(at, std::string::npos);
    const std::string line = series.substr(at, series.find('\n', at + 1) - at);
    const std::string start = "," + entry(solved.out, "contacts") + "," + entry(solved.out, "sweeps") + ",";
    const auto residual = line.find(start);
    ASSERT_NE(residual, std::string::npos) << line << solved;
    // of the velocities that follow from the impulses, where the solver has its own: round-off apart
    EXPECT_NEAR(std::stod(line.substr(residual + start.size())), number(solved.out, "residual_run"), 1e-9);
}

TEST(RunProblems, ConvertedToFclibAreSolvedToTheSameResiduals)
{
    const Workplace here;
    here.write("scene.toml", kept_problems());
    ASSERT_EQ(talus_command(here, {"run", "scene.toml", "--out", "run", "--steps", "125"}).status, 0);
    const Arguments solver{"--solver", "nlgs", "--json", "--tolerance", "1e-6", "--sweeps", "100000"};
    Arguments convert{"solve", "run/problems/000120.h5", "--write", "w.hdf5", "--to", "fclib"};
    convert.insert(convert.end(), solver.begin(), solver.end());
    const Outcome ours = talus_command(here, convert);
    ASSERT_EQ(ours.status, 0) << ours;
    // as it was written: one sweep from the solution judges it
    const Outcome theirs =
        talus_command(here, {"solve", "w.hdf5", "--solver", "nlgs", "--json", "--sweeps", "1", "--tolerance", "1"});
    EXPECT_EQ(theirs.status, 0) << theirs;
    EXPECT_EQ(entry(theirs.out, "contacts"), entry(ours.out, "contacts"));
    EXPECT_LE(number(theirs.out, "residual_run"), 1.5e-6); // v_ref came along; a sweep changes it little
    EXPECT_LE(number(theirs.out, "residual_scaled"), 1.5 * number(ours.out, "residual_scaled"));
    EXPECT_NEAR(number(theirs.out, "dissipation"), number(ours.out, "dissipation"),
                1e-3 * std::abs(number(ours.out, "dissipation")));
    // back to our own layout: the solution is its start
    ASSERT_EQ(talus_command(here, {"solve", "run/problems/000120.h5", "--write", "p.h5", "--tolerance", "1e-6",
                                   "--sweeps", "100000", "--solver", "nlgs"})
                  .status,
              0);
    const Outcome further = talus_command(here, {"solve", "p.h5", "--solver", "nlgs", "--json", "--tolerance", "1e-6"});
    EXPECT_EQ(entry(further.out, "sweeps"), "10") << further;
}

TEST(RunProblems, WithRollingFrictionStayMatrixFree)
{
    const Workplace here;
    here.write("scene.toml", kept_problems(poured_spheres));
    ASSERT_EQ(talus_command(here, {"run", "scene.toml", "--out", "run", "--steps", "125"}).status, 0);
    const Outcome solved = talus_command(here, {"solve", "run/problems/000120.h5", "--solver", "nlgs", "--json",
                                                "--tolerance", "1e-6", "--sweeps", "100000"});
    EXPECT_EQ(solved.status, 0) << solved;
    EXPECT_LE(number(solved.out, "residual_scaled"), 1e-5); // the law of the contacts, at their true velocities
    expect_refused(here, {"solve", "run/problems/000120.h5", "--write", "w.h5", "--to", "fclib"}, "rolling friction");
    expect_refused(here, {"solve", "run/problems/000120.h5", "--solver", "gauss"}, "no solver \"gauss\"");
}

TEST(RunProblems, OfAResumedRunAreTheSame)
{
    const Workplace here;
    here.write("scene.toml", kept_problems());
    ASSERT_EQ(talus_command(here, {"run", "scene.toml", "--out", "whole", "--steps", "125"}).status, 0);
    ASSERT_EQ(talus_command(here, {"run", "scene.toml", "--out", "run", "--steps", "100"}).status, 0);
    EXPECT_EQ(all_files(here / "run/problems").size(), 1u);
    ASSERT_EQ(talus_command(here, {"run", "scene.toml", "--out", "run", "--steps", "125", "--resume"}).status, 0);
    for (const char* file : {"problems/000040.h5", "problems/000120.h5"}) {
        expect_same(std::get<ContactProblem<2>>(io::read_problem(here / "run" / file)),
                    std::get<ContactProblem<2>>(io::read_problem(here / "whole" / file)));
    }
    EXPECT_EQ(talus_command(here, {"check", "run"}).status, 0);
}

TEST(RunProblems, OfAReplacedRunAreGone)
{
    const Workplace here;
    here.write("scene.toml", kept_problems());
    ASSERT_EQ(talus_command(here, {"run", "scene.toml", "--out", "run", "--steps", "50"}).status, 0);
    here.write("scene.toml", shaken_disks);
    ASSERT_EQ(talus_command(here, {"run", "scene.toml", "--out", "run", "--steps", "5", "--force"}).status, 0);
    EXPECT_FALSE(fs::exists(here / "run/problems"));
}

TEST(RunProblems, StepsAreWholeNumbersFromOneOn)
{
    const Workplace here;
    here.write("half.toml", with(kept_problems(), problem_steps, "problem_steps = [1.5]\n"));
    here.write("zero.toml", with(kept_problems(), problem_steps, "problem_steps = [10, 0]\n"));
    expect_refused(here, {"run", "half.toml"}, "output.problem_steps[0] = 1.5: must be the whole number of a step");
    expect_refused(here, {"run", "zero.toml"}, "output.problem_steps[1] = 0");
}

} // namespace
} // namespace talus::robustness
