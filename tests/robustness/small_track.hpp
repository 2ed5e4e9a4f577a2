// A track that takes seconds: some 150 grains, a sleeper, a pair of tools.
#pragma once

#include "robustness/command.hpp"

namespace talus::robustness {

// a box of 0.3 m × 0.4 m with a block of 0.2 m and one pair of tools, and a cycle of 50 ms above the surface
inline const std::string small_track = R"([scene]
dimension = 3
dt = "0.5 ms"
duration = "auto"

[materials]
ballast = { preset = "ballast" }
wall = { density = 2700 }
concrete = { preset = "concrete" }
steel = { preset = "steel" }

[contact]
friction = 0.8

[track]
sample = "sample"
width = "0.3 m"
length = "0.4 m"
grains = 150
below = "80 mm"
variety = 10
settle_dt = "1 ms"

[track.sleepers]
length = "0.2 m"
width = "0.1 m"
height = "0.1 m"

[track.tools]
count = 2
distance = "60 mm"

[[drivers]]
type = "gravity"

[[operations]]
type = "tamping"
lift = "2 mm"
lift_time = "5 ms"
frequency = "100 Hz"
amplitude = "0.5 mm"
penetration_speed = "1.6 m/s"
penetration_depth = "16 mm"
squeeze_force = "100 N"
squeeze_speed = "0.1 m/s"
squeeze_time = "20 ms"
squeeze_stroke = "5 mm"
hold_time = "5 ms"
withdrawal_speed = "1.6 m/s"

[solver]
name = "nlgs"
sweeps = 300

[quality]
interpenetration = 0.5

[output]
frames_every = "10 ms"
series_every = "1 ms"
checkpoint_every = "7 ms"
)";

inline const Arguments prepare_it{"prepare", "scene.toml", "--threads", "1"};
inline const Arguments run_it{"run", "scene.toml", "--out", "run", "--threads", "1"};

// a run may end with 3: what these tests are about is not how well it was solved
inline bool went_to_its_end(const Outcome& outcome) { return outcome.status == 0 || outcome.status == 3; }

} // namespace talus::robustness
