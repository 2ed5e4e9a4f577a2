// A scene written in C++ and a file that says the same are one scene: the same tree, the same bits, the same
// complaints.
#include "scenes_in_tests.hpp"
#include "talus/api/scene_tables.hpp"
#include "talus/io/runs/run_folder.hpp"
#include "talus/talus.hpp"

#include <set>

using namespace talus;

namespace {

// 300 disks settle under a lid that is pressed and shaken
Scene<2> pressed_disks()
{
    Scene<2> scene{.name = "pressed disks", .dt = 1e-3, .duration = 0.3, .seed = 7};
    const auto glass = scene.materials.add({.name = "glass", .preset = "glass"});
    const auto steel = scene.materials.add({.name = "steel", .density = 7850});
    scene.contact.law = {.friction = 0.4, .restitution = 0.1};
    scene.contact.between(glass, steel) = {.friction = 0.2};
    scene.bodies.push_back({.name = "lid",
                            .shape = shape::Segment{.from = {0.002, 0.3}, .to = {0.198, 0.3}, .radius = 0.001},
                            .material = steel,
                            .motion = {"y"},
                            .mass = 2});
    scene.generators.push_back(
        generator::Container{.name = "box", .lower = {0, 0}, .upper = {0.2, 0.4}, .open = {"top"}, .material = steel});
    scene.generators.push_back(generator::Deposit{.name = "grains",
                                                  .lower = {0, 0},
                                                  .upper = {0.2, 0.29},
                                                  .grains = {.radius = {0.004, 0.006}},
                                                  .count = 300,
                                                  .material = glass});
    scene.drivers.push_back(driver::Gravity{});
    scene.drivers.push_back(driver::Force{.body = "lid", .force = {0, -50}, .from = 0.05});
    scene.drivers.push_back(
        driver::Vibration{.body = "box.left", .amplitude = {5e-4, 0}, .frequency = 20, .until = 0.2});
    scene.gauges.push_back(gauge::Box{.name = "heart", .lower = {0.05, 0.01}, .upper = {0.15, 0.06}});
    scene.quality.interpenetration = 0.03;
    scene.output.series_every = 0.01;
    return scene;
}

constexpr const char* pressed_disks_in_toml = R"([scene]
name = "pressed disks"
dimension = 2
dt = 0.001
duration = 0.3
seed = 7
[materials]
glass = { preset = "glass" }
steel = { density = 7850 }
[contact]
friction = 0.4
restitution = 0.1
[[contact.pairs]]
materials = ["glass", "steel"]
friction = 0.2
[[bodies]]
name = "lid"
shape = "segment"
from = [0.002, 0.3]
to = [0.198, 0.3]
radius = 0.001
material = "steel"
motion = ["y"]
mass = 2
[[generators]]
name = "box"
type = "container"
lower = [0, 0]
upper = [0.2, 0.4]
open = ["top"]
material = "steel"
[[generators]]
name = "grains"
type = "deposit"
lower = [0, 0]
upper = [0.2, 0.29]
radius = [0.004, 0.006]
count = 300
material = "glass"
[[drivers]]
type = "gravity"
[[drivers]]
type = "force"
body = "lid"
force = [0, -50]
from = 0.05
[[drivers]]
type = "vibration"
body = "box.left"
amplitude = [5e-4, 0]
frequency = 20
until = 0.2
[[gauges]]
name = "heart"
type = "box"
lower = [0.05, 0.01]
upper = [0.15, 0.06]
[quality]
interpenetration = 0.03
[output]
series_every = 0.01
)";

// 120 polyhedra by a sieve curve fall on a stone that lies in a box
Scene<3> falling_polyhedra()
{
    Scene<3> scene{.dt = 5e-4, .duration = 0.15};
    const auto rock = scene.materials.add({.name = "rock", .density = 2700});
    scene.contact.law.friction = 0.6;
    scene.bodies.push_back(
        {.name = "stone",
         .shape =
             shape::Polyhedron{
                 .vertices = {{-0.03, -0.03, -0.03}, {0.03, -0.03, -0.03}, {0, 0.04, -0.03}, {0, 0, 0.04}}},
         .material = rock,
         .position = {0.1, 0.1, 0.04},
         .rotation = {0, 0, 0.3},
         .spin = {0, 0, 1}});
    scene.generators.push_back(generator::Container{.lower = {0, 0, 0}, .upper = {0.2, 0.2, 0.8}, .material = rock});
    scene.generators.push_back(generator::Deposit{
        .name = "grains",
        .lower = {0, 0, 0.09},
        .upper = {0.2, 0.2, 0.8},
        .grains = {.shape = "polyhedron", .sieve = {{0.02, 0}, {0.025, 0.4}, {0.03, 1}}, .vertices = {8, 12}},
        .count = 120,
        .material = rock,
        .velocity = {0, 0, -1}});
    scene.drivers.push_back(driver::Gravity{.acceleration = {0, 0, -9.81}});
    scene.gauges.push_back(gauge::Cylinder{.name = "column", .centre = {0.1, 0.1, 0.1}, .radius = 0.06, .length = 0.1});
    scene.gauges.push_back(gauge::Body{.name = "the stone", .body = "stone", .indicators = "all"});
    scene.solver = {.sweeps = 200};
    return scene;
}

constexpr const char* falling_polyhedra_in_toml = R"([scene]
dimension = 3
dt = 5e-4
duration = 0.15
[materials]
rock = { density = 2700 }
[contact]
friction = 0.6
[[bodies]]
name = "stone"
shape = "polyhedron"
vertices = [[-0.03, -0.03, -0.03], [0.03, -0.03, -0.03], [0, 0.04, -0.03], [0, 0, 0.04]]
material = "rock"
position = [0.1, 0.1, 0.04]
rotation = [0, 0, 0.3]
spin = [0, 0, 1]
[[generators]]
type = "container"
lower = [0, 0, 0]
upper = [0.2, 0.2, 0.8]
material = "rock"
[[generators]]
name = "grains"
type = "deposit"
lower = [0, 0, 0.09]
upper = [0.2, 0.2, 0.8]
shape = "polyhedron"
sieve = [[0.02, 0], [0.025, 0.4], [0.03, 1]]
vertices = [8, 12]
count = 120
material = "rock"
velocity = [0, 0, -1]
[[drivers]]
type = "gravity"
acceleration = [0, 0, -9.81]
[[gauges]]
name = "column"
type = "cylinder"
centre = [0.1, 0.1, 0.1]
radius = 0.06
length = 0.1
[[gauges]]
name = "the stone"
type = "body"
body = "stone"
indicators = "all"
[solver]
sweeps = 200
)";

template <int D>
void expect_one_scene(const Scene<D>& scene, const char* toml)
{
    talus::Run<D> written(scene), read(set_up<D>(io::parse_scene(toml, "twin.toml")));
    EXPECT_TRUE(written.scene() == read.scene()) << io::to_toml(written.scene()) << "\nand\n"
                                                 << io::to_toml(read.scene());
    const RunEnd end = written.advance();
    EXPECT_EQ(end.outcome, read.advance().outcome) << end.reason;
    EXPECT_GT(written.state().contacts.size(), 100u) << "a run without contacts tells nothing";
    EXPECT_EQ(written.simulation().state_hash(), read.simulation().state_hash());
    for (const GaugeLine& line : written.readings()) {
        EXPECT_EQ(line.reading.values(), read.reading(line.gauge).values()) << line.gauge;
    }
}

// every key of the schema has its member, and every member its key
void expect_keys(const std::vector<Field>& fields, const std::vector<scene::Key>& keys, const std::string& where,
                 std::set<std::string> extra = {}, const scene::Variant* variant = nullptr)
{
    std::set<std::string> members = std::move(extra), wanted;
    for (const Field& field : fields) members.insert(field.key);
    for (const scene::Key& key : keys) wanted.insert(key.name);
    if (variant) {
        for (const scene::Key& key : variant->keys) wanted.insert(key.name);
        // a body has the place that some shapes have no use for: then it must not be given
        if (where.starts_with("bodies")) wanted.insert(variant->without.begin(), variant->without.end());
    }
    EXPECT_EQ(members, wanted) << where;
}

scene::Key section_named(const std::string& name)
{
    const scene::Schema schema = scene_schema();
    const auto& sections = schema.sections();
    return *std::ranges::find(sections, name, &scene::Key::name);
}

void expect_variant(const std::string& section, const Fields& fields)
{
    const scene::Key key = section_named(section);
    for (const scene::Variant& variant : key.variants) {
        if (variant.name.word == fields.kind) {
            return expect_keys(fields.fields, key.keys, section + " " + fields.kind, {}, &variant);
        }
    }
    ADD_FAILURE() << section << " has no " << fields.kind;
}

template <class Any, class Visit>
void for_each_kind(Visit&& visit)
{
    [&]<std::size_t... kind>(std::index_sequence<kind...>) { (visit(Any(std::in_place_index<kind>)), ...); }
    (std::make_index_sequence<std::variant_size_v<Any>>());
}

} // namespace

TEST(SceneInCpp, IsTheSceneOfItsFileToTheBit2D) { expect_one_scene(pressed_disks(), pressed_disks_in_toml); }

TEST(SceneInCpp, IsTheSceneOfItsFileToTheBit3D) { expect_one_scene(falling_polyhedra(), falling_polyhedra_in_toml); }

TEST(SceneInCpp, HasAMemberForEveryKey)
{
    for_each_kind<generator::Any>([](const auto& kind) { expect_variant("generators", fields_of(kind)); });
    for_each_kind<driver::Any>([](const auto& kind) { expect_variant("drivers", fields_of(kind)); });
    for_each_kind<gauge::Any>([](const auto& kind) { expect_variant("gauges", fields_of(kind)); });
    for_each_kind<shape::Any>([](const auto& kind) { expect_variant("bodies", fields_of(SceneBody{.shape = kind})); });
    expect_keys(fields_of(section::Material{}), section_named("materials").keys, "materials");
    expect_keys(fields_of(section::Law{}), section_named("contact").keys, "contact", {"pairs"});
    expect_keys(fields_of(section::Rest{}), section_named("rest").keys, "rest");
    expect_keys(fields_of(section::Start{}), section_named("start").keys, "start");
    expect_keys(fields_of(section::Solver{}), section_named("solver").keys, "solver");
    expect_keys(fields_of(section::Dem{}), section_named("dem").keys, "dem");
    expect_keys(fields_of(section::Event{}), section_named("event").keys, "event");
    expect_keys(fields_of(section::Crowd{}), section_named("crowd").keys, "crowd");
    expect_keys(fields_of(section::Exit{}), section_named("exits").keys, "exits");
    expect_keys(fields_of(section::Line{}), section_named("lines").keys, "lines");
    expect_keys(fields_of(section::Door{}), section_named("doors").keys, "doors");
    expect_keys(fields_of(section::Walkers{}), section_named("walkers").keys, "walkers");
    expect_keys(fields_of(section::Partition{}), section_named("partition").keys, "partition");
    expect_keys(fields_of(section::Quality{}), section_named("quality").keys, "quality");
    expect_keys(fields_of(section::Detection{}), section_named("detection").keys, "detection");
    expect_keys(fields_of(section::Output{}), section_named("output").keys, "output");
}

TEST(SceneInCpp, TellsEveryMistakeAtOnceByName)
{
    Scene<2> scene{.dt = 1e-3};
    scene.materials.add({.name = "sand", .density = -2650});
    scene.materials.add({.name = "glass", .preset = "glas"});
    scene.materials.add({.name = "glass", .density = 2500});
    scene.contact.between("sand", "stel").friction = 0.3;
    scene.bodies.push_back({.shape = shape::Sphere{.radius = 0.1}, .material = "sand"});
    scene.bodies.push_back({.shape = shape::Disk{}, .material = "sand", .position = {0, 0, 1}});
    scene.drivers.push_back(driver::Force{.body = "lid"});
    scene.solver.name = "nlgss";
    const std::string said = refusal_of([&] { talus::Run<2> run(scene); });
    for (const char* part :
         {"scene.duration: missing", "materials.sand.density = -2650: is out of range",
          "materials.glass.preset = \"glas\": is not known; did you mean \"glass\"?",
          "materials.glass: there is a material of this name already",
          "contact.pairs[0].materials[1] = \"stel\": no such material",
          "bodies[0].shape = \"sphere\": exists only in 3D", "bodies[1].position = [0, 0, 1]: has 3 components",
          "bodies[1].radius: missing", "drivers[0].body = \"lid\"",
          "solver.name = \"nlgss\": is not known; did you mean \"nlgs\"?"}) {
        EXPECT_TRUE(has(said, part)) << part << "\nnot in\n" << said;
    }
}

TEST(SceneInCpp, TellsOfOverlapsThatOnlyTheGeometryShows)
{
    Scene<3> scene{.dt = 1e-3, .duration = 1};
    const auto rock = scene.materials.add({.name = "rock", .density = 2700});
    for (const double x : {0.0, 0.1}) {
        scene.bodies.push_back({.shape = shape::Sphere{.radius = 0.1}, .material = rock, .position = {x, 0, 0}});
    }
    EXPECT_TRUE(has(refusal_of([&] { talus::Run<3> run(scene); }), "bodies[1]: overlaps bodies[0]"));
}

TEST(SceneInCpp, SaysNothingOfWhatItDoesNotGive)
{
    const scene::Value tree = Scene<2>{.dt = 1e-3}.tree();
    EXPECT_EQ(io::to_toml(tree.at("scene")), "dimension = 2\ndt = 0.001\n");
    EXPECT_TRUE(tree.at("solver").entries().empty());
    EXPECT_FALSE(tree.find("start"));
}

TEST(SceneInCpp, TakesBallastByItsGrading)
{
    Scene<3> scene{.dt = 1e-3, .duration = 0.01};
    const auto stone = scene.materials.add({.name = "stone", .preset = "ballast"});
    scene.generators.push_back(
        generator::Random{.lower = {0, 0, 0}, .upper = {1, 1, 1}, .grains = ballast(), .count = 20, .material = stone});
    EXPECT_EQ(talus::Run<3>(scene).state().bodies.size(), 20u);
}

TEST(SceneFromFile, IsRefusedInTheOtherDimension)
{
    const std::string file = std::string(TALUS_SCENES) + "/moreau/box-of-spheres.toml";
    EXPECT_TRUE(has(refusal_of([&] { from_file<2>(file); }), "this program runs scenes in 2D"));
    EXPECT_EQ(from_file<3>(file, {"scene.dt=1e-4"}).plan.steps, 10 * from_file<3>(file, {"scene.dt=1e-3"}).plan.steps);
}
