// Moreau's sandpiles (REFERENCE R4, MOREAU §4.3) and the angle of repose (V20), from heaps of the scene library that
// grow at their own pace. Forces are sums over both flanks (in 3D eight sectors) and seven upright or four parallel
// cuts.
#include "benchmarks/bench_heap.hpp"

#include "benchmarks/bench_scene.hpp"
#include "benchmarks/claims.hpp"
#include "benchmarks/figures.hpp"
#include "benchmarks/heap_measures.hpp"
#include "talus/base/stopwatch.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace talus::bench {

namespace {

constexpr double degrees = 180 / M_PI;

struct Heap {
    std::string path, scene;
    double diameter;                    // [m] of a grain
    std::vector<int> sizes;             // grains; forces are measured in the last
    double feed;                        // [grains/s]
    std::vector<std::string> sets = {}; // of the method
};

struct Slope {
    int grains;
    double angle; // [rad]
};

template <int D>
class Growth {
  public:
    Growth(const Heap& heap, int grains, Report& report) : heap_(heap), report_(report), run_(endless(heap, grains))
    {
        const BodyTable<D>& bodies = run_.state().bodies;
        for (std::size_t i = 0; i < bodies.size(); ++i) fixed_ += bodies.is_passive(i);
    }

    void grow(double grains)
    {
        while (count() < grains) take_step(run_);
    }
    void wait(double seconds)
    {
        for (const double end = time() + seconds; time() < end;) take_step(run_);
    }
    // Mean over instants a fifth of a second apart until so many grains are there; one instant if they are.
    Slope observe(int grains, HeapForces& forces)
    {
        forces = {};
        double sum = 0, squares = 0, next = time();
        do {
            if (time() >= next) {
                const Flank flank = mean_flank(run_.simulation(), heap_.diameter);
                forces.add(heap_forces(run_.simulation(), flank));
                sum += flank.slope;
                squares += flank.slope * flank.slope;
                next += 0.2;
            }
            if (count() < grains) take_step(run_);
        } while (count() < grains);
        const double mean = sum / forces.instants, variance = squares / forces.instants - mean * mean;
        report_.say(fmt::format("  {} grains after {:.1f} s: slope {:.2f}° ± {:.2f}° over {} instants", grains, time(),
                                degrees * mean, degrees * std::sqrt(std::max(0.0, variance)), forces.instants));
        return {grains, mean};
    }

  private:
    // It ends when all has been seen.
    static RunSetup<D> endless(const Heap& heap, int grains)
    {
        std::vector<std::string> sets = heap.sets;
        sets.push_back(fmt::format("generators[0].rate={}", heap.feed));
        sets.push_back(fmt::format("generators[0].count={}", grains));
        RunSetup<D> setup = setup_of<D>(heap.scene, sets);
        setup.plan.steps = std::numeric_limits<std::int64_t>::max();
        return setup;
    }
    double time() const { return run_.time(); }
    double count() const { return double(run_.state().bodies.size() - fixed_); }

    const Heap& heap_;
    Report& report_;
    Run<D> run_;
    std::size_t fixed_ = 0;
};

// Grains come one by one: the slope rises slowly and drops with each avalanche, so its mean is over the last quarter of
// the growth to each size.
std::vector<Slope> slopes_while_growing(const Heap& heap, Report& report, HeapForces& forces)
{
    Growth<2> growth(heap, heap.sizes.back(), report);
    std::vector<Slope> slopes;
    for (const int grains : heap.sizes) {
        growth.grow(0.75 * grains);
        slopes.push_back(growth.observe(grains, forces));
    }
    return slopes;
}

// Grains come in a stream: a heap of each size is left alone before it is measured.
std::vector<Slope> slopes_at_rest(const Heap& heap, Report& report, HeapForces& forces)
{
    std::vector<Slope> slopes;
    for (const int grains : heap.sizes) {
        Growth<3> growth(heap, grains, report);
        growth.grow(grains);
        growth.wait(0.6);
        slopes.push_back(growth.observe(grains, forces));
    }
    return slopes;
}

report::Rose rose_of(const HeapForces& forces)
{
    report::Rose rose{"contact normals of the flanks, outward to the right", "share of contacts", {}, true};
    for (const double count : forces.rose) rose.share.push_back(count / forces.contacts);
    return rose;
}

void judge_slopes(const Heap& heap, const std::vector<Slope>& slopes, Report& report)
{
    double mean = 0;
    for (const Slope& slope : slopes) mean += slope.angle / double(slopes.size());
    for (const Slope& slope : slopes) {
        judge(report,
              {heap.path, fmt::format("V20 slope at {} grains, against the mean of all sizes", slope.grains),
               fmt::format("slope_{}", slope.grains), "°"},
              degrees * slope.angle, degrees * mean, 2);
    }
}

void judge_forces(const Heap& heap, const HeapForces& forces, double slope, Report& report)
{
    judge(report, {heap.path, "R4 force through upright cuts, along the surface", "upright_cut", "°"},
          degrees * forces.vertical_cut_angle(), degrees * slope, 5);
    judge(report, {heap.path, "R4 force through cuts along the surface, vertical", "parallel_cut", "°"},
          degrees * forces.parallel_cut_tilt(), 0, 5);
    // of N directions without a preference, a has the deviation √(2/N); from one instant to the next contacts last
    judge_above(report, {heap.path, "R4 anisotropy of the contact normals, against chance", "anisotropy"},
                forces.anisotropy(), 5 * std::sqrt(2 * forces.instants / forces.contacts));
    report.add(heap.path, "rose_direction", degrees * forces.direction(), "°");
}

template <class SlopesOf>
void study(const Heap& heap, const Options& options, Report& report, SlopesOf&& slopes_of)
{
    Stopwatch watch;
    HeapForces forces;
    const std::vector<Slope> slopes = slopes_of(heap, report, forces);
    if (!options.quick) judge_slopes(heap, slopes, report); // heaps a few grains high have no slope to speak of
    judge_forces(heap, forces, slopes.back().angle, report);
    write_figure(options, "heap-rose-" + heap.path.substr(0, 2), rose_of(forces));
    report.add(heap.path, "seconds", watch.seconds(), "s");
}

} // namespace

void bench_heap(const Options& options, Report& report)
{
    const bool quick = options.quick;
    // grains arrive at 1.6 m/s: at this stiffness they overlap by 3 % of a radius, in heaps by far less
    const std::vector<std::string> sets = sets_of_method(options, {"dem.fastest=0.5"});
    study({path_of_method(options, "3d/spheres"), "sandpile", 8e-3, quick ? std::vector{600} : std::vector{800, 1600},
           400, sets},
          options, report, slopes_at_rest);
    if (!sets.empty()) return; // smooth studies are of balls
    study({"2d/polygons", "polygon-sandpile", 4.8e-3, quick ? std::vector{300} : std::vector{800, 1600, 3145},
           quick ? 60. : 20.},
          options, report, slopes_while_growing);
}

} // namespace talus::bench
