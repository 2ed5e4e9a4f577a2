// Every kind of bad input says file, line, column, key, value and what is allowed.
#include "scenes.hpp"
#include "talus/simulation/method.hpp"

#include <gtest/gtest.h>

namespace talus {
namespace {

using test::mistakes_of;
using test::short_scene;
using test::short_scene_3d;

TEST(BadInput, NotUtf8NamesOffsetAndLine)
{
    EXPECT_EQ(mistakes_of("[scene]\nname = \"\xE9t\xE9\"\n"),
              "test.toml:2:9: not UTF-8: invalid byte at offset 16; save the file as UTF-8\n");
    EXPECT_EQ(mistakes_of("\xFF\xFEs"), "test.toml:1:1: not UTF-8: invalid byte at offset 0; save the file as UTF-8\n");
}

TEST(BadInput, NotTomlNamesThePlace)
{
    const std::string mistakes = mistakes_of("[scene]\ndt = = 3\n");
    EXPECT_TRUE(mistakes.starts_with("test.toml:2:6: not TOML: ")) << mistakes;
}

// toml++ asserts that a header begins with a key: abortion in debug builds, undefined behaviour with clang
TEST(BadInput, TableHeaderWithoutAKeyIsAnErrorLikeAnyOther)
{
    for (const char* text : {"[=]\n", "[.a]\n", "[é]\n", "[[#]]\n", "[\n"}) {
        const std::string mistakes = mistakes_of(text);
        EXPECT_TRUE(mistakes.starts_with("test.toml:1:")) << text << mistakes;
    }
}

// toml++ 3.3 runs into __builtin_unreachable() on these letters where it looks for blanks; the sanitizers notice
TEST(BadInput, LettersOutsideTextsAreErrors)
{
    for (const char* text :
         {"é = 1\n", "a é = 1\n", "a = 1é\n", "a = é\n", "a = 1 か\n", "a = trueж\n", "a = 1979-05-27é"}) {
        const std::string mistakes = mistakes_of(text);
        EXPECT_TRUE(mistakes.starts_with("test.toml:1:")) << text << mistakes;
    }
    EXPECT_EQ(io::parse_scene("a = \"\"\"x\\\n  éか\"\"\"\n", "f").at("a").text(), "xéか");
}

TEST(BadInput, UnreadableFilesAreRefused)
{
    const auto message = [](const std::filesystem::path& file) -> std::string {
        try {
            io::read_scene(file);
        } catch (const InputError& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_EQ(message("/nonexistent/a.toml"), "/nonexistent/a.toml: no such file");
    EXPECT_EQ(message("/tmp"), "/tmp: is a folder; a scene is a TOML file");
    EXPECT_EQ(message("/dev/zero"), "/dev/zero: larger than 64 MiB: this is no scene");
}

TEST(BadInput, MissingKeyIsReportedAtItsTable)
{
    EXPECT_EQ(mistakes_of("[scene]\ndimension = 2\ndt = 1\n[materials.stone]\ndensity = 1\n"),
              "test.toml:1:1: scene.duration: missing (time simulated; 0: only the start is written; \"auto\": to the "
              "end of the operations); give a time such "
              "as \"5 ms\", ≥ 0, or \"auto\"\n");
    EXPECT_EQ(mistakes_of(short_scene + "[[bodies]]\nshape = \"disk\"\nmaterial = \"stone\"\n"),
              "test.toml:7:1: bodies[0].radius: missing (radius); give a length such as \"25 mm\", > 0\n");
    EXPECT_EQ(mistakes_of(short_scene + "[materials.wall]\n"),
              "test.toml:7:1: materials.wall.density: missing; give a density or a preset\n");
}

TEST(BadInput, EmptyFileMissesTheRequiredSections)
{
    EXPECT_EQ(mistakes_of(""),
              "test.toml:1:1: scene: missing; give a table, written [scene]\n"
              "test.toml:1:1: materials: missing; give tables with names of your choice, written [materials.NAME]\n");
}

TEST(BadInput, UnknownKeyGetsTheNearestOne)
{
    EXPECT_EQ(
        mistakes_of(short_scene + "[solver]\n  tolerence = 1e-3\n"),
        "test.toml:8:3: solver.tolerence: unknown key; did you mean \"tolerance\"? allowed: name, stop, tolerance, "
        "sweeps, storage, local, check_every, inner_sweeps, interface_sweeps, interface, plan, warm_start, "
        "position_correction\n");
    EXPECT_EQ(
        mistakes_of(short_scene + "[solvr]\n"),
        "test.toml:7:2: solvr: unknown key; did you mean \"solver\"? allowed: scene, rest, start, materials, contact, "
        "bodies, generators, track, drivers, machine, operations, gauges, solver, dem, event, crowd, exits, lines, "
        "doors, "
        "walkers, "
        "partition, quality, detection, output\n");
}

TEST(BadInput, KeyOfAnotherVariantSaysWhoseItIs)
{
    EXPECT_EQ(mistakes_of(short_scene + "[[drivers]]\ntype = \"gravity\"\namplitude = [0, 1]\n"),
              "test.toml:9:1: drivers[0].amplitude: is no key of type = \"gravity\", only of \"vibration\"; allowed: "
              "type, name, from, until, acceleration\n");
}

TEST(BadInput, KeysWithoutEffectAreRefused)
{
    const std::string solver = short_scene + "[solver]\n";
    EXPECT_EQ(
        mistakes_of(solver + "check_every = 5\n"),
        "test.toml:8:15: solver.check_every = 5: has no effect with name = \"auto\", only with \"nlgs\", \"ddm\", "
        "\"ddm_async\" or \"ddm_free\"\n");
    // auto knows rolling friction itself
    EXPECT_EQ(
        mistakes_of(solver + "interface = \"sequential\"\n[contact]\nrolling_friction = \"1 mm\"\n"),
        "test.toml:8:13: solver.interface = \"sequential\": has no effect with name = \"auto\", only with \"ddm\"\n");
    EXPECT_EQ(
        mistakes_of(solver + "name = \"newton\"\nstorage = \"sdl\"\nlocal = \"projection\"\n"),
        "test.toml:9:11: solver.storage = \"sdl\": has no effect with name = \"newton\", only with \"nlgs\"\n"
        "test.toml:10:9: solver.local = \"projection\": has no effect with name = \"newton\", only with \"nlgs\", "
        "\"ddm\", \"ddm_async\" or \"ddm_free\"\n");
    EXPECT_EQ(mistakes_of(solver + "name = \"ddm_free\"\ninterface = \"sequential\"\n"),
              "test.toml:9:13: solver.interface = \"sequential\": has no effect with name = \"ddm_free\", only with "
              "\"ddm\"\n");
    EXPECT_EQ(mistakes_of(solver + "name = \"admm\"\nstop = \"quad_dv\"\n"),
              "test.toml:9:8: solver.stop = \"quad_dv\": name = \"admm\" goes by the residual: use \"residual\"\n");
    EXPECT_EQ(mistakes_of(short_scene + "[detection]\nmethod = \"linked_cells\"\nskin = \"1 mm\"\n"),
              "test.toml:9:8: detection.skin = \"1 mm\": has no effect with method = \"linked_cells\", only with "
              "\"auto\" or \"verlet\"\n");
}

// Contact dynamics alone has contact problems to keep; with the crowd methods a run used to fail at its first step.
TEST(BadInput, ProblemsAreKeptByContactDynamicsAlone)
{
    for (const std::string& method : method_names()) {
        const std::string scene =
            "method = \"" + method + "\"\n" + short_scene.substr(8) + "[output]\nproblem_steps = [3]\n";
        const bool has_problems = method == "contact_dynamics" || method == "nscd";
        EXPECT_EQ(mistakes_of("[scene]\n" + scene),
                  has_problems ? ""
                               : "test.toml:9:17: output.problem_steps = [3]: has no effect with scene.method = \"" +
                                     method + "\": it solves no such contact problem\n");
    }
}

TEST(BadInput, KeysThatMayHaveAnEffectAreAccepted)
{
    for (const std::string name : {"auto", "nlgs", "ddm"}) {
        EXPECT_EQ(
            mistakes_of(short_scene + "[solver]\nname = \"" + name + "\"\n[contact]\nrolling_friction = \"1 mm\"\n"),
            "");
    }
    // auto is ddm with a criterion of BALLAST
    EXPECT_EQ(mistakes_of(short_scene + "[solver]\nstop = \"quad_dv\"\ncheck_every = 5\n"), "");
    EXPECT_EQ(mistakes_of(short_scene + "[solver]\nname = \"nlgs\"\ncheck_every = 5\n"), "");
    EXPECT_EQ(mistakes_of(short_scene + "[detection]\nskin = \"1 mm\"\n"), "");
    // defaults written out, as in the folder of a run
    EXPECT_EQ(mistakes_of(short_scene +
                          "[solver]\ncheck_every = 10\nlocal = \"exact\"\nplan = \"auto\"\n"
                          "[detection]\nmethod = \"delaunay\"\nskin = \"auto\"\n[rest]\nhold = \"20 ms\"\n"),
              "");
}

TEST(BadInput, NumbersOutOfRange)
{
    const std::string disk = short_scene + "[[bodies]]\nshape = \"disk\"\nmaterial = \"stone\"\n";
    EXPECT_EQ(mistakes_of(disk + "radius = 1\nmass = -3\n"),
              "test.toml:11:8: bodies[0].mass = -3: is out of range; must be a mass such as \"3 kg\", > 0\n");
    EXPECT_EQ(
        mistakes_of(disk + "radius = \"0 mm\"\n"),
        "test.toml:10:10: bodies[0].radius = \"0 mm\": is out of range; must be a length such as \"25 mm\", > 0\n");
    EXPECT_EQ(
        mistakes_of(short_scene + "[contact]\nfriction = -0.1\nrestitution = 1.5\n"),
        "test.toml:8:12: contact.friction = -0.1: is out of range; must be a pure number such as 0.5 or \"2 %\", "
        "in [0, 1e6]\n"
        "test.toml:9:15: contact.restitution = 1.5: is out of range; must be a pure number such as 0.5 or \"2 %\", "
        "in [0, 1]\n");
    EXPECT_EQ(mistakes_of("[scene]\ndimension = 4\ndt = 0\nduration = 1\n[materials.stone]\ndensity = 1\n"),
              "test.toml:2:13: scene.dimension = 4: is out of range; must be an integer in [2, 3]\n"
              "test.toml:3:6: scene.dt = 0: is out of range; must be a time such as \"5 ms\", > 0\n");
}

TEST(BadInput, HugeAndNonFiniteNumbers)
{
    EXPECT_EQ(mistakes_of(short_scene + "[contact]\nfriction = nan\nrestitution = inf\nrolling_friction = 1e31\n"),
              "test.toml:8:12: contact.friction = nan: is not a finite number; must be a pure number such as 0.5 or "
              "\"2 %\", in [0, 1e6]\n"
              "test.toml:9:15: contact.restitution = inf: is not a finite number; must be a pure number such as 0.5 or "
              "\"2 %\", in [0, 1]\n"
              "test.toml:10:20: contact.rolling_friction = 1e31: is too large (limit 1e30); must be a length such as "
              "\"25 mm\", ≥ 0\n");
    EXPECT_EQ(mistakes_of(short_scene + "[solver]\nsweeps = 9223372036854775807\n"),
              "test.toml:8:10: solver.sweeps = 9223372036854775807: is out of range; must be an integer in [1, 1e9]\n");
    const std::string overflow = mistakes_of(short_scene + "[solver]\nsweeps = 9223372036854775808\n");
    EXPECT_TRUE(overflow.starts_with("test.toml:8:")) << overflow;
}

TEST(BadInput, UnitsThatDoNotFit)
{
    const std::string disk = short_scene + "[[bodies]]\nshape = \"disk\"\nmaterial = \"stone\"\n";
    EXPECT_EQ(
        mistakes_of(disk + "radius = \"5 kg\"\n"),
        "test.toml:10:10: bodies[0].radius = \"5 kg\": the unit does not fit (it is kg); must be a length such as "
        "\"25 mm\", > 0\n");
    EXPECT_EQ(mistakes_of(disk + "radius = \"5\"\n"),
              "test.toml:10:10: bodies[0].radius = \"5\": has no unit; must be a length such as \"25 mm\", > 0, or a "
              "number without quotes in m\n");
    EXPECT_EQ(mistakes_of(disk + "radius = \"5 mmm\"\n"),
              "test.toml:10:10: bodies[0].radius = \"5 mmm\": unknown unit \"mmm\", did you mean \"mm\"?; must be a "
              "length such as \"25 mm\", > 0\n");
    // 35 rad/s is 5.6 Hz: the angle counts
    EXPECT_EQ(mistakes_of(disk + "radius = 1\nname = \"a\"\n[[drivers]]\ntype = \"force\"\nbody = \"a\"\n"
                                 "frequency = \"35 rad/s\"\n"),
              "test.toml:15:13: drivers[0].frequency = \"35 rad/s\": the unit does not fit (it is rad/s); must be a "
              "frequency or rate such as \"35 Hz\" or \"20 1/s\", ≥ 0\n");
    EXPECT_EQ(mistakes_of("[scene]\ndimension = 2\ndt = 1\nduration = 1\n[materials.a]\ndensity = \"2650 kg/m^3\"\n"),
              "test.toml:6:11: materials.a.density = \"2650 kg/m^3\": the unit does not fit (it is kg/m^3); must be a "
              "surface density such as \"2700 kg/m^2\", > 0\n");
}

TEST(BadInput, WrongTypes)
{
    EXPECT_EQ(
        mistakes_of(short_scene + "[bodies]\n[solver]\nwarm_start = 1\nsweeps = 1.5\ntolerance = \"atuo\"\n"),
        "test.toml:7:1: bodies: must be a list of tables, each written [[bodies]], not a table\n"
        "test.toml:9:14: solver.warm_start = 1: must be true or false, not an integer\n"
        "test.toml:10:10: solver.sweeps = 1.5: must be an integer in [1, 1e9], not a number\n"
        "test.toml:11:13: solver.tolerance = \"atuo\": does not begin with a number (did you mean \"auto\"?); must "
        "be a pure number such as 0.5 or \"2 %\", > 0, or \"auto\"\n");
}

TEST(BadInput, SectionsOfTheWrongKindAreShownTheirHeader)
{
    EXPECT_EQ(mistakes_of(short_scene + "[contact]\npairs = 3\n"),
              "test.toml:8:9: contact.pairs = 3: must be a list of tables, each written [[contact.pairs]], not an "
              "integer\n");
    EXPECT_EQ(mistakes_of("bodies = [1]\n" + short_scene),
              "test.toml:1:11: bodies[0] = 1: must be a list of tables, each written [[bodies]], not an integer\n");
}

TEST(BadInput, VectorsOfTheWrongLength)
{
    EXPECT_EQ(
        mistakes_of(short_scene_3d + "[[drivers]]\ntype = \"gravity\"\nacceleration = [0, -9.81]\n"),
        "test.toml:9:16: drivers[0].acceleration = [0, -9.81]: has 2 components; must be a list of 3 numbers, each "
        "an acceleration such as \"9.81 m/s^2\"\n");
}

TEST(BadInput, ShapeOfTheOtherDimensionNamesTheRightOne)
{
    const std::string sphere = "[[bodies]]\nshape = \"sphere\"\nradius = 1\nmaterial = \"stone\"\n";
    EXPECT_EQ(mistakes_of(short_scene + sphere),
              "test.toml:8:9: bodies[0].shape = \"sphere\": exists only in 3D, this scene is in 2D; take \"disk\"\n");
    EXPECT_EQ(mistakes_of(short_scene_3d + sphere), "");
    EXPECT_EQ(
        mistakes_of(short_scene + "[[bodies]]\nshape = \"disc\"\nradius = 1\nmaterial = \"stone\"\n"),
        "test.toml:8:9: bodies[0].shape = \"disc\": is not known; did you mean \"disk\"? allowed: disk, half_space, "
        "segment, hollow_disk, polygon, cluster, box\n");
}

TEST(BadInput, WallsWithoutMassMustBeFixed)
{
    const std::string wall =
        short_scene + "[[bodies]]\nshape = \"half_space\"\nnormal = [0, 1]\nmaterial = \"stone\"\n";
    const std::string message = "a half_space has no mass of its own; write motion = \"fixed\", or give its mass\n";
    EXPECT_EQ(mistakes_of(wall), "test.toml:7:1: bodies[0].motion: " + message);
    EXPECT_EQ(mistakes_of(wall + "motion = [\"x\"]\n"), "test.toml:11:10: bodies[0].motion = [\"x\"]: " + message);
    EXPECT_EQ(mistakes_of(wall + "motion = []\n"), "");
    EXPECT_EQ(mistakes_of(wall + "motion = \"fixed\"\n"), "");
    EXPECT_EQ(mistakes_of(wall + "motion = [\"x\"]\nmass = \"3 kg\"\n"), "");
}

TEST(BadInput, DegenerateDirectionsAndRegions)
{
    EXPECT_EQ(mistakes_of(short_scene + "[[bodies]]\nshape = \"half_space\"\nnormal = [0, 0]\nmaterial = \"stone\"\n"
                                        "motion = \"fixed\"\n"),
              "test.toml:9:10: bodies[0].normal = [0, 0]: gives no direction: its components must not all be zero\n");
    EXPECT_EQ(mistakes_of(short_scene + "[[gauges]]\nname = \"a\"\ntype = \"box\"\nlower = [0, \"2 cm\"]\n"
                                        "upper = [1, \"1 cm\"]\n"),
              "test.toml:11:13: gauges[0].upper[1] = \"1 cm\": must exceed gauges[0].lower[1] = \"2 cm\"\n");
    EXPECT_EQ(mistakes_of(short_scene + "[[bodies]]\nshape = \"segment\"\nfrom = [1, 2]\nto = [1, 2]\n"
                                        "material = \"stone\"\nmotion = \"fixed\"\nposition = [0, 0]\n"),
              "test.toml:10:6: bodies[0].to = [1, 2]: must differ from the other end, from = [1, 2]\n"
              "test.toml:13:1: bodies[0].position: \"segment\" takes no such key: its place is given by from and to\n");
}

TEST(BadInput, ReferencesToNothing)
{
    EXPECT_EQ(
        mistakes_of(short_scene + "[[contact.pairs]]\nmaterials = [\"stone\", \"stome\"]\n"),
        "test.toml:8:23: contact.pairs[0].materials[1] = \"stome\": no such material in [materials]; did you mean "
        "\"stone\"? allowed: stone\n");
    const std::string box = short_scene + "[[generators]]\nname = \"box\"\ntype = \"container\"\nlower = [0, 0]\n"
                                          "upper = [1, 1]\nopen = [\"top\"]\nmaterial = \"stone\"\n"
                                          "[[drivers]]\ntype = \"velocity\"\n";
    EXPECT_EQ(mistakes_of(box + "body = \"box.left\"\n"), "");
    EXPECT_EQ(
        mistakes_of(box + "body = \"box.lfet\"\n"),
        "test.toml:16:8: drivers[0].body = \"box.lfet\": no body has this name; did you mean \"box.left\"? allowed: "
        "box.bottom, box.left, box.right\n");
    EXPECT_EQ(mistakes_of(box + "body = \"box\"\n"),
              "test.toml:16:8: drivers[0].body = \"box\": is a container; name one of its walls: \"box.left\", "
              "\"box.right\" or \"box.bottom\"\n");
}

TEST(BadInput, NamesAndPairsGivenTwice)
{
    const std::string disk = "[[bodies]]\nname = \"a\"\nshape = \"disk\"\nradius = 1\nmaterial = \"stone\"\n";
    EXPECT_EQ(mistakes_of(short_scene + disk + disk),
              "test.toml:13:8: bodies[1].name = \"a\": the name \"a\" is taken by bodies[0].name already\n");
    const std::string pair = "[[contact.pairs]]\nmaterials = [\"stone\", \"stone\"]\n";
    EXPECT_EQ(mistakes_of(short_scene + pair + pair),
              "test.toml:10:13: contact.pairs[1].materials = [\"stone\", \"stone\"]: this pair has its law in "
              "contact.pairs[0] already\n");
}

TEST(BadInput, DurationShorterThanAStep)
{
    const std::string rest = "[materials.a]\npreset = \"sand\"\n";
    EXPECT_EQ(
        mistakes_of("[scene]\ndimension = 2\ndt = \"1 ms\"\nduration = \"10 µs\"\n" + rest),
        "test.toml:4:12: scene.duration = \"10 µs\": is shorter than a step; must be 0 or at least dt = \"1 ms\"\n");
    EXPECT_EQ(mistakes_of("[scene]\ndimension = 2\ndt = 1e-20\nduration = 1\n" + rest),
              "test.toml:4:12: scene.duration = 1: takes more than 1e12 steps of dt = 1e-20\n");
    EXPECT_EQ(mistakes_of("[scene]\ndimension = 2\ndt = \"1 ms\"\nduration = 0\n" + rest), "");
}

TEST(BadInput, AllProblemsAtOnceInTheOrderOfTheFile)
{
    const std::string mistakes = mistakes_of(R"([scene]
dimension = 2
dt = -1
duratoin = 1
[materials.stone]
density = "3 kg"
[contact]
friction = -1
[[bodies]]
shape = "disk"
radius = 0
material = "ston"
mass = "heavy"
[[drivers]]
type = "gravty"
)");
    std::vector<std::string> places;
    for (std::size_t at = 0; at < mistakes.size(); at = mistakes.find('\n', at) + 1) {
        places.push_back(mistakes.substr(at, mistakes.find(": ", at) - at));
    }
    const std::vector<std::string> expected = {"test.toml:1:1",   "test.toml:3:6",  "test.toml:4:1",
                                               "test.toml:6:11",  "test.toml:8:12", "test.toml:11:10",
                                               "test.toml:12:12", "test.toml:13:8", "test.toml:15:8"};
    EXPECT_EQ(places, expected) << mistakes;
}

TEST(BadInput, ANonsenseFileGetsAThousandComplaintsNotAMillion)
{
    std::string text = short_scene + "[nonsense]\n[solver]\n";
    for (int i = 0; i < 5000; ++i) text.append("k").append(std::to_string(i)).append(" = 1\n");
    scene::Value root = io::parse_scene(text, "test.toml");
    const std::vector<Mistake> mistakes = scene_schema().validate(root);
    ASSERT_EQ(mistakes.size(), 1001u);
    EXPECT_EQ(mistakes.back().message, "and 4001 further mistakes");
}

} // namespace
} // namespace talus
