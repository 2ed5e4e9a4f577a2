// Eight contacts at a time, as the laws of smooth contact see them. A law reads what it needs, writes its part of the
// force, and knows neither shapes nor bodies. A plane problem lies in z = 0. MODEL §6.
#pragma once

#include "talus/math/wide.hpp"

namespace talus {

enum class LawSlot { normal, damping, cohesion, tangential, rolling, count };
inline constexpr int slot_numbers = 5; // that a law may have for each pair of materials

struct alignas(64) ContactBatch {
    // the contact: its normal points to the candidate, on which all forces below act
    WideVec<3> normal;
    Wide overlap;       // [m] > 0 where the bodies overlap, < 0 where they are apart
    Wide rate;          // [m/s] of the overlap: > 0 where it grows
    Wide mass, radius;  // [kg], [m] effective
    WideVec<3> sliding; // [m/s] tangential velocity of the candidate relative to the antagonist, at the contact
    WideVec<3> turning; // [rad/s] relative spin
    Wide time;          // [s] for which the history below has to be carried on
    // history
    WideVec<3> slip;               // [m] elongation of the tangential spring
    WideVec<3> roll;               // [rad] of the rolling spring
    Wide slip_energy, roll_energy; // [J] that they hold: lost when the contact ends
    // what the laws give
    Wide push;                       // [N] elastic repulsion
    Wide secant;                     // [N/m] push over overlap
    Wide damping;                    // [N] along the normal
    Wide cohesion;                   // [N] along the normal, ≤ 0
    WideVec<3> friction;             // [N] tangential force
    WideVec<3> moment;               // [N m] of rolling resistance
    Wide stored;                     // [J] elastic energy
    Wide lost_impact, lost_friction; // [J] in `time`

    Wide numbers[int(LawSlot::count)][slot_numbers]; // of the laws, each in its slot

    TALUS_INLINE const Wide* of(LawSlot slot) const { return numbers[int(slot)]; }
    // what Coulomb's threshold is a multiple of; cohesion presses grains together and is part of the push
    TALUS_INLINE Wide pressing() const { return select(push + damping > 0.0, push + damping, -(push + damping)); }
};

TALUS_INLINE WideVec<3> operator*(const Wide& a, const WideVec<3>& v) { return {a * v[0], a * v[1], a * v[2]}; }
TALUS_INLINE WideVec<3> cross(const WideVec<3>& a, const WideVec<3>& b)
{
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
// v without its part along the unit vector n
TALUS_INLINE WideVec<3> across(const WideVec<3>& v, const WideVec<3>& n) { return v - dot(v, n) * n; }

} // namespace talus
