// What the ledger's imbalance is measured by: the energy turned over so far, and the most there was at a time.
#pragma once

#include "talus/simulation/simulation.hpp"

namespace talus::fuzz {

class Turnover {
  public:
    void add(double energy) { turned_over_ += energy; } // [J] by contacts

    // After a step, with the ledger as it was before it: |imbalance| over the scale.
    template <int D>
    double imbalance(const Simulation<D>& simulation, const EnergyLedger& before)
    {
        const EnergyLedger& now = simulation.energy;
        turned_over_ += std::abs(now.load_work - before.load_work) + std::abs(now.driver_work - before.driver_work) +
                        std::abs(now.fed - before.fed) + std::abs(now.correction_work - before.correction_work) +
                        std::abs(now.turning - before.turning);
        double heights = 0; // Σ |potential energy|: what rounding of positions goes by
        for (std::size_t i = 0; i < simulation.bodies.size(); ++i) {
            if (simulation.bodies.is_passive(i)) continue;
            for (const auto& driver : simulation.drivers) heights += std::abs(driver->potential(simulation.bodies, i));
        }
        most_ = std::max(most_, heights + simulation.kinetic_energy());
        return scale() > 0 ? std::abs(simulation.energy_imbalance()) / scale() : 0;
    }
    double scale() const { return turned_over_ + most_; } // [J]

  private:
    double turned_over_ = 0; // [J] so far
    double most_ = 0;        // [J] kinetic and absolute potential energy
};

} // namespace talus::fuzz
