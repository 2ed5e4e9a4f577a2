// Other DEM codes, run as programs on a state of ours: LAMMPS (gran/hooke/history) and LIGGGHTS (hooke/stiffness with
// tangential history), as Debian packages them.
#pragma once

#include "talus/simulation/state.hpp"

#include <filesystem>
#include <optional>
#include <string>

namespace talus::bench {

// The law that all of them know: springs, dashpots per effective mass, levers of a radius.
struct HookeLaw {
    double normal_stiffness, tangential_stiffness; // [N/m]
    double normal_damping, tangential_damping;     // [1/s]
    double friction;
    std::string keys() const; // of [dem]
};

struct OtherCase {
    HookeLaw law;
    double dt;             // [s]
    Vec<3> low, high;      // [m] of the box
    bool has_walls = true; // five of them: the top is open
    double gravity = 9.81; // [m/s²] downwards
};

struct OtherCode {
    std::string name, program;
    bool is_liggghts = false;
    bool is_installed() const;
};
inline const OtherCode lammps{"lammps", "lmp", false};
inline const OtherCode liggghts{"liggghts", "liggghts", true};

// Balls of a state as other codes read them, in `folder`.
void write_balls(const State<3>& state, const OtherCase& with, const std::filesystem::path& folder);

// [s] of `steps` steps on `ranks` processes, after some steps that are not counted; none where it failed.
std::optional<double> seconds_of(const OtherCode& code, const OtherCase& with, const std::filesystem::path& folder,
                                 double skin, int steps, int ranks);

// Places of the balls after so many steps.
std::vector<Vec<3>> places_after(const OtherCode& code, const OtherCase& with, const std::filesystem::path& folder,
                                 double skin, int steps);

} // namespace talus::bench
