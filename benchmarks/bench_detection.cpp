// Scenes: grains in a box of half-spaces, each drifting by up to 0.3 % of the smallest diameter per step and axis in a
// direction of its own; pairs within 2 % of the smallest diameter are wanted. Bodies are numbered as a generator makes
// them; the rows "shuffled" show the largest size in random order, the worst for caches.
//   mono   equal grains on a shaken lattice, solid fraction about 0.6 in 3D and 0.8 in 2D
//   mixed  diameters 1 to 10: cubes of edge 10 hold one grain or are cut in 2^D halves, and so on down to 1.25, such
//          that each of the four sizes of cube fills a quarter of the space; most grains are small, most contacts too
// Time: mean over the 60 calls after the first (3 where it takes over 0.6 s, the first itself where over 5 s), the same
// for all methods, so that lists pay for being rebuilt; the least of five such rounds from the same start, of fewer
// where they take over 2 s, of as many as take 0.2 s where they are short.
#include "benchmarks/bench_detection.hpp"

#include "talus/base/error.hpp"
#include "talus/base/random.hpp"
#include "talus/detection/detector.hpp"
#include "talus/exec/parallel.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <limits>
#include <map>

namespace talus::bench {

namespace {

constexpr double step_length = 0.003; // of the smallest diameter, which is 1
constexpr double reach = 0.02;

template <int D>
struct Grains {
    std::vector<Vec<D>> centre, step;
    std::vector<double> radius;
    std::vector<std::uint8_t> passive;
    std::vector<WallBound<D>> walls;

    void move()
    {
        parallel_for(step.size(), [&](std::size_t k) { centre[k] += step[k]; });
    }
    BallsAndWalls<D> seen() const { return {centre, radius, passive, walls, reach}; }
};

template <int D>
Vec<D> random_vector(Random& random, double size)
{
    Vec<D> vector;
    for (int axis = 0; axis < D; ++axis) vector[axis] = random.uniform(-size, size);
    return vector;
}

// position `index` on a lattice of `side` places along all axes but the last, which has no end
template <int D>
Vec<D> lattice_place(std::size_t index, std::size_t side)
{
    Vec<D> place;
    for (int axis = 0; axis < D; ++axis) {
        place[axis] = axis + 1 < D ? double(index % side) : double(index);
        index /= side;
    }
    return place;
}

template <int D>
void fill_equal(Grains<D>& grains, std::size_t count, Random& random)
{
    const double spacing = D == 2 ? 0.98 : 0.957;
    const std::size_t side = std::size_t(std::ceil(std::pow(double(count), 1.0 / D)));
    for (std::size_t k = 0; k < count; ++k) {
        grains.centre.push_back(spacing * lattice_place<D>(k, side) + random_vector<D>(random, 0.05));
        grains.radius.push_back(0.5);
    }
}

template <int D>
void fill_cube(Grains<D>& grains, const Vec<D>& middle, double edge, int sizes_left, Random& random)
{
    if (random.uniform() * sizes_left < 1) {
        const double diameter = edge * random.uniform(0.8, 1.05);
        grains.centre.push_back(middle + random_vector<D>(random, 0.1 * edge));
        grains.radius.push_back(0.5 * diameter);
        return;
    }
    for (int part = 0; part < (1 << D); ++part) {
        Vec<D> corner;
        for (int axis = 0; axis < D; ++axis) corner[axis] = (part >> axis & 1) != 0 ? 0.25 * edge : -0.25 * edge;
        fill_cube<D>(grains, middle + corner, 0.5 * edge, sizes_left - 1, random);
    }
}

template <int D>
void fill_mixed(Grains<D>& grains, std::size_t count, Random& random)
{
    const double per_cube = D == 2 ? 23.0 : 146.0;
    const std::size_t side = std::size_t(std::ceil(std::pow(double(count) / per_cube, 1.0 / D)));
    for (std::size_t cube = 0; grains.centre.size() < count; ++cube) {
        fill_cube<D>(grains, 10 * lattice_place<D>(cube, side), 10, 4, random);
    }
    grains.centre.resize(count);
    grains.radius.resize(count);
}

template <int D>
Grains<D> make_grains(bool mixed, std::size_t count, bool shuffled = false)
{
    Random random(1);
    Grains<D> grains;
    if (mixed) {
        fill_mixed(grains, count, random);
    } else {
        fill_equal(grains, count, random);
    }
    for (std::size_t k = count - 1; shuffled && k > 0; --k) {
        const std::size_t other = random.bits() % (k + 1);
        std::swap(grains.centre[k], grains.centre[other]);
        std::swap(grains.radius[k], grains.radius[other]);
    }
    for (std::size_t k = 0; k < count; ++k) grains.step.push_back(random_vector<D>(random, step_length));
    Vec<D> low = grains.centre[0], high = low;
    for (std::size_t k = 0; k < count; ++k) {
        low = low.cwiseMin(Vec<D>(grains.centre[k].array() - grains.radius[k]));
        high = high.cwiseMax(Vec<D>(grains.centre[k].array() + grains.radius[k]));
    }
    grains.passive.assign(count, 0);
    for (int axis = 0; axis < D; ++axis) {
        for (const double sign : {1.0, -1.0}) {
            const double place = sign > 0 ? low[axis] : high[axis];
            grains.walls.push_back({std::int32_t(grains.centre.size()),
                                    [axis, sign, place](const Vec<D>& x) { return sign * (x[axis] - place); }});
            grains.centre.push_back(Vec<D>::Zero());
            grains.radius.push_back(-1);
            grains.passive.push_back(1);
        }
    }
    return grains;
}

// On one thread the processor's time, which other programs disturb little; on several the clock on the wall.
double seconds_now()
{
    timespec time{};
    clock_gettime(thread_count() == 1 ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &time);
    return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

// mean seconds per call
template <int D>
double time_round(const std::string& method, Grains<D> grains)
{
    const auto detector = make_detector<D>(method);
    std::vector<Pair> pairs;
    const auto timed_call = [&] {
        const double start = seconds_now();
        detector->find(grains.seen(), pairs);
        return seconds_now() - start;
    };
    const double first = timed_call();
    const int calls = first > 5 ? 0 : first > 0.6 ? 3 : 60; // 60: several rebuilds of a list
    double total = 0;
    for (int call = 0; call < calls; ++call) {
        grains.move();
        total += timed_call();
    }
    return calls > 0 ? total / calls : first;
}

template <int D>
double time_method(const std::string& method, const Grains<D>& grains)
{
    double least = std::numeric_limits<double>::infinity();
    const double start = seconds_now();
    const auto spent = [&] { return seconds_now() - start; };
    // short rounds are repeated until the machine has warmed up
    for (int round = 0; round == 0 || (spent() < 2 && (round < 5 || spent() < 0.2)); ++round) {
        least = std::min(least, time_round(method, grains));
    }
    return least;
}

std::size_t largest_size(const std::string& method, bool quick)
{
    if (method == "all_pairs") return 10'000; // beyond, only patience is measured
    if (quick) return method == "delaunay" ? 10'000 : 100'000;
    return 1'000'000;
}

using Times = std::map<std::string, std::map<std::size_t, double>>; // method, bodies: seconds

void say_table(const std::string& scene, const Times& times, const std::vector<std::size_t>& sizes, Report& report)
{
    std::string head = fmt::format("\n{:<18}", scene + ", ms");
    for (const std::size_t size : sizes) head += fmt::format("{:>11}", size);
    report.say(head + fmt::format("{:>10}", "exponent"));
    for (const auto& [method, by_size] : times) {
        std::string line = fmt::format("{:<18}", method);
        std::vector<double> measured_sizes, seconds;
        for (const std::size_t size : sizes) {
            const auto found = by_size.find(size);
            line += found == by_size.end() ? fmt::format("{:>11}", "-") : fmt::format("{:>11.4g}", 1e3 * found->second);
            if (found == by_size.end()) continue;
            measured_sizes.push_back(double(size));
            seconds.push_back(found->second);
        }
        report.say(line + fmt::format("{:>10.2f}", growth_exponent(measured_sizes, seconds)));
    }
    report.say("");
}

template <int D>
void run_scene(bool mixed, const Options& options, Report& report)
{
    const std::string scene = fmt::format("{}d/{}", D, mixed ? "mixed" : "mono");
    std::vector<std::size_t> sizes = {1'000, 10'000, 100'000, 1'000'000};
    if (options.quick) sizes.pop_back();
    Times times;
    for (const std::size_t size : sizes) {
        const Grains<D> grains = make_grains<D>(mixed, size);
        for (const std::string& method : detector_names()) {
            if (size > largest_size(method, options.quick)) continue;
            try {
                times[method][size] = time_method(method, grains);
            } catch (const InputError& missing) {
                if (size == sizes[0]) report.say(missing.what());
                continue;
            }
            report.add(fmt::format("{}/{}/{}", scene, method, size), "ms_per_step", 1e3 * times[method][size], "ms");
        }
    }
    std::erase_if(times, [](const auto& entry) { return entry.second.empty(); });
    for (const auto& [method, by_size] : times) {
        std::vector<double> measured_sizes, seconds;
        for (const auto& [size, time] : by_size) {
            measured_sizes.push_back(double(size));
            seconds.push_back(time);
        }
        report.add(fmt::format("{}/{}", scene, method), "growth_exponent", growth_exponent(measured_sizes, seconds),
                   "");
    }
    for (const std::size_t size : sizes) {
        double best = times["auto"][size];
        for (const auto& [method, by_size] : times) {
            if (by_size.contains(size)) best = std::min(best, by_size.at(size));
        }
        report.add(fmt::format("{}/auto/{}", scene, size), "ratio_to_best", times["auto"][size] / best, "");
    }
    const Grains<D> shuffled = make_grains<D>(mixed, sizes.back(), true);
    for (const std::string method : {"auto", "linked_cells", "verlet"}) {
        report.add(fmt::format("{}/{}/{}/shuffled", scene, method, sizes.back()), "ms_per_step",
                   1e3 * time_method(method, shuffled), "ms");
    }
    say_table(scene, times, sizes, report);
}

} // namespace

void run_detection(const Options& options, Report& report)
{
    report.say(
        fmt::format("{} time per call, mean after the first, best of up to 5 rounds, {} thread{}; all pairs stop at "
                    "10000 bodies",
                    thread_count() == 1 ? "processor" : "wall", thread_count(), thread_count() == 1 ? "" : "s"));
    run_scene<2>(false, options, report);
    run_scene<2>(true, options, report);
    run_scene<3>(false, options, report);
    run_scene<3>(true, options, report);
}

} // namespace talus::bench
