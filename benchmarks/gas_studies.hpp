// Gases of hard disks with known laws: Henderson's pressure, Haff's cooling, and one gas by three methods. The
// benchmark and the tests share them.
#pragma once

#include "talus/simulation/event_driven.hpp"
#include "talus/simulation/simulation.hpp"

#include <fmt/format.h>

#include <cmath>
#include <functional>

namespace talus::bench {

using MakeGas = std::function<Simulation<2>(const std::string& scene, const std::vector<std::string>& sets)>;

// Henderson (1975): p/(n k T) at a packing.
inline double henderson(double packing) { return (1 + packing * packing / 8) / std::pow(1 - packing, 2); }

inline HardBalls<2>& balls_of(Simulation<2>& simulation)
{
    return dynamic_cast<EventDriven<2>&>(*simulation.engine).balls;
}

// Disks of radius 0.5 m in a square box whose walls take nothing.
inline std::string gas_scene(int count, double packing, double restitution, int seed = 1)
{
    const double width = std::sqrt(count * M_PI * 0.25 / packing);
    const double spacing = width / std::ceil(std::sqrt(count)) * (1 - 1e-9);
    return fmt::format("[scene]\ndimension = 2\nmethod = \"event\"\ndt = 0.5\nduration = 1000\nseed = {}\n"
                       "[materials]\ndisk = {{ density = 1 }}\nwall = {{ density = 1 }}\n"
                       "[contact]\nfriction = 0\nrestitution = {}\n"
                       "[[contact.pairs]]\nmaterials = [\"disk\", \"wall\"]\nrestitution = 1\n"
                       "[[generators]]\ntype = \"container\"\nlower = [0, 0]\nupper = [{}, {}]\nmaterial = \"wall\"\n",
                       seed, restitution, width, width) +
           fmt::format("[[generators]]\ntype = \"lattice\"\nlower = [0, 0]\nupper = [{0}, {0}]\nradius = 0.5\n"
                       "spacing = {1}\ncount = {2}\njitter = 0.4\nvelocity_deviation = 1\nmaterial = \"disk\"\n",
                       width, spacing, count);
}

inline void fly_until(Simulation<2>& simulation, double time)
{
    while (simulation.clock.time() < time - 0.5 * simulation.clock.dt) simulation.step();
}

struct Pressure {
    double packing, ratio; // p / (n k T)
};

// In the middle of the box, where no wall orders the disks: n and k T of the disks whose centres lie there, and the
// virial of impacts whose midpoints do, p A = N k T + Σ σ·(impulse)/(2 time).
inline Pressure pressure_in_the_middle(const MakeGas& make, int count, double packing, double time)
{
    auto simulation = make(gas_scene(count, packing, 1), {});
    HardBalls<2>& balls = balls_of(simulation);
    const double width = std::sqrt(count * M_PI * 0.25 / packing), margin = std::max(5.0, 0.15 * width);
    const auto is_inside = [&](const Vec<2>& place) {
        return (place.array() > margin).all() && (place.array() < width - margin).all();
    };
    fly_until(simulation, 20); // some forty impacts each at 0.5: velocities are Maxwell's from the start
    double virial = 0, number = 0, kinetic = 0, looks = 0;
    balls.on_impact = [&](const talus::Impact<2>& impact) {
        if (!impact.is_wall && is_inside(impact.place - 0.5 * impact.apart)) virial += impact.impulse.dot(impact.apart);
    };
    const double from = simulation.clock.time();
    while (simulation.clock.time() < from + time) {
        simulation.step();
        ++looks;
        for (std::size_t i = 4; i < simulation.bodies.size(); ++i) {
            if (!is_inside(simulation.bodies.position[i])) continue;
            ++number;
            kinetic += kinetic_energy(simulation.bodies, i);
        }
    }
    const double area = std::pow(width - 2 * margin, 2);
    number /= looks;
    const double temperature = kinetic / looks / number;
    return {number * M_PI * 0.25 / area, 1 + virial / (2 * (simulation.clock.time() - from) * number * temperature)};
}

struct Cooling {
    double exponent, tau;       // of E/E₀ = (1 + t/τ)^(−exponent)
    double impacts;             // per disk
    std::vector<double> energy; // E/E₀ at t = 0, 1, 2, ... s
};

// Fit of the decay down to a share of the energy, mean over several gases. They fly without losses first: on a lattice
// nobody has a neighbour to hit at once.
inline Cooling cooling(const MakeGas& make, double restitution, double packing, double share, int seeds)
{
    constexpr int disks = 1500;
    std::vector<double> energy; // at t = 0, 1, 2, ... s
    double impacts = 0;
    for (int seed = 1; seed <= seeds; ++seed) {
        auto simulation = make(gas_scene(disks, packing, restitution, seed), {});
        simulation.step(); // takes the materials of the scene
        balls_of(simulation).materials = make(gas_scene(4, packing, 1), {}).materials;
        fly_until(simulation, 20);
        balls_of(simulation).materials = simulation.materials;
        const double start = simulation.kinetic_energy(), before = balls_of(simulation).tally.impacts;
        for (std::size_t k = 0; seed == 1 ? (k == 0 || energy.back() > share) : k < energy.size(); ++k) {
            if (seed == 1) energy.push_back(0);
            energy[k] += simulation.kinetic_energy() / start;
            fly_until(simulation, 21.0 + double(k));
        }
        impacts += 2 * (balls_of(simulation).tally.impacts - before) / disks / seeds;
    }
    for (double& e : energy) e /= seeds;
    double best = 1e300, exponent = 0, found = 0;
    const double last = double(energy.size() - 1);
    for (double tau = 0.01 * last; tau < last; tau *= 1.005) {
        double xx = 0, xy = 0, yy = 0;                                             // of a line through the start
        for (double t = 1; t <= last; t = std::max(t + 1, std::floor(1.05 * t))) { // evenly in log t
            const double x = std::log(1 + t / tau), y = std::log(energy[std::size_t(t)]);
            xx += x * x, xy += x * y, yy += y * y;
        }
        const double residual = yy - xy * xy / xx;
        if (residual < best) best = residual, exponent = -xy / xx, found = tau;
    }
    return {exponent, found, impacts, energy};
}

// Kinetic energy left after a time, over that at the start: mean over several gases of a thousand disks.
inline double energy_left(const MakeGas& make, const std::vector<std::string>& sets, double time, int seeds)
{
    double sum = 0;
    for (int seed = 1; seed <= seeds; ++seed) {
        auto simulation = make(gas_scene(1000, 0.1, 0.8, seed), sets);
        const double start = simulation.kinetic_energy();
        fly_until(simulation, time);
        sum += simulation.kinetic_energy() / start / seeds;
    }
    return sum;
}
inline const std::vector<std::string> rigid_gas = {"scene.method=\"contact_dynamics\"", "scene.dt=0.01"};
inline const std::vector<std::string> smooth_gas = {"scene.method=\"dem\"", "scene.dt=0.02", "dem.stiffness=3e5"};

} // namespace talus::bench
