// A scene with mistakes: exit status 2, every mistake with its place, and nothing is written.
#include "robustness/command.hpp"
#include "robustness/small_scenes.hpp"

namespace talus::robustness {
namespace {

// what `run` says about a scene that it must refuse
std::string refusal(const std::string& scene, const Arguments& more = {})
{
    const Workplace here;
    here.write("scene.toml", scene);
    Arguments arguments{"run", "scene.toml"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome run = talus_command(here, arguments);
    EXPECT_EQ(run.status, 2) << run;
    EXPECT_EQ(run.out, "");
    EXPECT_EQ(all_files(here.path()).size(), 1u) << "something was written";
    const Outcome check = talus_command(here, {"check", "scene.toml"});
    if (more.empty()) {
        EXPECT_EQ(check.status, 2) << check;
        EXPECT_EQ(check.err, run.err) << "run and check must agree";
    }
    return run.err;
}

TEST(BadScene, TheSceneOfTheseTestsIsSoundWithoutMistakes)
{
    const Workplace here;
    here.write("scene.toml", one_disk);
    EXPECT_EQ(talus_command(here, {"run", "scene.toml"}).status, 0);
}

TEST(BadScene, NotUtf8)
{
    EXPECT_EQ(refusal("[scene]\nname = \"\xE9t\xE9\"\n"),
              "scene.toml:2:9: not UTF-8: invalid byte at offset 16; save the file as UTF-8\n");
}

TEST(BadScene, NotToml)
{
    EXPECT_TRUE(has(refusal("[scene]\ndt = = 3\n"), "scene.toml:2:6: not TOML: "));
    EXPECT_TRUE(has(refusal("<?xml version=\"1.0\"?>\n"), "scene.toml:1:1: not TOML: "));
    EXPECT_TRUE(has(refusal(std::string(100, '\0')), "scene.toml:1:1: "));
}

TEST(BadScene, EmptyFile) { EXPECT_TRUE(has(refusal(""), "scene.toml:1:1: scene: missing")); }

TEST(BadScene, MissingKey)
{
    EXPECT_TRUE(has(refusal(with(one_disk, "radius = \"1 cm\"\n", "")), "scene.toml:13:1: bodies[0].radius: missing"));
    EXPECT_TRUE(has(refusal(with(one_disk, "dt = \"1 ms\"\n", "")), "scene.toml:1:1: scene.dt: missing"));
}

TEST(BadScene, UnknownKeyWithSuggestion)
{
    const std::string text = refusal(with(one_disk, "friction", "frction"));
    EXPECT_TRUE(has(text, "scene.toml:10:1: contact.frction: unknown key; did you mean \"friction\"?")) << text;
}

TEST(BadScene, NumbersThatMakeNoSense)
{
    const auto expect = [](const std::string& old_text, const std::string& new_text, const std::string& message) {
        const std::string text = refusal(with(one_disk, old_text, new_text));
        EXPECT_TRUE(has(text, message)) << text;
    };
    const std::string grain = "radius = \"1 cm\"\n";
    expect(grain, grain + "mass = -1\n", "scene.toml:17:8: bodies[0].mass = -1: is out of range");
    expect("{ preset = \"steel\" }", "{ density = -5 }",
           "scene.toml:7:21: materials.steel.density = -5: is out of range");
    expect(grain, "radius = 0\n", "scene.toml:16:10: bodies[0].radius = 0: is out of range");
    expect("friction = 0.4", "friction = -0.4", "scene.toml:10:12: contact.friction = -0.4: is out of range");
    expect("restitution = 0.1", "restitution = 1.1", "scene.toml:11:15: contact.restitution = 1.1: is out of range");
    expect("restitution = 0.1", "restitution = -0.1", "scene.toml:11:15: contact.restitution = -0.1: is out of range");
    expect("dt = \"1 ms\"", "dt = 0", "scene.toml:3:6: scene.dt = 0: is out of range");
    expect("dt = \"1 ms\"", "dt = \"-1 ms\"", "scene.toml:3:6: scene.dt = \"-1 ms\": is out of range");
    expect("\"1.5 cm\"", "nan", "scene.toml:17:16: bodies[0].position[1] = nan: is not a finite number");
    expect("\"1.5 cm\"", "-inf", "scene.toml:17:16: bodies[0].position[1] = -inf: is not a finite number");
    expect("\"1.5 cm\"", "1e300", "scene.toml:17:16: bodies[0].position[1] = 1e300: is too large");
    expect(grain, "radius = \"1 kg\"\n", "scene.toml:16:10: bodies[0].radius = \"1 kg\": the unit does not fit");
    expect(grain, "radius = \"1 furlong\"\n", "scene.toml:16:10: bodies[0].radius = \"1 furlong\": unknown unit");
    expect(grain, "radius = true\n", "scene.toml:16:10: bodies[0].radius = true: ");
    expect("\"20 ms\"", "1e12", "scene.toml:4:12: scene.duration = 1e12: takes more than 1e12 steps");
    expect("dimension = 2", "dimension = 4", "scene.toml:2:13: scene.dimension = 4: is out of range");
}

TEST(BadScene, NamesThatLeadNowhere)
{
    EXPECT_TRUE(has(refusal(with(one_disk, "material = \"steel\"", "material = \"stel\"")),
                    "scene.toml:18:12: bodies[0].material = \"stel\": no such material in [materials]; did you mean "
                    "\"steel\"?"));
    EXPECT_TRUE(has(refusal(one_disk + "[[drivers]]\ntype = \"velocity\"\nbody = \"groud\"\n"),
                    "drivers[1].body = \"groud\": no body has this name; did you mean \"ground\"?"));
}

TEST(BadScene, GrainsThatOverlapAtTheStart)
{
    const std::string two = "\n[[bodies]]\nname = \"b\"\nshape = \"disk\"\nradius = \"1 cm\"\nposition = [\"1.9 cm\", "
                            "\"1.5 cm\"]\nmaterial = \"steel\"\n";
    const std::string text = refusal(one_disk + two);
    EXPECT_TRUE(has(text, "by 0.001 m at the start: quality.start_overlap allows 0.0001 m")) << text;
    // a grain below the ground
    EXPECT_TRUE(has(refusal(with(one_disk, "\"1.5 cm\"", "\"0.5 cm\"")), "by 0.005 m at the start"));
    // within the stated limit it runs
    const Workplace here;
    here.write("scene.toml", one_disk + two + "[quality]\nstart_overlap = 0.11\n");
    EXPECT_NE(talus_command(here, {"run", "scene.toml"}).status, 2);
}

// two boxes that share a face meet in four points
TEST(BadScene, AnOverlapIsReportedOnce)
{
    const std::string box = "[[bodies]]\nshape = \"box\"\nsize = [0.1, 0.1, 0.1]\nmaterial = \"steel\"\nposition = ";
    const std::string text =
        refusal("[scene]\ndimension = 3\ndt = 1e-3\nduration = 0.01\n[materials]\nsteel = { preset "
                "= \"steel\" }\n" +
                box + "[0, 0, 0]\n" + box + "[0, 0, 0.08]\n");
    const std::string line = "overlaps bodies[0] by 0.02 m at the start";
    EXPECT_TRUE(has(text, line)) << text;
    EXPECT_EQ(text.find(line), text.rfind(line)) << text;
}

TEST(BadScene, AnOverlapIsReportedWithItsPlace)
{
    const std::string text = refusal(with(one_disk, "\"1.5 cm\"", "\"0.5 cm\""));
    EXPECT_TRUE(text.starts_with("scene.toml:")) << text;
    EXPECT_TRUE(has(text, "grain") && has(text, "ground")) << "the bodies have names: " << text;
}

TEST(BadScene, GrainsThatDoNotFit)
{
    const std::string text =
        refusal(one_disk + "[[generators]]\ntype = \"random\"\nlower = [1, 1]\nupper = [2, 2]\nradius = 0.2\n"
                           "count = 500\nmaterial = \"steel\"\n");
    EXPECT_TRUE(has(text, "scene.toml:")) << text;
    EXPECT_TRUE(has(text, "generators[0].count = 500: only ")) << text;
}

TEST(BadScene, SmallestRadiusAboveTheLargest)
{
    const std::string text =
        refusal(one_disk + "[[generators]]\ntype = \"random\"\nlower = [1, 1]\nupper = [2, 2]\nradius = [0.2, 0.1]\n"
                           "count = 2\nmaterial = \"steel\"\n");
    EXPECT_TRUE(has(text, "generators[0].radius")) << text;
}

TEST(BadScene, AllMistakesAreListedAtOnceInTheOrderOfTheFile)
{
    std::string scene = with(one_disk, "dt = \"1 ms\"", "dt = 0");
    scene = with(scene, "friction = 0.4", "friction = -1");
    scene = with(scene, "restitution = 0.1", "restitution = 2");
    scene = with(scene, "radius = \"1 cm\"", "radius = \"0 cm\"\nmass = \"-2 kg\"\ncolour = 1");
    const std::string text = refusal(scene);
    std::size_t at = 0;
    for (const char* place : {"scene.toml:3:6: ", "scene.toml:10:12: ", "scene.toml:11:15: ", "scene.toml:16:10: ",
                              "scene.toml:17:8: ", "scene.toml:18:1: "}) {
        const std::size_t found = text.find(place);
        EXPECT_NE(found, std::string::npos) << place << "\n" << text;
        EXPECT_GE(found, at) << "out of order\n" << text;
        at = found;
    }
}

TEST(BadScene, NoSuchFileAFolderAndADevice)
{
    const Workplace here;
    const auto says = [&](const std::string& scene, const std::string& message) {
        for (const char* verb : {"run", "check"}) {
            const Outcome outcome = talus_command(here, {verb, scene});
            EXPECT_EQ(outcome.status, 2) << outcome;
            EXPECT_TRUE(has(outcome.err, message)) << outcome;
        }
        EXPECT_TRUE(fs::is_empty(here.path()));
    };
    says("nowhere.toml", "nowhere.toml: no such file");
    says("/dev/zero", "/dev/zero: larger than 64 MiB: this is no scene");
    const Outcome folder = talus_command(here, {"run", "/tmp"});
    EXPECT_EQ(folder.status, 2);
    EXPECT_EQ(folder.err, "/tmp: is a folder; a scene is a TOML file\n");
}

} // namespace
} // namespace talus::robustness
