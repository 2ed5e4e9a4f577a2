// Scenes the tests share, and shortcuts to their mistakes.
#pragma once

#include "talus/io/scenes/scene_file.hpp"
#include "talus/simulation/scene_schema.hpp"

#include <string>
#include <vector>

namespace talus::test {

// Valid; uses every section and every kind of key. Several tests count on its line numbers.
inline const std::string full_scene = R"([scene]
name = "a box of disks"
dimension = 2
dt = "1 ms"
duration = "0.5 s"
seed = 7

[materials.stone]
density = "2650 kg/m^2"

[materials.wall]
preset = "steel"

[contact]
friction = 0.4

[[contact.pairs]]
materials = ["stone", "wall"]
friction = 0.3
restitution = "50 %"

[[bodies]]
name = "floor"
shape = "half_space"
normal = [0, 1]
material = "wall"
motion = "fixed"

[[bodies]]
name = "ball"
shape = "disk"
radius = "5 mm"
position = [0, "10 cm"]
rotation = "45 deg"
spin = "2 rad/s"
material = "stone"
motion = ["x", "rotation"]

[[bodies]]
shape = "polygon"
vertices = [[0, 0], ["1 cm", 0], [0, "1 cm"]]
material = "stone"

[[generators]]
name = "box"
type = "container"
lower = [-1, 0]
upper = [1, 2]
open = ["top"]
material = "wall"

[[generators]]
name = "grains"
type = "lattice"
lower = [-1, 0]
upper = [1, 1]
radius = ["4 mm", "6 mm"]
material = "stone"

[[drivers]]
type = "gravity"

[[drivers]]
type = "vibration"
body = "box.left"
amplitude = ["1 mm", 0]
frequency = "35 Hz"

[[drivers]]
type = "force"
body = "grains"
force = ["16 kN", 0]
until = "0.1 s"

[[gauges]]
name = "middle"
type = "box"
lower = [0, 0]
upper = [0.5, 0.5]

[solver]
stop = "quad_dv"
)";

// Line 1: [scene], 2: dimension, 3: dt, 4: duration, 5: [materials.stone], 6: density.
inline const std::string short_scene = "[scene]\n"
                                       "dimension = 2\n"
                                       "dt = 0.001\n"
                                       "duration = 1\n"
                                       "[materials.stone]\n"
                                       "density = 2650\n";

// The same in 3D.
inline const std::string short_scene_3d = "[scene]\n"
                                          "dimension = 3\n"
                                          "dt = 0.001\n"
                                          "duration = 1\n"
                                          "[materials.stone]\n"
                                          "density = 2650\n";

// Every problem of a scene, one per line, as the user sees them.
inline std::string mistakes_of(const std::string& text)
{
    std::vector<Mistake> mistakes;
    try {
        scene::Value root = io::parse_scene(text, "test.toml");
        mistakes = check_scene(root);
    } catch (const InputError& error) {
        mistakes = error.mistakes();
    }
    std::string result;
    for (const Mistake& problem : mistakes) result += to_text(problem) + "\n";
    return result;
}

inline scene::Value checked(const std::string& text)
{
    scene::Value root = io::parse_scene(text, "test.toml");
    std::vector<Mistake> mistakes = check_scene(root);
    if (!mistakes.empty()) throw InputError(std::move(mistakes));
    return root;
}

} // namespace talus::test
