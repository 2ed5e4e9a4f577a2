// One contact with its force, for whoever publishes it.
#pragma once

#include "talus/math/space.hpp"

#include <cstdint>

namespace talus {

struct SmoothRow {
    std::int32_t candidate = 0, antagonist = 0; // places in the pack
    std::uint64_t feature = 0;
    std::uint8_t points = 1;
    Vec<3> point = Vec<3>::Zero(), normal = Vec<3>::Zero(); // [m]
    double gap = 0;                                         // [m]
    Vec<3> slip = Vec<3>::Zero(), roll = Vec<3>::Zero();    // [m], [rad] history
    double slip_energy = 0, roll_energy = 0;                // [J]
    Vec<3> force = Vec<3>::Zero(), moment = Vec<3>::Zero(); // [N], [N m] on the candidate
};

// Energy that contacts turned over while time passed, and what they hold.
struct ContactEnergy {
    double impact = 0, friction = 0; // [J] lost
    double stored = 0;               // [J] now
    double imposed = 0;              // [J] put in by bodies whose motion is imposed
    double deepest = 0;              // overlap over twice the effective radius, which is that of equal balls
    ContactEnergy operator+(const ContactEnergy& other) const
    {
        return {impact + other.impact, friction + other.friction, stored + other.stored, imposed + other.imposed,
                deepest > other.deepest ? deepest : other.deepest};
    }
};

} // namespace talus
