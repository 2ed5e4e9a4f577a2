#include "benchmarks/bench_solver.hpp"

#include "benchmarks/bench_scene.hpp"
#include "talus/base/stopwatch.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace talus::bench {

namespace {

// The contact problem of a box of grains that has come to rest.
template <int D>
ContactProblem<D> settled_problem(const std::string& scene, const Options& options, Report& report)
{
    std::vector<std::string> sets;
    if (options.quick) sets.push_back("generators[1].count=2000");
    Simulation<D> simulation = simulation_of<D>(scene, sets);
    const double until = options.quick ? 0.4 : (D == 2 ? 1.5 : 0.6); // [s] the grains fall some centimetres
    StepReport last;
    // bare steps: what is measured is the problem they end in
    while (simulation.clock.time() < until) last = simulation.step();
    std::size_t active = 0;
    for (const auto& impulse : simulation.contacts.impulse) active += impulse.squaredNorm() > 0;
    report.say(fmt::format("{}: {} bodies, {} contacts kept, {} with a force, {} sweeps in the last step", scene,
                           simulation.bodies.size(), simulation.contacts.size(), active, last.solve.sweeps));
    ContactProblem<D> problem;
    build_problem(problem, simulation.contacts, simulation.bodies, simulation.materials, simulation.clock.dt);
    return problem;
}

template <int D>
void measure(const std::string& name, const ContactProblem<D>& problem, const SolverOptions& solver, Report& report)
{
    const UpdateRate measured = updates_per_second(problem, solver);
    report.add(name, "updates_per_second", measured.rate, "1/s");
    report.add(name, "preparation", 1e3 * measured.preparation, "ms");
}

template <int D>
void measure_all(const std::string& path, const std::string& scene, const Options& options, Report& report)
{
    const ContactProblem<D> problem = settled_problem<D>(scene, options, report);
    SolverOptions solver;
    measure(path + "/elg", problem, solver, report);
    solver.local = "projection";
    measure(path + "/elg/projection", problem, solver, report);
    solver.local = "exact";
    solver.storage = "sdl";
    measure(path + "/sdl", problem, solver, report);
    solver.storage = "elg";
    solver.name = "auto";
    measure(path + "/auto", problem, solver, report);
}

} // namespace

template <int D>
UpdateRate updates_per_second(const ContactProblem<D>& problem, SolverOptions solver)
{
    solver.stop = Stop::sweeps;
    const auto seconds = [&](int sweeps) {
        solver.sweeps = sweeps;
        ContactProblem<D> copy = problem;
        const auto method = make_solver<D>(solver, false);
        Stopwatch watch;
        method->solve(copy);
        return watch.seconds();
    };
    double best = 1e30, preparation = 1e30;
    for (int repeat = 0; repeat < 5; ++repeat) {
        const double one = seconds(1), many = seconds(101);
        best = std::min(best, (many - one) / 100);
        preparation = std::min(preparation, one);
    }
    return {double(problem.rows.size()) / best, preparation};
}

template UpdateRate updates_per_second(const ContactProblem<2>&, SolverOptions);
template UpdateRate updates_per_second(const ContactProblem<3>&, SolverOptions);

void bench_solver(const Options& options, Report& report)
{
    measure_all<3>("3d/spheres", "box-of-spheres", options, report);
    measure_all<2>("2d/disks", "box-of-disks", options, report);
}

} // namespace talus::bench
