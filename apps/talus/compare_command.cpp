// talus compare: one scene by several methods, each a run of its own, and a table of their differences.
#include "commands.hpp"
#include "report_file.hpp"
#include "run_scene.hpp"
#include "talus/base/error.hpp"
#include "talus/io/files/durable_file.hpp"
#include "talus/io/load.hpp"
#include "talus/report/comparison.hpp"
#include "talus/scene/suggestion.hpp"
#include "talus/simulation/method.hpp"
#include "terminal/signals.hpp"
#include "web_pages.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <memory>

using namespace talus;

namespace {

namespace fs = std::filesystem;

struct CompareOptions : RunOptions {
    std::string methods; // separated by commas
};

constexpr const char* written[] = {"compare.csv", "compare.json", "report.html"};

// InputError where one is unknown or named twice, be it by an alias, or where there is nothing to compare.
std::vector<std::string> read_methods(const std::string& list)
{
    std::vector<std::string> names = CLI::detail::split(list, ',');
    std::map<std::string, std::string> seen; // by the method itself
    for (std::string& name : names) {
        CLI::detail::trim(name);
        const MethodKind* kind = find_method(name);
        if (!kind) {
            throw InputError(fmt::format("--methods {}: \"{}\" is no method; {}", list, name,
                                         scene::suggestion(name, method_names())));
        }
        const auto [same, is_new] = seen.try_emplace(kind->name, name);
        if (!is_new) {
            throw InputError(same->second == name ? fmt::format("--methods {}: {} is named twice", list, name)
                                                  : fmt::format("--methods {}: {} and {} are the same method", list,
                                                                same->second, name));
        }
    }
    if (names.size() < 2) {
        throw InputError(fmt::format("--methods {}: a comparison needs two methods at least, such as nscd,dem", list));
    }
    return names;
}

void refuse_method_key(const std::vector<std::string>& sets)
{
    for (const std::string& set : sets) {
        if (CLI::detail::trim_copy(set.substr(0, set.find('='))) == "scene.method") {
            throw InputError("--set " + set + ": --methods says which");
        }
    }
}

// InputError where something is there that is not to be replaced.
void check_folder(const fs::path& out, const std::vector<std::string>& methods, bool force)
{
    check_out(out);
    if (force) return;
    for (const char* file : written) {
        if (fs::exists(out / file)) throw InputError((out / file).string() + " exists: --force replaces it");
    }
    for (const std::string& method : methods) {
        if (is_free(out / method)) continue;
        throw InputError((out / method).string() + " is not empty: --force replaces the run in it");
    }
}

// InputError where it has mistakes: those are there with every method.
scene::Value scene_by(const std::string& method, const RunOptions& options)
{
    std::vector<std::string> sets = options.sets;
    sets.push_back("scene.method=\"" + method + "\"");
    return io::load_scene(options.scene, sets);
}

report::ComparedRun run_by(const std::string& method, const scene::Value& scene, RunOptions options,
                           std::optional<io::FolderLock> lock)
{
    report::ComparedRun run{method, {}, {}};
    options.out /= method;
    try {
        const int status = run_from_start(options, scene, std::move(lock), &run.result);
        // a track whose sample was not finished has no run
        if (run.result.end.outcome.empty()) run.result.end = {"failed", "the sample of the track was not made", status};
    } catch (const InputError& error) {
        run.refusal = error.what();
    } catch (const RunError& error) {
        run.result.end = {"failed", error.what(), 1};
    }
    return run;
}

void write_tables(const report::Comparison& comparison, const fs::path& out)
{
    fmt::print("{}", to_text(comparison));
    const std::string json = to_json(comparison);
    io::write_durably(out / "compare.csv", to_csv(comparison));
    io::write_durably(out / "compare.json", json);
    fmt::print("\n{}\n{}\n", (out / "compare.csv").string(), (out / "compare.json").string());
    if (report_page().script.empty()) {
        fmt::print(stderr, "warning: no report.html: this build of Talus has no pages\n");
        return;
    }
    std::vector<fs::path> folders;
    for (const report::ComparedRun& run : comparison.runs) {
        if (run.has_run() && !run.result.figures.empty()) folders.push_back(out / run.method);
    }
    if (!folders.empty()) write_report(folders, out / "report.html", json);
}

// 1 where a run failed, 2 where fewer than two methods apply, 3 where a run missed its quality.
int status_of(const report::Comparison& comparison)
{
    const auto any = [&](int status) {
        return std::ranges::any_of(comparison.runs,
                                   [&](const auto& run) { return run.has_run() && run.result.end.status == status; });
    };
    if (any(1)) return 1;
    if (std::ranges::count_if(comparison.runs, &report::ComparedRun::has_run) < 2) return 2;
    return any(3) ? 3 : 0;
}

// What all say alike is a mistake of the scene.
[[noreturn]] void refuse_for_all(const report::Comparison& comparison)
{
    std::string text = comparison.runs.front().refusal;
    if (!std::ranges::all_of(comparison.runs, [&](const auto& run) { return run.refusal == text; })) {
        text = to_text(comparison);
    }
    throw InputError(text);
}

int compare(CompareOptions options)
{
    const std::vector<std::string> methods = read_methods(options.methods);
    refuse_method_key(options.sets);
    if (options.out.empty()) options.out = fs::path("out") / ("compare-" + options.scene.stem().string());
    check_folder(options.out, methods, options.force);
    std::vector<std::optional<io::FolderLock>> locks(methods.size()); // of the folders that are there
    for (std::size_t i = 0; i < methods.size(); ++i) {
        if (fs::is_directory(options.out / methods[i])) locks[i].emplace(take_lock(options.out / methods[i]));
    }
    apply_run_options(options);
    std::vector<scene::Value> scenes;
    for (const std::string& method : methods) scenes.push_back(scene_by(method, options));
    catch_signals();

    report::Comparison comparison{options.scene.string(), {}};
    for (std::size_t i = 0; i < methods.size(); ++i) {
        comparison.runs.push_back(run_by(methods[i], scenes[i], options, std::move(locks[i])));
        if (signal_caught() != 0) return comparison.runs.back().result.end.status;
    }
    if (!comparison.reference()) refuse_for_all(comparison);
    write_tables(comparison, options.out);
    return status_of(comparison);
}

} // namespace

void add_compare_command(CLI::App& app, Action& action, const std::string& command_line)
{
    auto options = std::make_shared<CompareOptions>();
    options->command_line = command_line;
    CLI::App* command = app.add_subcommand("compare", "one scene by several methods: table and report of differences");
    add_run_options(*command, *options);
    command
        ->add_option("--methods", options->methods,
                     fmt::format("two or more, separated by commas, of {}; differences are to the first",
                                 fmt::join(method_names(), ", ")))
        ->required();
    command->add_option("--out", options->out,
                        "folder of the comparison, with a run in it for each method (default: out/compare- and the "
                        "scene's name)");
    command->add_flag("--force", options->force, "replace a comparison that is there");
    command->footer("Exit status: 0 all ran that apply, two at least; 1 a run failed; 2 bad input, or fewer than two "
                    "methods apply;\n3 a run exceeded a quality limit; 130 or 143 interrupted.");
    command->callback([&action, options] { action = [options] { return compare(*options); }; });
}
