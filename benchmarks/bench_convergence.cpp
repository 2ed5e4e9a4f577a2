#include "benchmarks/bench_convergence.hpp"

#include "benchmarks/claims.hpp"
#include "benchmarks/never_worse.hpp"
#include "benchmarks/polyhedra_sample.hpp"
#include "talus/base/error.hpp"
#include "talus/base/stopwatch.hpp"
#include "talus/io/problems/problem_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>

namespace talus::bench {

namespace {

struct Timed {
    SolveReport report;
    double seconds;
};

// The best of several solves, a tenth of a second of them at least.
template <class Problem, class Make>
Timed best_solve(const Problem& problem, Make&& make, const Options& options)
{
    Timed best{{}, 1e30};
    double spent = 0;
    for (int repeat = 0; repeat < 2 || (spent < 0.1 && repeat < 20); ++repeat) {
        Problem copy = problem;
        const auto solver = make();
        Stopwatch watch;
        const SolveReport report = solver->solve(copy);
        const double seconds = watch.seconds();
        spent += seconds;
        if (seconds < best.seconds) best = {report, seconds};
        if (options.quick || seconds > 2) break;
    }
    return best;
}

// Sweeps and milliseconds to three residuals in units of v_ref, which is g h here.
void measure_polyhedra(const Options& options, Report& report)
{
    const auto recorded = io::read_problem(data_file("poly2000-problem.h5"));
    ContactProblem<3> warm = std::get<ContactProblem<3>>(recorded), cold = warm;
    for (ContactRow<3>& row : cold.rows) row.impulse.setZero();
    struct Kind {
        const char* name;
        const char* solver;
        const char* storage;
    };
    for (const Kind& kind : {Kind{"nlgs", "nlgs", "elg"}, Kind{"sdl", "nlgs", "sdl"}, Kind{"auto", "auto", "elg"}}) {
        for (const bool from_warm : {false, true}) {
            const std::string name = fmt::format("poly2000/{}/{}", kind.name, from_warm ? "warm" : "cold");
            for (const auto& [goal, label] : {std::pair{1e-1, "1e-1"}, {3e-2, "3e-2"}, {1e-2, "1e-2"}}) {
                SolverOptions solver;
                solver.name = kind.solver;
                solver.storage = kind.storage;
                solver.tolerance = goal;
                solver.check_every = 2;
                solver.sweeps = 3000;
                const Timed done = best_solve(
                    from_warm ? warm : cold, [&] { return make_solver<3>(solver, false); }, options);
                report.add(name, fmt::format("sweeps_to_{}", label), done.report.sweeps, "");
                report.add(name, fmt::format("ms_to_{}", label), 1e3 * done.seconds, "ms");
            }
        }
    }
}

struct Siconos {
    double seconds = 1e30; // of its fastest row with a scaled error of at most 1e-4
};

std::map<std::string, Siconos> read_siconos(const std::filesystem::path& file)
{
    std::map<std::string, Siconos> best;
    std::ifstream in(file);
    std::string line;
    std::vector<std::string> header;
    while (std::getline(in, line)) {
        if (line.ends_with('\r')) line.pop_back();
        std::vector<std::string> cells;
        std::stringstream row(line);
        for (std::string cell; std::getline(row, cell, ',');) cells.push_back(cell);
        if (header.empty()) {
            header = cells;
            continue;
        }
        const auto cell = [&](const char* name) -> std::string {
            const auto at = std::size_t(std::find(header.begin(), header.end(), name) - header.begin());
            return at < cells.size() ? cells[at] : "";
        };
        if (cell("cpu_s").empty() || cell("err_scaled").empty() || std::stod(cell("err_scaled")) > 1e-4) continue;
        Siconos& found = best[cell("problem")];
        found.seconds = std::min(found.seconds, std::stod(cell("cpu_s")));
    }
    return best;
}

struct Sums {
    double ours = 0, siconos = 0; // [s] over problems of 20 contacts or more that Siconos solved
};

template <int D>
void measure_recorded(const std::string& name, const AssembledProblem<D>& problem, double siconos, bool large,
                      const Options& options, Report& report, Sums& sums)
{
    struct Kind {
        const char* solver;
        double tolerance;
    };
    std::vector<Kind> kinds = {{"nlgs", 1e-4}, {"auto", 1e-4}, {"newton", 1e-8}};
    if (large) kinds = {{"auto", 1e-3}, {"auto", 1e-4}};
    for (const Kind& kind : kinds) {
        SolverOptions solver;
        solver.name = kind.solver;
        solver.tolerance = kind.tolerance;
        solver.sweeps = options.quick ? 1000 : large ? 2000 : 20000;
        AssembledProblem<D> start = problem;
        for (Vec<D>& r : start.impulse) r.setZero();
        const Timed done = best_solve(
            start, [&] { return make_assembled_solver<D>(solver); }, options);
        const std::string path = fmt::format("{}/{}/{:.0e}", name, kind.solver, kind.tolerance);
        report.add(path, "seconds", done.seconds, "s");
        report.add(path, "sweeps", done.report.sweeps, "");
        report.add(path, "residual_scaled", done.report.residual, "");
        if (!done.report.reached) report.say(fmt::format("  {}: not reached, {}", path, done.report.ended));
        if (done.report.solver != kind.solver) report.say(fmt::format("  {}: {}", path, done.report.solver));
        if (std::string(kind.solver) == "auto" && kind.tolerance == 1e-4 && siconos < 1e30 && !large) {
            report.add(path, "ratio_to_siconos", siconos / done.seconds, "");
            if (problem.size() >= 20) {
                sums.ours += done.seconds;
                sums.siconos += siconos;
            }
        }
    }
}

void measure_folder(const Options& options, Report& report)
{
    const std::filesystem::path folder = options.problems;
    if (!is_directory(folder)) throw InputError("--problems " + options.problems + " is not a folder");
    const auto siconos = read_siconos(folder / "siconos.csv");
    if (!siconos.empty()) report.say("Siconos' times are those of siconos.csv, recorded on the machine it names");
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() == ".hdf5" || entry.path().extension() == ".h5") files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    Sums sums;
    double worst = 0;
    for (const auto& file : files) {
        std::string name = file.stem().string();
        if (name.ends_with(".local")) name.resize(name.size() - 6);
        const auto found = siconos.find(name);
        const double seconds = found == siconos.end() ? 1e30 : found->second.seconds;
        compare_with_plain_sweeps(file, [&](int sweeps, double ours, double plain) {
            worst = std::max(worst, ours / plain);
            report.add(fmt::format("{}/{}_sweeps", name, sweeps), "residual_over_nlgs", ours / plain, "");
        });
        std::visit(
            [&](const auto& problem) {
                if constexpr (requires { problem.friction; }) {
                    const bool large = problem.size() > 20000;
                    if (large && options.quick) return;
                    measure_recorded(name, problem, seconds, large, options, report, sums);
                }
            },
            io::read_problem(file));
    }
    judge_below(report, {"all", "auto over nlgs after the same sweeps, worst", "residual_over_nlgs"}, worst, 1);
    if (sums.siconos > 0) {
        report.add("sum/20_contacts_or_more/auto/1e-04", "seconds", sums.ours, "s");
        report.add("sum/20_contacts_or_more/auto/1e-04", "ratio_to_siconos", sums.siconos / sums.ours, "");
    }
}

} // namespace

void bench_convergence(const Options& options, Report& report)
{
    measure_polyhedra(options, report);
    if (!options.problems.empty()) measure_folder(options, report);
}

} // namespace talus::bench
