// Clouds: charges of 0.5 to 1.5, all positive or of both signs in turn, evenly in a cube or square of edge 1. The error
// is rms over all charges of the difference in force, over the rms force. Times are the best of several sums on one
// thread, of its own processor time, the building of cells or tree included; those of two threads against one are by
// the clock on the wall, and need a machine that does nothing else.
#include "benchmarks/bench_long_range.hpp"

#include "benchmarks/claims.hpp"
#include "benchmarks/figures.hpp"
#include "benchmarks/long_range_clouds.hpp"
#include "talus/base/stopwatch.hpp"
#include "talus/exec/parallel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <thread>

namespace talus::bench {

namespace {

template <int D>
Sources<D> cloud_of(std::size_t count, bool both_signs)
{
    return random_cloud<D>(count, both_signs, 1);
}

// [s] that this thread has worked
double processor_time()
{
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
}

// [s] the best of several, half a second of them
template <int D>
double seconds_of(Summation<D>& summation, const Sources<D>& cloud, Felt<D>& felt, bool quick = false)
{
    double best = 1e300, spent = 0;
    for (int repeat = 0; repeat < 2 || (spent < 0.5 && repeat < 20); ++repeat) {
        const double begin = processor_time();
        summation.sum(cloud, 0, felt);
        const double seconds = processor_time() - begin;
        best = std::min(best, seconds);
        spent += seconds;
        if (quick || seconds > 5) break;
    }
    return best;
}

report::Chart log_chart(const std::string& title, const std::string& x_label, const std::string& y_label)
{
    report::Chart chart;
    chart.title = title;
    chart.x_label = x_label;
    chart.y_label = y_label;
    chart.log_x = chart.log_y = true;
    return chart;
}

struct Errors {
    report::Curve by_angle, by_cell;
};

template <int D>
Errors measure_errors(bool both_signs, const Options& options, Report& report)
{
    const Sources<D> cloud = cloud_of<D>(10000, both_signs);
    const std::string kind = both_signs ? "both signs" : "one sign";
    const std::string path = fmt::format("{}d/{}/10000", D, both_signs ? "both_signs" : "one_sign");
    const auto exact_sum = direct_sum<D>();
    Felt<D> exact, felt;
    report.add(path + "/direct", "ms", 1e3 * seconds_of(*exact_sum, cloud, exact, options.quick), "ms");
    Errors errors;
    errors.by_angle.name = errors.by_cell.name = fmt::format("{}D, {}", D, kind);
    const auto measure = [&](const std::string& name, double x, std::unique_ptr<Summation<D>> summation,
                             report::Curve& curve) {
        const double seconds = seconds_of(*summation, cloud, felt, options.quick);
        curve.x.push_back(x);
        curve.y.push_back(force_error(cloud, felt, exact));
        report.add(path + name, "error", curve.y.back(), "");
        report.add(path + name, "ms", 1e3 * seconds, "ms");
    };
    for (const double angle : {1.0, 0.8, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1}) {
        measure(fmt::format("/tree/{}", angle), angle, tree_of_cells<D>(angle), errors.by_angle);
    }
    for (const int cells : {32, 24, 16, 12, 8, 6, 4}) {
        measure(fmt::format("/cells/1:{}", cells), 1.0 / cells, effective_cells<D>(1.0 / cells), errors.by_cell);
    }
    const double order = growth_exponent({errors.by_angle.x.begin() + 1, errors.by_angle.x.end() - 1},
                                         {errors.by_angle.y.begin() + 1, errors.by_angle.y.end() - 1});
    judge_above(report, {path + "/tree", "error of the tree falls with this power of the angle, 0.8 to 0.2", "order"},
                order, 3);
    judge_above(report, {path + "/cells", "error of the smallest cells over that of the largest", "ratio_of_errors"},
                errors.by_cell.y.front() / errors.by_cell.y.back(), 1);
    return errors;
}

void draw_errors(const std::vector<Errors>& all, const Options& options)
{
    report::Chart angles = log_chart("10 000 charges: error of the tree", "opening angle", "rms error / rms force");
    report::Chart cells = log_chart("10 000 charges: error of effective particles",
                                    "edge of a cell / edge of the cloud", "rms error / rms force");
    for (const Errors& errors : all) {
        angles.curves.push_back(errors.by_angle);
        cells.curves.push_back(errors.by_cell);
    }
    write_figure(options, "long-range-angle", angles);
    write_figure(options, "long-range-cells", cells);
}

// Time against the number of bodies, on one thread.
template <int D>
void measure_cost(const Options& options, Report& report, report::Chart& chart)
{
    struct Algorithm {
        const char* name;
        std::unique_ptr<Summation<D>> summation;
        std::size_t most;
    };
    std::vector<Algorithm> algorithms;
    algorithms.push_back({"tree", tree_of_cells<D>(usual_opening_angle), options.quick ? 100000u : 1000000u});
    algorithms.push_back({"cells", effective_cells<D>(0), options.quick ? 10000u : 316228u});
    algorithms.push_back({"direct", direct_sum<D>(), options.quick ? 10000u : 100000u});
    for (Algorithm& algorithm : algorithms) {
        report::Curve curve;
        curve.name = fmt::format("{}D, {}", D, algorithm.name);
        for (const std::size_t count : {1000u, 3162u, 10000u, 31623u, 100000u, 316228u, 1000000u}) {
            if (count > algorithm.most) break;
            Felt<D> felt;
            const double seconds = seconds_of(*algorithm.summation, cloud_of<D>(count, false), felt, options.quick);
            curve.x.push_back(double(count));
            curve.y.push_back(seconds);
            report.add(fmt::format("{}d/{}/{}", D, algorithm.name, count), "us_per_body", 1e6 * seconds / double(count),
                       "us");
        }
        const Claim claim{fmt::format("{}d/{}", D, algorithm.name),
                          fmt::format("{}D: time grows with this power of the number of bodies", D), "growth_exponent"};
        if (std::string(algorithm.name) == "tree") {
            judge_below(report, claim, growth_exponent(curve.x, curve.y), 1.15);
        } else {
            report.add(claim.path, claim.metric, growth_exponent(curve.x, curve.y), "");
        }
        chart.curves.push_back(std::move(curve));
    }
}

// Threads take turns, so that what else the machine does falls on both.
template <int D>
void measure_threads(const Options& options, Report& report)
{
    struct Case {
        const char* name;
        std::unique_ptr<Summation<D>> summation;
        std::size_t count;
    };
    std::vector<Case> cases;
    cases.push_back({"tree", tree_of_cells<D>(usual_opening_angle), options.quick ? 30000u : 100000u});
    cases.push_back({"cells", effective_cells<D>(0), options.quick ? 10000u : 50000u});
    cases.push_back({"direct", direct_sum<D>(), options.quick ? 5000u : 30000u});
    for (Case& one : cases) {
        const Sources<D> cloud = cloud_of<D>(one.count, false);
        Felt<D> alone, together;
        double seconds[2] = {1e300, 1e300};
        for (int repeat = 0; repeat < (options.quick ? 2 : 10); ++repeat) {
            for (const int threads : {1, 2}) {
                set_thread_count(threads);
                Stopwatch watch;
                one.summation->sum(cloud, 0, threads == 1 ? alone : together);
                seconds[threads - 1] = std::min(seconds[threads - 1], watch.seconds());
            }
        }
        const std::string path = fmt::format("{}d/{}/{}", D, one.name, one.count);
        report.add(path, "ms_on_one_thread", 1e3 * seconds[0], "ms");
        report.add(path, "same_bits", alone.pull == together.pull ? 1 : 0, "");
        judge_above(report, {path, "two threads against one", "speed_up"}, seconds[0] / seconds[1], 1.7);
    }
}

} // namespace

void bench_long_range(const Options& options, Report& report)
{
    const int threads = thread_count();
    set_thread_count(1);
    if (options.wants("errors")) {
        std::vector<Errors> errors;
        for (const bool both_signs : {false, true}) {
            errors.push_back(measure_errors<3>(both_signs, options, report));
            errors.push_back(measure_errors<2>(both_signs, options, report));
        }
        draw_errors(errors, options);
    }
    if (options.wants("cost")) {
        report::Chart cost = log_chart("one sum on one thread", "bodies", "time [s]");
        measure_cost<3>(options, report, cost);
        measure_cost<2>(options, report, cost);
        write_figure(options, "long-range-cost", cost);
    }
    if (options.wants("threads") && std::thread::hardware_concurrency() >= 2) {
        measure_threads<3>(options, report);
        measure_threads<2>(options, report);
    }
    set_thread_count(threads);
}

} // namespace talus::bench
