#include "benchmarks/bench.hpp"

#include "benchmarks/bench_ballast.hpp"
#include "benchmarks/bench_bounce.hpp"
#include "benchmarks/bench_compression.hpp"
#include "benchmarks/bench_convergence.hpp"
#include "benchmarks/bench_crowd.hpp"
#include "benchmarks/bench_crowd_study.hpp"
#include "benchmarks/bench_decompositions.hpp"
#include "benchmarks/bench_dem.hpp"
#include "benchmarks/bench_deposit.hpp"
#include "benchmarks/bench_detection.hpp"
#include "benchmarks/bench_dosta.hpp"
#include "benchmarks/bench_events.hpp"
#include "benchmarks/bench_fall.hpp"
#include "benchmarks/bench_gauges.hpp"
#include "benchmarks/bench_heap.hpp"
#include "benchmarks/bench_long_range.hpp"
#include "benchmarks/bench_memory.hpp"
#include "benchmarks/bench_orifice.hpp"
#include "benchmarks/bench_packing.hpp"
#include "benchmarks/bench_parallel.hpp"
#include "benchmarks/bench_polyhedra.hpp"
#include "benchmarks/bench_silo.hpp"
#include "benchmarks/bench_smooth.hpp"
#include "benchmarks/bench_solver.hpp"

#include <fmt/core.h>

#include <cmath>
#include <cstdio>

namespace talus::bench {

void Report::add(const std::string& name, const std::string& metric, double value, const std::string& unit)
{
    rows_.push_back({group_, name, metric, value, unit});
    fmt::print("{:<12} {:<36} {:<18} {:>12.5g} {}\n", group_, name, metric, value, unit);
    std::fflush(stdout);
}

void Report::say(const std::string& line)
{
    fmt::print("{}\n", line);
    std::fflush(stdout);
}

namespace {

void bench_verification(const Options& options, Report& report)
{
    for (const auto study : {bench_packing, bench_compression, bench_silo, bench_orifice, bench_heap}) {
        study(options, report);
    }
}

void bench_ballast(const Options& options, Report& report)
{
    for (const auto study : {bench_tamping, bench_withdrawal, bench_stabilisation, bench_time_steps,
                             bench_adaptive_load, bench_equal_overlap, bench_full_cycle, bench_decompositions}) {
        study(options, report);
    }
}

} // namespace

std::vector<Group> groups()
{
    return {
        {"detection", "finding near pairs: every method at 1000 to 1 000 000 bodies", run_detection},
        {"solver", "contact updates per second of the solvers on settled boxes", bench_solver},
        {"convergence", "residual against sweeps and seconds on recorded problems, every solver", bench_convergence},
        {"dem", "smooth DEM of 10 000 to 1 000 000 spheres beside LAMMPS and LIGGGHTS", bench_dem},
        {"crowd", "people in a hall by three treatments of contact, jam included; detection as CROWD weighs it",
         bench_crowd},
        {"events", "gases from impact to impact: cost by size, pressure (V43), cooling (Haff), against other methods",
         bench_events},
        {"bounce", "a cube that bounces without loss in smooth DEM: energy kept by each kind of overlap", bench_bounce},
        {"smooth", "smooth DEM in figures: piles that hold and creep, heights of bounces, orders of integrators",
         bench_smooth},
        {"parallel", "speed-up and efficiency of solver and whole step, time by phase", bench_parallel},
        {"polyhedra", "detection, solver and growth on a recorded deposit of 2000 polyhedra", bench_polyhedra},
        {"decompositions", "a stabilisation in small with one domain and with 4 to 125 sub-domains",
         bench_decompositions},
        {"deposit", "the Academic deposit of BALLAST settles, rests, and stays as it is for a second", bench_deposit},
        {"ballast", "BALLAST's studies, hours: the next seven and decompositions", bench_ballast, true},
        {"tamping", "a tamping cycle to its end, at a quarter of its size and at full size (R5, §8.2)", bench_tamping},
        {"withdrawal", "what the way out of the tools does to compacity, over eight seeds (§8.2)", bench_withdrawal},
        {"stabilisation", "dynamic stabilisation in small: settlement, compacity, regimes (R5, §6.3)",
         bench_stabilisation},
        {"time-steps", "the tamping cycle with steps of 0.2 to 0.8 ms (§10.2)", bench_time_steps},
        {"adaptive-load", "fewer iterations far from the tools (§10.1)", bench_adaptive_load},
        {"equal-overlap",
         "the tamping cycle in small: sweeps of Talus' solver that overlap as little as 500 of BALLAST's",
         bench_equal_overlap},
        {"full-cycle", "Bourrage1B1C at full size: windows in each phase, hours of the whole", bench_full_cycle},
        {"gauges", "what ten gauges on 20 000 polyhedra cost beside the steps", bench_gauges},
        {"memory", "peak resident size of a million spheres in contact", bench_memory},
        {"verification", "all studies against laws of granular matter: the next five", bench_verification, true},
        {"packing", "random close packing and isostatic contacts without friction (V18, V19)", bench_packing, false,
         true},
        {"compression", "Moreau's compression box: stress against forces on 21 diameters (R4, V21)", bench_compression},
        {"silo", "a silo whose floor sinks: stress against depth, after Janssen (V16)", bench_silo, false, true},
        {"orifice", "flow through openings of several sizes, after Beverloo (V17)", bench_orifice, false, true},
        {"heap", "heaps that grow grain by grain: repose angle, forces through cuts (R4, V20)", bench_heap, false,
         true},
        {"dosta", "smooth DEM on the published benchmark of codes: unit checks, impact, silo, drum, in pieces (hours)",
         bench_dosta},
        {"crowd-study", "crowds against experiments: speed against density (V35), bottlenecks, lanes, CROWD's figures",
         bench_crowd_study},
        {"long-range", "charges and masses: error of cells and tree by size and angle, cost, threads",
         bench_long_range},
        {"fall", "100 000 spheres falling into a box: overlap, and how true the time left is", bench_fall},
    };
}

Line fitted_line(const std::vector<double>& x, const std::vector<double>& y)
{
    double count = 0, x_sum = 0, y_sum = 0, xx_sum = 0, xy_sum = 0;
    for (std::size_t k = 0; k < x.size(); ++k) {
        count += 1;
        x_sum += x[k];
        y_sum += y[k];
        xx_sum += x[k] * x[k];
        xy_sum += x[k] * y[k];
    }
    const double slope = (count * xy_sum - x_sum * y_sum) / (count * xx_sum - x_sum * x_sum);
    return {slope, (y_sum - slope * x_sum) / count};
}

double growth_exponent(const std::vector<double>& sizes, const std::vector<double>& values)
{
    std::vector<double> x, y;
    for (const double size : sizes) x.push_back(std::log(size));
    for (const double value : values) y.push_back(std::log(value));
    return fitted_line(x, y).slope;
}

} // namespace talus::bench
