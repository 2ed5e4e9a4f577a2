#include "io/frames.hpp"

#include "base/error.hpp"
#include "io/durable_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace talus::io {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t block_frames = 64;
constexpr std::size_t block_bytes = 8 << 20;

template <int D>
std::size_t frame_bytes(const BodyTable<D>& bodies, const ContactTable<D>& contacts)
{
    const std::size_t per_body = sizeof(double) * (2 * D + angular<D> + Rotation<D>::size) + 1;
    const std::size_t per_contact = sizeof(double) * (3 * D + 1) + 17;
    return bodies.size() * per_body + contacts.size() * per_contact;
}

template <class T>
void append(std::vector<T>& to, const std::vector<T>& from)
{
    to.insert(to.end(), from.begin(), from.end());
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
    waiting_.dt = clock.dt;
    waiting_.time.push_back(clock.time());
    waiting_.step.push_back(clock.step);
    append(waiting_.bodies.position, bodies.position);
    append(waiting_.bodies.orientation, bodies.orientation);
    append(waiting_.bodies.velocity, bodies.velocity);
    append(waiting_.bodies.spin, bodies.spin);
    append(waiting_.bodies.imposed, bodies.imposed);
    // rolling impulses are there for all contacts or for none; a block in between is filled up with zeros
    auto& rolling = waiting_.contacts.rolling_impulse;
    if (!contacts.rolling_impulse.empty()) {
        rolling.resize(waiting_.contacts.size(), Ang<D>::Zero());
        append(rolling, contacts.rolling_impulse);
    }
    append(waiting_.contacts.candidate, contacts.candidate);
    append(waiting_.contacts.antagonist, contacts.antagonist);
    append(waiting_.contacts.feature, contacts.feature);
    append(waiting_.contacts.points, contacts.points);
    append(waiting_.contacts.point, contacts.point);
    append(waiting_.contacts.normal, contacts.normal);
    append(waiting_.contacts.gap, contacts.gap);
    append(waiting_.contacts.impulse, contacts.impulse);
    if (!rolling.empty()) rolling.resize(waiting_.contacts.size(), Ang<D>::Zero());
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
    write_header(file, "talus-frames", D);
    file.attribute("first_frame", columns.first);
    file.attribute("dt", columns.dt);
    file.column("time", columns.time);
    file.column("step", columns.step);
    file.column("body_start", columns.body_start);
    file.column("contact_start", columns.contact_start);
    const auto packed = [&](const char* name, const auto& column) { file.column(name, column, Packing::deflated); };
    packed("bodies/position", columns.bodies.position);
    packed("bodies/orientation", columns.bodies.orientation);
    packed("bodies/velocity", columns.bodies.velocity);
    packed("bodies/spin", columns.bodies.spin);
    packed("bodies/imposed", columns.bodies.imposed);
    packed("contacts/candidate", columns.contacts.candidate);
    packed("contacts/antagonist", columns.contacts.antagonist);
    packed("contacts/feature", columns.contacts.feature);
    packed("contacts/points", columns.contacts.points);
    packed("contacts/point", columns.contacts.point);
    packed("contacts/normal", columns.contacts.normal);
    packed("contacts/gap", columns.contacts.gap);
    packed("contacts/impulse", columns.contacts.impulse);
    if (!columns.contacts.rolling_impulse.empty()) {
        packed("contacts/rolling_impulse", columns.contacts.rolling_impulse);
    }
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
void read_bodies(const Hdf5Reader& file, std::int64_t begin, std::int64_t end, BodyTable<D>& bodies)
{
    const auto first = std::size_t(begin), count = std::size_t(end - begin);
    bodies.position = file.column<Vec<D>>("bodies/position", first, count);
    bodies.orientation = file.column<Rotation<D>>("bodies/orientation", first, count);
    bodies.velocity = file.column<Vec<D>>("bodies/velocity", first, count);
    bodies.spin = file.column<Ang<D>>("bodies/spin", first, count);
    bodies.imposed = file.column<FreedomMask>("bodies/imposed", first, count);
}

template <int D>
void read_contacts(const Hdf5Reader& file, std::int64_t begin, std::int64_t end, ContactTable<D>& contacts)
{
    const auto first = std::size_t(begin), count = std::size_t(end - begin);
    contacts.candidate = file.column<std::int32_t>("contacts/candidate", first, count);
    contacts.antagonist = file.column<std::int32_t>("contacts/antagonist", first, count);
    contacts.feature = file.column<std::uint64_t>("contacts/feature", first, count);
    contacts.points = file.column<std::uint8_t>("contacts/points", first, count);
    contacts.point = file.column<Vec<D>>("contacts/point", first, count);
    contacts.normal = file.column<Vec<D>>("contacts/normal", first, count);
    contacts.gap = file.column<double>("contacts/gap", first, count);
    contacts.impulse = file.column<Vec<D>>("contacts/impulse", first, count);
    if (file.has("contacts/rolling_impulse")) {
        contacts.rolling_impulse = file.column<Ang<D>>("contacts/rolling_impulse", first, count);
    }
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
Frame<D> read_moving(const fs::path& run_folder, std::int64_t wanted, SealCheck check)
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
    frame.step = index.step[f];
    frame.time = index.time[f];
    frame.dt = file.number("dt");
    read_bodies(file, index.body_start[f], index.body_start[f + 1], frame.bodies);
    read_contacts(file, index.contact_start[f], index.contact_start[f + 1], frame.contacts);
    return frame;
}

template <int D>
Frame<D> read_constants(const fs::path& run_folder, std::optional<std::size_t> bodies)
{
    const Hdf5Reader run(run_folder / "run.h5");
    check_header(run, "talus-run", D);
    const std::size_t count = bodies.value_or(run.rows("bodies/shape"));
    Frame<D> frame;
    frame.bodies.mass = run.column<double>("bodies/mass", 0, count);
    frame.bodies.inertia = run.column<Ang<D>>("bodies/inertia", 0, count);
    frame.bodies.shape = run.column<std::int32_t>("bodies/shape", 0, count);
    frame.bodies.material = run.column<std::int32_t>("bodies/material", 0, count);
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
Frame<D> read_frame(const fs::path& run_folder, std::int64_t wanted)
{
    Frame<D> frame = read_moving<D>(run_folder, wanted), constant = read_constants<D>(run_folder, frame.bodies.size());
    frame.bodies.mass = std::move(constant.bodies.mass);
    frame.bodies.inertia = std::move(constant.bodies.inertia);
    frame.bodies.shape = std::move(constant.bodies.shape);
    frame.bodies.material = std::move(constant.bodies.material);
    reset_loads(frame.bodies);
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
        BodyTable<D> bodies;
        ContactTable<D> contacts;
        for (std::size_t f = 0; f < index.time.size(); ++f) {
            read_bodies(file, index.body_start[f], index.body_start[f + 1], bodies);
            read_contacts(file, index.contact_start[f], index.contact_start[f + 1], contacts);
            if (bodies.size() > known_bodies) {
                file.fail(fmt::format("frame {} has {} bodies, run.h5 knows {}", block.first + std::int64_t(f),
                                      bodies.size(), known_bodies));
            }
            if (!all_below(contacts.candidate, bodies.size()) || !all_below(contacts.antagonist, bodies.size())) {
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
    template Frame<D> read_moving<D>(const fs::path&, std::int64_t, SealCheck);                                        \
    template Frame<D> read_constants<D>(const fs::path&, std::optional<std::size_t>);                                  \
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
