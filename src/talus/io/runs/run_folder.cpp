#include "talus/io/runs/run_folder.hpp"

#include "talus/base/error.hpp"
#include "talus/io/files/durable_file.hpp"
#include "talus/io/files/folder_lock.hpp"
#include "talus/io/scenes/scene_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace talus::io {

namespace fs = std::filesystem;

namespace {

// In the order in which --force takes them away: without its checkpoint nothing resumes a run that is half gone,
// without its scene nothing begins it again.
constexpr const char* run_files[] = {"checkpoint",  "scene.toml",  "frames", "summary.json", "series.csv",
                                     "log.txt",     "run.pvd",     "vtk",    "problems",     "report.html",
                                     "viewer.html", "persons.csv", "run.h5"};

bool is_run_file(const fs::path& name) { return std::ranges::find(run_files, name) != std::end(run_files); }

// what a kill left under a hidden name, half written or half deleted
bool is_left_over(const fs::path& name)
{
    return std::ranges::any_of(run_files, [&](const char* file) { return name == hidden_neighbour(file).filename(); });
}

void remove_surplus_frames(const fs::path& folder, std::int64_t keep)
{
    for (const FrameBlock& block : list_blocks(folder)) {
        if (block.first >= keep) fs::remove(block.file);
    }
    sync_directory(folder / "frames");
}

// RFC 4180: a field with a comma, a quote or a new line stands in quotes.
std::string csv_line(const std::vector<std::string>& fields)
{
    std::string line;
    for (const std::string& field : fields) {
        if (&field != fields.data()) line += ',';
        if (field.find_first_of(",\"\r\n") == std::string::npos) {
            line += field;
            continue;
        }
        line += '"';
        for (const char c : field) line += c == '"' ? std::string("\"\"") : std::string(1, c);
        line += '"';
    }
    return line + '\n';
}

void remove_hidden(const fs::path& directory)
{
    std::vector<fs::path> hidden;
    for (const auto& entry : fs::directory_iterator(directory)) {
        const std::string name = entry.path().filename().string();
        if (name.starts_with('.') && name.ends_with(".tmp")) hidden.push_back(entry.path());
    }
    for (const fs::path& file : hidden) fs::remove_all(file);
}

} // namespace

bool is_occupied(const fs::path& folder)
{
    std::error_code error;
    if (!fs::exists(folder, error)) return false;
    if (!fs::is_directory(folder, error)) return true;
    const fs::directory_iterator entries(folder, error);
    return std::any_of(begin(entries), end(entries), [](const auto& entry) {
        const fs::path name = entry.path().filename();
        return name != lock_name && !is_left_over(name);
    });
}

bool is_run_folder(const fs::path& folder)
{
    std::error_code error;
    return fs::exists(folder / "run.h5", error) || fs::exists(folder / "scene.toml", error);
}

bool has_foreign_files(const fs::path& folder)
{
    std::error_code error;
    const fs::directory_iterator entries(folder, error);
    return std::any_of(begin(entries), end(entries), [](const auto& entry) {
        const fs::path name = entry.path().filename();
        return name != lock_name && !is_left_over(name) && !is_run_file(name);
    });
}

bool has_checkpoint(const fs::path& folder)
{
    return fs::exists(folder / "checkpoint" / "last.h5") || fs::exists(folder / "checkpoint" / "previous.h5");
}

bool has_no_step(const fs::path& folder)
{
    if (!is_occupied(folder)) return true;
    if (has_checkpoint(folder)) return false;
    // without frames/ it is no run's, a scene.toml may be the user's own; or --force was ended on the way
    if (!fs::is_directory(folder / "frames")) return fs::exists(hidden_neighbour(folder / "frames"));
    // a finished run whose checkpoints were deleted has its summary
    if (const std::string outcome = read_outcome(folder / "summary.json"); !outcome.empty() && outcome != "failed") {
        return false;
    }
    try {
        const std::vector<FrameBlock> blocks = list_blocks(folder);
        return blocks.empty() || (blocks.size() == 1 && blocks[0].first == 0 && read_times(blocks[0]).time.size() <= 1);
    } catch (const InputError&) {
        return false; // damaged: who knows what it held
    }
}

void clear_run_folder(const fs::path& folder, SceneFile scene)
{
    // gone at once, then deleted: gigabytes of frames take their time, and a kill must not leave half of them
    std::error_code error;
    std::vector<fs::path> hidden;
    for (const fs::path name : run_files) {
        if (scene == SceneFile::keep && name == "scene.toml") continue;
        hidden.push_back(hidden_neighbour(folder / name));
        if (!fs::exists(folder / name, error)) continue;
        fs::remove_all(hidden.back(), error);
        fs::rename(folder / name, hidden.back(), error);
        if (error) fail_writing(folder / name, error.message());
    }
    for (const fs::path& file : hidden) {
        fs::remove_all(file, error);
        if (error) fail_writing(file, error.message());
    }
}

template <int D>
RunWriter<D>::RunWriter(fs::path folder, Provenance provenance, std::int64_t frames, SeriesFile series)
    : folder_(std::move(folder)), provenance_(std::move(provenance)), frames_(folder_ / "frames", frames),
      series_(std::move(series))
{
}

namespace {

// What must be there before the other files: a run that is killed from then on begins again with its own scene.
const fs::path& prepared(const fs::path& folder, const scene::Value& scene)
{
    if (fs::exists(folder / "run.h5")) { // foreign files may stay, and the scene of a run that begins again
        throw InputError(fmt::format("{}: there is a run already; --force replaces it", folder.string()));
    }
    make_directory(folder / "frames");
    make_directory(folder / "checkpoint");
    write_durably(folder / "scene.toml", to_toml(scene));
    return folder;
}

} // namespace

template <int D>
RunWriter<D>::RunWriter(fs::path folder, const scene::Value& scene, const Simulation<D>& simulation,
                        Provenance provenance, bool vtk)
    : RunWriter(folder, std::move(provenance), 0,
                SeriesFile(prepared(folder, scene) / "series.csv", series_columns(simulation)))
{
    write_run_file(simulation);
    keep_room_for_the_end();
    if (vtk) vtk_.emplace(folder_);
}

template <int D>
RunWriter<D> RunWriter<D>::resume(fs::path folder, const Simulation<D>& simulation, const Restored& restored,
                                  const Provenance& provenance, bool vtk)
{
    const auto series_bytes = std::uint64_t(restored.counters.series_bytes);
    SeriesFile series = SeriesFile::reopen(folder / "series.csv", series_columns(simulation), series_bytes);
    Provenance origin = [&] {
        const Hdf5Reader file(folder / "run.h5");
        check_header(file, "talus-run", D);
        return read_provenance(file);
    }();
    origin.resumed.push_back(fmt::format("{}: {}", provenance.started, provenance.command));

    // a damaged checkpoint must not be kept as the next `previous`
    if (restored.is_previous) fs::remove(folder / "checkpoint" / "last.h5");
    for (const char* directory : {".", "frames", "checkpoint"}) remove_hidden(folder / directory);
    remove_surplus_frames(folder, restored.counters.frames);
    for (const char* name : {"summary.json", "persons.csv"}) fs::remove(folder / name); // it goes on

    RunWriter writer(folder, std::move(origin), restored.counters.frames, std::move(series));
    writer.write_run_file(simulation);
    writer.keep_room_for_the_end();
    if (vtk) {
        std::vector<double> times = read_run_info(folder).times;
        times.resize(std::size_t(restored.counters.frames));
        writer.vtk_.emplace(folder, times);
    }
    return writer;
}

template <int D>
void RunWriter<D>::write_run_file(const Simulation<D>& simulation)
{
    const bool has_numbers = !simulation.bodies.number.empty();
    if (has_numbers) add_to_roster(simulation.bodies);
    const BodyTable<D>& bodies = has_numbers ? roster_ : simulation.bodies;
    Hdf5Writer file(folder_ / "run.h5");
    write_header(file, "talus-run", D, has_numbers);
    write_provenance(file, provenance_);
    write_shapes(file, simulation.shapes);
    write_groups(file, simulation.groups);
    std::vector<double> density;
    for (std::size_t m = 0; m < simulation.materials.size(); ++m) {
        density.push_back(simulation.materials[std::int32_t(m)].density);
    }
    file.texts("materials/name", material_names(simulation.materials));
    file.column("materials/density", density);
    write_columns(file, "bodies/", bodies, {Role::constant}, Packing::deflated);
    if (has_numbers) file.column(numbers_of_bodies, bodies.number, Packing::deflated);
    file.commit();
    known_bodies_ = simulation.bodies.come();
    known_shapes_ = simulation.shapes.size();
}

// Those that have left are in run.h5 already, if a frame has ever shown them.
template <int D>
void RunWriter<D>::add_to_roster(const BodyTable<D>& bodies)
{
    if (roster_.number.empty()) {
        roster_ = std::move(read_constants<D>(folder_).bodies);
        if (roster_.number.empty()) {
            roster_.number.resize(roster_.shape.size());
            std::iota(roster_.number.begin(), roster_.number.end(), 0);
        }
    }
    const std::int32_t last = roster_.number.empty() ? -1 : roster_.number.back();
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        if (bodies.number[i] <= last) continue;
        roster_.number.push_back(bodies.number[i]);
        for_columns<BodyTable<D>>(
            {Role::constant}, [&](const auto& column) { (roster_.*column.data).push_back((bodies.*column.data)[i]); });
    }
}

template <int D>
void RunWriter<D>::frame(const Simulation<D>& simulation)
{
    // before the frame that needs it: a body born since, or its shape
    if (simulation.bodies.come() != known_bodies_ || simulation.shapes.size() != known_shapes_) {
        write_run_file(simulation);
    }
    if (vtk_) vtk_->frame(simulation, frames_.count());
    frames_.add(simulation);
    if (frames_.is_due()) frames_.flush();
}

template <int D>
void RunWriter<D>::series(const Simulation<D>& simulation, const StepReport& report, std::span<const GaugeLine> gauges)
{
    series_.write(series_values<D>(simulation, report, gauges));
}

template <int D>
void RunWriter<D>::flush()
{
    frames_.flush();
    series_.sync();
}

template <int D>
void RunWriter<D>::checkpoint(const Simulation<D>& simulation, const Tally& tally)
{
    flush();
    write_checkpoint(folder_, simulation, {frames_.count(), std::int64_t(series_.bytes())}, tally);
}

template <int D>
void RunWriter<D>::tables(const Simulation<D>& simulation)
{
    for (const auto& meter : simulation.meters) {
        const MeterTable table = meter->table();
        if (table.name.empty()) continue;
        std::string text = csv_line(table.columns);
        for (const auto& row : table.rows) text += csv_line(row);
        write_durably(folder_ / (table.name + ".csv"), text);
    }
}

template <int D>
void RunWriter<D>::finish(const Summary& summary)
{
    flush();
    write_summary(folder_ / "summary.json", summary);
}

// A full disk is when the summary matters most.
template <int D>
void RunWriter<D>::keep_room_for_the_end()
{
    constexpr std::size_t of_a_summary = 1 << 14; // bytes: a few thousand, more with many gauges
    keep_room_for(folder_ / "summary.json", of_a_summary);
}

template <int D>
void RunWriter<D>::give_up(const Summary& summary)
{
    const auto attempt = [](const auto& write) {
        try {
            write();
        } catch (const RunError&) {
            // no room for it: the caller tells the reason of the failure
        }
    };
    // the summary first: it is small, and --resume cuts off the frames after the checkpoint anyway
    attempt([&] { write_summary(folder_ / "summary.json", summary); });
    attempt([&] { flush(); });
}

int read_dimension(const fs::path& folder)
{
    std::error_code error;
    if (!fs::is_directory(folder, error)) throw InputError(fmt::format("{}: is not a folder", folder.string()));
    if (!fs::exists(folder / "run.h5", error)) {
        throw InputError(fmt::format("{}: is not the folder of a run, it has no run.h5", folder.string()));
    }
    return read_header(Hdf5Reader(folder / "run.h5"), "talus-run");
}

RunInfo read_run_info(const fs::path& folder)
{
    RunInfo info;
    info.dimension = read_dimension(folder);
    const Hdf5Reader file(folder / "run.h5");
    info.provenance = read_provenance(file);
    info.materials = file.texts("materials/name");
    for (const FrameBlock& block : list_blocks(folder)) {
        const FrameTimes times = read_times(block);
        info.times.insert(info.times.end(), times.time.begin(), times.time.end());
        info.bodies.insert(info.bodies.end(), times.bodies.begin(), times.bodies.end());
    }
    info.frames = std::int64_t(info.times.size());
    info.outcome = read_outcome(folder / "summary.json");
    info.can_resume = has_checkpoint(folder);
    return info;
}

namespace {

template <int D>
std::vector<std::string> verify_frames(const fs::path& folder, std::size_t known_bodies)
{
    std::vector<std::string> problems;
    std::int64_t next = 0;
    for (const FrameBlock& block : list_blocks(folder)) {
        if (next >= 0 && block.first != next) {
            problems.push_back(
                fmt::format("{}: frames {} to {} are missing", (folder / "frames").string(), next, block.first - 1));
        }
        const auto found = verify_block<D>(block, known_bodies);
        problems.insert(problems.end(), found.begin(), found.end());
        next = found.empty() ? block.first + std::int64_t(read_times(block).time.size()) : -1;
    }
    return problems;
}

template <int D>
std::size_t verify_run_file(const fs::path& folder)
{
    const Hdf5Reader file(folder / "run.h5");
    read_provenance(file);
    const std::size_t shapes = read_shapes<D>(file).size(), materials = file.texts("materials/name").size();
    read_groups(file);
    BodyTable<D> bodies;
    read_columns(file, "bodies/", bodies, {Role::constant});
    const auto &shape = bodies.shape, &material = bodies.material;
    for_columns<BodyTable<D>>({Role::constant}, [&](const auto& column) {
        if ((bodies.*column.data).size() != shape.size()) file.fail("the columns of the bodies differ in length");
    });
    for (std::size_t i = 0; i < shape.size(); ++i) {
        if (shape[i] < 0 || std::size_t(shape[i]) >= shapes || material[i] < 0 ||
            std::size_t(material[i]) >= materials) {
            file.fail(fmt::format("body {} has a shape or a material that is not there", i));
        }
    }
    return shape.size();
}

} // namespace

std::vector<std::string> verify_run(const fs::path& folder)
{
    std::vector<std::string> problems;
    const auto take = [&](const std::vector<std::string>& more) {
        problems.insert(problems.end(), more.begin(), more.end());
    };
    try {
        const int dimension = read_dimension(folder);
        const std::size_t bodies = dimension == 2 ? verify_run_file<2>(folder) : verify_run_file<3>(folder);
        take(dimension == 2 ? verify_frames<2>(folder, bodies) : verify_frames<3>(folder, bodies));
    } catch (const InputError& error) {
        problems.emplace_back(error.what());
    }
    if (!fs::is_directory(folder)) return problems;
    for (const char* name : {"scene.toml", "series.csv"}) {
        if (!fs::exists(folder / name)) problems.push_back(fmt::format("{}: is missing", (folder / name).string()));
    }
    if (fs::exists(folder / "series.csv")) take(verify_series(folder / "series.csv"));
    take(verify_checkpoints(folder));
    if (fs::exists(folder / "summary.json") && read_outcome(folder / "summary.json").empty()) {
        problems.push_back(fmt::format("{}: says no outcome", (folder / "summary.json").string()));
    }
    return problems;
}

template class RunWriter<2>;
template class RunWriter<3>;

} // namespace talus::io
