// A run to look at, for the tests of talus view.
#pragma once

#include "robustness/command.hpp"
#include "robustness/small_scenes.hpp"

namespace talus::robustness {

inline bool has_page(const std::string& trouble) { return !has(trouble, "needs the web part"); }

inline void make_run(const Workplace& here, const std::string& steps = "60")
{
    here.write("scene.toml", shaken_disks + gauges_of_disks + "\n[partition]\nparts = 3\n");
    const Outcome outcome = talus_command(here, {"run", "scene.toml", "--out", "run", "--steps", steps, "--quiet"});
    ASSERT_EQ(outcome.status, 0) << outcome;
}

} // namespace talus::robustness
