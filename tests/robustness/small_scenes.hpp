// Scenes that take a fraction of a second and have all that a run can carry: friction, a feeder, a driven wall.
#pragma once

#include <string>

namespace talus::robustness {

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

inline const std::string one_sphere = R"([scene]
dimension = 3
dt = "1 ms"
duration = "20 ms"

[materials]
steel = { preset = "steel" }

[[bodies]]
name = "grain"
shape = "sphere"
radius = "1 cm"
position = [0, 0, "2 cm"]
material = "steel"

[[drivers]]
type = "gravity"
)";

// a box of disks on a floor that shakes
inline const std::string shaken_disks = R"([scene]
dimension = 2
dt = "1 ms"
duration = "0.5 s"
seed = 3

[materials]
steel = { preset = "steel" }

[contact]
friction = 0.4

[[generators]]
name = "box"
type = "container"
lower = [0, 0]
upper = ["0.12 m", "0.5 m"]
open = ["top"]
material = "steel"

[[generators]]
name = "grains"
type = "lattice"
lower = [0, "2 mm"]
upper = ["0.12 m", "0.5 m"]
radius = ["4 mm", "6 mm"]
jitter = 0.4
count = 120
material = "steel"

[[drivers]]
type = "gravity"

[[drivers]]
type = "vibration"
body = "box.bottom"
amplitude = [0, "1 mm"]
frequency = "20 Hz"

[output]
frames_every = "10 ms"
series_every = "2 ms"
checkpoint_every = "15 ms"

[solver]
sweeps = 5000 # the fall is not what these tests are about; tests may go on with this table
)";

// spheres poured into a box, with friction and rolling friction
inline const std::string poured_spheres = R"([scene]
dimension = 3
dt = "1 ms"
duration = "0.4 s"
seed = 3

[materials]
sand = { preset = "sand" }

[contact]
friction = 0.5
rolling_friction = "0.2 mm"

[[generators]]
name = "box"
type = "container"
lower = [0, 0, 0]
upper = ["4 cm", "4 cm", "20 cm"]
open = ["top"]
material = "sand"

[[generators]]
name = "feeder"
type = "feeder"
lower = ["4 mm", "4 mm", "8 cm"]
upper = ["36 mm", "36 mm", "14 cm"]
rate = "600 1/s"
count = 160
radius = ["3 mm", "4 mm"]
velocity = [0, 0, "-0.5 m/s"]
material = "sand"

[[drivers]]
type = "gravity"

[output]
frames_every = "10 ms"
series_every = "2 ms"
checkpoint_every = "15 ms"
)";

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
