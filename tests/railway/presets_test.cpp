// Presets stand for the keys that a scene does not write, and every scene that names one is as one that writes them.
#include "railway/track_scenes.hpp"
#include "talus/railway/presets.hpp"
#include "talus/railway/railway_checks.hpp"
#include "talus/railway/railway_schema.hpp"

#include <filesystem>
#include <map>
#include <random>

namespace talus {
namespace {

std::vector<std::string> names_of(const scene::Key& section)
{
    const auto key = std::ranges::find(section.keys, std::string("preset"), &scene::Key::name);
    std::vector<std::string> names;
    for (const scene::Choice& choice : key->choices) names.push_back(choice.word);
    return names;
}

std::string machine(const std::string& preset) { return "[machine]\npreset = \"" + preset + "\"\n"; }

const std::string dive = "[[operations]]\ntype = \"tamping\"\npenetration_depth = 0.3\n";
const std::string both = dive + "[[operations]]\ntype = \"stabilisation\"\ntime = 1\n";

std::map<std::string, PresetValue> values_in(const scene::Value& scene)
{
    std::map<std::string, PresetValue> values;
    for (const PresetValue& value : preset_values(scene)) values[value.key] = value;
    return values;
}

TEST(Presets, EachOneOfAMachineFitsTheUsualTrack)
{
    ASSERT_FALSE(names_of(machine_schema()).empty());
    for (const std::string& name : names_of(machine_schema())) {
        EXPECT_EQ(mistakes_of(track_scene(both, "[track]\n" + machine(name)), {"scene.dt=2e-4"}), "") << name;
    }
}

TEST(Presets, EachOneOfATrackIsSound)
{
    ASSERT_FALSE(names_of(track_schema()).empty());
    for (const std::string& name : names_of(track_schema())) {
        // the document prints no box of a monobloc sleeper
        const std::string track =
            "[track]\npreset = \"" + name + "\"\n" + (name == "high-speed-monobloc" ? "width = 3.6\n" : "");
        EXPECT_EQ(mistakes_of(track_scene("", track), {"scene.duration=1"}), "") << name;
    }
}

TEST(Presets, EachValueNamesItsSource)
{
    const std::string docs = machine_schema().doc + track_schema().doc;
    for (const scene::Key& section : {machine_schema(), track_schema()}) {
        for (const std::string& name : names_of(section)) EXPECT_TRUE(has(docs, "`\"" + name + "\"`")) << name;
    }
    for (const std::string& name : names_of(machine_schema())) {
        for (const PresetValue& value :
             preset_values(railway_scene(track_scene(both, "[track]\n" + machine(name)), {"scene.dt=2e-4"}))) {
            EXPECT_TRUE(value.is_kept) << value.key << value.stands;
            EXPECT_TRUE(has(value.source, "§") || has(value.source, "Table")) << value.key;
        }
    }
}

// whichever keys a scene writes, they count, and the others are the preset's
TEST(Presets, WhatTheSceneWritesCounts)
{
    const std::map<std::string, std::pair<std::string, double>> written = {{"lift", {"12 mm", 0.012}},
                                                                           {"frequency", {"40 Hz", 40}},
                                                                           {"amplitude", {"7 mm", 0.007}},
                                                                           {"squeeze_force", {"17 kN", 17e3}},
                                                                           {"squeeze_time", {"1.1 s", 1.1}},
                                                                           {"withdrawal_speed", {"2 m/s", 2}},
                                                                           {"penetration_speed", {"1.9 m/s", 1.9}}};
    const std::map<std::string, double> low = {
        {"lift", 0.01},        {"frequency", 35},         {"amplitude", 0.005},      {"squeeze_force", 16e3},
        {"squeeze_time", 0.8}, {"withdrawal_speed", 1.6}, {"penetration_speed", 1.6}};
    std::mt19937 random(7);
    for (int round = 0; round < 50; ++round) {
        Sets sets{"scene.dt=2e-4"};
        std::map<std::string, double> expected = low;
        for (const auto& [key, value] : written) {
            if (random() % 2 == 0) continue;
            sets.push_back("operations[0]." + key + "=" + value.first);
            expected[key] = value.second;
        }
        const scene::Value scene = railway_scene(track_scene(dive, "[track]\n" + machine("table-1.1-low")), sets);
        const auto values = values_in(scene);
        for (const auto& [key, number] : expected) {
            const std::string path = "operations[0]." + key;
            EXPECT_DOUBLE_EQ(scene.at("operations").list()[0].at(key).number(), number) << key;
            EXPECT_EQ(values.at(path).is_kept, number == low.at(key)) << key;
        }
        EXPECT_EQ(railway_warnings(scene), std::vector<std::string>{});
    }
}

TEST(Presets, AnOverriddenValueIsToldWithBoth)
{
    const auto values = values_in(railway_scene(track_scene(dive, "[track]\n" + machine("table-1.1-low")),
                                                {"scene.dt=2e-4", "operations[0].squeeze_time=0.9 s"}));
    const PresetValue& time = values.at("operations[0].squeeze_time");
    EXPECT_FALSE(time.is_kept);
    EXPECT_EQ(time.stands, "0.9 s");
    EXPECT_EQ(time.given, "0.8 s");
    EXPECT_EQ(time.preset, "table-1.1-low");
}

TEST(Presets, ACompletedSceneReadAgainSaysTheSame)
{
    const std::string toml = track_scene(both, "[track]\npreset = \"ballast-8.2\"\n" + machine("table-1.1-high"));
    const Sets sets{"scene.dt=2e-4", "operations[0].lift=20 mm"};
    const scene::Value once = railway_scene(toml, sets), again = checked(once);
    EXPECT_TRUE(once == again);
    const auto first = preset_values(once), second = preset_values(again);
    ASSERT_EQ(first.size(), second.size());
    for (std::size_t k = 0; k < first.size(); ++k) EXPECT_EQ(first[k].stands, second[k].stands) << first[k].key;
}

TEST(Presets, AreTheSameAsTheirValuesWritten)
{
    const Sets fourth{"scene.dt=2e-4", "operations[0].sleepers=[4]"};
    scene::Value named =
        railway_scene(track_scene(dive, "[track]\npreset = \"ballast-9\"\n" + machine("ballast-9")), fourth);
    Sets sets = fourth;
    for (const PresetValue& value : preset_values(named)) {
        if (!value.is_kept) continue; // the pair of tools of these scenes
        const bool is_word = value.given.find_first_of("0123456789") == std::string::npos;
        sets.push_back(value.key + "=" + (is_word ? "\"" + value.given + "\"" : value.given));
    }
    scene::Value written = railway_scene(track_scene(dive, "[track]\n"), sets);
    std::erase_if(named.entries(), [](const auto& entry) { return entry.first == "machine"; });
    std::erase_if(named.at("track").entries(), [](const auto& entry) { return entry.first == "preset"; });
    EXPECT_EQ(io::to_toml(named), io::to_toml(written));
}

TEST(Presets, GiveEveryOperationOfTheirKindItsValues)
{
    const scene::Value scene =
        railway_scene(track_scene(both + dive, "[track]\n" + machine("ballast-8.2")), {"scene.dt=2e-4"});
    for (const std::size_t k : {0u, 2u}) {
        EXPECT_EQ(scene.at("operations").list()[k].at("squeeze_force").number(), 6e3);
    }
    EXPECT_EQ(scene.at("operations").list()[1].at("force").number(), 120e3) << "its own default";
}

TEST(Presets, AMachineWithoutWorkIsAMistake)
{
    const std::string idle = mistakes_of(track_scene(dive, "[track]\n" + machine("ballast-6.1")));
    EXPECT_TRUE(has(idle, "machine.preset = \"ballast-6.1\"") && has(idle, "stabilisation")) << idle;
    const std::string unknown = mistakes_of(track_scene(dive, "[track]\n" + machine("table-1.1")));
    EXPECT_TRUE(has(unknown, "machine.preset = \"table-1.1\"") && has(unknown, "table-1.1-low")) << unknown;
    const std::string missing = mistakes_of(track_scene(dive, "[track]\n[machine]\n"));
    EXPECT_TRUE(has(missing, "machine.preset: missing")) << missing;
    const std::string no_track = mistakes_of("[scene]\ndimension = 3\ndt = 1e-3\nduration = 1\n[materials]\n" +
                                             piece::track_materials + "\n" + machine("ballast-9"));
    EXPECT_TRUE(has(no_track, "machine: a machine works on a track")) << no_track;
}

// trees that no schema has seen yet
TEST(Presets, NonsenseIsLeftToTheSchema)
{
    for (const std::string text :
         {"machine = 3\n", "[machine]\npreset = 3\n", "[machine]\npreset = \"ballast-9\"\noperations = 3\n",
          "operations = [3, {type = 4}]\n[machine]\npreset = \"ballast-9\"\n", "track = 3\n",
          "[track]\npreset = \"ballast-9\"\nsleepers = 3\ntools = []\n", "[track]\npreset = [1]\n"}) {
        EXPECT_NE(mistakes_of(text), "") << text;
    }
}

// by its preset a scene says that it follows the document, whose values are not all within the ranges of its Table 1.1
TEST(Presets, TheDocumentsScenesGiveNoWarningOfTheirValues)
{
    int scenes = 0;
    for (const auto& entry : std::filesystem::directory_iterator(std::string(TALUS_SCENES) + "/ballast")) {
        const scene::Value scene = io::read_scene(entry.path());
        if (!scene.find("track")) continue;
        EXPECT_EQ(railway_warnings(checked(scene)), std::vector<std::string>{}) << entry.path();
        ++scenes;
    }
    EXPECT_GT(scenes, 8);
    const scene::Value scene = io::read_scene(std::string(TALUS_SCENES) + "/ballast/bourrage-1b1c.toml");
    const auto warned = railway_warnings(checked(scene, {"operations[0].squeeze_force=7 kN"}));
    ASSERT_EQ(warned.size(), 1u);
    EXPECT_TRUE(has(warned[0], "squeeze_force = 7 kN")) << warned[0];
}

} // namespace
} // namespace talus
