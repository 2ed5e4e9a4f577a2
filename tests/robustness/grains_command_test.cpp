// talus grains, as a user calls it: libraries made, shown, converted, used in a scene; bad input refused with status 2
// and nothing written.
#include "command.hpp"
#include "talus/io/meshes/mesh_file.hpp"
#include "talus/sampling/ballast_grains.hpp"

#include <fmt/format.h>

#include <cstring>
#include <limits>

namespace talus::robustness {
namespace {

const std::string cube = "o cube\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
                         "f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";

std::string with(std::string text, const std::string& from, const std::string& to)
{
    return text.replace(text.find(from), from.size(), to);
}

TEST(GrainsMake, TheSameSeedMakesTheSameFile)
{
    const Workplace here;
    for (const char* name : {"a.obj", "b.obj"}) {
        const Outcome made = talus_command(here, {"grains", "make", "--out", name, "--count", "20", "--seed", "7",
                                                  "--sieve", "25mm:0, 31.5mm:0.3, 40mm:0.7, 50mm:1"});
        ASSERT_EQ(made.status, 0) << made;
        EXPECT_TRUE(has(made.out, "20 polyhedra, seed 7")) << made;
    }
    EXPECT_EQ(contents(here / "a.obj"), contents(here / "b.obj"));
    EXPECT_TRUE(has(contents(here / "a.obj"), "# seed 7, 20 grains\n"));
    EXPECT_TRUE(has(contents(here / "a.obj"), "\no grain_0020\n"));
    talus_command(here, {"grains", "make", "--out", "c.obj", "--count", "20", "--seed", "8", "--size", "30mm"});
    EXPECT_NE(contents(here / "a.obj"), contents(here / "c.obj"));
}

TEST(GrainsMake, EveryMistakeIsToldAtOnceAndNothingWritten)
{
    const Workplace here;
    const Outcome refused =
        talus_command(here, {"grains", "make", "--out", "a.obj", "--vertices", "2:400", "--elongation", "0:2",
                             "--flatness", "a", "--angularity", "7", "--size", "3kg"});
    EXPECT_EQ(refused.status, 2) << refused;
    for (const char* part :
         {"--vertices = 2:400", "--elongation = 0:2", "--flatness = a", "--angularity = 7", "--size = 3kg"}) {
        EXPECT_TRUE(has(refused.err, part)) << refused;
    }
    EXPECT_FALSE(fs::exists(here / "a.obj"));
    const auto refusal = [&](Arguments arguments) {
        arguments.insert(arguments.begin(), {"grains", "make", "--out", "a.obj"});
        const Outcome outcome = talus_command(here, arguments);
        EXPECT_EQ(outcome.status, 2) << outcome;
        EXPECT_FALSE(fs::exists(here / "a.obj"));
        return outcome.err;
    };
    EXPECT_TRUE(has(refusal({}), "give either --size or --sieve"));
    EXPECT_TRUE(has(refusal({"--size", "1cm", "--sieve", "1cm:0,2cm:1"}), "give either --size or --sieve"));
    EXPECT_TRUE(has(refusal({"--sieve", "2cm:0,1cm:1"}), "sizes and shares must rise"));
    EXPECT_TRUE(has(refusal({"--sieve", "1cm:0.2,2cm:1"}), "the shares must go from 0 to 1"));
    EXPECT_TRUE(has(refusal({"--size", "1cm", "--dimension", "2", "--flatness", "0.5"}), "exists only in 3D"));
    EXPECT_TRUE(has(refusal({"--size", "1cm", "--dimension", "2", "--vertices", "3", "--elongation", "1"}),
                    "no convex polygon"));
    EXPECT_TRUE(has(refusal({"--size", "1cm", "--count", "0"}), "--count"));
    EXPECT_EQ(talus_command(here, {"grains", "make", "--out", "a.ply", "--size", "1cm"}).status, 2);
    EXPECT_EQ(talus_command(here, {"grains", "make", "--out", "no/a.obj", "--size", "1cm"}).status, 2);
    EXPECT_EQ(talus_command(here, {"grains"}).status, 2);
}

TEST(GrainsMake, AMostFrequentValueIsTakenAndWrittenDown)
{
    const Workplace here;
    const Arguments make = {"grains", "make", "--count", "20", "--size", "40mm", "--out"};
    const auto file = [&](const std::string& name, const Arguments& more) {
        Arguments arguments = make;
        arguments.push_back(name);
        arguments.insert(arguments.end(), more.begin(), more.end());
        const Outcome made = talus_command(here, arguments);
        EXPECT_EQ(made.status, 0) << made;
        return contents(here / name);
    };
    const std::string even = file("even.obj", {"--elongation", "0.5:0.9"}),
                      peaked = file("peaked.obj", {"--elongation", "0.5:0.8:0.9", "--flatness", "0.6:0.6:1"});
    EXPECT_TRUE(has(even, "elongation 0.5:0.9, flatness 0.6:1,"));
    EXPECT_TRUE(has(peaked, "elongation 0.5:0.8:0.9, flatness 0.6:0.6:1,"));
    EXPECT_EQ(talus_command(here, {"grains", "make", "--out", "flat.obj", "--dimension", "2", "--count", "5", "--size",
                                   "1cm", "--elongation", "0.5:0.8:0.9"})
                  .status,
              0);
}

TEST(GrainsBallast, IsTheLibraryThatTheCodeMakes)
{
    const Workplace here;
    const Outcome made = talus_command(here, {"grains", "ballast", "--out", "a.obj"});
    ASSERT_EQ(made.status, 0) << made;
    EXPECT_EQ(made.out, "a.obj: 996 polyhedra, seed 1\n");
    std::vector<io::NamedSurface> surfaces;
    for (const Polytope<3>& grain : ballast_grains({})) {
        surfaces.push_back(io::surface_of(fmt::format("grain_{:04}", surfaces.size() + 1), grain));
    }
    io::write_surfaces(here / "code.obj", surfaces, {});
    const std::string file = contents(here / "a.obj"), code = contents(here / "code.obj");
    const auto from_first_grain = [](const std::string& text) { return text.substr(text.find("o grain_0001\n")); };
    EXPECT_EQ(from_first_grain(file), from_first_grain(code)) << "the options' defaults are those of the code";
    for (const char* line : {"# ballast library version 1\n", "# seed 1, 996 grains\n",
                             "# vertices 12:40, elongation 0.45:0.75:0.97, flatness 0.4:0.72:0.97, angularity 0.7\n",
                             "# grading 25mm:0, 31.5mm:0.05, 40mm:0.35, 50mm:1\n"}) {
        EXPECT_TRUE(has(file, line)) << line;
    }
}

TEST(GrainsBallast, TheSameSeedMakesTheSameFile)
{
    const Workplace here;
    const auto file = [&](const std::string& name, const char* seed) {
        const Outcome made = talus_command(here, {"grains", "ballast", "--out", name, "--count", "20", "--seed", seed});
        EXPECT_EQ(made.status, 0) << made;
        return contents(here / name);
    };
    const std::string first = file("a.obj", "7"), again = file("b.obj", "7"), other = file("c.obj", "8");
    EXPECT_EQ(first, again);
    const auto vertices = [](const std::string& text) { return text.substr(text.find("\nv ")); };
    EXPECT_NE(vertices(first), vertices(other));
}

TEST(GrainsBallast, EverythingOfItCanBeReplaced)
{
    const Workplace here;
    const Outcome made = talus_command(here, {"grains", "ballast", "--out", "a.obj", "--count", "30", "--seed", "3",
                                              "--grading", "20mm:0, 22mm:1", "--vertices", "10", "--elongation", "0.8",
                                              "--flatness", "0.6:0.7", "--angularity", "0.2"});
    ASSERT_EQ(made.status, 0) << made;
    for (const char* line : {"# seed 3, 30 grains\n", "# grading 20mm:0, 22mm:1\n",
                             "# vertices 10:10, elongation 0.8:0.8, flatness 0.6:0.7, angularity 0.2\n"}) {
        EXPECT_TRUE(has(contents(here / "a.obj"), line)) << line;
    }
    const Outcome info = talus_command(here, {"grains", "info", "a.obj"});
    for (const char* part : {"a.obj: 30 polyhedra", "vertices     10 to 10", "sieve size   20"}) {
        EXPECT_TRUE(has(info.out, part)) << info;
    }
    EXPECT_EQ(talus_command(here, {"grains", "ballast", "--out", "a.obj"}).status, 2) << "no file is replaced";
    EXPECT_EQ(talus_command(here, {"grains", "ballast", "--out", "a.obj", "--count", "2", "--force"}).status, 0);
}

TEST(GrainsBallast, EveryMistakeNamesItsOptionAndNothingIsWritten)
{
    const Workplace here;
    const auto refusal = [&](Arguments arguments) {
        arguments.insert(arguments.begin(), {"grains", "ballast", "--out", "a.obj"});
        const Outcome outcome = talus_command(here, arguments);
        EXPECT_EQ(outcome.status, 2) << outcome;
        EXPECT_FALSE(fs::exists(here / "a.obj"));
        return outcome.err;
    };
    const std::string all = refusal({"--elongation", "0.5:0.9:0.8", "--flatness", "0.5:0.4:0.8", "--angularity",
                                     "0.1:0.2:0.3", "--vertices", "12:20:40", "--grading", "25mm:0.1, 50mm:1"});
    const std::string ratio = "must be a number from 0.1 to 1, low:high, or low:mode:high";
    for (const std::string& part :
         {"--elongation = 0.5:0.9:0.8: the most frequent value, in the middle, must lie between the two others; " +
              ratio,
          "--flatness = 0.5:0.4:0.8: the most frequent value, in the middle, must lie between the two others; " + ratio,
          std::string("--angularity = 0.1:0.2:0.3: are 3 numbers; must be one number from 0 (rounded) to 1 (sharp)"),
          std::string("--vertices = 12:20:40: are 3 numbers; must be whole numbers from 4 to 200, one or low:high"),
          std::string("--grading = 25mm:0.1, 50mm:1: the shares must go from 0 to 1; must be size:share")}) {
        EXPECT_TRUE(has(all, part)) << part << "\n--- was not said in\n" << all;
    }
    EXPECT_TRUE(has(refusal({"--elongation", "0.5:0.6:0.7:0.8"}), "--elongation = 0.5:0.6:0.7:0.8: are 4 numbers"));
    EXPECT_TRUE(has(refusal({"--elongation", "0.5::0.8"}), "--elongation = 0.5::0.8"));
    EXPECT_TRUE(has(refusal({"--flatness", "0.05:0.5:0.8"}), "--flatness = 0.05:0.5:0.8: is out of range"));
    EXPECT_TRUE(has(refusal({"--grading", "25:0, 50:1"}), "a size must be from 1 µm to 10 m")) << "a forgotten unit";
    EXPECT_TRUE(has(refusal({"--grading", "25mm"}), "--grading = 25mm: \"25mm\" is no pair"));
    EXPECT_TRUE(has(refusal({"--vertices", ""}), "--vertices"));
    EXPECT_TRUE(has(refusal({"--size", "40mm"}), "--size"));
}

TEST(Grains, ReplaceAFileOnlyWhenAskedTo)
{
    const Workplace here;
    here.write("a.obj", "precious");
    const Arguments make = {"grains", "make", "--out", "a.obj", "--count", "2", "--size", "1cm"};
    EXPECT_EQ(talus_command(here, make).status, 2);
    EXPECT_EQ(contents(here / "a.obj"), "precious");
    Arguments forced = make;
    forced.push_back("--force");
    EXPECT_EQ(talus_command(here, forced).status, 0);
    here.write("b.stl", "precious");
    EXPECT_EQ(talus_command(here, {"grains", "convert", "a.obj", "--out", "b.stl"}).status, 2);
    here.write("c.png", "precious");
    EXPECT_EQ(talus_command(here, {"grains", "info", "a.obj", "--plot", "c.png"}).status, 2);
    EXPECT_EQ(contents(here / "b.stl") + contents(here / "c.png"), "preciousprecious");
}

TEST(GrainsInfo, PrintsAndPlotsASummary)
{
    const Workplace here;
    talus_command(here,
                  {"grains", "make", "--out", "flat.obj", "--dimension", "2", "--count", "30", "--size", "5mm:10mm"});
    talus_command(here, {"grains", "make", "--out", "solid.obj", "--count", "30", "--vertices", "8", "--size", "40mm"});
    const Outcome both = talus_command(here, {"grains", "info", "flat.obj", "solid.obj"});
    ASSERT_EQ(both.status, 0) << both;
    for (const char* part : {"flat.obj: 30 polygons", "circularity", "solid.obj: 30 polyhedra",
                             "vertices     8 to 8, mean 8", "sphericity", "d50 ", "sieve curve", "elongation"}) {
        EXPECT_TRUE(has(both.out, part)) << both;
    }
    const Outcome plot = talus_command(here, {"grains", "info", "solid.obj", "--plot", "solid.png"});
    if (has(plot.err, "no cairo")) GTEST_SKIP() << "this build paints no pictures";
    EXPECT_EQ(plot.status, 0) << plot;
    EXPECT_EQ(contents(here / "solid.png").substr(1, 3), "PNG");
}

TEST(GrainsConvert, ThereAndBackIsTheSameLibrary)
{
    const Workplace here;
    talus_command(here, {"grains", "make", "--out", "a.obj", "--count", "10", "--size", "40mm"});
    ASSERT_EQ(talus_command(here, {"grains", "convert", "a.obj", "--out", "a.stl"}).status, 0);
    ASSERT_EQ(talus_command(here, {"grains", "convert", "a.stl", "--out", "b.obj"}).status, 0);
    const auto summary = [&](const char* file) {
        const std::string out = talus_command(here, {"grains", "info", file}).out;
        return out.substr(std::min(out.find('\n'), out.size()));
    };
    EXPECT_EQ(summary("a.obj"), summary("b.obj"));
    EXPECT_TRUE(has(summary("b.obj"), "vertices"));
}

TEST(GrainsConvert, BrokenMeshesAreRefusedByNameAndRepairedOnlyWhenAsked)
{
    const Workplace here;
    const auto refusal = [&](const std::string& obj, Arguments more = {}) {
        here.write("in.obj", obj);
        Arguments arguments = {"grains", "convert", "in.obj", "--out", "out.obj"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const Outcome outcome = talus_command(here, arguments);
        EXPECT_EQ(outcome.status, 2) << outcome;
        EXPECT_FALSE(fs::exists(here / "out.obj"));
        return outcome.err;
    };
    EXPECT_TRUE(has(refusal(with(cube, "f 4 1 5 8\n", "")), "in.obj: cube: open: 4 edges"));
    EXPECT_TRUE(has(refusal(with(cube, "f 4 1 5 8\n", ""), {"--repair"}), "open: 4 edges")) << "no hole is closed";
    EXPECT_TRUE(has(refusal(with(cube, "f 4 1 5 8", "f 8 5 1 4")), "inverted faces: 2 of 12"));
    EXPECT_TRUE(has(refusal(with(cube, "v 1 1 1", "v -1 -1 0.5")), "self-intersecting"));
    EXPECT_TRUE(has(refusal(with(cube, "v 1 1 1", "v 1 1 1000")), "in.obj: cube: its largest dimension is 1000 m"));
    EXPECT_TRUE(has(refusal(cube + "v 0 0 zero\n"), "in.obj:16:1: \"zero\" is no finite number"));
    EXPECT_TRUE(has(refusal("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 1 3 2\n"), "zero volume"));
    EXPECT_TRUE(has(refusal(with(cube, "v 1 1 1", "v 0.2 0.2 0.2"), {"--parts"}), "not convex"));
    EXPECT_TRUE(has(refusal("o flat\nv 0 0 1\nv 1 0 1\nv 0 1 1\nf 1 2 3\n", {"--hull"}), "flat: convex polyhedron"));

    here.write("in.obj", with(cube, "f 4 1 5 8", "f 8 5 1 4"));
    const Outcome repaired = talus_command(here, {"grains", "convert", "in.obj", "--out", "out.obj", "--repair"});
    EXPECT_EQ(repaired.status, 0) << repaired;
    EXPECT_TRUE(has(repaired.out, "repaired cube: 2 faces were turned round")) << repaired;
}

TEST(GrainsConvert, UnitsHullsAndPartsAreTaken)
{
    const Workplace here;
    here.write("mm.obj", with(cube, "v 1 1 1", "v 40 40 40"));
    const Outcome asked = talus_command(here, {"grains", "convert", "mm.obj", "--out", "a.obj"});
    EXPECT_TRUE(has(asked.err, "--unit mm")) << asked;
    EXPECT_EQ(talus_command(here, {"grains", "convert", "mm.obj", "--out", "a.obj", "--unit", "mm"}).status, 0);
    EXPECT_TRUE(has(contents(here / "a.obj"), "v 0.04 0.04 0.04"));
    here.write("dented.obj", with(cube, "v 1 1 1", "v 0.6 0.6 0.6"));
    EXPECT_TRUE(has(talus_command(here, {"grains", "info", "dented.obj"}).err, "cube: not convex: it leaves out"));
    const Outcome hull = talus_command(here, {"grains", "convert", "dented.obj", "--out", "hull.obj", "--hull"});
    EXPECT_TRUE(has(hull.out, "1 object (hulls), 7 vertices")) << hull;
    EXPECT_EQ(talus_command(here, {"grains", "info", "hull.obj"}).status, 0);
    EXPECT_TRUE(has(talus_command(here, {"grains", "convert", "hull.obj", "--out", "p.obj", "--parts"}).out,
                    "convex parts of one"));
    EXPECT_EQ(talus_command(here, {"grains", "convert", "a.obj", "--out", "q.obj", "--parts", "--hull"}).status, 2);
    EXPECT_EQ(talus_command(here, {"grains", "convert", "a.obj", "--out", "q.obj", "--unit", "inch"}).status, 2);
}

TEST(GrainsConvert, AFolderOfScansBecomesOneLibraryOfHulls)
{
    const Workplace here;
    fs::create_directories(here / "scans");
    // as scanners write them: one file per stone, in millimetres, dented
    const auto dented = [](double side) {
        std::string text = "o scan\n";
        for (int k = 0; k < 8; ++k) {
            const double height = k == 7 ? 0.6 : 1;
            text += fmt::format("v {} {} {}\n", height * side * (k & 1), height * side * (k >> 1 & 1),
                                height * side * (k >> 2 & 1));
        }
        return text + "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 2 4 8 6\nf 4 3 7 8\nf 3 1 5 7\n";
    };
    here.write("scans/stone_b.obj", dented(40));
    here.write("scans/stone_a.obj", dented(30));
    here.write("scans/notes.txt", "not a scan");
    here.write("one.obj", dented(50));
    ASSERT_EQ(talus_command(here, {"grains", "convert", "one.obj", "--out", "scans/stone_c.stl"}).status, 2)
        << "50 m is no stone";
    here.write("one.obj", dented(5));
    ASSERT_EQ(talus_command(here, {"grains", "convert", "one.obj", "--out", "scans/stone_c.stl"}).status, 0);
    const Arguments convert = {"grains", "convert", "scans", "--out", "stones.obj", "--unit", "mm"};
    EXPECT_EQ(talus_command(here, {"grains", "info", "scans"}).status, 2) << "neither convex nor in metres";
    Arguments hulls = convert;
    hulls.push_back("--hull");
    const Outcome made = talus_command(here, hulls);
    ASSERT_EQ(made.status, 0) << made;
    EXPECT_TRUE(has(made.out, "stones.obj: 3 objects (hulls), 21 vertices")) << made;
    const std::string file = contents(here / "stones.obj");
    const std::size_t a = file.find("o stone_a/"), b = file.find("o stone_b/"), c = file.find("o stone_c/");
    EXPECT_TRUE(a < b && b < c && c < file.size()) << "named by their files, in the order of the names";
    const Outcome info = talus_command(here, {"grains", "info", "stones.obj"});
    ASSERT_EQ(info.status, 0) << info;
    EXPECT_TRUE(has(info.out, "stones.obj: 3 polyhedra")) << info;
    EXPECT_TRUE(has(info.out, "vertices     7 to 7, mean 7")) << info;
    EXPECT_TRUE(has(info.out, "sieve size   5 mm to 40 mm")) << info;
}

TEST(GrainsConvert, TornFilesNeverCrashIt)
{
    const Workplace here;
    talus_command(here, {"grains", "make", "--out", "one.stl", "--count", "1", "--size", "40mm"});
    const std::string whole = contents(here / "one.stl");
    for (std::size_t size = 0; size < whole.size(); size += 1 + whole.size() / 25) {
        here.write("torn.stl", whole.substr(0, size));
        EXPECT_EQ(talus_command(here, {"grains", "info", "torn.stl"}).status, 2) << size;
    }
    std::string nan = whole;
    const float bad = std::numeric_limits<float>::quiet_NaN();
    std::memcpy(nan.data() + 84 + 12, &bad, 4);
    here.write("nan.stl", nan);
    EXPECT_TRUE(has(talus_command(here, {"grains", "info", "nan.stl"}).err, "face 1 has a vertex that is not finite"));
}

TEST(GrainsInScenes, ALibraryIsFoundBesideTheSceneAndTheCopyOfTheSceneRuns)
{
    const Workplace here;
    fs::create_directories(here / "scenes");
    talus_command(here, {"grains", "make", "--out", "scenes/stones.obj", "--count", "5", "--size", "40mm"});
    here.write(
        "scenes/s.toml",
        "[scene]\ndimension = 3\ndt = \"1 ms\"\nduration = \"2 ms\"\n[materials.stone]\npreset = \"ballast\"\n"
        "[[generators]]\ntype = \"random\"\nmaterial = \"stone\"\nshape = \"polyhedron\"\nlibrary = \"stones.obj\"\n"
        "lower = [0, 0, 0]\nupper = [1, 1, 1]\ncount = 10\n"
        "[[generators]]\ntype = \"feeder\"\nmaterial = \"stone\"\nshape = \"polyhedron\"\nlibrary = \"stones.obj\"\n"
        "lower = [0, 0, 2]\nupper = [1, 1, 3]\ncount = 5\nrate = 1000\n");
    const Outcome run = talus_command(here, {"run", "scenes/s.toml", "--out", "run", "--quiet"});
    ASSERT_EQ(run.status, 0) << run;
    EXPECT_EQ(talus_command(here, {"run", "run/scene.toml", "--out", "again", "--quiet"}).status, 0);
    EXPECT_EQ(state_hash(here / "run"), state_hash(here / "again"));
    // resumed with more steps: the same as in one go
    const Outcome resumed =
        talus_command(here, {"run", "scenes/s.toml", "--out", "run", "--resume", "--until", "6 ms", "--quiet"});
    EXPECT_EQ(resumed.status, 0) << resumed;
    EXPECT_EQ(talus_command(here, {"run", "scenes/s.toml", "--out", "long", "--until", "6 ms", "--quiet"}).status, 0);
    EXPECT_EQ(state_hash(here / "run"), state_hash(here / "long"));
    EXPECT_NE(state_hash(here / "run"), "");
    fs::remove(here / "scenes/stones.obj");
    const Outcome missing = talus_command(here, {"check", "scenes/s.toml"});
    EXPECT_EQ(missing.status, 2);
    EXPECT_TRUE(has(missing.err, "generators[0].library = \"stones.obj\"")) << missing;
}

} // namespace
} // namespace talus::robustness
