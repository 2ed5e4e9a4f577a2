// What a run's scene tells of a crowd: whether its disks are people, and by which exits they leave.
#pragma once

#include "talus/math/space.hpp"
#include "talus/scene/value.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace talus::report {

struct ExitMark {
    std::string name;
    Vec<2> from, to;      // [m]
    double opens, closes; // [s]; infinite: it stays open

    bool is_open(double time) const { return time >= opens - 1e-9 && time < closes - 1e-9; }
};

// [m] between two segments
double distance_between(const Vec<2>& a, const Vec<2>& b, const Vec<2>& c, const Vec<2>& d);

struct CrowdScene {
    std::vector<ExitMark> exits;

    // The nearest exit that is open to people who go from one place to another; −1 where there is none.
    std::int32_t exit_near(const Vec<2>& from, const Vec<2>& to, double time) const;
};

// Of a validated scene; none where its method is not one of a crowd.
std::optional<CrowdScene> crowd_scene(const scene::Value& scene);
// ... of the scene as it was run; none too where it no longer is a scene.
std::optional<CrowdScene> crowd_scene(const std::filesystem::path& run_folder);

} // namespace talus::report
