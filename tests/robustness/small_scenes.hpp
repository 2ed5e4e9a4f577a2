// Scenes that take a fraction of a second and have all that a run can carry: friction, a feeder, a driven wall.
#pragma once

#include "scene_pieces.hpp"

#include <string>

namespace talus::robustness {

// Twenty persons leave a room by two doors.
inline const std::string leaving_crowd =
    piece::start({.dt = "0.01", .duration = "6", .more = "method = \"nsm2\"", .contact = "friction = 0"}) +
    piece::body("segment", "from = [0, 0]\nto = [5, 0]\nradius = 0.05\nmotion = \"fixed\"") +
    piece::body("segment", "from = [0, 5]\nto = [5, 5]\nradius = 0.05\nmotion = \"fixed\"") +
    piece::body("segment", "from = [5, 0]\nto = [5, 2]\nradius = 0.05\nmotion = \"fixed\"") +
    piece::body("segment", "from = [5, 3]\nto = [5, 5]\nradius = 0.05\nmotion = \"fixed\"") +
    piece::generator("random", "[0.5, 0.5]", "[4, 4.5]", "radius = [0.2, 0.25]\ncount = 20\nname = \"there\"") +
    piece::generator("feeder", "[0.5, 0.5]", "[4, 4.5]", "radius = 0.2\nrate = 3\ncount = 12\nname = \"late\"") +
    "[[exits]]\nname = \"right\"\nfrom = [5.5, 1.8]\nto = [5.5, 3.2]\n"
    "[[exits]]\nname = \"left\"\nfrom = [-1, 0.5]\nto = [-1, 4.5]\nopens = 2\n"
    "[[lines]]\nname = \"right\"\nfrom = [5, 2]\nto = [5, 3]\n"
    "[[doors]]\nname = \"gate\"\nfrom = [5, 2]\nto = [5, 3]\nmaterial = \"stone\"\nopens = 1.5\ncloses = 4\n"
    "[[doors]]\nname = \"flap\"\nfrom = [0, 1]\nto = [0, 2]\nmaterial = \"stone\"\ncloses = 3.2\n"
    "[[walkers]]\nchoice = \"least_crowded\"\nreaction = [0, 1]\nspeed_deviation = 0.2\nbody = \"there\"\n"
    "[[walkers]]\npreset = \"weidmann\"\nbody = \"late\"\n"
    "[[drivers]]\ntype = \"social_force\"\n";

// line 1 is [scene]
inline const std::string one_disk = R"([scene]
dimension = 2
dt = "1 ms"
duration = "20 ms"

[materials]
steel = { preset = "steel" }

[contact]
friction = 0.4
restitution = 0.1

[[bodies]]
name = "grain"
shape = "disk"
radius = "1 cm"
position = [0, "1.5 cm"]
material = "steel"

[[bodies]]
name = "ground"
shape = "half_space"
normal = [0, 1]
motion = "fixed"
material = "steel"

[[drivers]]
type = "gravity"
)";

inline const std::string one_sphere =
    piece::start({.dimension = 3,
                  .dt = "\"1 ms\"",
                  .duration = "\"20 ms\"",
                  .materials = "steel = { preset = \"steel\" }",
                  .contact = ""}) +
    piece::body("sphere", "name = \"grain\"\nradius = \"1 cm\"\nposition = [0, 0, \"2 cm\"]", "steel") + piece::gravity;

// [output] of those that write all there is
inline const std::string often =
    "[output]\nframes_every = \"10 ms\"\nseries_every = \"2 ms\"\ncheckpoint_every = \"15 ms\"\n";

// a box of disks on a floor that shakes
inline const std::string shaken_disks =
    piece::start({.dt = "\"1 ms\"",
                  .duration = "\"0.5 s\"",
                  .more = "seed = 3",
                  .materials = "steel = { preset = \"steel\" }",
                  .contact = "friction = 0.4"}) +
    piece::generator("container", "[0, 0]", "[\"0.12 m\", \"0.5 m\"]", "name = \"box\"\nopen = [\"top\"]", "steel") +
    piece::generator("lattice", "[0, \"2 mm\"]", "[\"0.12 m\", \"0.5 m\"]",
                     "name = \"grains\"\nradius = [\"4 mm\", \"6 mm\"]\njitter = 0.4\ncount = 120", "steel") +
    piece::gravity +
    "[[drivers]]\ntype = \"vibration\"\nbody = \"box.bottom\"\namplitude = [0, \"1 mm\"]\nfrequency = \"20 Hz\"\n" +
    often + "[solver]\nsweeps = 5000\n"; // the fall is not what these tests are about; tests may go on with this table

// spheres poured into a box, with friction and rolling friction
inline const std::string poured_spheres =
    piece::start({.dimension = 3,
                  .dt = "\"1 ms\"",
                  .duration = "\"0.4 s\"",
                  .more = "seed = 3",
                  .materials = "sand = { preset = \"sand\" }",
                  .contact = "friction = 0.5\nrolling_friction = \"0.2 mm\""}) +
    piece::generator("container", "[0, 0, 0]", "[\"4 cm\", \"4 cm\", \"20 cm\"]", "name = \"box\"\nopen = [\"top\"]",
                     "sand") +
    piece::generator("feeder", "[\"4 mm\", \"4 mm\", \"8 cm\"]", "[\"36 mm\", \"36 mm\", \"14 cm\"]",
                     "name = \"feeder\"\nrate = \"600 1/s\"\ncount = 160\nradius = [\"3 mm\", \"4 mm\"]\n"
                     "velocity = [0, 0, \"-0.5 m/s\"]",
                     "sand") +
    piece::gravity + often;

// the scene with one line replaced
inline std::string with(std::string scene, const std::string& old_text, const std::string& new_text)
{
    const auto at = scene.find(old_text);
    return at == std::string::npos ? "" : scene.replace(at, old_text.size(), new_text);
}

// in that box: fixed in space, carried by a wall at its own cadence, and the wall itself
inline const std::string gauges_of_disks = R"(
[[gauges]]
name = "core"
type = "disk"
centre = ["6 cm", "3 cm"]
radius = "2 cm"
indicators = "all"

[[gauges]]
name = "carried"
type = "box"
lower = ["2 cm", 0]
upper = ["10 cm", "2 cm"]
attached_to = "box.bottom"
every = "20 ms"

[[gauges]]
name = "floor"
type = "body"
body = "box.bottom"
)";

} // namespace talus::robustness
