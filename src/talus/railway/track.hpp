// A piece of ballasted track as [track] describes it, at the scale of the scene (BALLAST annexe A): sleepers lie along
// x about x = 0, the track runs along y from 0 to `length`, the sub-layer is z = 0. scene.scale shortens the box and
// the sleepers along x and the number of tools with them; heights, grain sizes, the length along the track and the
// force per tool stay. Without sleepers the box shrinks along x and y.
#pragma once

#include "talus/math/space.hpp"
#include "talus/sampling/size_distribution.hpp"
#include "talus/scene/value.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace talus {

struct Sleeper {
    Vec<3> centre; // [m] of the solid without its rail seats
    std::string name;
};

struct ToolPlace {
    double x, y;    // [m] of its middle
    double towards; // ±1: the sleeper lies at larger or smaller y
};

inline constexpr double rail_seat_length = 0.18; // [m] along the sleeper, where it is as long

struct Track {
    double scale = 1;
    double width = 0, length = 0; // [m] of the box
    double height = 0;            // [m] of the bed, as estimated from the grains where these are given
    std::optional<std::int64_t> grains;
    double expected_grains = 0; // those, or about as many as fill the height
    double below = 0;           // [m]
    // sleepers
    Vec<3> sleeper_size = Vec<3>::Zero(); // [m]
    std::vector<double> seats;            // [m] along x, where the rails lie
    std::vector<Sleeper> sleepers;
    // tools
    Vec<3> foot = Vec<3>::Zero();  // [m] along x, y, z
    Vec<3> shaft = Vec<3>::Zero(); // [m] along x, y, z
    int tools_per_row = 0;         // per rail and side
    double distance = 0, clearance = 0, pitch = 0;
    double tool_strength = 0; // [N] force at the foot that bends the shaft
    bool has_tools() const { return tools_per_row > 0 && !sleepers.empty(); }
    double underside(std::size_t sleeper) const { return sleepers[sleeper].centre.z() - 0.5 * sleeper_size.z(); }
    double tool_width() const { return std::max(foot.x(), shaft.x()); }
    double tool_thickness() const { return std::max(foot.y(), shaft.y()); }
    // So many that enough are left when the sleepers' place is carved out.
    double grains_to_deposit(double grain_volume) const;
    // Where the tools stand for one of the sleepers: the row at smaller y first.
    std::vector<ToolPlace> tool_places(std::size_t sleeper) const;
};

// Of a scene whose [track] is validated; none where it has no track.
std::optional<Track> read_track(const scene::Value& scene);

std::string tool_name(std::size_t number); // from 0 on

// [m^3] of a grain of such a grading, by number.
double mean_grain_volume(const std::vector<SievePoint>& grading);

// Grading of the ballast where the scene does not give a library.
std::vector<SievePoint> grading_of(const scene::Value& track);

} // namespace talus
