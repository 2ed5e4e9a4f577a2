// Balls from a file: every line one, some of them by box or radius, and a refusal that says which line is wrong.
#include "scenes_in_tests.hpp"
#include "talus/io/meshes/mesh_file.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <zlib.h>

namespace talus {
namespace {

namespace fs = std::filesystem;

class FileGenerator : public testing::Test {
  protected:
    FileGenerator() { fs::create_directories(folder_); }
    ~FileGenerator() override { fs::remove_all(folder_); }

    void write(const std::string& name, const std::string& text) const { std::ofstream(folder_ / name) << text; }
    void pack(const std::string& name, const std::string& text) const
    {
        const gzFile out = gzopen((folder_ / name).c_str(), "wb");
        gzwrite(out, text.data(), unsigned(text.size()));
        gzclose(out);
    }
    void tear(const std::string& name, std::uintmax_t size) const { fs::resize_file(folder_ / name, size); }
    template <int D>
    Simulation<D> read(const std::string& name, const std::string& keys = "") const
    {
        const std::string scene =
            fmt::format("[scene]\ndimension = {}\ndt = \"1 ms\"\nduration = 1\n[materials.sand]\ndensity = 2600\n"
                        "[[generators]]\nname = \"grains\"\ntype = \"file\"\nmaterial = \"sand\"\nfile = \"{}\"\n{}",
                        D, name, keys);
        return assemble<D>(checked(io::parse_scene(scene, (folder_ / "scene.toml").string())), io::SceneShapeFiles());
    }
    template <int D>
    std::string refusal_of_file(const std::string& name, const std::string& keys = "") const
    {
        return refusal_of([&] { read<D>(name, keys); });
    }

  private:
    fs::path folder_ = fs::temp_directory_path() / fmt::format("talus-balls-{}", getpid());
};

const std::string three =
    "Radius[m]\tPosX[m] PosY[m] PosZ[m]\n# a remark\n 0.001 0 0 0\n\n0.002 0.01 0 1e-3\r\n+0.001 0 0.02 -0.5";

TEST_F(FileGenerator, EveryLineIsABallOfItsMaterial)
{
    write("bed.txt", three);
    const auto simulation = read<3>("bed.txt", "velocity = [1, 2, 3]\nspin = [0, 0, 4]\n");
    ASSERT_EQ(simulation.bodies.size(), 3u);
    EXPECT_EQ(simulation.bodies.position[1], Vec<3>(0.01, 0, 1e-3));
    EXPECT_EQ(bounding_radius(simulation.shapes, simulation.bodies.shape[1]), 0.002);
    EXPECT_DOUBLE_EQ(simulation.bodies.mass[1], 2600 * 4 * M_PI / 3 * 8e-9);
    EXPECT_EQ(simulation.bodies.velocity[2], Vec<3>(1, 2, 3));
    EXPECT_EQ(simulation.bodies.spin[2], Vec<3>(0, 0, 4));
    ASSERT_EQ(simulation.groups.size(), 1u);
    EXPECT_EQ(simulation.groups[0].count, 3);
}

TEST_F(FileGenerator, ACompressedFileSaysTheSame)
{
    write("bed.txt", three);
    pack("bed.txt.gz", three);
    EXPECT_EQ(read<3>("bed.txt").state_hash(), read<3>("bed.txt.gz").state_hash());
}

TEST_F(FileGenerator, APlaneFileHasTwoCoordinates)
{
    write("disks.txt", "0.01 0 0\n0.01 0.05 0\n");
    const auto simulation = read<2>("disks.txt");
    ASSERT_EQ(simulation.bodies.size(), 2u);
    EXPECT_EQ(simulation.bodies.position[1], Vec<2>(0.05, 0));
    EXPECT_TRUE(
        has(refusal_of_file<3>("disks.txt"), "disks.txt:1:1: has 3 words; expected is radius x y z, in metres"));
}

TEST_F(FileGenerator, ABoxAndRadiiPickSomeBalls)
{
    write("bed.txt", three);
    EXPECT_EQ(read<3>("bed.txt", "radius_at_most = \"1.5 mm\"\n").bodies.size(), 2u);
    EXPECT_EQ(read<3>("bed.txt", "radius_at_least = \"1.5 mm\"\n").bodies.size(), 1u);
    EXPECT_EQ(read<3>("bed.txt", "lower = [0, 0, 0]\n").bodies.size(), 2u);
    EXPECT_EQ(read<3>("bed.txt", "lower = [-1, -1, -1]\nupper = [0.005, 1, 1]\n").bodies.size(), 2u);
    EXPECT_TRUE(has(refusal_of_file<3>("bed.txt", "radius_at_least = 1\n"),
                    "has 3 balls, but none of this radius in this box"));
    EXPECT_TRUE(has(refusal_of_file<3>("bed.txt", "lower = [0, 0, 0]\nupper = [0, 1, 1]\n"), "must exceed"));
}

TEST_F(FileGenerator, WhatIsWrongIsSaidWithFileAndLine)
{
    write("bad.txt", "r x y z\n0.001 0 0 0\n0.001 0 zero 0\n-0.001 1 0 0\n0.001 1 1\n0.001 2 0 nan\n0 3 0 0\n");
    const std::string said = refusal_of_file<3>("bad.txt");
    for (const char* text : {"generators[0].file = \"bad.txt\"", "bad.txt:3:1: \"zero\" is no finite number",
                             "bad.txt:4:1: radius = -0.001: must be > 0", "bad.txt:5:1: has 3 words",
                             "bad.txt:6:1: \"nan\" is no finite number", "bad.txt:7:1: radius = 0: must be > 0"}) {
        EXPECT_TRUE(has(said, text)) << text << "\n" << said;
    }
    write("words.txt", "r x y z\nthis is no ball\n");
    EXPECT_TRUE(has(refusal_of_file<3>("words.txt"), "words.txt:2:1: \"this\" is no finite number"));
    write("empty.txt", "# nothing\n");
    EXPECT_TRUE(has(refusal_of_file<3>("empty.txt"), "has no balls"));
    EXPECT_TRUE(has(refusal_of_file<3>("missing.txt"), "missing.txt: no such file"));
    EXPECT_TRUE(has(refusal_of_file<3>("."), "is no file"));
}

TEST_F(FileGenerator, ANameThatBeliesTheFileIsRefused)
{
    write("plain.gz", three);
    EXPECT_TRUE(has(refusal_of_file<3>("plain.gz"), "is not compressed"));
    pack("packed.txt", three);
    EXPECT_TRUE(has(refusal_of_file<3>("packed.txt"), "is compressed"));
    std::string more = three + "\n";
    for (int k = 0; k < 2000; ++k) more += fmt::format("0.001 {} {} {}\n", k, 3 * k % 17, 7 * k % 13);
    pack("torn.gz", more);
    tear("torn.gz", 2000);
    EXPECT_TRUE(has(refusal_of_file<3>("torn.gz"), "cannot be read"));
}

TEST(BallsFromAFile, AreRefusedWhereNoFilesAreRead)
{
    const std::string scene = "[scene]\ndimension = 3\ndt = \"1 ms\"\nduration = 1\n[materials.sand]\ndensity = 2600\n"
                              "[[generators]]\ntype = \"file\"\nmaterial = \"sand\"\nfile = \"bed.txt\"\n";
    EXPECT_TRUE(has(refusal<3>(scene), "balls cannot be read from files here"));
}

} // namespace
} // namespace talus
