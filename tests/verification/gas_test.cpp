// Gases with known laws: cooling (Haff), pressure of hard disks (V43), and one gas by three methods.
#include "benchmarks/gas_studies.hpp"
#include "scenes_in_tests.hpp"

using namespace talus;
using namespace talus::bench;

namespace {

const MakeGas make = [](const std::string& scene, const std::vector<std::string>& sets) {
    return simulation_of<2>(scene, sets);
};

} // namespace

TEST(V43HardDisks, PressureIsHendersonsUpToHalfPacking)
{
    for (const double packing : {0.1, 0.3, 0.5}) {
        const Pressure measured = pressure_in_the_middle(make, 1600, packing, packing > 0.2 ? 60 : 240);
        EXPECT_NEAR(measured.packing, packing, 0.05 * packing); // walls draw disks near
        EXPECT_NEAR(measured.ratio / henderson(measured.packing), 1, 0.02) << "at " << measured.packing;
    }
}

// While the gas is homogeneous E falls as (1 + t/τ)^(−2).
TEST(CoolingGas, FollowsHaff)
{
    const Cooling measured = cooling(make, 0.9, 0.05, 0.03, 3);
    EXPECT_LT(measured.energy.back(), 0.031);
    EXPECT_NEAR(measured.exponent, 2, 0.06) << "after " << measured.impacts << " impacts each"; // 3 %
}

// Impacts one by one, contact dynamics and springs: the same loss in a dilute gas. Paths differ after a few impacts,
// and so do energies, by 1.5 % a seed.
TEST(DiluteGas, CoolsAlikeByThreeMethods)
{
    const double events = energy_left(make, {}, 8, 4);
    EXPECT_LT(events, 0.6);
    EXPECT_NEAR(energy_left(make, rigid_gas, 8, 4) / events, 1, 0.03);
    EXPECT_NEAR(energy_left(make, smooth_gas, 8, 4) / events, 1, 0.03);
}
