#include "benchmarks/track_case.hpp"

#include "talus/io/load.hpp"
#include "talus/io/scenes/scene_file.hpp"
#include "talus/simulation/scene_schema.hpp"
#include "terminal/scene_library.hpp"
#include "terminal/terminal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace talus::bench {

RunSetup<3> track_case(const std::string& library_name, const std::vector<std::string>& sets)
{
    const std::vector<LibraryScene>& library = scene_library();
    const auto found = std::ranges::find(library, library_name, &LibraryScene::name);
    if (found == library.end()) throw InputError("the library has no scene \"" + library_name + "\"");
    scene::Value scene = io::parse_scene(found->text, library_name);
    io::apply_overrides(scene, sets);
    std::vector<Mistake> mistakes = check_scene(scene);
    if (!mistakes.empty()) throw InputError(std::move(mistakes));
    if (io::prepare_sample(scene, sample_maker("talus bench", false)) != 0) {
        throw RunError("the sample " + io::sample_folder(scene).string() + " was not made");
    }
    io::begin_with_sample(scene);
    Simulation<3> simulation = io::load_simulation<3>(scene);
    RunPlan plan = plan_of(scene);
    return {std::move(simulation), std::move(plan), std::move(scene)};
}

std::vector<std::string> own_solver(double residual)
{
    return {"solver.name=auto", "solver.stop=residual", "solver.sweeps=300", "solver.position_correction=true",
            fmt::format("solver.tolerance={}", residual)};
}

Watch::Watch(const Simulation<3>& simulation, std::string gauge)
    : name_(std::move(gauge)),
      gauge_(std::size_t(std::ranges::find(simulation.gauges, name_, [](const Gauge<3>& g) { return g.name(); }) -
                         simulation.gauges.begin()))
{
    if (gauge_ == simulation.gauges.size()) throw InputError("no gauge \"" + name_ + "\"");
}

void Watch::look(const Simulation<3>& simulation)
{
    const Reading reading = simulation.gauges[gauge_].measure(simulation.snapshot());
    times_.push_back(simulation.clock.time());
    for (std::size_t k = 0; k < reading.columns().size(); ++k) {
        columns_[reading.columns()[k]].push_back(reading.values()[k].value_or(NAN));
    }
}

double Watch::mean(const std::string& name, double from, double until) const
{
    double sum = 0, count = 0;
    for (std::size_t k = 0; k < times_.size(); ++k) {
        const double value = column(name)[k];
        if (times_[k] < from || times_[k] > until || std::isnan(value)) continue;
        sum += value;
        count += 1;
    }
    return count > 0 ? sum / count : NAN;
}

double Watch::at(const std::string& name, double time) const
{
    std::size_t best = 0;
    for (std::size_t k = 0; k < times_.size(); ++k) {
        if (std::abs(times_[k] - time) < std::abs(times_[best] - time)) best = k;
    }
    return column(name)[best];
}

double Watch::largest(const std::string& name) const
{
    double most = -INFINITY;
    for (const double value : column(name)) most = std::isnan(value) ? most : std::max(most, value);
    return most;
}

} // namespace talus::bench
