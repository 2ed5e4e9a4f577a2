#include "talus/report/view/view_data.hpp"

#include "talus/base/error.hpp"
#include "talus/base/version.hpp"
#include "talus/io/files/json_writer.hpp"
#include "talus/io/runs/run_folder.hpp"
#include "talus/io/runs/run_text.hpp"
#include "talus/report/crowd/crowd_packet.hpp"
#include "talus/report/pages/html_report.hpp"
#include "talus/report/pages/series_json.hpp"
#include "talus/report/view/view_frame.hpp"
#include "talus/report/view/view_ranges.hpp"
#include "talus/report/view/view_scene.hpp"
#include "talus/report/view/view_shapes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>

namespace talus::report {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t most_shown_lines = 5000, least_shown_lines = 500, most_shown_values = 600'000; // of a series

class JsonObject {
  public:
    void entry(std::string_view name, std::string_view value)
    {
        text_ += text_.size() > 1 ? ",\n" : "";
        text_ += io::json_quoted(name) + ":";
        text_ += value;
    }
    std::string text() const { return text_ + "}"; }

  private:
    std::string text_ = "{";
};

template <class List, class Write>
std::string json_list_of(const List& list, const Write& write)
{
    std::string text;
    for (const auto& item : list) text += (text.empty() ? "" : ",") + write(item);
    return "[" + text + "]";
}

std::string times_json(const std::vector<double>& times, std::size_t first)
{
    const std::vector<double> rest(times.begin() + std::ptrdiff_t(std::min(first, times.size())), times.end());
    return json_list_of(rest, [](double time) { return json_number(time, 12); });
}

// [s] since a file of the run was last written
double seconds_since_change(const fs::path& folder)
{
    auto latest = fs::file_time_type::min();
    for (const char* name : {"run.h5", "series.csv", "log.txt", "summary.json", "frames", "checkpoint"}) {
        std::error_code error;
        const auto written = fs::last_write_time(folder / name, error);
        if (!error) latest = std::max(latest, written);
    }
    if (latest == fs::file_time_type::min()) return 0;
    return std::max(0.0, std::chrono::duration<double>(fs::file_time_type::clock::now() - latest).count());
}

// A file as it is on disk now.
struct Stamp {
    fs::file_time_type written{};
    std::uintmax_t bytes = 0;
    bool operator==(const Stamp&) const = default;
};
Stamp stamp_of(const fs::path& file)
{
    std::error_code error;
    return {fs::last_write_time(file, error), fs::file_size(file, error)};
}

template <int D>
class ViewedRunOf final : public ViewedRun {
  public:
    explicit ViewedRunOf(const fs::path& folder) : ViewedRun(folder) { constants(); }

    std::string shapes(const ShownBodies& shown) override
    {
        return shapes_packet(io::read_constants<D>(folder_), shown);
    }
    std::string frame(std::int64_t index, const ShownBodies& shown) override
    {
        const io::Frame<D>& found = whole_frame(index);
        find_division();
        std::optional<CrowdLook> look;
        if (find_crowd()) look = look_at(*crowd_, found, numbers(), MapGrain::coarse, gone_);
        const CrowdLook* crowd = look ? &*look : nullptr;
        if (!division_) return frame_packet<D>(found, shown, nullptr, gone_, crowd);
        const Partition partition = parts_of(found, *division_);
        return frame_packet(found, shown, &partition, gone_, crowd);
    }
    std::string contacts(std::int64_t index, const ShownBodies& shown) override
    {
        return contacts_packet(whole_frame(index), shown);
    }
    std::string crowd(const ShownBodies& shown) override
    {
        return find_crowd() ? crowd_packet(*crowd_, numbers(), shown) : std::string();
    }
    std::string ranges() override;
    ShownBodies some_bodies(std::size_t count) override;
    std::size_t body_count() override { return constants().bodies.shape.size(); }

  private:
    int dimension() const override { return D; }
    std::string materials_json() override
    {
        return json_list_of(constants().materials, [](const std::string& name) { return io::json_quoted(name); });
    }
    std::string groups_json(const ShownBodies& shown) override;
    SceneFacts scene_facts(const ShownBodies& shown) override;
    int count_parts(const PartitionOptions& options);

    const io::Frame<D>& constants();
    // Of the bodies that run.h5 knows: the first whose number is not less.
    std::size_t row_of(std::int32_t number)
    {
        const std::vector<std::int32_t>& known = constants().bodies.number;
        if (known.empty()) return std::size_t(number);
        return std::size_t(std::ranges::lower_bound(known, number) - known.begin());
    }
    const io::Frame<D>& whole_frame(std::int64_t index);
    void find_division();
    bool find_crowd();                   // with all frames that there are
    std::vector<std::int32_t> numbers(); // of the bodies that run.h5 knows

    // run.h5 without the surfaces of its shapes: they are large, and only shapes() needs them
    io::Frame<D> constants_;
    std::optional<Stamp> constants_stamp_;
    // the frame that was asked for last: its contacts come next
    std::optional<io::Frame<D>> last_;
    std::vector<std::uint8_t> gone_;           // flags bodies that are not in it, where some have left
    FrameIndex::Block last_block_;             // that it came from: its seal need not be checked again for the next one
    std::optional<PartitionOptions> division_; // of the frames; none where there is one part
    bool division_is_known_ = false;
    std::optional<CrowdHistory<D>> crowd_; // none where there are no people
    bool crowd_is_known_ = false;
};

template <int D>
const io::Frame<D>& ViewedRunOf<D>::constants()
{
    const Stamp now = stamp_of(folder_ / "run.h5");
    if (constants_stamp_ == now) return constants_;
    constants_stamp_.reset();
    constants_ = io::read_constants<D>(folder_);
    constants_.bodies.inertia = {};
    constants_.shapes.polytopes = {};
    constants_.shapes.clusters = {};
    constants_.shapes.meshes = {};
    constants_stamp_ = now;
    return constants_;
}

template <int D>
const io::Frame<D>& ViewedRunOf<D>::whole_frame(std::int64_t index)
{
    const FrameIndex::Block block = index_.block_of(index);
    const bool is_known = last_ && last_block_ == block;
    if (is_known && last_->index == index) return *last_;
    last_.reset();
    io::Frame<D> frame = io::read_moving<D>(folder_, index, is_known ? io::SealCheck::length : io::SealCheck::contents);
    const io::Frame<D>& known = constants();
    gone_ = spread(frame, known.bodies);
    if (frame.bodies.size() > known.bodies.shape.size()) {
        throw InputError(fmt::format("{}: frame {} has {} bodies, run.h5 knows {}", folder_.string(), index,
                                     frame.bodies.size(), known.bodies.shape.size()));
    }
    const auto count = std::ptrdiff_t(frame.bodies.size());
    frame.bodies.shape.assign(known.bodies.shape.begin(), known.bodies.shape.begin() + count);
    frame.shapes = known.shapes;
    frame.groups = known.groups;
    check_contacts(frame);
    last_ = std::move(frame);
    last_block_ = block;
    return *last_;
}

template <int D>
std::string ViewedRunOf<D>::groups_json(const ShownBodies& shown)
{
    return json_list_of(constants().groups, [&](const BodyGroup& group) {
        const std::size_t first = shown.count(row_of(group.first));
        return fmt::format(R"({{"name":{},"first":{},"count":{}}})", io::json_quoted(group.name), first,
                           shown.count(row_of(group.first + group.count)) - first);
    });
}

// Known once the first frame is there; a scene that cannot be read divides nothing.
template <int D>
void ViewedRunOf<D>::find_division()
{
    if (division_is_known_ || index_.size() == 0) return;
    division_is_known_ = true;
    try {
        division_ = division_of<D>(checked_scene(folder_));
        if (division_ && count_parts(*division_) <= 1) division_.reset();
    } catch (const InputError&) {
        division_.reset();
    }
}

template <int D>
std::string ViewedRunOf<D>::ranges()
{
    ViewRanges ranges;
    const auto frames = std::int64_t(this->frames().size()), looks = looks_at(frames, body_count());
    const bool is_crowd = find_crowd();
    for (std::int64_t k = 0; k < looks; ++k) {
        try {
            const io::Frame<D>& frame = whole_frame(looks > 1 ? k * (frames - 1) / (looks - 1) : 0);
            std::optional<CrowdLook> look;
            if (is_crowd) look = look_at(*crowd_, frame, numbers(), MapGrain::coarse, gone_);
            if (!look || look->inside > 0) reach(ranges, frame, gone_, look ? &*look : nullptr);
        } catch (const InputError&) { // whoever asks for this frame is told
        }
    }
    return ranges_json(ranges, frames);
}

template <int D>
bool ViewedRunOf<D>::find_crowd()
{
    if (!crowd_is_known_) {
        if (const auto scene = crowd_scene(folder_)) crowd_.emplace(folder_, *scene);
        crowd_is_known_ = true;
    }
    if (crowd_) crowd_->refresh(constants(), std::int64_t(index_.size()));
    return crowd_.has_value();
}

template <int D>
std::vector<std::int32_t> ViewedRunOf<D>::numbers()
{
    const BodyTable<D>& known = constants().bodies;
    std::vector<std::int32_t> list = known.number;
    for (std::size_t i = list.size(); i < known.shape.size(); ++i) list.push_back(std::int32_t(i));
    return list;
}

template <int D>
int ViewedRunOf<D>::count_parts(const PartitionOptions& options)
{
    int boxes = 1;
    for (const int count : options.boxes) boxes *= count;
    if (options.method == "boxes") return boxes;
    if (options.parts > 0) return options.parts;
    return automatic_parts(std::size_t(*std::ranges::max_element(index_.contacts)));
}

template <int D>
ViewedRun::SceneFacts ViewedRunOf<D>::scene_facts(const ShownBodies& shown)
{
    SceneFacts facts;
    if (index_.size() == 0) return facts;
    try {
        const scene::Value scene = checked_scene(folder_);
        facts.gauges = gauges_json(scene, whole_frame(0), shown);
        if (const auto crowd = crowd_scene(scene)) facts.crowd = crowd_json(*crowd);
    } catch (const InputError& error) { // the page can do without
        facts.warnings.push_back(fmt::format("gauges are not shown: {}", error.what()));
    }
    division_is_known_ = false; // more contacts may make more parts
    find_division();
    if (division_) facts.parts = count_parts(*division_);
    return facts;
}

template <int D>
ShownBodies ViewedRunOf<D>::some_bodies(std::size_t count)
{
    std::vector<bool> is_kept(constants().bodies.shape.size(), false);
    for (const BodyGroup& group : constants_.groups) {
        if (group.count == 1 && row_of(group.first) < is_kept.size()) is_kept[row_of(group.first)] = true;
    }
    frames();
    if (index_.size() > 0) {
        for (const std::int64_t index : {std::int64_t(0), std::int64_t(index_.size()) - 1}) {
            const io::Frame<D>& frame = whole_frame(index);
            for (std::size_t i = 0; i < frame.bodies.size(); ++i) {
                if (frame.bodies.is_passive(i)) is_kept[i] = true;
            }
        }
    }
    std::vector<std::size_t> others;
    for (std::size_t i = 0; i < is_kept.size(); ++i) {
        if (!is_kept[i]) others.push_back(i);
    }
    const std::size_t kept = is_kept.size() - others.size();
    const std::size_t more = std::min(count > kept ? count - kept : 0, others.size());
    for (std::size_t k = 0; k < more; ++k) is_kept[others[k * others.size() / more]] = true;
    std::vector<std::int32_t> list;
    for (std::size_t i = 0; i < is_kept.size(); ++i) {
        if (is_kept[i]) list.push_back(std::int32_t(i));
    }
    return list.size() == is_kept.size() ? ShownBodies() : ShownBodies(std::move(list));
}

} // namespace

std::unique_ptr<ViewedRun> ViewedRun::open(const fs::path& folder)
{
    if (io::read_dimension(folder) == 2) return std::make_unique<ViewedRunOf<2>>(folder);
    return std::make_unique<ViewedRunOf<3>>(folder);
}

ViewedRun::ViewedRun(fs::path folder) : folder_(std::move(folder)), index_(folder_), series_(folder_ / "series.csv") {}

const FrameIndex& ViewedRun::frames()
{
    index_.refresh();
    return index_;
}

bool ViewedRun::has_frame(std::int64_t index)
{
    const auto is_known = [&] { return index >= 0 && std::uint64_t(index) < index_.size(); };
    if (!is_known()) index_.refresh();
    return is_known();
}

std::string ViewedRun::state_json() const
{
    std::string outcome, reason;
    try {
        const std::string summary = io::read_summary(folder_ / "summary.json");
        outcome = io::summary_text(summary, "outcome");
        reason = io::summary_text(summary, "exit_reason");
        if (outcome.empty()) outcome = "running"; // or killed: the time since a file changed tells
    } catch (const InputError& error) {
        outcome = "failed";
        reason = io::json_quoted(error.what());
        reason = reason.substr(1, reason.size() - 2);
    }
    return fmt::format(R"({{"outcome":"{}","reason":"{}","seconds_since_change":{:.1f}}})", outcome, reason,
                       seconds_since_change(folder_));
}

std::string ViewedRun::series_json(std::size_t first, std::vector<std::string>& warnings)
{
    try {
        series_.refresh();
        const std::size_t columns = series_.names().size(), lines = series_.size();
        const std::size_t kept =
            std::clamp(most_shown_values / std::max<std::size_t>(columns, 1), least_shown_lines, most_shown_lines);
        std::vector<ThinnedColumn> thin(columns, ThinnedColumn(lines > first ? lines - first : 0, kept));
        series_.read(first, [&](std::span<const std::optional<double>> values) {
            for (std::size_t c = 0; c < columns; ++c) thin[c].add(values[c]);
        });
        std::string values;
        for (std::size_t c = 0; c < columns; ++c) {
            values += (c > 0 ? "," : "") + json_list(thin[c].kept(), c == 0 ? 12 : 6);
        }
        return fmt::format(R"({{"names":{},"lines":{},"values":[{}]}})",
                           json_list_of(series_.names(), [](const std::string& name) { return io::json_quoted(name); }),
                           lines, values);
    } catch (const InputError& error) { // the frames stand without
        warnings.push_back(fmt::format("the series is not shown: {}", error.what()));
        return R"({"names":[],"lines":0,"values":[]})";
    }
}

std::string ViewedRun::run_json()
{
    ViewSelection all;
    const std::size_t count = frames().size(); // asked once: it looks at the folder
    for (std::size_t f = 0; f < count; ++f) all.frames.push_back(std::int64_t(f));
    return run_json(all);
}

std::string ViewedRun::run_json(const ViewSelection& selection)
{
    frames();
    SceneFacts scene = scene_facts(selection.bodies);
    const io::Provenance origin = io::read_provenance(io::Hdf5Reader(folder_ / "run.h5"));
    JsonObject json;
    json.entry("talus", io::json_quoted(version()));
    json.entry("title", io::json_quoted(run_title(folder_)));
    json.entry("folder", io::json_quoted(folder_name(folder_)));
    json.entry("dimension", std::to_string(dimension()));
    json.entry("bodies", std::to_string(selection.bodies.count(body_count())));
    json.entry("up", std::to_string(dimension() - 1));
    json.entry("materials", materials_json());
    json.entry("groups", groups_json(selection.bodies));
    json.entry("parts", std::to_string(scene.parts));
    json.entry("gauges", scene.gauges);
    json.entry("crowd", scene.crowd);
    json.entry("state", state_json());
    json.entry("times", times_json(index_.time, 0));
    json.entry("series", series_json(0, scene.warnings));
    json.entry("frames", json_list_of(selection.frames, [](std::int64_t frame) { return std::to_string(frame); }));
    json.entry("left_out", io::json_quoted(selection.left_out));
    json.entry("warnings", json_list_of(scene.warnings, [](const auto& words) { return io::json_quoted(words); }));
    json.entry("provenance", provenance_json(origin));
    return json.text();
}

std::string ViewedRun::live_json(std::size_t known_frames, std::size_t lines)
{
    frames();
    std::vector<std::string> warnings;
    JsonObject json;
    json.entry("state", state_json());
    json.entry("bodies", std::to_string(body_count()));
    json.entry("times", times_json(index_.time, known_frames));
    json.entry("series", series_json(lines, warnings));
    if (known_frames == 0 && index_.size() > 0) { // what run.json could not tell before there was a frame
        const SceneFacts scene = scene_facts({});
        json.entry("parts", std::to_string(scene.parts));
        json.entry("gauges", scene.gauges);
        json.entry("crowd", scene.crowd);
    }
    return json.text();
}

ViewPage view_page(const WebPage& page, const std::string& title, bool is_served)
{
    ViewPage text;
    text.head = "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
    if (!is_served) { // the server says so in a header
        text.head += "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data: blob:; "
                     "style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n";
    }
    text.head += "<link rel=\"icon\" href=\"data:,\">\n<title>" + html_text(title) + " – Talus</title>\n<style>\n";
    text.head += page.style;
    text.head += "</style>\n</head>\n<body>\n<noscript>This page draws itself with JavaScript, all of it inside this "
                 "file.</noscript>\n";
    text.tail = "<script>\n";
    text.tail += page.script;
    text.tail += "</script>\n</body>\n</html>\n";
    return text;
}

} // namespace talus::report
