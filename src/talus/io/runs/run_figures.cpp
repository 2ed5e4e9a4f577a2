#include "talus/io/runs/run_figures.hpp"

#include "talus/io/runs/series.hpp"

#include <algorithm>

namespace talus::io {

template <int D>
void FigureKeeper<D>::on_step(const Run<D>& run, const StepReport&)
{
    for (const double gap : run.simulation().contacts.gap) deepest_ = std::max(deepest_, -gap);
}

template <int D>
void FigureKeeper<D>::on_end(const Run<D>& run, const RunEnd& end)
{
    const Simulation<D>& simulation = run.simulation();
    figures_ = {end, {}};
    add("run", "simulated_time_s", simulation.clock.time());
    add("run", "bodies", double(simulation.bodies.size()));
    add_energies(simulation);
    add_contacts(run);
    for (const GaugeLine& line : measure_gauges(simulation)) {
        for (std::size_t c = 0; c < line.reading.columns().size(); ++c) {
            add("gauge " + line.gauge, line.reading.columns()[c], line.reading.values()[c]);
        }
    }
    for (const auto& meter : simulation.meters) {
        const scene::Value results = meter->results();
        for (const auto& [name, value] : results.entries()) {
            if (value.is_number()) add(meter->name(), name, value.number());
        }
    }
    add_cost(run);
}

template <int D>
void FigureKeeper<D>::add(std::string group, std::string name, std::optional<double> value)
{
    figures_.figures.push_back({std::move(group), std::move(name), value});
}

template <int D>
void FigureKeeper<D>::add_energies(const Simulation<D>& simulation)
{
    const std::vector<std::string> columns = series_columns(simulation);
    const std::vector<std::optional<double>> values = series_values(simulation, {}, {}); // those of the run, no gauge's
    for (std::size_t c = 0; c < values.size(); ++c) {
        if (columns[c].find('.') != std::string::npos) break; // here the columns of gauges begin
        if (columns[c].ends_with("_J")) add("energy", columns[c], values[c]);
    }
}

template <int D>
void FigureKeeper<D>::add_contacts(const Run<D>& run)
{
    const Simulation<D>& simulation = run.simulation();
    // a method may keep contacts that do not touch yet: those with a force are the ones to compare
    const auto carries = [](const Vec<D>& impulse) { return !impulse.isZero(0); };
    add("contacts", "contacts", double(run.tally().contacts_last));
    add("contacts", "contacts_max", double(run.tally().contacts_max));
    add("contacts", "active_contacts", double(std::ranges::count_if(simulation.contacts.impulse, carries)));
    add("contacts", "largest_overlap_m", deepest_);
    if (!simulation.gauges.empty()) add("contacts", "largest_interpenetration", run.tally().interpenetration_max);
}

template <int D>
void FigureKeeper<D>::add_cost(const Run<D>& run)
{
    const Simulation<D>& simulation = run.simulation();
    const double wall = run.tally().wall_seconds, time = simulation.clock.time();
    add("cost", "wall_time_s", wall);
    add("cost", "steps", double(run.tally().steps));
    add("cost", "method_steps", double(run.tally().steps * simulation.engine->parts_of(simulation.clock.dt)));
    add("cost", "wall_time_per_simulated_time", time > 0 ? std::optional(wall / time) : std::nullopt);
}

template class FigureKeeper<2>;
template class FigureKeeper<3>;

} // namespace talus::io
