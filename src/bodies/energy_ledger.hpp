// Where the energy goes. Over any stretch of a run: change of kinetic energy = external_work + driver_work −
// dissipated, to round-off for bodies with isotropic inertia (the turn of others keeps angular momentum, energy to
// O(h²)).
#pragma once

namespace talus {

struct EnergyLedger {
    double external_work = 0;   // [J] of gravity and other external forces; what fed grains bring with them
    double driver_work = 0;     // [J] put in by bodies whose motion is imposed
    double dissipated = 0;      // [J] by friction and impact at the contacts
    double correction_work = 0; // [J] of position corrections against the external forces: potential, never kinetic
};

} // namespace talus
