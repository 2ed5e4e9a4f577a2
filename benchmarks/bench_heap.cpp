// Moreau's sandpiles (REFERENCE R4, MOREAU §4.3) and the angle of repose (V20), from heaps of the scene library that
// grow at their own pace. The forces of one instant come and go with each grain that lands: sums over both flanks (in
// 3D eight sectors), seven upright and four parallel cuts, and the instants of the last part of the growth.
#include "benchmarks/bench_heap.hpp"

#include "base/stopwatch.hpp"
#include "benchmarks/bench_scene.hpp"
#include "benchmarks/claims.hpp"
#include "benchmarks/heap_measures.hpp"

#include <fmt/format.h>

#include <cmath>

namespace talus::bench {

namespace {

constexpr double degrees = 180 / M_PI;

struct Heap {
    std::string path, scene;
    double diameter;        // [m] of a grain
    std::vector<int> sizes; // grains; the last one is measured for forces, too
    double feed;            // [grains/s]
    double instants;        // [s] between two of them
};

struct Stage {
    double grains, slope, spread; // [rad] mean over instants and their deviation
};

template <int D>
class Growth {
  public:
    Growth(const Heap& heap, Report& report)
        : heap_(heap), report_(report),
          simulation_(simulation_of<D>(heap.scene, {fmt::format("generators[0].rate={}", heap.feed),
                                                    fmt::format("generators[0].count={}", heap.sizes.back())}))
    {
        for (std::size_t i = 0; i < simulation_.bodies.size(); ++i) fixed_ += simulation_.bodies.is_passive(i);
    }

    // Until so many grains are there; then the instants of the next twentieth of them, or of a second at the end.
    Stage stage(int grains)
    {
        const bool is_last = grains == heap_.sizes.back();
        while (count() < (is_last ? 0.95 : 1.0) * grains) simulation_.step();
        Stage found{0, 0, 0};
        double squares = 0;
        const double until =
            simulation_.clock.time() + (is_last ? 0.05 * grains / heap_.feed + 1 : 0.05 * grains / heap_.feed);
        int instants = 0;
        for (double next = simulation_.clock.time(); simulation_.clock.time() < until; simulation_.step()) {
            if (simulation_.clock.time() < next) continue;
            next += heap_.instants;
            const Flank flank = mean_flank(simulation_, heap_.diameter);
            ++instants;
            found.slope += flank.slope;
            squares += flank.slope * flank.slope;
            if (is_last) forces_.add(heap_forces(simulation_, flank));
        }
        found.grains = count();
        found.slope /= instants;
        found.spread = std::sqrt(std::max(0.0, squares / instants - found.slope * found.slope));
        report_.say(fmt::format("  {} grains after {:.1f} s: slope {:.2f}° ± {:.2f}° over {} instants", found.grains,
                                simulation_.clock.time(), degrees * found.slope, degrees * found.spread, instants));
        return found;
    }
    const HeapForces& forces() const { return forces_; }

  private:
    double count() const { return double(simulation_.bodies.size() - fixed_); }

    const Heap& heap_;
    Report& report_;
    Simulation<D> simulation_;
    std::size_t fixed_ = 0;
    HeapForces forces_;
};

template <int D>
void grow(const Heap& heap, Report& report)
{
    Stopwatch watch;
    Growth<D> growth(heap, report);
    std::vector<Stage> stages;
    for (const int grains : heap.sizes) stages.push_back(growth.stage(grains));
    double mean = 0;
    for (const Stage& stage : stages) mean += stage.slope / double(stages.size());
    for (const Stage& stage : stages) {
        judge(report,
              {heap.path, fmt::format("V20 slope at {} grains, against the mean of all sizes", stage.grains),
               fmt::format("slope_{}", stage.grains), "°"},
              degrees * stage.slope, degrees * mean, 2);
    }
    const HeapForces& forces = growth.forces();
    judge(report, {heap.path, "R4 force through upright cuts, along the surface", "upright_cut", "°"},
          degrees * forces.vertical_cut_angle(), degrees * stages.back().slope, 5);
    judge(report, {heap.path, "R4 force through cuts along the surface, vertical", "parallel_cut", "°"},
          degrees * forces.parallel_cut_tilt(), 0, 5);
    // of N directions without a preference, a has the deviation √(2/N)
    judge_above(report, {heap.path, "R4 anisotropy of the contact normals, against chance", "anisotropy"},
                forces.anisotropy(), 5 * std::sqrt(2 / forces.contacts));
    report.add(heap.path, "rose_direction", degrees * forces.direction(), "°");
    report.add(heap.path, "seconds", watch.seconds(), "s");
}

} // namespace

void bench_heap(const Options& options, Report& report)
{
    const bool quick = options.quick;
    grow<2>({"2d/polygons", "polygon-sandpile", 4.8e-3, quick ? std::vector{150, 300} : std::vector{800, 1600, 3145},
             quick ? 60. : 20., 0.2},
            report);
    grow<3>({"3d/spheres", "sandpile", 8e-3, quick ? std::vector{200, 400} : std::vector{400, 800, 1600}, 400, 0.02},
            report);
}

} // namespace talus::bench
