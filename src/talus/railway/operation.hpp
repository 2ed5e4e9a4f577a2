// What the operations share: the bodies they act on, the freedoms they hold, and the state a checkpoint carries.
#pragma once

#include "talus/drivers/driver.hpp"
#include "talus/railway/track.hpp"
#include "talus/scene/schema.hpp"

#include <bit>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace talus {

// What an operation finds when it is made.
struct OperationSite {
    double from = 0;          // [s] when it begins
    double scale = 1;         // of vertical loads
    double tool_strength = 0; // [N] force that bends the shaft of a tool
    BodyList sleepers;        // those it names, in that order
    BodyList all_sleepers;
    BodyList tools;
    std::vector<std::vector<ToolPlace>> places; // of the tools, at each of the sleepers named
    bool tools_come = false;                    // from an operation before
    BodyList wall;
};

// What an operation of several phases is doing.
struct Doing {
    std::string_view phase;  // empty: nothing, it waits or is done
    std::size_t sleeper = 0; // which of those it names
    double level = 0;        // [m] to which the middle of that one is lifted
};

// An operation knows its bodies; none of them can be spared.
class Operation : public Driver<3> {
  public:
    explicit Operation(const OperationSite& site) : site_(site) {}
    const OperationSite& site() const { return site_; }
    virtual std::optional<Doing> doing() const { return {}; } // nothing to tell where it has no phases
    std::span<const BodyId> acts_on() const final
    {
        return site_.tools.empty() ? site_.sleepers.ids() : site_.tools.ids();
    }
    void find_bodies(const BodyTable<3>& bodies) final;

  protected:
    OperationSite site_;
};

// One kind of operation: its keys, how long it takes, how it is made. Each has a file of its own.
struct OperationKind {
    std::string name, doc;
    std::vector<scene::Key> keys;
    double (*duration)(const scene::Value& operation, const Track& track); // [s]
    std::unique_ptr<Driver<3>> (*make)(const scene::Value& operation, const OperationSite& site);
};
OperationKind tamping();
OperationKind stabilisation();
OperationKind train();
OperationKind lateral_push();
OperationKind wall_force();

enum Freedom { along_x, along_y, along_z, about_x, about_y, about_z };
inline constexpr FreedomMask rotations_3d = 0b111000;
// Between operations a sleeper moves as the ballast lets it; the rails keep it from turning.
inline constexpr FreedomMask sleeper_at_rest = rotations_3d;

inline void hold(BodyTable<3>& bodies, std::int32_t i, FreedomMask imposed)
{
    bodies.imposed[std::size_t(i)] = imposed;
}

// Adds to the velocity of a freedom that is imposed.
inline void drive(BodyTable<3>& bodies, std::int32_t i, Freedom freedom, double velocity)
{
    if (bodies.is_imposed(std::size_t(i), freedom)) bodies.velocity[std::size_t(i)][freedom] += velocity;
}

// Zeroes what is imposed, before all drivers are applied.
inline void still(BodyTable<3>& bodies, std::int32_t i)
{
    for (int axis = 0; axis < 3; ++axis) {
        if (bodies.is_imposed(std::size_t(i), axis)) bodies.velocity[std::size_t(i)][axis] = 0;
        if (bodies.is_imposed(std::size_t(i), 3 + axis)) bodies.spin[std::size_t(i)][axis] = 0;
    }
}

// a·sin(ωt) from the beginning of a phase on; its mean velocity over a step leads exactly through the ends of the
// steps.
struct Sine {
    double amplitude = 0, frequency = 0; // [m], [Hz]
    double pulsation() const { return 2 * M_PI * frequency; }
    double at(double time) const { return amplitude * std::sin(pulsation() * time); }
    double velocity(double time) const { return amplitude * pulsation() * std::cos(pulsation() * time); }
    double mean_velocity(double from, double until) const { return (at(until) - at(from)) / (until - from); }
};

inline std::uint64_t word(double number) { return std::bit_cast<std::uint64_t>(number); }
inline double number_in(std::uint64_t word) { return std::bit_cast<double>(word); }

} // namespace talus
