// Scenes of a track without ballast: the sleepers and the tools of a pair stand in the air, and operations move them.
#pragma once

#include "scene_pieces.hpp"
#include "scenes_in_tests.hpp"
#include "talus/railway/operations.hpp"
#include "talus/railway/track_parts.hpp"

#include <algorithm>
#include <cmath>

namespace talus {

// one pair of tools, at the sleeper of Bourrage1B1C
inline std::string track_scene(const std::string& operations, const std::string& rest = "")
{
    return piece::start({.dimension = 3,
                         .dt = "\"1 ms\"",
                         .duration = "\"auto\"",
                         .materials = piece::track_materials,
                         .contact = ""}) +
           "[solver]\ntolerance = 1e-12\n[track.tools]\ncount = 2\n" + rest + operations;
}

inline const std::string gravity = "[[drivers]]\ntype = \"gravity\"\n";

using Sets = std::vector<std::string>;

// A dive of 0.16 m, a squeeze at an imposed speed and the way back, without lift and vibration.
inline std::string tamping_operation(const std::string& more = "")
{
    return "[[operations]]\ntype = \"tamping\"\namplitude = 0\npenetration_depth = 0.16\nsqueeze_force = 0\n"
           "squeeze_time = 0\n" +
           more;
}

inline scene::Value railway_scene(const std::string& toml, const Sets& sets = {})
{
    return checked(io::parse_scene(toml, "test.toml"), sets);
}

// The scene with its sleepers and the tools of its first sleeper, tips at 1 m: what a sample would bring.
inline scene::Value with_parts(scene::Value scene, std::size_t first_sleeper = 0)
{
    const Track track = *read_track(scene);
    const scene::Value given = scene.at("track");
    scene::Value::List& bodies = scene.at("bodies").list();
    for (scene::Value& body : sleeper_bodies(track, given)) bodies.push_back(std::move(body));
    if (track.has_tools()) {
        for (scene::Value& body : tool_bodies(track, given, first_sleeper, 1)) bodies.push_back(std::move(body));
    }
    return checked(std::move(scene));
}

inline Simulation<3> track_simulation(const std::string& toml, const Sets& sets = {})
{
    return assemble<3>(with_parts(railway_scene(toml, sets)));
}

inline std::size_t body_named(const Simulation<3>& simulation, const std::string& name)
{
    const auto group = std::ranges::find(simulation.groups, name, &BodyGroup::name);
    EXPECT_NE(group, simulation.groups.end()) << name;
    return std::size_t(group->first);
}

// what is wrong with a scene, one problem per line
inline std::string mistakes_of(const std::string& toml, const Sets& sets = {})
{
    scene::Value scene = io::parse_scene(toml, "test.toml");
    io::apply_overrides(scene, sets);
    std::string text;
    for (const Mistake& problem : check_scene(scene)) text += to_text(problem) + "\n";
    return text;
}

// the place is a sum of increments of about 1 m: a thousand of them round by less than 1e-13
constexpr double round_off = 1e-12; // [m]

} // namespace talus
