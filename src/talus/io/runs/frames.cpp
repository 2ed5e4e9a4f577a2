#include "talus/io/runs/frames.hpp"

#include "talus/base/error.hpp"
#include "talus/io/files/durable_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace talus::io {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t block_frames = 64;
constexpr std::size_t block_bytes = 8 << 20;

// what changes of the bodies; what is constant is in run.h5
constexpr auto moving_columns = {Role::state};
constexpr auto contact_columns = {Role::result, Role::history};

template <int D>
std::size_t frame_bytes(const BodyTable<D>& bodies, const ContactTable<D>& contacts)
{
    return bodies.size() * row_bytes<BodyTable<D>>(moving_columns) +
           contacts.size() * row_bytes<ContactColumns<D>>(contact_columns);
}

} // namespace

template <int D>
struct FrameWriter<D>::Columns {
    std::int64_t first;
    double dt;
    const std::vector<double>& time;
    const std::vector<std::int64_t>&step, &body_start, &contact_start;
    const BodyTable<D>& bodies;
    const ContactTable<D>& contacts;
};

template <int D>
void FrameWriter<D>::add(const Simulation<D>& simulation)
{
    const BodyTable<D>& bodies = simulation.bodies;
    const ContactTable<D>& contacts = simulation.contacts;
    const Clock& clock = simulation.clock;
    if (frame_bytes(bodies, contacts) >= block_bytes) {
        flush();
        write({next_,
               clock.dt,
               {clock.time()},
               {clock.step},
               {0, std::int64_t(bodies.size())},
               {0, std::int64_t(contacts.size())},
               bodies,
               contacts});
        ++next_;
        return;
    }
    if (waiting_.bodies.number.empty() != bodies.number.empty()) flush(); // the first has left
    waiting_.dt = clock.dt;
    waiting_.time.push_back(clock.time());
    waiting_.step.push_back(clock.step);
    append_rows(waiting_.bodies, bodies, moving_columns);
    append_rows<ContactColumns<D>>(waiting_.contacts, contacts, contact_columns);
    waiting_.body_start.push_back(std::int64_t(waiting_.bodies.size()));
    waiting_.contact_start.push_back(std::int64_t(waiting_.contacts.size()));
    ++next_;
}

template <int D>
bool FrameWriter<D>::is_due() const
{
    return waiting_.time.size() >= block_frames || frame_bytes(waiting_.bodies, waiting_.contacts) >= block_bytes;
}

template <int D>
void FrameWriter<D>::flush()
{
    if (waiting_.time.empty()) return;
    write({next_ - std::int64_t(waiting_.time.size()), waiting_.dt, waiting_.time, waiting_.step, waiting_.body_start,
           waiting_.contact_start, waiting_.bodies, waiting_.contacts});
    waiting_ = {};
}

template <int D>
void FrameWriter<D>::write(const Columns& columns) const
{
    Hdf5Writer file(directory_ / fmt::format("{:06}.h5", columns.first));
    write_header(file, "talus-frames", D, !columns.bodies.number.empty());
    file.attribute("first_frame", columns.first);
    file.attribute("dt", columns.dt);
    file.column("time", columns.time);
    file.column("step", columns.step);
    file.column("body_start", columns.body_start);
    file.column("contact_start", columns.contact_start);
    write_columns(file, "bodies/", columns.bodies, moving_columns, Packing::deflated);
    write_columns<ContactColumns<D>>(file, "contacts/", columns.contacts, contact_columns, Packing::deflated);
    file.commit();
}

std::vector<FrameBlock> list_blocks(const fs::path& run_folder)
{
    std::vector<FrameBlock> blocks;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(run_folder / "frames", error)) {
        const std::string stem = entry.path().stem().string();
        std::int64_t first = 0;
        const auto parsed = std::from_chars(stem.data(), stem.data() + stem.size(), first);
        if (entry.path().extension() != ".h5" || parsed.ec != std::errc{} || *parsed.ptr != '\0' || first < 0) continue;
        blocks.push_back({entry.path(), first});
    }
    std::sort(blocks.begin(), blocks.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    return blocks;
}

namespace {

// Where the frames of a block lie in its columns.
struct BlockIndex {
    std::vector<double> time;
    std::vector<std::int64_t> step, body_start, contact_start;
};

BlockIndex read_index(const Hdf5Reader& file, const FrameBlock& block)
{
    if (file.integer("first_frame") != block.first) {
        file.fail(fmt::format("holds frames from {} on, its name says {}", file.integer("first_frame"), block.first));
    }
    BlockIndex index{file.column<double>("time"), file.column<std::int64_t>("step"),
                     file.column<std::int64_t>("body_start"), file.column<std::int64_t>("contact_start")};
    const auto fits = [&](const std::vector<std::int64_t>& start, std::size_t rows) {
        return start.size() == index.time.size() + 1 && start.front() == 0 &&
               std::is_sorted(start.begin(), start.end()) && start.back() == std::int64_t(rows);
    };
    if (index.step.size() != index.time.size() || !fits(index.body_start, file.rows("bodies/position")) ||
        !fits(index.contact_start, file.rows("contacts/gap"))) {
        file.fail("the columns of the block do not fit together");
    }
    return index;
}

template <int D>
void read_rows(const Hdf5Reader& file, const BlockIndex& index, std::size_t f, State<D>& state,
               Moving what = Moving::all)
{
    const auto rows = [&](const std::vector<std::int64_t>& start) {
        return RowRange{std::size_t(start[f]), std::size_t(start[f + 1] - start[f])};
    };
    read_columns(file, "bodies/", state.bodies, moving_columns, rows(index.body_start));
    if (what == Moving::bodies) return;
    read_columns<ContactColumns<D>>(file, "contacts/", state.contacts, contact_columns, rows(index.contact_start));
}

bool all_below(const std::vector<std::int32_t>& indices, std::size_t limit)
{
    return std::all_of(indices.begin(), indices.end(), [&](auto i) { return i >= 0 && std::size_t(i) < limit; });
}

} // namespace

FrameTimes read_times(const FrameBlock& block, SealCheck check)
{
    const Hdf5Reader file(block.file, check);
    read_header(file, "talus-frames");
    const BlockIndex index = read_index(file, block);
    FrameTimes times{block.first, index.time, {}, {}};
    for (std::size_t f = 0; f < index.time.size(); ++f) {
        times.bodies.push_back(index.body_start[f + 1] - index.body_start[f]);
        times.contacts.push_back(index.contact_start[f + 1] - index.contact_start[f]);
    }
    return times;
}

template <int D>
Frame<D> read_moving(const fs::path& run_folder, std::int64_t wanted, SealCheck check, Moving what)
{
    const std::vector<FrameBlock> blocks = list_blocks(run_folder);
    if (blocks.empty()) throw InputError(fmt::format("{}: has no frames", run_folder.string()));
    const auto after =
        std::upper_bound(blocks.begin(), blocks.end(), wanted,
                         [](std::int64_t number, const FrameBlock& block) { return number < block.first; });
    const FrameBlock& block = wanted == last_frame ? blocks.back() : *(after == blocks.begin() ? after : after - 1);
    const Hdf5Reader file(block.file, check);
    check_header(file, "talus-frames", D);
    const BlockIndex index = read_index(file, block);
    const auto frames = std::int64_t(index.time.size());
    const std::int64_t f = wanted == last_frame ? frames - 1 : wanted - block.first;
    if (f < 0 || f >= frames) {
        throw InputError(fmt::format("{}: has no frame {}; the last one is {}", run_folder.string(), wanted,
                                     blocks.back().first + std::int64_t(read_times(blocks.back()).time.size()) - 1));
    }

    Frame<D> frame;
    frame.index = block.first + f;
    frame.clock = {file.number("dt"), index.step[std::size_t(f)]};
    read_rows(file, index, std::size_t(f), frame, what);
    return frame;
}

template <int D>
Frame<D> read_constants(const fs::path& run_folder, std::optional<std::size_t> bodies)
{
    const Hdf5Reader run(run_folder / "run.h5");
    check_header(run, "talus-run", D);
    Frame<D> frame;
    const RowRange rows{0, bodies.value_or(run.rows("bodies/shape"))};
    read_columns(run, "bodies/", frame.bodies, {Role::constant}, rows);
    if (run.has(numbers_of_bodies)) {
        frame.bodies.number = run.column<std::int32_t>(numbers_of_bodies, rows.first, rows.count);
    }
    frame.shapes = read_shapes<D>(run);
    frame.materials = run.texts("materials/name");
    frame.groups = read_groups(run);
    if (!all_below(frame.bodies.shape, frame.shapes.size()) ||
        !all_below(frame.bodies.material, frame.materials.size())) {
        run.fail("a body has a shape or a material that is not there");
    }
    return frame;
}

template <int D>
std::vector<std::int32_t> rows_of(const BodyTable<D>& bodies, const BodyTable<D>& constants)
{
    std::vector<std::int32_t> rows(bodies.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const std::int32_t row = constants.number.empty() ? std::int32_t(bodies.id(i)) : constants.find(bodies.id(i));
        rows[i] = std::size_t(row) < constants.shape.size() ? row : -1;
    }
    return rows;
}

template <int D>
void add_constants(BodyTable<D>& bodies, const BodyTable<D>& constants)
{
    const std::vector<std::int32_t> rows = rows_of(bodies, constants);
    if (std::ranges::find(rows, -1) != rows.end()) throw InputError("has a body that run.h5 does not know");
    for_columns<BodyTable<D>>({Role::constant}, [&](const auto& column) {
        auto& data = bodies.*column.data;
        data.clear();
        for (const std::int32_t row : rows) data.push_back((constants.*column.data)[std::size_t(row)]);
    });
    clear_columns(bodies, {Role::load, Role::result});
}

template <int D>
Frame<D> read_frame(const fs::path& run_folder, std::int64_t wanted)
{
    Frame<D> frame = read_moving<D>(run_folder, wanted);
    const bool all_are_there = frame.bodies.number.empty(); // they are the first of run.h5
    Frame<D> constant =
        all_are_there ? read_constants<D>(run_folder, frame.bodies.size()) : read_constants<D>(run_folder);
    try {
        add_constants(frame.bodies, constant.bodies);
    } catch (const InputError& error) {
        throw InputError(fmt::format("{}: frame {} {}", run_folder.string(), frame.index, error.what()));
    }
    frame.shapes = std::move(constant.shapes);
    frame.materials = std::move(constant.materials);
    frame.groups = std::move(constant.groups);
    return frame;
}

template <int D>
std::vector<std::string> verify_block(const FrameBlock& block, std::size_t known_bodies)
{
    try {
        const Hdf5Reader file(block.file);
        check_header(file, "talus-frames", D);
        const BlockIndex index = read_index(file, block);
        State<D> state;
        for (std::size_t f = 0; f < index.time.size(); ++f) {
            read_rows(file, index, f, state);
            const std::size_t count = state.bodies.size();
            if (count > known_bodies) { // run.h5 knows all that have been in a frame
                file.fail(fmt::format("frame {} has {} bodies, run.h5 knows {}", block.first + std::int64_t(f), count,
                                      known_bodies));
            }
            if (!all_below(state.contacts.candidate, count) || !all_below(state.contacts.antagonist, count)) {
                file.fail(
                    fmt::format("frame {} has a contact of a body that is not there", block.first + std::int64_t(f)));
            }
        }
    } catch (const InputError& error) {
        return {error.what()};
    }
    return {};
}

#define TALUS_INSTANTIATE(D)                                                                                           \
    template class FrameWriter<D>;                                                                                     \
    template Frame<D> read_frame<D>(const fs::path&, std::int64_t);                                                    \
    template Frame<D> read_moving<D>(const fs::path&, std::int64_t, SealCheck, Moving);                                \
    template Frame<D> read_constants<D>(const fs::path&, std::optional<std::size_t>);                                  \
    template std::vector<std::int32_t> rows_of(const BodyTable<D>&, const BodyTable<D>&);                              \
    template void add_constants(BodyTable<D>&, const BodyTable<D>&);                                                   \
    template std::vector<std::string> verify_block<D>(const FrameBlock&, std::size_t);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

std::int64_t frame_at(const fs::path& folder, double time)
{
    std::vector<double> times; // [s]
    std::vector<std::int64_t> numbers;
    for (const FrameBlock& block : list_blocks(folder)) {
        const FrameTimes found = read_times(block);
        for (std::size_t f = 0; f < found.time.size(); ++f) {
            times.push_back(found.time[f]);
            numbers.push_back(found.first + std::int64_t(f));
        }
    }
    if (times.empty()) throw InputError(fmt::format("{}: has no frames", folder.string()));
    const double spacing = (times.back() - times.front()) / double(std::max<std::size_t>(times.size() - 1, 1));
    const double slack = 0.5 * spacing + 1e-9 * std::abs(times.back());
    if (!(time >= times.front() - slack && time <= times.back() + slack)) {
        throw InputError(fmt::format("{}: --time {:g}: has {} frame{} from t = {:g} s to {:g} s", folder.string(), time,
                                     times.size(), times.size() == 1 ? "" : "s", times.front(), times.back()));
    }
    const auto nearest = std::min_element(
        times.begin(), times.end(), [time](double a, double b) { return std::abs(a - time) < std::abs(b - time); });
    return numbers[std::size_t(nearest - times.begin())];
}

} // namespace talus::io
