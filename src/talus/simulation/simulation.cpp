#include "talus/simulation/simulation.hpp"

#include "talus/exec/parallel.hpp"

namespace talus {

std::string_view phase_name(Phase phase)
{
    switch (phase) {
    case Phase::drivers:
        return "drivers";
    case Phase::detection:
        return "detection";
    case Phase::problem:
        return "problem";
    case Phase::partition:
        return "partition";
    case Phase::solver:
        return "solver";
    case Phase::motion:
        return "motion";
    case Phase::count:
        break;
    }
    return "";
}

template <int D>
void Simulation<D>::use_solver(const SolverOptions& options)
{
    solver = make_solver<D>(options, materials.has_rolling_friction());
    tolerance = {.asked = options.tolerance, .aimed = options.tolerance, .stop = options.stop};
}

template <int D>
double Simulation<D>::kinetic_energy() const
{
    return parallel_sum(bodies.size(), 0.0,
                        [&](std::size_t i) { return bodies.is_passive(i) ? 0.0 : talus::kinetic_energy(bodies, i); });
}

template <int D>
double Simulation<D>::guided_energy(std::size_t count) const
{
    return parallel_sum(count, 0.0, [&](std::size_t i) {
        if (bodies.imposed[i] == 0 || bodies.is_passive(i)) return 0.0;
        double sum = talus::kinetic_energy(bodies, i);
        for (const auto& driver : drivers) sum += driver->potential(bodies, i);
        return sum;
    });
}

template <int D>
Vec<D> Simulation<D>::field_force(std::size_t i) const
{
    Vec<D> force = Vec<D>::Zero();
    for (const auto& driver : drivers) force += driver->field(bodies, i);
    return force;
}

template <int D>
double Simulation<D>::potential_energy() const
{
    double total = 0;
    for (const auto& driver : drivers) {
        total += parallel_sum(bodies.size(), 0.0,
                              [&](std::size_t i) { return bodies.is_passive(i) ? 0.0 : driver->potential(bodies, i); });
    }
    return total;
}

template <int D>
Vec<D> Simulation<D>::momentum() const
{
    return parallel_sum(bodies.size(), Vec<D>(Vec<D>::Zero()), [&](std::size_t i) -> Vec<D> {
        return bodies.is_passive(i) ? Vec<D>(Vec<D>::Zero()) : Vec<D>(bodies.mass[i] * bodies.velocity[i]);
    });
}

template <int D>
Ang<D> Simulation<D>::angular_momentum() const
{
    return parallel_sum(bodies.size(), Ang<D>(Ang<D>::Zero()), [&](std::size_t i) -> Ang<D> {
        if (bodies.is_passive(i)) return Ang<D>::Zero();
        return moment(bodies.position[i], Vec<D>(bodies.mass[i] * bodies.velocity[i])) +
               inertia_in_world(bodies.orientation[i], bodies.inertia[i]) * bodies.spin[i];
    });
}

template void Simulation<2>::use_solver(const SolverOptions&);
template void Simulation<3>::use_solver(const SolverOptions&);
template double Simulation<2>::kinetic_energy() const;
template double Simulation<3>::kinetic_energy() const;
template double Simulation<2>::guided_energy(std::size_t) const;
template double Simulation<3>::guided_energy(std::size_t) const;
template Vec<2> Simulation<2>::field_force(std::size_t) const;
template Vec<3> Simulation<3>::field_force(std::size_t) const;
template double Simulation<2>::potential_energy() const;
template double Simulation<3>::potential_energy() const;
template Vec<2> Simulation<2>::momentum() const;
template Vec<3> Simulation<3>::momentum() const;
template Ang<2> Simulation<2>::angular_momentum() const;
template Ang<3> Simulation<3>::angular_momentum() const;

} // namespace talus
