#include "talus/railway/track.hpp"

#include "talus/sampling/ballast_grains.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace talus {

namespace {

constexpr double bed_compacity = 0.55;  // of polyhedra that settled under their weight, to estimate heights
constexpr double solid_of_sieve = 0.47; // volume of a grain of ballast over the cube of its sieve size
constexpr double seat_of_length = 0.29; // rail seats of a monobloc sleeper, from its middle: 0.755 m of 2.6 m

double number_or(const scene::Value& value, double automatic) { return value.is_text() ? automatic : value.number(); }

Vec<3> three(const scene::Value& value)
{
    const std::vector<double> numbers = value.numbers();
    return {numbers[0], numbers[1], numbers[2]};
}

void read_sleepers(Track& track, const scene::Value& given)
{
    const std::string& type = given.at("type").text();
    if (type == "none") return;
    const bool monobloc = type == "monobloc";
    track.sleeper_size = {track.scale * number_or(given.at("length"), monobloc ? 2.6 : 0.84),
                          number_or(given.at("width"), monobloc ? 0.30 : 0.29), given.at("height").number()};
    const double seat = seat_of_length * track.sleeper_size.x();
    track.seats = monobloc ? std::vector<double>{-seat, seat} : std::vector<double>{0};
    const std::vector<double> levels = given.at("levels").numbers();
    const std::int64_t count = given.at("count").integer();
    for (std::int64_t k = 0; k < count; ++k) {
        const double y = 0.5 * track.length + (double(k) - 0.5 * double(count - 1)) * given.at("spacing").number();
        const double level = std::size_t(k) < levels.size() ? levels[std::size_t(k)] : 0;
        track.sleepers.push_back(
            {{0, y, track.below + level + 0.5 * track.sleeper_size.z()}, fmt::format("sleeper {}", k + 1)});
    }
}

void read_tools(Track& track, const scene::Value& given)
{
    const Vec<3> foot = three(given.at("foot")), shaft = three(given.at("shaft"));
    track.foot = {foot[0], foot[2], foot[1]}; // width, height, thickness
    track.shaft = shaft;                      // width, thickness, length
    // σ = 6 F l / (w t²) at the far end of the shaft
    track.tool_strength = given.at("strength").number() * shaft[0] * shaft[1] * shaft[1] / (6 * shaft[2]);
    track.distance = given.at("distance").number();
    track.clearance = given.at("clearance").number();
    track.pitch = given.at("pitch").number();
    const double per_row = 0.5 * track.scale * double(given.at("count").integer());
    track.tools_per_row = given.at("count").integer() == 0 ? 0 : std::max(1, int(std::lround(per_row)));
}

// [m^3] that a sleeper takes of the bed: grains that reach into its place leave with it.
double hole(const Track& track, double grain_volume)
{
    const double grain = std::cbrt(grain_volume);
    return (track.sleeper_size.x() + grain) * (track.sleeper_size.y() + grain) *
           (std::max(0.0, track.height - track.below) + grain);
}

// The bed that so many grains make, or the grains that make the bed.
void estimate_bed(Track& track, const scene::Value& given)
{
    const double solids = double(track.sleepers.size()) * track.sleeper_size.prod();
    const double area = track.width * track.length, volume = mean_grain_volume(grading_of(given));
    if (track.grains) {
        track.expected_grains = double(*track.grains);
        track.height = (double(*track.grains) * volume / bed_compacity + solids) / area;
    } else {
        track.height = given.at("height").number();
        const double carved = double(track.sleepers.size()) * hole(track, volume);
        track.expected_grains = std::max(0.0, area * track.height - carved) * bed_compacity / volume;
    }
}

} // namespace

std::vector<SievePoint> grading_of(const scene::Value& track)
{
    const scene::Value* sieve = track.find("sieve");
    if (!sieve) return ballast_grading();
    std::vector<SievePoint> grading;
    for (const scene::Value& point : sieve->list()) {
        grading.push_back({point.list()[0].number(), point.list()[1].number()});
    }
    return grading;
}

// n(d) ∝ dm/d³
double mean_grain_volume(const std::vector<SievePoint>& grading)
{
    double mass = 0, number = 0;
    for (std::size_t k = 1; k < grading.size(); ++k) {
        const double share = grading[k].passing - grading[k - 1].passing;
        const double size = std::sqrt(grading[k].size * grading[k - 1].size);
        mass += share;
        number += share / (solid_of_sieve * size * size * size);
    }
    return mass / number;
}

double Track::grains_to_deposit(double grain_volume) const
{
    constexpr double spare = 1.6; // grains for those that are carved out, over their number
    const double removed = double(sleepers.size()) * hole(*this, grain_volume) * bed_compacity / grain_volume;
    const double asked = grains ? double(*grains) : 1.1 * width * length * height * bed_compacity / grain_volume;
    return 1.03 * asked + spare * removed;
}

std::vector<ToolPlace> Track::tool_places(std::size_t sleeper) const
{
    std::vector<ToolPlace> places;
    if (!has_tools()) return places;
    const double off = 0.5 * sleeper_size.y() + distance + 0.5 * tool_thickness();
    for (const double side : {-1.0, 1.0}) {
        for (const double seat : seats) {
            for (int k = 0; k < tools_per_row; ++k) {
                const double x = seat + (k - 0.5 * (tools_per_row - 1)) * pitch;
                places.push_back({x, sleepers[sleeper].centre.y() + side * off, -side});
            }
        }
    }
    return places;
}

std::optional<Track> read_track(const scene::Value& scene)
{
    const scene::Value* given = scene.find("track");
    if (!given) return {};
    Track track;
    track.scale = scene.at("scene").at("scale").number();
    track.width = track.scale * given->at("width").number();
    track.below = given->at("below").number();
    const bool is_box = given->at("sleepers").at("type").is_text("none");
    track.length = (is_box ? track.scale : 1.0) * given->at("length").number();
    if (!given->at("grains").is_text()) {
        const double share = is_box ? track.scale * track.scale : track.scale;
        track.grains = std::max<std::int64_t>(1, std::llround(share * double(given->at("grains").integer())));
    }
    read_sleepers(track, given->at("sleepers"));
    read_tools(track, given->at("tools"));
    estimate_bed(track, *given);
    return track;
}

std::string tool_name(std::size_t number) { return fmt::format("tool {}", number + 1); }

} // namespace talus
