// Reading, writing and overriding scenes.
#include "scenes.hpp"

#include <gtest/gtest.h>

#include <fstream>

namespace talus {
namespace {

using scene::Value;
using test::checked;
using test::full_scene;

TEST(SceneFile, KeepsPlacesPathsAndOrder)
{
    const Value root = io::parse_scene("b = 1\n[z]\nname = [1, \"é\", {x = 2.5}]\n[a]\n", "f.toml");
    ASSERT_EQ(root.entries().size(), 3u);
    EXPECT_EQ(root.entries()[1].first, "z");
    EXPECT_EQ(root.entries()[2].first, "a");
    const Value& third = root.at("z").at("name").list()[2].at("x");
    EXPECT_EQ(third.number(), 2.5);
    EXPECT_EQ(third.path, "z.name[2].x");
    EXPECT_EQ(third.where.file, "f.toml");
    EXPECT_EQ(third.where.line, 3);
    EXPECT_EQ(third.where.column, 22);
    EXPECT_EQ(third.key_column, 18);
}

TEST(SceneFile, ValidSceneIsInSiUnitsWithEveryDefault)
{
    const Value root = checked(full_scene);
    EXPECT_DOUBLE_EQ(root.at("scene").at("dt").number(), 1e-3);
    EXPECT_EQ(root.at("scene").at("seed").integer(), 7);
    EXPECT_EQ(root.at("scene").at("method").text(), "contact_dynamics");
    EXPECT_DOUBLE_EQ(root.at("materials").at("wall").at("density").number(), 7850);
    const Value& pair = root.at("contact").at("pairs").list()[0];
    EXPECT_DOUBLE_EQ(pair.at("restitution").number(), 0.5);
    EXPECT_DOUBLE_EQ(pair.at("rolling_friction").number(), 0);
    EXPECT_TRUE(pair.at("gap_anticipation").boolean());
    const Value& ball = root.at("bodies").list()[1];
    EXPECT_EQ(ball.at("position").numbers(), (std::vector<double>{0, 0.1}));
    EXPECT_EQ(ball.at("velocity").numbers(), (std::vector<double>{0, 0}));
    EXPECT_EQ(ball.find("mass"), nullptr);
    EXPECT_EQ(root.at("generators").list()[1].at("shape").text(), "disk");
    EXPECT_EQ(root.at("generators").list()[1].at("count").text(), "auto");
    EXPECT_EQ(root.at("drivers").list()[0].at("acceleration").numbers(), (std::vector<double>{0, -9.81}));
    EXPECT_EQ(root.at("drivers").list()[0].at("acceleration").path, "drivers[0].acceleration");
    EXPECT_TRUE(root.at("solver").at("tolerance").is_text("auto"));
    EXPECT_DOUBLE_EQ(root.at("quality").at("interpenetration").number(), 0.02);
    EXPECT_EQ(root.find("start"), nullptr);
}

TEST(SceneFile, ShortestSceneHasEverySection)
{
    const Value root = checked(test::short_scene_3d);
    for (const char* section : {"contact", "solver", "quality", "detection", "output"}) {
        EXPECT_TRUE(root.at(section).is_table()) << section;
    }
    for (const char* section : {"bodies", "generators", "drivers", "gauges"}) {
        EXPECT_TRUE(root.at(section).list().empty()) << section;
    }
}

TEST(SceneFile, WrittenSceneReadsBackIdentical)
{
    const Value root = checked(full_scene);
    const std::string text = io::to_toml(root);
    EXPECT_EQ(io::parse_scene(text, "again.toml"), root) << text;
    // what is written out is complete: checking it again changes nothing
    EXPECT_EQ(checked(text), root);
    EXPECT_EQ(io::to_toml(checked(text)), text);
}

TEST(SceneFile, AwkwardValuesSurviveTheRoundTrip)
{
    Value root = Value::table();
    root.set("text", Value("tab\t quote\" back\\slash \n \x01 é 😀"));
    root.set("empty", Value(""));
    root.set("a key with spaces", Value(true));
    root.set("", Value(1));
    root.set("tenth", Value(0.1));
    root.set("tiny", Value(5e-324));
    root.set("huge", Value(1.7976931348623157e308));
    root.set("whole", Value(3.0));
    root.set("integer", Value(std::int64_t{-9223372036854775807}));
    root.set("none", Value(Value::List{}));
    Value::List mixed;
    mixed.emplace_back(1);
    mixed.push_back(Value::table());
    mixed.back().set("x y", Value::numbers({1, 2}));
    root.set("mixed", Value(mixed));
    root.set("section", Value::table()).set("inner.dot", Value::table());
    EXPECT_EQ(io::parse_scene(io::to_toml(root), "f"), root) << io::to_toml(root);
}

TEST(SceneFile, ReadsAFileAsItReadsText)
{
    const std::filesystem::path file = std::filesystem::path(testing::TempDir()) / "talus_scene_test.toml";
    std::ofstream(file) << full_scene;
    EXPECT_EQ(io::read_scene(file), io::parse_scene(full_scene, "x"));
    std::filesystem::remove(file);
}

TEST(SceneFile, DeepNestingIsRefusedNotFatal)
{
    std::string key = "a";
    for (int i = 0; i < 1000000; ++i) key += ".a";
    for (const std::string& text : {"[" + key + "]\n", key + " = 1\n", "x = {" + key + " = 1}\n",
                                    "x = " + std::string(1000000, '[') + std::string(1000000, ']') + "\n"}) {
        EXPECT_THROW(io::parse_scene(text, "deep.toml"), InputError);
    }
    // many numbers and dots in texts and comments are no deep key
    std::string numbers = "x = [";
    for (int i = 0; i < 1000; ++i) numbers += "1.5, ";
    EXPECT_NO_THROW(io::parse_scene(numbers + "] # a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q.r.s\ny = \"" + key + "\"\n", "f"));
}

TEST(Overrides, ReachEveryKey)
{
    Value root = io::parse_scene(full_scene, "test.toml");
    io::apply_overrides(root,
                        {"scene.dt=2e-3", "bodies[1].radius=\"7 mm\"", "bodies[1].position[1]=20 cm",
                         "output.frames_every=10 ms", "solver.stop=residual", "materials.\"soft stone\".density=2",
                         "contact.friction = 0.1", "drivers[0].acceleration=[0, 0]"});
    EXPECT_TRUE(check_scene(root).empty());
    EXPECT_EQ(root.at("scene").at("dt").number(), 2e-3);
    EXPECT_EQ(root.at("bodies").list()[1].at("radius").number(), 0.007);
    EXPECT_EQ(root.at("bodies").list()[1].at("position").list()[1].number(), 0.2);
    EXPECT_EQ(root.at("output").at("frames_every").number(), 0.01);
    EXPECT_EQ(root.at("materials").at("soft stone").at("density").number(), 2);
    EXPECT_EQ(root.at("drivers").list()[0].at("acceleration").numbers(), (std::vector<double>{0, 0}));
}

TEST(Overrides, BadValuesAreReportedAgainstTheCommandLine)
{
    Value root = io::parse_scene(full_scene, "test.toml");
    io::apply_overrides(root, {"scene.dt=-1", "bodies[0].radus=5 mm"});
    const std::vector<Mistake> mistakes = check_scene(root);
    ASSERT_EQ(mistakes.size(), 2u);
    EXPECT_EQ(to_text(mistakes[0]), "--set: scene.dt = -1: is out of range; must be a time such as \"5 ms\", > 0");
    EXPECT_TRUE(to_text(mistakes[1]).starts_with("--set: bodies[0].radus: unknown key; ")) << to_text(mistakes[1]);
}

TEST(Overrides, ThatFailAreAllNamedAndChangeNothing)
{
    Value root = io::parse_scene(full_scene, "test.toml");
    const Value before = root;
    std::string message;
    try {
        io::apply_overrides(root,
                            {"scene.dt=1", "scene.dt", "=3", "bodies[9].radius=1", "bodies.radius=1", "scene.dt.x=1",
                             "bodies[x].radius=1", "scene.seed=", "gauges=[1", "scene.=1", "scene.name=a\nseed=3"});
    } catch (const InputError& error) {
        message = error.what();
    }
    EXPECT_EQ(message, R"(--set: "scene.dt": has no "="; write key.path=value, such as scene.dt=1e-3
--set: "=3": a key is missing; write key.path=value, such as scene.dt=1e-3
--set: "bodies[9].radius=1": bodies has 3 entries; the last one is [2]
--set: "bodies.radius=1": bodies is a list: write bodies[0].radius
--set: "scene.dt.x=1": scene.dt is an integer and has no key "x"
--set: "bodies[x].radius=1": an index is a whole number in brackets, such as bodies[0]
--set: "scene.seed=": the value is missing; write key.path=value
--set: "gauges=[1": the value "[1" is not TOML
--set: "scene.=1": a key is missing; write key.path=value, such as scene.dt=1e-3)");
    EXPECT_EQ(root, before);
}

} // namespace
} // namespace talus
