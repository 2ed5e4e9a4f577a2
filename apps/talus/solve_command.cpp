// talus solve: one recorded contact problem, how it was solved and how well (docs/problems.md).
#include "commands.hpp"
#include "output_file.hpp"
#include "talus/base/stopwatch.hpp"
#include "talus/exec/parallel.hpp"
#include "talus/io/problems/problem_file.hpp"
#include "talus/solvers/assembled/problem_units.hpp"
#include "talus/solvers/gauss_seidel/nlgs_visit.hpp"
#include "talus/solvers/residual.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>
#include <map>

using namespace talus;
namespace fs = std::filesystem;

namespace {

struct SolveOptions {
    fs::path problem, write;
    SolverOptions solver;
    std::string start = "recorded", to;
    int threads = 0;
    bool json = false, force = false;
};

struct Solved {
    int dimension = 0;
    std::size_t contacts = 0;
    SolveReport report{};
    double seconds = 0; // of the solve alone
    ProblemErrors errors{};
    bool knows_reference = false; // v_ref
    bool finite = true;           // all impulses are
};

// What is printed, in order, as JSON writes it.
using Lines = std::vector<std::pair<std::string, std::string>>;

std::string json_number(double value) { return std::isfinite(value) ? fmt::format("{}", value) : "null"; }

Lines lines_of(const SolveOptions& options, const Solved& solved)
{
    const SolveReport& report = solved.report;
    const std::string solver = report.solver.empty() ? options.solver.name : report.solver;
    const std::string status = report.ended.empty() ? (report.reached ? "reached" : "cap") : report.ended;
    const std::int64_t visits = report.sweeps * std::int64_t(solved.contacts);
    return {{"problem", scene::in_quotes(options.problem.string())},
            {"dimension", std::to_string(solved.dimension)},
            {"contacts", std::to_string(solved.contacts)},
            {"solver", scene::in_quotes(solver)},
            {"status", scene::in_quotes(status)},
            {"sweeps", std::to_string(report.sweeps)},
            {"updates", std::to_string(report.updates > 0 ? report.updates : visits)},
            {"seconds", json_number(solved.seconds)},
            {"left_out", std::to_string(solved.errors.left_out)},
            {"residual_scaled", json_number(solved.errors.scaled)},
            {"residual_scaled_max", json_number(solved.errors.scaled_max)},
            {"residual_run", solved.knows_reference ? json_number(solved.errors.run) : "null"},
            {"residual_siconos", json_number(solved.errors.siconos)},
            {"worst_approach", json_number(solved.errors.worst_approach)},
            {"cone_violation", json_number(solved.errors.cone_violation)},
            {"dissipation", json_number(solved.errors.dissipation)}};
}

void print_json(const Lines& lines)
{
    std::string text;
    for (const auto& [name, value] : lines) {
        text += fmt::format("{}\n  \"{}\": {}", text.empty() ? "{" : ",", name, value);
    }
    fmt::print("{}\n}}\n", text);
}

// the same for people: no quotes, four digits, units
void print_text(const Lines& lines, const std::string& asked_for)
{
    static const std::map<std::string, const char*> units = {
        {"seconds", " s"},
        {"residual_scaled", " rms, of the rms of q"},
        {"residual_run", " rms, of v_ref"},
        {"worst_approach", " m/s"},
        {"cone_violation", " of the largest impulse"},
        {"dissipation", " J"},
        {"left_out", " contacts without compliance along the normal carry nothing"}};
    for (const auto& [name, value] : lines) {
        if (name == "residual_run" && value == "null") continue; // nobody recorded v_ref
        if (name == "left_out" && value == "0") continue;
        std::string shown = value == "null" ? "not a finite number" : value;
        if (value.front() == '"') {
            shown = value.substr(1, value.size() - 2);
        } else if (value.find_first_of(".e") != std::string::npos) {
            shown = fmt::format("{:.4g}", std::stod(value));
        }
        if (name == "solver" && shown != asked_for) shown += fmt::format(" (asked for: {})", asked_for);
        const auto unit = units.find(name);
        fmt::print("{:<20} {}{}\n", name, shown, unit == units.end() || value == "null" ? "" : unit->second);
    }
}

// A measure that is no finite number is no answer, whatever the others say: the numbers of the problem are too far
// apart, or too large, for double precision.
int report_on(const SolveOptions& options, Solved solved)
{
    const ProblemErrors& errors = solved.errors;
    std::string beyond;
    for (const auto& [name, value] : {std::pair{"residual_scaled", errors.scaled},
                                      {"residual_scaled_max", errors.scaled_max},
                                      {"residual_run", errors.run},
                                      {"residual_siconos", errors.siconos},
                                      {"worst_approach", errors.worst_approach},
                                      {"cone_violation", errors.cone_violation},
                                      {"dissipation", errors.dissipation}}) {
        if (!std::isfinite(value)) beyond += (beyond.empty() ? "" : ", ") + std::string(name);
    }
    if (!beyond.empty() || !solved.finite) solved.report.ended = "failed";
    const Lines lines = lines_of(options, solved);
    options.json ? print_json(lines) : print_text(lines, options.solver.name);
    if (solved.report.ended != "failed") return solved.report.reached ? 0 : 3;
    throw RunError(
        fmt::format("{}: {} beyond what double precision holds", options.problem.string(),
                    beyond.empty() ? "impulses are" : beyond + (beyond.find(',') == beyond.npos ? " is" : " are")));
}

// ---- a problem by its matrix

template <int D>
void start_from(AssembledProblem<D>& problem, bool zero)
{
    if (zero) std::fill(problem.impulse.begin(), problem.impulse.end(), Vec<D>::Zero());
}

template <int D>
int solve(const SolveOptions& options, AssembledProblem<D> problem)
{
    if (options.to == "talus") {
        throw InputError(
            fmt::format("{}: a problem by its matrix has no bodies, which our own layout wants: --to fclib",
                        options.problem.string()));
    }
    const auto solver = make_assembled_solver<D>(options.solver);
    start_from(problem, options.start == "zero");
    Solved solved{.dimension = D, .contacts = problem.size()};
    const Stopwatch watch;
    solved.report = solver->solve(problem);
    solved.seconds = watch.seconds();
    solved.errors = judge(problem);
    solved.knows_reference = problem.reference_velocity > 0;
    solved.finite = std::ranges::all_of(problem.impulse, [](const Vec<D>& r) { return r.allFinite(); });
    if (!options.write.empty() && solved.finite) io::write_fclib(options.write, problem, io::Impulses::solution);
    return report_on(options, solved);
}

// ---- a matrix-free problem

template <int D>
void start_from(ContactProblem<D>& problem, bool zero)
{
    if (!zero) return;
    for (ContactRow<D>& row : problem.rows) row.impulse.setZero();
    for (RollingRow<D>& row : problem.rolling) row.impulse.setZero();
}

// The solved problem by its matrix: free bodies, impulses of the solution. What rolling friction gives is in q, so that
// the law of the contacts is judged at their true velocities.
template <int D>
AssembledProblem<D> assembled_at_solution(ContactProblem<D> free, const ContactProblem<D>& solved)
{
    for (std::size_t k = 0; k < solved.rolling.size(); ++k) {
        BodyRecord<D>& c = free.bodies[solved.rows[k].candidate];
        BodyRecord<D>& a = free.bodies[solved.rows[k].antagonist];
        c.spin += c.inverse_inertia * solved.rolling[k].impulse;
        a.spin -= a.inverse_inertia * solved.rolling[k].impulse;
    }
    free.rolling.clear();
    free.rows = solved.rows;
    return assemble_matrix(free);
}

// By the velocities that follow from the impulses: those that a solver carries along from a start which is far too
// large have lost their digits.
template <int D>
void judge_impulses(SolveReport& report, const ContactProblem<D>& solved, ContactProblem<D> free,
                    const SolverOptions& options)
{
    free.rows = solved.rows;
    free.rolling = solved.rolling;
    give_warm_start<D>(free.bodies.data(), free.rows, free.rolling);
    const std::string why = report.ended == "reached" ? "stalled" : report.ended;
    conclude(report, natural_residual(free), options, why.c_str());
}

template <int D>
int solve(const SolveOptions& options, ContactProblem<D> problem)
{
    const bool rolls = std::any_of(problem.rolling.begin(), problem.rolling.end(),
                                   [](const RollingRow<D>& row) { return row.rolling_friction > 0; });
    if (rolls && options.to == "fclib") {
        throw InputError(
            fmt::format("{}: rolling friction has no place in FCLIB's layout: --to talus", options.problem.string()));
    }
    const auto solver = make_solver<D>(options.solver, rolls);
    const Partition partition = io::read_partition(options.problem);
    start_from(problem, options.start == "zero");
    const ProblemUnits units = units_of(problem);
    ContactProblem<D> at_end = in_units(problem, units);
    Solved solved{.dimension = D, .contacts = problem.rows.size()};
    const Stopwatch watch;
    solved.report = solver->solve(at_end, partition);
    solved.seconds = watch.seconds();
    judge_impulses(solved.report, at_end, in_units(problem, units), options.solver);
    at_end = out_of_units(at_end, problem, units);
    const AssembledProblem<D> assembled = assembled_at_solution(problem, at_end);
    solved.errors = judge(assembled);
    solved.errors.run = solved.report.residual; // rolling friction included
    solved.knows_reference = true;
    solved.finite = std::ranges::all_of(at_end.rows, [](const ContactRow<D>& row) { return row.impulse.allFinite(); });
    if (!options.write.empty() && options.to == "fclib" && solved.finite) {
        io::write_fclib(options.write, assembled, io::Impulses::solution);
    } else if (!options.write.empty() && solved.finite) {
        io::write_problem(options.write, at_end, partition);
    }
    return report_on(options, solved);
}

int solve_file(const SolveOptions& options)
{
    if (options.threads > 0) set_thread_count(options.threads);
    if (!options.to.empty() && options.write.empty()) throw InputError("--to is for --write FILE");
    if (!options.write.empty()) refuse_overwriting_file(options.write, options.force);
    io::RecordedProblem recorded = io::read_problem(options.problem);
    return std::visit([&](auto& problem) { return solve(options, std::move(problem)); }, recorded);
}

} // namespace

void add_solve_command(CLI::App& app, Action& action)
{
    auto options = std::make_shared<SolveOptions>();
    options->solver.name = "auto";
    options->solver.tolerance = 1e-4;
    options->solver.sweeps = 10000;
    CLI::App* command = app.add_subcommand("solve", "solve one recorded contact problem and say how well");
    command->add_option("problem", options->problem, "FCLIB's HDF5 layout or our own (problems/NNNNNN.h5)")->required();
    command->add_option("--solver", options->solver.name, "by name")->capture_default_str();
    command
        ->add_option("--tolerance", options->solver.tolerance,
                     "on the scaled error; of a run's problem on its own residual")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    command->add_option("--sweeps", options->solver.sweeps, "at most")
        ->check(CLI::Range(1, 1000000000))
        ->capture_default_str();
    command->add_option("--threads", options->threads, "threads to use (default: all cores)")
        ->check(CLI::Range(1, 4096));
    command->add_option("--start", options->start, "from no impulses, or from those in the file")
        ->check(CLI::IsMember({"zero", "recorded"}))
        ->capture_default_str();
    command->add_flag("--json", options->json, "one JSON object");
    command->add_option("--write", options->write, "write the problem with the solution as its impulses");
    command->add_option("--to", options->to, "layout of that file (default: as it was read)")
        ->check(CLI::IsMember({"fclib", "talus"}));
    command->add_flag("--force", options->force, "replace a file that is there");
    command->callback([&action, options] { action = [options] { return solve_file(*options); }; });
}
