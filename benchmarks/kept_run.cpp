#include "benchmarks/kept_run.hpp"

#include "talus/base/error.hpp"
#include "talus/base/stopwatch.hpp"
#include "talus/io/files/durable_file.hpp"
#include "talus/io/load.hpp"
#include "talus/io/runs/run_recorder.hpp"
#include "talus/simulation/smooth_dem.hpp"
#include "terminal/terminal.hpp"

#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <sstream>

namespace talus::bench {

namespace fs = std::filesystem;

namespace {

fs::path table_of(const fs::path& folder) { return folder.parent_path() / (folder.filename().string() + ".csv"); }

// Writes the table; a resumed run drops the lines after its checkpoint.
class TableWriter final : public Observer<3> {
  public:
    TableWriter(fs::path file, const KeptColumns& columns) : file_(std::move(file)), columns_(columns) {}

    void on_start(Run<3>& run) override
    {
        steps_ = std::max<std::int64_t>(1, std::llround(columns_.every / run.state().clock.dt));
        std::string kept = "t_s";
        for (const std::string& name : columns_.names) kept += "," + name;
        kept += "\n";
        if (!run.is_fresh()) {
            std::ifstream old(file_);
            std::string line;
            std::getline(old, line); // the header
            while (std::getline(old, line)) {
                if (std::stod(line) < run.time() + 0.5 * run.state().clock.dt) kept += line + "\n";
            }
        }
        out_.open(file_, std::ios::trunc);
        out_ << kept;
        if (run.is_fresh()) add(run.simulation());
    }
    void on_step(const Run<3>& run, const StepReport&) override
    {
        if (run.state().clock.step % steps_ == 0) add(run.simulation());
    }

  private:
    void add(const Simulation<3>& simulation)
    {
        out_ << fmt::format("{}", simulation.clock.time());
        for (const double value : columns_.values(simulation)) out_ << fmt::format(",{}", value);
        out_ << std::endl; // a run that is killed has its lines
    }

    fs::path file_;
    KeptColumns columns_;
    std::ofstream out_;
    std::int64_t steps_ = 1;
};

Run<3> begun(const fs::path& folder, const scene::Value& scene)
{
    Run<3> run(RunSetup<3>{io::load_simulation<3>(scene), plan_of(scene), scene});
    io::make_directory(folder);
    io::clear_run_folder(folder);
    run.observe(io::new_recorder(run, scene, {folder, "talus bench"}));
    return run;
}

Run<3> resumed(const fs::path& folder)
{
    const scene::Value scene = io::load_scene(folder / "scene.toml", {}, IdleKeys::allow);
    Simulation<3> simulation = io::recorded_simulation<3>(folder, scene);
    const io::Restored restored = io::read_checkpoint(folder, simulation);
    auto writer =
        io::RunWriter<3>::resume(folder, simulation, restored, io::provenance_of("talus bench", scene), false);
    Run<3> run(std::move(simulation), plan_of(scene), Run<3>::Begin::resumed, restored.tally);
    run.observe(std::make_unique<io::RunRecorder<3>>(std::move(writer), io::Log(folder)));
    return run;
}

// Grains times steps of the integrator.
double work_in(const Run<3>& run)
{
    const Simulation<3>& simulation = run.simulation();
    const auto* dem = dynamic_cast<const SmoothDem<3>*>(simulation.engine.get());
    return double(simulation.bodies.size()) * double(dem ? dem->parts_of(simulation.clock.dt) : 1);
}

// Grains times steps per second of a run to its end.
double advance(Run<3>& run)
{
    attach_terminal(run, true);
    double work = 0;
    run.observe([&](const State<3>&) { work += work_in(run); });
    Stopwatch watch;
    const RunEnd end = run.advance();
    if (end.outcome == "interrupted") throw RunError("interrupted: the same command goes on from here");
    if (end.outcome == "failed") throw RunError(end.reason);
    return work / watch.seconds();
}

} // namespace

Table read_table(const fs::path& file)
{
    Table table;
    std::ifstream in(file);
    std::string line, word;
    std::getline(in, line);
    std::vector<std::string> names;
    for (std::istringstream header(line); std::getline(header, word, ',');) names.push_back(word);
    while (std::getline(in, line)) {
        std::vector<double> numbers;
        for (std::istringstream fields(line); std::getline(fields, word, ',');) {
            numbers.push_back(word.empty() ? std::nan("") : std::stod(word));
        }
        if (numbers.size() != names.size()) continue; // of a run that was killed
        table.times.push_back(numbers[0]);
        for (std::size_t k = 1; k < names.size(); ++k) table.columns[names[k]].push_back(numbers[k]);
    }
    return table;
}

KeptRun keep_run(const fs::path& folder, const scene::Value& scene, const KeptColumns& columns)
{
    KeptRun kept{read_table(table_of(folder))};
    const scene::Value& clock = scene.at("scene");
    const double end = clock.at("duration").number() - std::max(clock.at("dt").number(), columns.every);
    const std::string outcome = io::read_outcome(folder / "summary.json");
    const bool is_complete = outcome == "done" || outcome == "quality";
    if (!is_complete && (kept.times.empty() || kept.times.back() < end)) {
        catch_signals();
        Run<3> run = io::has_checkpoint(folder) ? resumed(folder) : begun(folder, scene);
        run.observe(std::make_unique<TableWriter>(table_of(folder), columns));
        const double rate = advance(run);
        kept = {read_table(table_of(folder)), rate};
    }
    if (kept.times.empty()) throw RunError(table_of(folder).string() + " is missing: remove " + folder.string());
    return kept;
}

} // namespace talus::bench
