#include "talus/scene/schema.hpp"

#include "scenes.hpp"
#include "talus/scene/suggestion.hpp"

#include <gtest/gtest.h>

#include <functional>

namespace talus::scene {
namespace {

TEST(Suggestion, CountsSwapsAsOneEdit)
{
    EXPECT_EQ(edit_distance("radius", "raduis"), 1u);
    EXPECT_EQ(edit_distance("", "abc"), 3u);
    EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
}

TEST(Suggestion, IsSilentWhereNothingIsNear)
{
    EXPECT_EQ(nearest("xyzzy", {"radius", "mass"}), "");
    EXPECT_EQ(nearest("amp", {"radius", "amplitude"}), "amplitude");
    EXPECT_EQ(nearest(std::string(100000, 'a'), {"radius"}), "");
}

TEST(Schema, ReferenceMentionsEveryKeyAndWord)
{
    const Schema schema = scene_schema();
    const std::string reference = reference_markdown(schema);
    const std::function<void(const Key&)> look_for = [&](const Key& key) {
        EXPECT_NE(reference.find(key.name), std::string::npos) << key.name;
        EXPECT_FALSE(key.doc.empty()) << key.name;
        for (const Choice& choice : key.choices) {
            EXPECT_NE(reference.find("`\"" + choice.word + "\"`"), std::string::npos) << choice.word;
        }
        for (const Key& child : key.keys) look_for(child);
        for (const Variant& variant : key.variants) {
            EXPECT_NE(reference.find(key.discriminator + " = \"" + variant.name.word + "\""), std::string::npos);
            for (const Key& child : variant.keys) look_for(child);
        }
    };
    for (const Key& section : schema.sections()) look_for(section);
}

TEST(Schema, DefaultsPassTheirOwnChecks)
{
    for (const std::string& text : {test::short_scene, test::short_scene_3d}) {
        Value root = test::checked(text);
        EXPECT_TRUE(scene_schema().validate(root).empty());
    }
}

TEST(Schema, WholeNumbersMayBeWrittenAsFloats)
{
    const Value root = test::checked(test::short_scene + "[solver]\nsweeps = 1e3\n");
    EXPECT_EQ(root.at("solver").at("sweeps").integer(), 1000);
}

TEST(Schema, RotationIsANumberIn2dAndAVectorIn3d)
{
    const std::string disk = "[[bodies]]\nshape = \"disk\"\nradius = 1\nmaterial = \"stone\"\n";
    const std::string sphere = "[[bodies]]\nshape = \"sphere\"\nradius = 1\nmaterial = \"stone\"\n";
    EXPECT_EQ(test::mistakes_of(test::short_scene + disk + "spin = \"1 rpm\"\n"), "");
    EXPECT_EQ(test::mistakes_of(test::short_scene_3d + sphere + "spin = [0, 0, \"1 rpm\"]\n"), "");
    EXPECT_EQ(
        test::mistakes_of(test::short_scene + disk + "spin = [0, 0, 1]\n"),
        "test.toml:11:8: bodies[0].spin = [0, 0, 1]: must be an angular velocity such as \"3 rad/s\", not a list\n");
    EXPECT_EQ(test::mistakes_of(test::short_scene_3d + sphere + "spin = 1\n"),
              "test.toml:11:8: bodies[0].spin = 1: must be a list of 3 numbers, each an angular velocity such as "
              "\"3 rad/s\", not an integer\n");
}

TEST(Schema, ACumulativeCurveRisesFromZeroToOne)
{
    const std::string grains = test::short_scene +
                               "[[generators]]\ntype = \"random\"\nmaterial = \"stone\"\ncount = 1\n"
                               "lower = [0, 0]\nupper = [1, 1]\nshape = \"polygon\"\nsieve = ";
    EXPECT_EQ(test::mistakes_of(grains + "[[\"1 cm\", 0], [\"2 cm\", \"30 %\"], [0.04, 1]]\n"), "");
    EXPECT_EQ(test::mistakes_of(grains + "[[0.02, 0], [0.01, 0.3], [0.04, 0.9]]\n"),
              "test.toml:14:22: generators[0].sieve[1][0] = 0.01: must exceed 0.02\n"
              "test.toml:14:41: generators[0].sieve[2][1] = 0.9: the last share must be 1\n");
    const std::string text = test::mistakes_of(grains + "[[0.02, 0, 1], [\"1 s\", 2]]\n");
    EXPECT_NE(text.find("generators[0].sieve[0] = [0.02, 0, 1]: must be a list of at least 2 pairs"), std::string::npos)
        << text;
    EXPECT_NE(text.find("generators[0].sieve[1][0] = \"1 s\": the unit does not fit"), std::string::npos) << text;
    EXPECT_NE(text.find("generators[0].sieve[1][1] = 2: is out of range"), std::string::npos) << text;
}

TEST(Schema, ListsOfListsOfVectorsAreCheckedToTheLastNumber)
{
    const std::string cluster = test::short_scene + "[[bodies]]\nshape = \"cluster\"\nmaterial = \"stone\"\nparts = ";
    EXPECT_EQ(test::mistakes_of(cluster + "[[[0, 0], [\"1 cm\", 0], [0, 1]]]\n"), "");
    EXPECT_EQ(
        test::mistakes_of(cluster + "[[[0, 0], [1, 0, 0], [0, \"1 kg\"]], 7]\n"),
        "test.toml:10:19: bodies[0].parts[0][1] = [1, 0, 0]: has 3 components; must be a list of at least 1 lists of "
        "points, each a list of 2 numbers, each a length such as \"25 mm\"\n"
        "test.toml:10:34: bodies[0].parts[0][2][1] = \"1 kg\": the unit does not fit (it is kg); must be a list of at "
        "least 1 lists of points, each a list of 2 numbers, each a length such as \"25 mm\"\n"
        "test.toml:10:44: bodies[0].parts[1] = 7: must be a list of at least 1 lists of points, each a list of 2 "
        "numbers, each a length such as \"25 mm\", not an integer\n");
}

TEST(Schema, UnknownDimensionCausesNoFurtherComplaints)
{
    const std::string body = "[[bodies]]\nshape = \"sphere\"\nradius = 1\nmaterial = \"stone\"\nposition = [0, 0, 0]\n";
    EXPECT_EQ(test::mistakes_of("[scene]\ndt = 1\nduration = 1\n[materials.stone]\ndensity = 1\n" + body),
              "test.toml:1:1: scene.dimension: missing (2 or 3); give an integer in [2, 3]\n");
}

TEST(Schema, AnyTreeIsJudgedWithoutThrowing)
{
    Value null, list{Value::List{}}, text{"x"};
    EXPECT_EQ(scene_schema().validate(null).size(), 1u);
    EXPECT_EQ(check_scene(list).size(), 1u);
    EXPECT_EQ(check_scene(text).size(), 1u);
    Value root = Value::table();
    const Schema schema = scene_schema();
    for (const Key& section : schema.sections()) root.set(section.name, Value());
    EXPECT_GE(check_scene(root).size(), schema.sections().size());
}

TEST(Value, AskingForTheWrongTypeIsABug)
{
    const Value root = test::checked(test::short_scene);
    EXPECT_THROW(root.at("nothing"), std::logic_error);
    EXPECT_THROW(root.at("scene").at("dt").text(), std::logic_error);
    EXPECT_EQ(root.at("scene").at("duration").number(), 1);
}

TEST(Value, IsShownShortAndPrintable)
{
    EXPECT_EQ(Value("a\x1b[31m").shown(), "\"a\\u001B[31m\"");
    EXPECT_LE(Value(std::string(1000, 'x')).shown().size(), 70u);
    EXPECT_EQ(Value::numbers({0, 0.5, 1e9}).shown(), "[0, 0.5, 1e9]");
}

} // namespace
} // namespace talus::scene
