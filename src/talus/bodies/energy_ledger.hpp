// Where the energy goes. At any moment of a run
//   kinetic + potential = start + load_work + driver_work + fed + correction_work + turning − friction − impact,
// to round-off; what is left over is the imbalance.
#pragma once

namespace talus {

struct EnergyLedger {
    double start = 0;           // [J] kinetic and potential energy when the run began
    double load_work = 0;       // [J] of external forces that have no potential: loads on bodies, drag
    double driver_work = 0;     // [J] put in by bodies whose motion is imposed
    double fed = 0;             // [J] that fed grains brought with them, less what bodies that left took along
    double correction_work = 0; // [J] of position corrections: potential energy, never kinetic
    double turning = 0;         // [J] of the scheme: the turn of an anisotropic body keeps its angular momentum, its
                                // energy to O(h²)
    double friction = 0;        // [J] dissipated by tangential and rolling friction
    double impact = 0;          // [J] dissipated along the normals

    double dissipated() const { return friction + impact; }
    double input() const { return load_work + driver_work + fed + correction_work + turning; } // since the start
    double balance() const { return start + input() - dissipated(); }

    // By name; `self` may be const.
    template <class Self, class Visit>
    static void visit(Self& self, Visit&& visit)
    {
        visit("start", self.start);
        visit("load_work", self.load_work);
        visit("driver_work", self.driver_work);
        visit("fed", self.fed);
        visit("correction_work", self.correction_work);
        visit("turning", self.turning);
        visit("friction", self.friction);
        visit("impact", self.impact);
    }
};

} // namespace talus
