// A track that takes seconds: some 150 grains.
#pragma once

#include "robustness/command.hpp"

namespace talus::robustness {

// a box of 0.3 m × 0.4 m with a block of 0.2 m and one pair of tools; the pages' tests read it too
inline const std::string small_track = contents(TALUS_SCENES "/../tests/data/small-track/track.toml");

inline const Arguments prepare_it{"prepare", "scene.toml", "--threads", "1"};
inline const Arguments run_it{"run", "scene.toml", "--out", "run", "--threads", "1"};

// a run may end with 3: what these tests are about is not how well it was solved
inline bool went_to_its_end(const Outcome& outcome) { return outcome.status == 0 || outcome.status == 3; }

} // namespace talus::robustness
