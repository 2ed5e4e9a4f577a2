// A pile of grains in a box after some steps, and the contact problem of the next one.
#pragma once

#include "scenes_in_tests.hpp"

#include <fmt/format.h>

namespace talus {

inline const std::string rolling_law = "friction = 0.5\nrolling_friction = 5e-4";

// Some 170 disks or 200 spheres; `size` is the width of the box over that.
template <int D>
Simulation<D> pile(const std::string& contact = "friction = 0.5", double size = 1,
                   const std::vector<std::string>& sets = {})
{
    const double width = size * (D == 2 ? 0.2 : 0.1), height = D == 2 ? 0.3 : 0.15;
    const std::string lower = D == 2 ? "[0,0]" : "[0,0,0]";
    const std::string upper =
        D == 2 ? fmt::format("[{},{}]", width, height) : fmt::format("[{},{},{}]", width, width, height);
    auto simulation = simulation_of<D>(fmt::format(R"(
        [scene]
        dimension = {0}
        dt = 2e-3
        duration = 1
        [materials]
        glass = {{ preset = "glass" }}
        [contact]
        {1}
        [[generators]]
        type = "container"
        lower = {2}
        upper = {3}
        material = "glass"
        [[generators]]
        type = "lattice"
        lower = {2}
        upper = {3}
        radius = [0.008, 0.01]
        jitter = 0.3
        material = "glass"
        [[drivers]]
        type = "gravity"
        [solver]
        name = "nlgs"
    )",
                                                   D, contact, lower, upper),
                                       sets);
    for (int step = 0; step < 60; ++step) simulation.step();
    return simulation;
}

template <int D>
ContactProblem<D> problem_of(const Simulation<D>& simulation)
{
    ContactProblem<D> problem;
    build_problem(problem, simulation.contacts, simulation.bodies, simulation.materials, simulation.clock.dt);
    return problem;
}

template <int D>
ContactProblem<D> pile_problem(const std::string& contact = "friction = 0.5")
{
    return problem_of(pile<D>(contact));
}

} // namespace talus
