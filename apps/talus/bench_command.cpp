// talus bench: benchmarks at several sizes, as a table and as JSON.
#include "benchmarks/bench.hpp"
#include "commands.hpp"
#include "talus/base/error.hpp"
#include "talus/base/stopwatch.hpp"
#include "talus/exec/parallel.hpp"
#include "talus/io/runs/provenance.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <fstream>

namespace {

using namespace talus;

void write_json(const std::string& file, const std::vector<bench::Row>& rows)
{
    const io::Provenance here = io::provenance_here();
    std::ofstream out(file);
    out << fmt::format("{{\n  \"machine\": {{\"cpu\": \"{}\", \"cores\": {}, \"threads\": {}, \"time\": \"{}\"}},\n",
                       here.cpu, here.cores, thread_count(), here.started);
    out << "  \"rows\": [";
    for (std::size_t i = 0; i < rows.size(); ++i) {
        out << fmt::format(
            "{}\n    {{\"group\": \"{}\", \"case\": \"{}\", \"metric\": \"{}\", \"value\": {}, \"unit\": \"{}\"}}",
            i ? "," : "", rows[i].group, rows[i].name, rows[i].metric, rows[i].value, rows[i].unit);
    }
    out << "\n  ]\n}\n";
    if (!out.flush()) throw RunError("cannot write " + file);
}

int run_groups(const std::string& wanted, const bench::Options& options, const std::string& json)
{
    std::vector<bench::Row> rows;
    std::string known;
    bool found = false;
    for (const bench::Group& group : bench::groups()) {
        known += (known.empty() ? "" : ", ") + group.name;
        if (wanted.empty() ? group.is_made_of_others : wanted != group.name) continue;
        found = true;
        if (options.method != bench::default_method && !group.takes_method) {
            if (wanted.empty()) continue;
            throw InputError(fmt::format("the benchmark group \"{}\" does not take --method", group.name));
        }
        fmt::print("== {}: {}\n", group.name, group.about);
        Stopwatch watch;
        bench::Report report(group.name);
        group.run(options, report);
        fmt::print("== {} took {:.1f} s\n\n", group.name, watch.seconds());
        rows.insert(rows.end(), report.rows().begin(), report.rows().end());
    }
    if (!found) throw InputError("there is no benchmark group \"" + wanted + "\": " + known);
    if (!json.empty()) write_json(json, rows);
    return 0;
}

} // namespace

void add_bench_command(CLI::App& app, Action& action)
{
    struct Options {
        std::string group, json;
        bench::Options bench;
        int threads = 0;
    };
    auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand("bench", "measure: speed, growth, quality, at several sizes");
    std::string about = "one of:";
    for (const bench::Group& group : bench::groups()) about += "\n  " + group.name + ": " + group.about;
    command->add_option("group", options->group, about);
    command->add_flag("--quick", options->bench.quick,
                      "smaller sizes, fewer repeats: about a minute, more where the sample of a track is made first");
    command->add_option("--problems", options->bench.problems,
                        "folder of recorded contact problems for the group convergence");
    command->add_option("--figures", options->bench.figures, "folder for the figures of verification studies");
    command->add_option("--only", options->bench.only,
                        "of a study on a track the cases whose name holds this text: scale=1, seed=3, dt=0.0004");
    command
        ->add_option("--method", options->bench.method,
                     "method of contact for the groups packing, silo, orifice and heap (default: nscd)")
        ->check(CLI::IsMember(std::vector<std::string>{bench::default_method, "dem"}));
    command->add_option("--json", options->json, "write the rows to this file as well");
    command->add_option("--threads", options->threads, "threads to use (default: all cores)")
        ->check(CLI::Range(1, 4096));
    command->callback([&action, options] {
        action = [options] {
            if (options->threads > 0) set_thread_count(options->threads);
            return run_groups(options->group, options->bench, options->json);
        };
    });
}
