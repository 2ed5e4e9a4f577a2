// What [partition] and the keys of solver.name = "ddm" accept and refuse.
#include "scene_pieces.hpp"
#include "scenes_in_tests.hpp"
#include "talus/partition/metis.hpp"
#include "talus/partition/partition_schema.hpp"

using namespace talus;

namespace {

const std::string three_disks =
    piece::start({.materials = "glass = { preset = \"glass\" }", .contact = ""}) +
    piece::generator("lattice", "[0, 0]", "[0.3, 0.1]", "radius = 0.03\ncount = 3", "glass");

std::string refused(const std::string& more) { return refusal<2>(three_disks + more); }

} // namespace

TEST(PartitionScene, IsAutomaticByDefault)
{
    const auto scene = checked(io::parse_scene(three_disks, "test.toml"));
    EXPECT_EQ(partition_options(scene.at("partition")).method, "rcb");
    EXPECT_EQ(partition_options(scene.at("partition")).parts, 0);
}

TEST(PartitionScene, BoxesSayThatTheyAreTheMethod)
{
    const auto scene = checked(io::parse_scene(three_disks + "[partition]\nboxes = [3, 1]\n", "test.toml"));
    EXPECT_EQ(partition_options(scene.at("partition")).method, "boxes");
    EXPECT_EQ(partition_options(scene.at("partition")).boxes, (std::vector<int>{3, 1}));
}

TEST(PartitionScene, RefusesByNameWithLineAndValue)
{
    const std::string rcb = refused("[partition]\nmethod = \"rcb\"\nboxes = [2, 1]\n");
    EXPECT_TRUE(has(rcb, "test.toml:16") && has(rcb, "partition.boxes = [2, 1]")) << rcb;
    const std::string length = refused("[partition]\nboxes = [2, 1, 1]\n");
    EXPECT_TRUE(has(length, "partition.boxes") && has(length, "[n_x, n_y]")) << length;
    EXPECT_TRUE(has(refused("[partition]\nboxes = [1.5, 1]\n"), "whole number"));
    EXPECT_TRUE(has(refused("[partition]\nboxes = [0, 1]\n"), "partition.boxes"));
    EXPECT_TRUE(has(refused("[partition]\nmethod = \"boxes\"\n"), "partition.boxes"));
    EXPECT_TRUE(has(refused("[partition]\nboxes = [2, 1]\nparts = 2\n"), "partition.parts"));
    EXPECT_TRUE(has(refused("[partition]\nparts = 0\n"), "partition.parts"));
    EXPECT_TRUE(has(refused("[partition]\nmethod = \"cubes\"\n"), "partition.method"));
    if (!has_metis()) {
        EXPECT_TRUE(has(refused("[partition]\nmethod = \"metis\"\n"), "built without METIS"));
    }
}

TEST(PartitionScene, RefusesMoreSubdomainsThanGrains)
{
    EXPECT_EQ(refused("[partition]\nparts = 3\n"), "");
    const std::string parts = refused("[partition]\nparts = 4\n");
    EXPECT_TRUE(has(parts, "test.toml:15") && has(parts, "partition.parts = 4") && has(parts, "free grains: 3"))
        << parts;
    EXPECT_TRUE(has(refused("[partition]\nboxes = [2, 2]\n"), "partition.boxes"));
}

TEST(PartitionScene, DdmRefusesWhatItDoesNotHave)
{
    EXPECT_TRUE(has(refused("[solver]\nname = \"ddm\"\nstorage = \"sdl\"\n"), "solver.storage"));
    EXPECT_TRUE(has(refused("[solver]\ninner_sweeps = 2\n"), "solver.inner_sweeps"));
    EXPECT_TRUE(has(refused("[solver]\nplan = [2]\n"), "solver.plan"));
    EXPECT_TRUE(has(refused("[solver]\nname = \"ddm\"\nplan = [2, 3]\n"), "partition.boxes"));
    const std::string plan = refused("[solver]\nname = \"ddm\"\nplan = [2, 3]\n[partition]\nboxes = [3, 1]\n");
    EXPECT_TRUE(has(plan, "solver.plan = [2, 3]") && has(plan, "3 boxes")) << plan;
    EXPECT_TRUE(has(refused("[solver]\nname = \"ddm\"\nplan = [2.5, 3]\n[partition]\nboxes = [2, 1]\n"), "whole"));
    EXPECT_EQ(refused("[solver]\nname = \"ddm\"\nplan = [2, 3]\n[partition]\nboxes = [2, 1]\n"), "");
}
