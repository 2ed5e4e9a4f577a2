#include "talus/io/runs/checkpoint.hpp"

#include "talus/base/error.hpp"
#include "talus/io/files/durable_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace talus::io {

namespace fs = std::filesystem;

namespace {

constexpr const char* format = "talus-checkpoint";

fs::path last_of(const fs::path& run_folder) { return run_folder / "checkpoint" / "last.h5"; }
fs::path previous_of(const fs::path& run_folder) { return run_folder / "checkpoint" / "previous.h5"; }

// Members of a tally in the order of their column in the file: a new one goes to the end.
auto numbers_of(auto& tally)
{
    return std::tie(tally.wall_seconds, tally.residual_last, tally.residual_worst, tally.interpenetration_max,
                    tally.speed_sum, tally.contacts_sum, tally.contact_gain);
}
auto counts_of(auto& tally)
{
    return std::tie(tally.steps, tally.contacts_last, tally.contacts_max, tally.sweeps_total, tally.sweeps_max,
                    tally.steps_over_tolerance, tally.quality_exceeded, tally.solves_capped, tally.solves_stalled,
                    tally.lines, tally.left_out_max, tally.solves_diverged);
}

template <class T, class Members>
void write_members(Hdf5Writer& file, const std::string& column, const Members& members)
{
    std::apply([&](const auto&... one) { file.column(column, std::vector<T>{T(one)...}); }, members);
}

template <class T, class Members>
void read_members(const Hdf5Reader& file, const std::string& column, const Members& members)
{
    const auto values = file.column<T>(column, 0, std::tuple_size_v<Members>);
    auto value = values.begin();
    const auto read = [&]<class Member>(Member& one) { one = Member(*value++); };
    std::apply([&](auto&... one) { (read(one), ...); }, members);
}

void write_tally(Hdf5Writer& file, const Tally& tally)
{
    file.column("tally/phase_seconds", std::span<const double>(tally.phase_seconds));
    write_members<double>(file, "tally/numbers", numbers_of(tally));
    write_members<std::int64_t>(file, "tally/counts", counts_of(tally));
    file.texts("tally/solver", {tally.solver});
    file.texts("tally/warnings", tally.warnings);
}

Tally read_tally(const Hdf5Reader& file)
{
    Tally tally;
    const auto phases = file.column<double>("tally/phase_seconds", 0, tally.phase_seconds.size());
    std::copy(phases.begin(), phases.end(), tally.phase_seconds.begin());
    read_members<double>(file, "tally/numbers", numbers_of(tally));
    read_members<std::int64_t>(file, "tally/counts", counts_of(tally));
    const auto solver = file.texts("tally/solver");
    if (!solver.empty()) tally.solver = solver.front();
    tally.warnings = file.texts("tally/warnings");
    return tally;
}

std::string energy_name(const char* part) { return std::string("energy_") + part; }
std::string driver_column(std::size_t driver) { return fmt::format("drivers/{:03}", driver); }
template <int D>
std::string meter_column(const Meter<D>& meter)
{
    return "meters/" + meter.name();
}

// What a step starts from and what drivers under force control read: the last step's reactions.
constexpr auto saved_of_bodies = {Role::state, Role::constant, Role::result};
constexpr auto saved_of_contacts = {Role::result, Role::history};

template <int D>
void write_departures(Hdf5Writer& file, const State<D>& state)
{
    std::vector<std::int32_t> number;
    std::vector<double> time;
    for (const Departure& one : state.left) {
        number.push_back(std::int32_t(one.body));
        time.push_back(one.time);
    }
    file.attribute("bodies_born", std::int64_t(state.bodies.born));
    file.column("left/number", number);
    file.column("left/time", time);
}

template <int D>
void read_departures(const Hdf5Reader& file, State<D>& state)
{
    state.bodies.born = std::int32_t(file.integer("bodies_born"));
    const auto number = file.column<std::int32_t>("left/number");
    const auto time = file.column<double>("left/time");
    if (number.size() != time.size()) file.fail("left/number and left/time differ in length");
    for (std::size_t k = 0; k < number.size(); ++k) state.left.push_back({BodyId(number[k]), time[k]});
}

// All that is read, apart from the simulation until it is known to be whole.
template <int D>
struct SavedRun {
    State<D> state;
    EnergyLedger energy;
    std::int64_t steps_at_rest = 0;
    std::vector<std::vector<std::uint64_t>> drivers;
};

template <int D>
SavedRun<D> read_saved(const Hdf5Reader& file)
{
    SavedRun<D> saved;
    State<D>& state = saved.state;
    read_columns(file, "bodies/", state.bodies, saved_of_bodies);
    read_columns<ContactColumns<D>>(file, "contacts/", state.contacts, saved_of_contacts);
    if (!state.bodies.number.empty()) read_departures(file, state);
    clear_columns(state.bodies, {Role::load});
    state.shapes = read_shapes<D>(file);
    state.groups = read_groups(file);
    state.clock = {file.number("dt"), file.integer("step")};
    EnergyLedger::visit(saved.energy, [&](const char* name, double& part) { part = file.number(energy_name(name)); });
    saved.steps_at_rest = file.integer("steps_at_rest");
    for (std::int64_t d = 0; d < file.integer("drivers"); ++d) {
        saved.drivers.push_back(file.column<std::uint64_t>(driver_column(std::size_t(d))));
    }
    for_columns<BodyTable<D>>([&](const auto& column) {
        const std::size_t rows = (state.bodies.*column.data).size();
        const bool fits = rows == state.bodies.size() || (column.is_optional && rows == 0);
        if (!fits) file.fail(fmt::format("bodies/{} has another length", column.name));
    });
    return saved;
}

template <int D>
SavedRun<D> read_saved_for(const Hdf5Reader& file, const Simulation<D>& simulation)
{
    check_header(file, format, D);
    SavedRun<D> saved = read_saved<D>(file);
    if (file.texts("materials/name") != material_names(simulation.materials)) {
        file.fail("has other materials than the scene");
    }
    if (saved.drivers.size() != simulation.drivers.size()) {
        file.fail(fmt::format("has {} drivers, the scene {}", saved.drivers.size(), simulation.drivers.size()));
    }
    if (saved.state.clock.dt != simulation.clock.dt) {
        file.fail(fmt::format("has a time step of {} s, the scene {} s", saved.state.clock.dt, simulation.clock.dt));
    }
    return saved;
}

template <int D>
void restore_engine(const Hdf5Reader& file, Engine<D>& engine)
{
    EngineMemory memory = engine.save(); // for its names
    for (auto& [name, number] : memory.numbers) number = file.number(name);
    for (auto& [name, words] : memory.columns) words = file.column<std::uint64_t>(name);
    if (const std::string trouble = engine.restore(memory); !trouble.empty()) file.fail(trouble);
}

template <int D>
void restore_meters(const Hdf5Reader& file, Simulation<D>& simulation)
{
    for (const auto& meter : simulation.meters) {
        const std::string column = meter_column(*meter);
        if (meter->may_begin_late() && !file.has(column)) continue;
        if (!meter->restore(file.column<std::uint64_t>(column))) file.fail(column + " is not sound");
    }
}

// Meters that the run did not have yet.
template <int D>
void begin_late(const Hdf5Reader& file, Simulation<D>& simulation)
{
    for (const auto& meter : simulation.meters) {
        if (!file.has(meter_column(*meter))) meter->begin(simulation.snapshot());
    }
}

} // namespace

template <int D>
void write_checkpoint(const fs::path& run_folder, const Simulation<D>& simulation, const Counters& counters,
                      const Tally& tally)
{
    const fs::path next = run_folder / "checkpoint" / "next.h5";
    Hdf5Writer file(next);
    write_header(file, format, D, !simulation.bodies.number.empty());
    file.attribute("dt", simulation.clock.dt);
    file.attribute("step", simulation.clock.step);
    EnergyLedger::visit(simulation.energy,
                        [&](const char* name, double part) { file.attribute(energy_name(name), part); });
    file.attribute("steps_at_rest", simulation.steps_at_rest);
    const EngineMemory memory = simulation.engine->save();
    for (const auto& [name, number] : memory.numbers) file.attribute(name, number);
    for (const auto& [name, words] : memory.columns) file.column(name, words);
    file.attribute("frames", counters.frames);
    file.attribute("series_bytes", counters.series_bytes);
    file.attribute("drivers", std::int64_t(simulation.drivers.size()));
    write_columns(file, "bodies/", simulation.bodies, saved_of_bodies);
    write_columns<ContactColumns<D>>(file, "contacts/", simulation.contacts, saved_of_contacts);
    if (!simulation.bodies.number.empty()) write_departures(file, simulation);
    write_shapes(file, simulation.shapes);
    write_groups(file, simulation.groups);
    file.texts("materials/name", material_names(simulation.materials));
    for (std::size_t d = 0; d < simulation.drivers.size(); ++d) {
        file.column(driver_column(d), simulation.drivers[d]->save());
    }
    for (const auto& meter : simulation.meters) file.column(meter_column(*meter), meter->save());
    write_tally(file, tally);
    file.commit();

    const fs::path last = last_of(run_folder);
    if (fs::exists(last)) rename_durably(last, previous_of(run_folder));
    rename_durably(next, last);
}

template <int D>
Restored read_checkpoint(const fs::path& run_folder, Simulation<D>& simulation)
{
    Restored restored;
    const auto restore_from = [&](const fs::path& path) {
        const Hdf5Reader file(path);
        SavedRun<D> saved = read_saved_for(file, simulation);
        restored.counters = {file.integer("frames"), file.integer("series_bytes")};
        restored.tally = read_tally(file);
        restored.file = path;
        restore_engine(file, *simulation.engine);
        restore_meters(file, simulation);
        saved.state.contacts.most_points = simulation.contacts.most_points; // the scene's, not the state's
        static_cast<State<D>&>(simulation) = std::move(saved.state);
        begin_late(file, simulation);
        simulation.energy = saved.energy;
        simulation.steps_at_rest = saved.steps_at_rest;
        for (const auto& driver : simulation.drivers) driver->find_bodies(simulation.bodies);
        for (std::size_t d = 0; d < saved.drivers.size(); ++d) simulation.drivers[d]->restore(saved.drivers[d]);
    };
    const fs::path last = last_of(run_folder), previous = previous_of(run_folder);
    if (!fs::exists(last) && !fs::exists(previous)) {
        throw InputError(fmt::format("{}: has no checkpoint to resume from", run_folder.string()));
    }
    std::string trouble;
    try {
        restore_from(last);
        return restored;
    } catch (const InputError& error) {
        trouble = error.what();
    }
    try {
        restore_from(previous);
    } catch (const InputError& error) {
        throw InputError(std::vector<Mistake>{{{}, {}, {}, trouble}, {{}, {}, {}, error.what()}});
    }
    restored.is_previous = true;
    restored.remark = fmt::format("{}; continuing from {}", trouble, previous.filename().string());
    return restored;
}

std::vector<std::string> verify_checkpoints(const fs::path& run_folder)
{
    std::vector<std::string> problems;
    for (const fs::path& path : {last_of(run_folder), previous_of(run_folder)}) {
        if (!fs::exists(path)) continue;
        try {
            const Hdf5Reader file(path);
            if (read_header(file, format) == 2) {
                read_saved<2>(file);
            } else {
                read_saved<3>(file);
            }
        } catch (const InputError& error) {
            problems.emplace_back(error.what());
        }
    }
    return problems;
}

#define TALUS_INSTANTIATE(D)                                                                                           \
    template void write_checkpoint(const fs::path&, const Simulation<D>&, const Counters&, const Tally&);              \
    template Restored read_checkpoint(const fs::path&, Simulation<D>&);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

} // namespace talus::io
