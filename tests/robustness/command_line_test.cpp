// What is typed after `talus`: mistakes, help, overrides, and what is shown on the way.
#include "robustness/command.hpp"
#include "robustness/small_scenes.hpp"
#include "talus/io/scenes/scene_file.hpp"

namespace talus::robustness {
namespace {

void expect_refusal(const Arguments& arguments, const std::string& message)
{
    const Workplace here;
    here.write("scene.toml", one_disk);
    const Outcome outcome = talus_command(here, arguments);
    EXPECT_EQ(outcome.status, 2) << outcome;
    EXPECT_EQ(outcome.out, "");
    EXPECT_TRUE(has(outcome.err, message)) << outcome;
    EXPECT_EQ(all_files(here.path()).size(), 1u) << "something was written";
}

TEST(CommandLine, MistakesExitWithTwo)
{
    expect_refusal({}, "subcommand is required");
    expect_refusal({"rnu", "scene.toml"}, "\"rnu\"");
    expect_refusal({"run"}, "scene is required");
    expect_refusal({"check"}, "is required");
    expect_refusal({"run", "scene.toml", "--ouut", "x"}, "--ouut");
    expect_refusal({"run", "scene.toml", "--out"}, "--out");
    expect_refusal({"run", "scene.toml", "--threads", "0"}, "--threads");
    expect_refusal({"run", "scene.toml", "--threads", "many"}, "--threads");
    expect_refusal({"run", "scene.toml", "--steps", "-1"}, "--steps");
    expect_refusal({"run", "scene.toml", "--steps", "1.5"}, "--steps");
    expect_refusal({"run", "scene.toml", "--until", "5 kg"}, "the unit does not fit");
    expect_refusal({"run", "scene.toml", "--until", "soon"}, "does not begin with a number");
    expect_refusal({"run", "scene.toml", "another.toml"}, "another.toml");
    expect_refusal({"new", "no-such-scene"}, "no-such-scene");
}

TEST(CommandLine, BadOverridesExitWithTwo)
{
    expect_refusal({"run", "scene.toml", "--set", "contact.friction"}, "has no \"=\"");
    expect_refusal({"run", "scene.toml", "--set", "contact.frction=1"}, "did you mean \"friction\"?");
    expect_refusal({"run", "scene.toml", "--set", "contact.friction=-1"}, "--set: contact.friction = -1: ");
    expect_refusal({"run", "scene.toml", "--set", "scene.dt=5 kg"}, "the unit does not fit");
    expect_refusal({"run", "scene.toml", "--set", "bodies[9].radius=1"}, "bodies[9]");
    expect_refusal({"run", "scene.toml", "--set", "=1"}, "--set");
    // all at once
    expect_refusal({"run", "scene.toml", "--set", "contact.friction=-1", "--set", "contact.restitution=3"},
                   "contact.friction = -1");
    expect_refusal({"run", "scene.toml", "--set", "contact.friction=-1", "--set", "contact.restitution=3"},
                   "contact.restitution = 3");
}

TEST(CommandLine, HelpAndVersionExitWithZero)
{
    const Workplace here;
    for (const Arguments& arguments : {Arguments{"--help"},
                                       {"--version"},
                                       {"run", "--help"},
                                       {"check", "--help"},
                                       {"new", "--help"},
                                       {"info", "--help"}}) {
        const Outcome outcome = talus_command(here, arguments);
        EXPECT_EQ(outcome.status, 0) << outcome;
        EXPECT_EQ(outcome.err, "");
        EXPECT_FALSE(outcome.out.empty());
    }
    EXPECT_TRUE(has(talus_command(here, {"--help"}).out, "Exit status"));
    EXPECT_TRUE(talus_command(here, {"--version"}).out.starts_with("talus "));
    EXPECT_TRUE(fs::is_empty(here.path()));
}

TEST(CommandLine, InfoNamesBuildThreadsAndLibraries)
{
    const Workplace here;
    const Outcome info = talus_command(here, {"info"});
    EXPECT_EQ(info.status, 0);
    for (const char* line : {"talus ", "build", "machine", "threads", "device", "ranks", "libraries"}) {
        EXPECT_TRUE(has(info.out, line)) << info;
    }
}

TEST(CommandLine, OverridesReachKeysOfEveryKind)
{
    const Workplace here;
    here.write("scene.toml", one_disk);
    const Arguments sets = {"scene.dt=0.5 ms",                     // a text with its unit, as a shell hands it over
                            "scene.seed=42",                       // integer
                            "scene.name=\"of overrides\"",         // text
                            "contact.friction=0.25",               // number
                            "contact.gap_anticipation=false",      // boolean
                            "solver.name=nlgs",                    // the one with both storages
                            "solver.storage=sdl",                  // choice
                            "solver.tolerance=\"auto\"",           // word
                            "bodies[0].position=[0.5, \"3 cm\"]",  // vector
                            "bodies[0].velocity[1]=-0.125",        // component that the file does not have
                            "bodies[0].motion=[\"x\", \"y\"]",     // list of texts
                            "materials.steel.density=7000",        // table of the user's naming
                            "output.vtk=true",                     // section that the file does not have
                            "drivers[0].acceleration=[0, -1.62]"}; // list of tables
    Arguments arguments{"run", "scene.toml", "--steps", "2", "--out", "run"};
    for (const std::string& set : sets) {
        if (has(set, "velocity[1]")) continue;
        arguments.insert(arguments.end(), {"--set", set});
    }
    const Outcome outcome = talus_command(here, arguments);
    ASSERT_EQ(outcome.status, 0) << outcome;
    const scene::Value scene = io::read_scene(here / "run/scene.toml");
    EXPECT_EQ(scene.at("scene").at("dt").number(), 0.5e-3);
    EXPECT_EQ(scene.at("scene").at("seed").integer(), 42);
    EXPECT_EQ(scene.at("scene").at("name").text(), "of overrides");
    EXPECT_EQ(scene.at("contact").at("friction").number(), 0.25);
    EXPECT_FALSE(scene.at("contact").at("gap_anticipation").boolean());
    EXPECT_EQ(scene.at("solver").at("storage").text(), "sdl");
    EXPECT_EQ(scene.at("bodies").list()[0].at("position").numbers(), (std::vector<double>{0.5, 0.03}));
    EXPECT_EQ(scene.at("bodies").list()[0].at("motion").list().size(), 2u);
    EXPECT_EQ(scene.at("materials").at("steel").at("density").number(), 7000);
    EXPECT_EQ(scene.at("drivers").list()[0].at("acceleration").numbers(), (std::vector<double>{0, -1.62}));
    EXPECT_TRUE(fs::exists(here / "run/run.pvd")) << "output.vtk = true";
}

TEST(CommandLine, StepsAndUntilSayWhereARunEnds)
{
    const Workplace here;
    here.write("scene.toml", one_disk);
    const auto steps = [&](const std::string& out, const Arguments& more) {
        Arguments arguments{"run", "scene.toml", "--out", out};
        arguments.insert(arguments.end(), more.begin(), more.end());
        EXPECT_EQ(talus_command(here, arguments).status, 0);
        return summary_entry(here / out, "steps");
    };
    EXPECT_EQ(steps("whole", {}), "20");
    EXPECT_EQ(steps("seven", {"--steps", "7"}), "7");
    EXPECT_EQ(steps("none", {"--steps", "0"}), "0");
    EXPECT_EQ(steps("time", {"--until", "12 ms"}), "12");
    EXPECT_EQ(steps("number", {"--until", "0.03"}), "30");
    EXPECT_EQ(steps("zero", {"--until", "0"}), "0");
}

TEST(CommandLine, AnyNumberOfThreadsGivesTheSameState)
{
    const Workplace here;
    here.write("scene.toml", poured_spheres);
    std::string first;
    for (const char* threads : {"1", "2", "4"}) {
        const std::string out = std::string("run") + threads;
        const Outcome outcome =
            talus_command(here, {"run", "scene.toml", "--out", out, "--steps", "150", "--threads", threads});
        ASSERT_EQ(outcome.status, 0) << outcome;
        EXPECT_EQ(summary_entry(here / out, "threads"), threads);
        if (first.empty()) first = state_hash(here / out);
        EXPECT_EQ(state_hash(here / out), first);
        EXPECT_EQ(contents(here / out / "series.csv"), contents(here / "run1/series.csv"));
    }
    EXPECT_EQ(first.size(), 16u);
}

TEST(CommandLine, QuietSaysNothing)
{
    const Workplace here;
    here.write("scene.toml",
               with(one_disk, "position = [0, \"1.5 cm\"]", "position = [0, \"1 m\"]\nvelocity = [9, 0]"));
    const Outcome loud = talus_command(here, {"run", "scene.toml", "--out", "loud"});
    EXPECT_TRUE(has(loud.err, "warning: ")) << "this scene warns of its time step: " << loud;
    const Outcome quiet = talus_command(here, {"run", "scene.toml", "--out", "quiet", "--quiet"});
    EXPECT_EQ(quiet.status, 0);
    EXPECT_EQ(quiet.out, "");
    EXPECT_EQ(quiet.err, "");
    EXPECT_TRUE(has(contents(here / "quiet/log.txt"), "warning: ")) << "the log has it all the same";
    EXPECT_TRUE(has(contents(here / "quiet/summary.json"), "a tenth of the smallest diameter"));
}

TEST(CommandLine, WithoutATerminalLinesArePlain)
{
    const Workplace here;
    here.write("scene.toml", one_disk);
    for (const char* colour : {"0", "1"}) {
        const Outcome outcome = talus_command(here, {"run", "scene.toml", "--out", colour}, [&] {
            colour[0] == '1' ? setenv("NO_COLOR", "1", 1) : unsetenv("NO_COLOR");
        });
        EXPECT_EQ(outcome.status, 0);
        EXPECT_EQ(outcome.out, "") << "the results are in the folder, messages on the other channel";
        EXPECT_FALSE(has(outcome.err, "\033")) << outcome;
        EXPECT_FALSE(has(outcome.err, "\r")) << outcome;
        EXPECT_TRUE(outcome.err.ends_with("\n"));
        EXPECT_TRUE(has(outcome.err, "done: reached the end")) << outcome;
    }
}

// well-formed as far as nesting goes: every tag that opens closes in turn
bool is_nested(const std::string& xml)
{
    std::vector<std::string> open;
    for (std::size_t at = 0; (at = xml.find('<', at)) != std::string::npos;) {
        const std::size_t end = xml.find('>', at);
        if (end == std::string::npos) return false;
        const std::string tag = xml.substr(at + 1, end - at - 1);
        at = end;
        if (tag.starts_with('?') || tag.ends_with('/')) continue;
        if (tag.starts_with('/')) {
            if (open.empty() || open.back() != tag.substr(1)) return false;
            open.pop_back();
        } else {
            open.push_back(tag.substr(0, tag.find_first_of(" \n")));
            if (open.back() == "AppendedData") return true; // what follows is binary
        }
    }
    return open.empty();
}

TEST(CommandLine, VtkFilesAreThereForEveryFrame)
{
    const Workplace here;
    here.write("scene.toml", poured_spheres);
    ASSERT_EQ(talus_command(here, {"run", "scene.toml", "--out", "run", "--steps", "50", "--vtk"}).status, 0);
    const std::string collection = contents(here / "run/run.pvd");
    EXPECT_TRUE(collection.starts_with("<?xml version=\"1.0\"?>"));
    EXPECT_TRUE(has(collection, "<VTKFile type=\"Collection\""));
    EXPECT_TRUE(is_nested(collection));
    int named = 0;
    for (std::size_t at = 0; (at = collection.find("file=\"", at)) != std::string::npos; ++named) {
        at += 6;
        const std::string file = collection.substr(at, collection.find('"', at) - at);
        const std::string text = contents(here / "run" / file);
        EXPECT_TRUE(text.starts_with("<?xml version=\"1.0\"?>")) << file;
        EXPECT_TRUE(has(text, "<VTKFile type=\"PolyData\"")) << file;
        EXPECT_TRUE(is_nested(text)) << file;
    }
    EXPECT_GE(named, 6) << "t = 0 to 50 ms, every 10 ms";
}

// Kane's rod: it strikes obliquely, friction stops its foot, and Newton's law throws back more than there was.
TEST(CommandLine, ARunWhoseContactsGainEnergySaysSo)
{
    const Workplace here;
    const std::string rod = R"([scene]
dimension = 2
dt = "1 ms"
duration = "10 ms"
[materials]
steel = { density = 1000 }
[contact]
friction = 1.5
restitution = 0.9
[[bodies]]
name = "floor"
shape = "half_space"
material = "steel"
normal = [0, 1]
motion = "fixed"
[[bodies]]
name = "rod"
shape = "polygon"
material = "steel"
vertices = [[-0.1, -0.005], [0.1, -0.005], [0.1, 0.005], [-0.1, 0.005]]
position = [0, 0.09]
rotation = 1.0
velocity = [0.5, -1]
)";
    here.write("scene.toml", rod);
    const Outcome gains = talus_command(here, {"run", "scene.toml"});
    ASSERT_EQ(gains.status, 0) << gains;
    EXPECT_TRUE(has(gains.err, "contacts gained 0.06 J")) << gains;
    const Outcome loses =
        talus_command(here, {"run", "scene.toml", "--out", "away", "--set", "bodies[1].velocity=[-0.5,-1]"});
    ASSERT_EQ(loses.status, 0) << loses;
    EXPECT_FALSE(has(loses.err, "gained")) << loses;
}

} // namespace
} // namespace talus::robustness
