// The frames of a crowd, one after the other, and trajectories in the text format of PedPy and JuPedSim.
#pragma once

#include "talus/io/runs/frames.hpp"

#include <functional>
#include <limits>

namespace talus::io {

bool is_crowd(const std::filesystem::path& folder); // by scene.method of its scene.toml

struct TimeInterval {
    double from = -std::numeric_limits<double>::infinity(), until = std::numeric_limits<double>::infinity(); // [s]
    bool has(double time) const { return time >= from - 1e-9 && time <= until + 1e-9; }
};

class CrowdFrames {
  public:
    explicit CrowdFrames(std::filesystem::path folder); // InputError: no crowd, no frames

    const std::filesystem::path& folder() const { return folder_; }
    const std::vector<double>& times() const { return times_; } // [s]
    Frame<2> frame(std::size_t index) const;
    void each(const TimeInterval& during, const std::function<void(const Frame<2>&)>& visit) const;
    Bounds<2> extent_of_persons() const; // [m] of all places they are at; of a point where there is nobody
    Bounds<2> extent() const;            // ... and of all that stands there
    // [1/s] InputError where frames are not evenly spaced, or fewer than two
    double rate() const;

  private:
    std::filesystem::path folder_;
    std::vector<double> times_;
    Frame<2> constants_;
};

// Comments with `framerate:`, then id, frame, x, y; the id is the number of the body. The file appears when it is
// complete. Returns how many lines of persons.
std::size_t write_trajectories(const CrowdFrames& frames, const std::filesystem::path& file);

} // namespace talus::io
