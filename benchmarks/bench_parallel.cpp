#include "benchmarks/bench_parallel.hpp"

#include "benchmarks/polyhedra_sample.hpp"
#include "talus/base/stopwatch.hpp"
#include "talus/exec/parallel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

namespace talus::bench {

namespace {

struct Times {
    double step = 1e30, solver = 1e30, subdomains = 0, interface = 0; // [s] a step, the best of several
    PhaseTimes phases{};
};

struct Case {
    std::string solver;
    int parts;  // 0: as the number of contacts suggests
    int sweeps; // 0: to the default residual
    int tiles_x, tiles_y;
};

Times measure(const Case& one, int threads, int steps)
{
    set_thread_count(threads);
    Simulation<3> simulation = polyhedra_sample(one.tiles_x, one.tiles_y);
    SolverOptions options;
    options.name = one.solver;
    if (one.sweeps > 0) {
        options.stop = Stop::sweeps;
        options.sweeps = one.sweeps;
    }
    simulation.use_solver(options);
    PartitionOptions partition;
    partition.parts = one.parts;
    simulation.contact_dynamics().partitioner = Partitioner<3>(partition);
    Times best;
    for (int step = 0; step < steps + 2; ++step) { // bare steps, which are timed
        Stopwatch watch;
        const StepReport done = simulation.step();
        const double seconds = watch.seconds();
        if (step < 2 || seconds > best.step) continue; // the first steps find the neighbours and the partition
        best = {seconds, done.seconds[std::size_t(Phase::solver)], done.solve.subdomain_seconds,
                done.solve.interface_seconds, done.seconds};
    }
    return best;
}

void tell(const std::string& name, int threads, const Times& times, const Times& alone, Report& report)
{
    const std::string path = fmt::format("{}/{}_threads", name, threads);
    report.add(path, "ms_per_step", 1e3 * times.step, "ms");
    for (std::size_t p = 0; p < times.phases.size(); ++p) {
        report.add(path + "/" + std::string(phase_name(Phase(p))), "ms_per_step", 1e3 * times.phases[p], "ms");
    }
    report.add(path + "/solver/subdomains", "ms_per_step", 1e3 * times.subdomains, "ms");
    report.add(path + "/solver/interface", "ms_per_step", 1e3 * times.interface, "ms");
    report.add(path, "speedup", alone.step / times.step, "");
    report.add(path, "efficiency", alone.step / times.step / threads, "");
    report.add(path + "/solver", "speedup", alone.solver / times.solver, "");
    report.add(path + "/solver", "efficiency", alone.solver / times.solver / threads, "");
}

} // namespace

void bench_parallel(const Options& options, Report& report)
{
    const int given = thread_count();
    const int cores = int(std::thread::hardware_concurrency());
    std::vector<int> threads;
    for (const int count : {1, 2, 4, 8, 12, 16}) {
        if (count <= cores) threads.push_back(count);
    }
    const int tiles = options.quick ? 2 : 5; // 20 000 grains in 2 × 5 tiles, 50 000 in 5 × 5
    std::vector<Case> cases = {{"auto", 0, 0, 2, tiles},    {"ddm", 0, 100, 2, tiles}, {"auto", 2, 100, 2, tiles},
                               {"auto", 12, 100, 2, tiles}, {"ddm", 2, 100, 2, tiles}, {"ddm", 12, 100, 2, tiles}};
    if (cores >= 8) {
        const int large = options.quick ? 3 : 5;
        cases.insert(cases.end(), {{"auto", 12, 500, large, large}, {"ddm", 12, 500, large, large}});
        cases.push_back({"auto", 0, 0, 5, 10}); // 100 000 grains
    }
    for (const Case& one : cases) {
        const std::string name = fmt::format("{}/{}_grains/{}_parts/{}", one.solver, 2000 * one.tiles_x * one.tiles_y,
                                             one.parts > 0 ? std::to_string(one.parts) : "auto",
                                             one.sweeps > 0 ? fmt::format("{}_sweeps", one.sweeps) : "1e-2");
        if (!options.wants(name)) continue;
        Times alone;
        for (const int count : threads) {
            const Times times = measure(one, count, one.sweeps >= 500 ? 1 : 4);
            if (count == 1) alone = times;
            tell(name, count, times, alone, report);
        }
    }
    set_thread_count(given);
}

} // namespace talus::bench
