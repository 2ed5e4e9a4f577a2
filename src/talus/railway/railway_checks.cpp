#include "talus/railway/railway_checks.hpp"

#include "talus/railway/operations.hpp"
#include "talus/railway/presets.hpp"
#include "talus/railway/track.hpp"
#include "talus/scene/suggestion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace talus {

using scene::Value;

namespace {

constexpr double least_steps_per_period = 10; // a vibration in fewer steps is another one
constexpr double longest_grain = 2.2;         // of our ballast, over its largest mesh

// To four digits, so that the number told is one that fits.
double rounded_up(double number)
{
    const double unit = number > 0 ? std::pow(10, std::floor(std::log10(number)) - 3) : 1;
    return std::ceil(number / unit - 1e-6) * unit;
}
double rounded_down(double number)
{
    const double unit = number > 0 ? std::pow(10, std::floor(std::log10(number)) - 3) : 1;
    return std::floor(number / unit + 1e-6) * unit;
}

class RailwayChecker {
  public:
    RailwayChecker(const Value& root, const Track& track) : root_(root), given_(root.at("track")), track_(track) {}

    std::vector<Mistake> run()
    {
        check_materials();
        check_box();
        check_sleepers();
        if (tamps()) check_rows();
        for (const Value& operation : root_.at("operations").list()) check_operation(operation);
        if (mistakes_.empty()) check_order();
        return std::move(mistakes_);
    }

  private:
    void report(const Value& at, std::string message)
    {
        for (const PresetValue& value : presets_) {
            if (value.key != at.path || !value.is_kept) continue;
            message += fmt::format(" ({}.preset = \"{}\" gives {})", value.section, value.preset, value.given);
        }
        mistakes_.push_back(mistake(at, std::move(message)));
    }

    bool tamps() const
    {
        return track_.has_tools() && std::ranges::any_of(root_.at("operations").list(), [](const Value& operation) {
                   return operation.at("type").is_text("tamping");
               });
    }

    void check_material(const Value& name)
    {
        if (root_.at("materials").find(name.text())) return;
        std::vector<std::string> known;
        for (const auto& [material, keys] : root_.at("materials").entries()) known.push_back(material);
        report(name, "no such material in [materials]; " + scene::suggestion(name.text(), known));
    }

    void check_materials()
    {
        check_material(given_.at("material"));
        check_material(given_.at("wall_material"));
        if (!track_.sleepers.empty()) check_material(given_.at("sleepers").at("material"));
        if (track_.has_tools()) check_material(given_.at("tools").at("material"));
    }

    void check_box()
    {
        if (given_.find("library")) return; // whose grains are judged when they are read
        const double least = longest_grain * grading_of(given_).back().size;
        for (const auto& [key, side] : {std::pair("width", track_.width), std::pair("length", track_.length)}) {
            if (side >= least) continue;
            report(given_.at(key), fmt::format("the box is {:g} m wide, and its largest grain may be {:g} m long: at "
                                               "least {:g} m",
                                               side, least, least));
        }
    }

    void check_sleepers()
    {
        if (track_.sleepers.empty()) return;
        const Value& sleepers = given_.at("sleepers");
        const Vec<3> half = 0.5 * track_.sleeper_size;
        if (2 * half.x() >= track_.width) {
            report(sleepers.at("length"),
                   fmt::format("{:g} m do not fit in the box, track.width is {:g} m at this scale", 2 * half.x(),
                               track_.width));
        }
        check_seats();
        if (track_.sleepers.size() > 1 && sleepers.at("spacing").number() <= 2 * half.y()) {
            report(sleepers.at("spacing"), fmt::format("the sleepers overlap: each is {:g} m wide", 2 * half.y()));
        }
        const double first = track_.sleepers.front().centre.y() - half.y();
        const double last = track_.sleepers.back().centre.y() + half.y();
        if (first < 0 || last > track_.length) {
            report(given_.at("length"), fmt::format("too short for the sleepers, which reach from {:g} to {:g} m: at "
                                                    "least {:g} m",
                                                    first, last, last - first));
        }
        check_levels();
        if (track_.below >= track_.height) {
            report(given_.at("below"),
                   fmt::format("the bed of ballast is only about {:.2g} m high: the sleepers would stand on top of it",
                               track_.height));
        }
    }

    void check_seats()
    {
        if (track_.seats.size() < 2) return;
        const double apart = track_.seats[1] - track_.seats[0], length = track_.sleeper_size.x();
        if (apart >= rail_seat_length) return;
        report(given_.at("sleepers").at("length"),
               fmt::format(
                   "the rail seats of {:g} m overlap on a sleeper that is {:g} m long at this scale: at least {:g} m",
                   rail_seat_length, length, rounded_up(length * rail_seat_length / apart / track_.scale)));
    }

    // Each sleeper in the ballast: above the sub-layer, and not on top of the bed.
    void check_levels()
    {
        const Value& levels = given_.at("sleepers").at("levels");
        const std::size_t count = levels.list().size();
        if (count != 0 && count != track_.sleepers.size()) {
            report(levels, fmt::format("has {} entries for {} sleepers", count, track_.sleepers.size()));
        }
        for (std::size_t k = 0; k < std::min(count, track_.sleepers.size()); ++k) {
            const double underside = track_.underside(k);
            if (underside <= 0) {
                report(levels.list()[k], fmt::format("{} would lie in the sub-layer: above {:g} m",
                                                     track_.sleepers[k].name, -track_.below));
            } else if (underside >= track_.height && track_.below < track_.height) {
                report(levels.list()[k],
                       fmt::format("{} would stand {:.3g} m high, on top of the bed of about {:.2g} "
                                   "m: below {:.3g} m",
                                   track_.sleepers[k].name, underside, track_.height, track_.height - track_.below));
            }
        }
    }

    void check_operation(const Value& operation)
    {
        check_frequency(operation);
        const Value* sleepers = operation.find("sleepers");
        if (!sleepers) return;
        if (track_.sleepers.empty()) {
            return report(operation.at("type"), "needs a sleeper, track.sleepers.type is \"none\"");
        }
        bool all_there = true;
        for (const Value& number : sleepers->list()) {
            const double k = number.number();
            if (k == std::floor(k) && k >= 1 && k <= double(track_.sleepers.size())) continue;
            all_there = false;
            report(number, fmt::format("no such sleeper; they are numbered from 1 to {}", track_.sleepers.size()));
        }
        if (!all_there) return;
        if (operation.at("type").is_text("tamping")) check_tamping(operation);
        if (operation.at("type").is_text("train")) check_train(operation);
    }

    // One at a time on each sleeper, and time for the tools to come.
    void check_order()
    {
        const Value::List& list = root_.at("operations").list();
        const std::vector<OperationTime> times = operation_times(root_);
        for (std::size_t k = 0; k < list.size(); ++k) {
            OperationTime time = times[k];
            std::string problem; // with the first; what is told as fitting fits with all
            for (std::size_t before = 0; before < k;) {
                const double missing = missing_time(list[k], time, list[before], times[before]);
                if (missing == 0) {
                    ++before;
                    continue;
                }
                if (problem.empty()) problem = conflict(list[k], missing, list[before], times[before]);
                time.from += missing;
                time.until += missing;
                before = 0;
            }
            if (problem.empty()) continue;
            const Value& key = list[k].at(list[k].at("from").is_text() ? "pause" : "from");
            report(key,
                   fmt::format("{}: at least {:g} s", problem, rounded_up(key.number() + time.from - times[k].from)));
        }
    }

    static bool both_tamp(const Value& a, const Value& b)
    {
        return a.at("type").is_text("tamping") && b.at("type").is_text("tamping");
    }

    // [s] by which it begins too early for the other; 0: it does not
    static double missing_time(const Value& operation, const OperationTime& time, const Value& other,
                               const OperationTime& others)
    {
        const bool tools_come = both_tamp(operation, other);
        const double missing = others.until + (tools_come ? operation.at("travel_time").number() : 0.0) - time.from;
        const bool is_apart =
            !tools_come && (what_they_share(operation, other).empty() || time.until <= others.from + 1e-9);
        return is_apart || missing <= 1e-9 ? 0 : missing;
    }

    static std::string conflict(const Value& operation, double missing, const Value& other, const OperationTime& others)
    {
        if (!both_tamp(operation, other)) {
            return fmt::format("{} still acts on {}, until {:.4g} s", other.path, what_they_share(operation, other),
                               others.until);
        }
        const double needed = operation.at("travel_time").number();
        return fmt::format("the tools need travel_time = {:g} s to come from {}: they have {:.3g} s", needed,
                           other.path, needed - missing);
    }

    // "sleeper 2" or "this wall"; "" where they share nothing
    static std::string what_they_share(const Value& a, const Value& b)
    {
        const Value *first = a.find("sleepers"), *second = b.find("sleepers");
        if (!first && !second) return a.at("wall").text() == b.at("wall").text() ? "this wall" : "";
        if (!first || !second) return "";
        for (const double k : first->numbers()) {
            if (std::ranges::count(second->numbers(), k) > 0) return fmt::format("sleeper {:g}", k);
        }
        return "";
    }

    void check_frequency(const Value& operation)
    {
        const Value* frequency = operation.find("frequency");
        const double dt = root_.at("scene").at("dt").number();
        if (!frequency || frequency->number() * dt * least_steps_per_period <= 1 + 1e-9) return;
        report(*frequency, fmt::format("steps of {:g} s cannot resolve it: {:.1f} per period, {:g} are the least (dt ≤ "
                                       "{:.3g} s)",
                                       dt, 1 / (frequency->number() * dt), least_steps_per_period,
                                       0.999 / (least_steps_per_period * frequency->number()))); // not rounded up
    }

    void check_tamping(const Value& operation)
    {
        if (!track_.has_tools()) return report(operation.at("type"), "needs tools, track.tools.count is 0");
        check_crib(operation);
        const double amplitude = operation.at("amplitude").number();
        const double reach = operation.at("squeeze_stroke").number() + amplitude;
        if (operation.at("squeeze_time").number() > 0 && reach >= track_.distance) {
            report(operation.at("squeeze_stroke"),
                   fmt::format("with the vibration of {:g} m the tools would strike the sleeper, {:g} m away",
                               amplitude, track_.distance));
        }
        check_lift(operation);
        check_depth(operation);
        check_strength(operation);
        check_ram(operation);
    }

    void check_depth(const Value& operation)
    {
        const double depth = dive_depth(operation);
        const double bed = (track_.grains ? 1.5 : 1.15) * track_.height; // judged exactly once it is there
        if (depth < bed + 0.05) return;
        report(operation.at(has_dive_time(operation) ? "penetration_time" : "penetration_depth"),
               fmt::format("the tools would dive {:.3g} m, through the sub-layer: the bed is about {:.2g} m high",
                           depth, track_.height));
    }

    void check_strength(const Value& operation)
    {
        for (const char* key : {"squeeze_force", "penetration_force"}) {
            const Value& force = operation.at(key);
            if (force.number() <= track_.tool_strength) continue;
            report(force,
                   fmt::format("no tool of this shaft can hold it: {:.3g} kN bend it beyond track.tools.strength",
                               1e-3 * track_.tool_strength));
        }
    }

    // The force of a ram falls with its speed: explicit steps follow it as long as F dt < M u_max.
    void check_ram(const Value& operation)
    {
        const double dt = root_.at("scene").at("dt").number(), mass = given_.at("tools").at("mass").number();
        for (const auto& [force, speed] :
             {std::pair("squeeze_force", "squeeze_speed"), std::pair("penetration_force", "penetration_speed")}) {
            const double most = mass * operation.at(speed).number() / dt;
            if (operation.at(force).number() < most) continue;
            report(operation.at(force),
                   fmt::format("steps of {:g} s cannot follow it on tools of {:g} kg up to {} = {:g} "
                               "m/s: at most {:.3g} N",
                               dt, mass, speed, operation.at(speed).number(), most));
        }
    }

    void check_lift(const Value& operation)
    {
        double highest = 0; // an underside, as it is when the operation begins
        for (const double number : operation.at("sleepers").numbers()) {
            highest = std::max(highest, track_.underside(std::size_t(number) - 1));
        }
        for (std::size_t k = 0; operation.at("align").boolean() && k < track_.sleepers.size(); ++k) {
            highest = std::max(highest, track_.underside(k));
        }
        const Value& lift = operation.at("lift");
        if (lift.number() == 0 || highest + lift.number() < track_.height || highest >= track_.height) return;
        report(lift, fmt::format("would lift a sleeper to {:.3g} m, out of the bed of about {:.2g} m: below {:.3g} m",
                                 highest + lift.number(), track_.height, track_.height - highest));
    }

    // Tools beside one another along the sleeper, and within the box.
    void check_rows()
    {
        const Value& tools = given_.at("tools");
        const double wide = track_.tool_width(), pitch = track_.pitch;
        const int gaps = track_.tools_per_row - 1;
        if (gaps > 0 && pitch <= wide) {
            report(tools.at("pitch"), fmt::format("tools overlap: each is {:g} m wide", wide));
        }
        const double apart = track_.seats.back() - track_.seats.front();
        if (track_.seats.size() > 1 && apart - gaps * pitch <= wide) {
            report(tools.at(gaps > 0 ? "pitch" : "foot"),
                   fmt::format("the tools of the two rails overlap: {} of {:g} m width per rail and side, and the "
                               "rails are {:g} m apart",
                               gaps + 1, wide, apart));
        }
        const double reach = apart + gaps * pitch + wide;
        if (reach > track_.width) {
            report(given_.at("width"), fmt::format("track.tools.count = {} would stand outside the box: at this scale "
                                                   "they take {:g} m along the sleeper, and it is {:g} m",
                                                   tools.at("count").integer(), reach, track_.width));
        }
    }

    // Tools stand beside their sleeper in the box, and swing clear of the sleeper beyond.
    void check_crib(const Value& operation)
    {
        const Value& distance = given_.at("tools").at("distance");
        const double thick = track_.tool_thickness(), swing = operation.at("amplitude").number();
        const double half = 0.5 * track_.sleeper_size.y();
        double border = track_.length, crib = track_.length; // [m] least room beside a sleeper that is tamped
        for (const double number : operation.at("sleepers").numbers()) {
            const Sleeper& sleeper = track_.sleepers[std::size_t(number) - 1];
            const double y = sleeper.centre.y();
            border = std::min({border, y - half, track_.length - y - half});
            for (const Sleeper& other : track_.sleepers) {
                if (&other != &sleeper) crib = std::min(crib, std::abs(other.centre.y() - y) - 2 * half);
            }
        }
        if (track_.distance + thick > border) {
            report(distance,
                   fmt::format("a tool would stand outside the box: it is {:g} m thick, and beside the "
                               "sleeper there are {:.4g} m; at least track.length = {:g}",
                               thick, border, rounded_up(track_.length + 2 * (track_.distance + thick - border))));
        }
        const double room = crib - track_.distance - thick;
        if (room >= swing) return;
        const double spacing = rounded_up(given_.at("sleepers").at("spacing").number() + swing - room);
        const std::string tools = fmt::format("tools {:g} m thick at {:g} m that swing by {:g} m do not fit into the "
                                              "crib of {:.4g} m beside the neighbouring sleeper",
                                              thick, track_.distance, swing, crib);
        if (room > 0) { // it is the machine that does not fit the track
            report(operation.at("amplitude"), fmt::format("{}: at most {:g} m, or track.sleepers.spacing = {:g}", tools,
                                                          rounded_down(room), spacing));
        } else {
            report(distance, fmt::format("{}: at least track.sleepers.spacing = {:g}", tools, spacing));
        }
    }

    // The load reaches each sleeper in a step of its own, or all at once.
    void check_train(const Value& operation)
    {
        const Value& speed = operation.at("speed");
        if (speed.number() == 0) return;
        const double dt = root_.at("scene").at("dt").number();
        std::vector<double> places;
        for (const double number : operation.at("sleepers").numbers()) {
            places.push_back(track_.sleepers[std::size_t(number) - 1].centre.y());
        }
        std::ranges::sort(places);
        double shortest = track_.length;
        for (std::size_t k = 1; k < places.size(); ++k) {
            if (places[k] > places[k - 1]) shortest = std::min(shortest, places[k] - places[k - 1]);
        }
        if (places.back() == places.front()) {
            report(speed, "has no effect on one sleeper, all of whose load comes at once: 0, or name more sleepers");
        } else if (shortest < speed.number() * dt) {
            report(speed,
                   fmt::format("goes from one sleeper to the next, {:g} m on, in {:.3g} s, and a step is {:g} s: "
                               "at most {:g} m/s, or 0: all at once",
                               shortest, shortest / speed.number(), dt, rounded_down(shortest / dt)));
        }
    }

    const Value& root_;
    const Value& given_;
    const Track& track_;
    const std::vector<PresetValue> presets_ = preset_values(root_);
    std::vector<Mistake> mistakes_;
};

// Parts that do not fit in a short track may fit in a longer one: the smallest scale without any of these mistakes.
void name_smallest_scales(const Value& root, std::vector<Mistake>& mistakes)
{
    constexpr int scales = 100;
    Value scaled = root;
    std::vector<bool> is_settled(mistakes.size(), false);
    double smallest = 0;
    for (int k = 1; k <= scales; ++k) {
        const double scale = double(k) / scales;
        if (scale <= root.at("scene").at("scale").number()) continue;
        scaled.at("scene").set("scale", Value(scale));
        const Track track = *read_track(scaled);
        const std::vector<Mistake> left = RailwayChecker(scaled, track).run();
        for (std::size_t m = 0; m < mistakes.size(); ++m) {
            if (is_settled[m] || std::ranges::count(left, mistakes[m].key, &Mistake::key) > 0) continue;
            smallest = scale;
            is_settled[m] = true;
        }
    }
    for (std::size_t m = 0; m < mistakes.size(); ++m) {
        if (is_settled[m])
            mistakes[m].message += fmt::format("; scene.scale = {:g} is the smallest that fits", smallest);
    }
}

struct WorkingRange {
    const char* key;
    double low, high;
    const char* unit;
    double factor; // of the unit
};
// BALLAST Table 1.1; the amplitude is from its text
constexpr WorkingRange working_ranges[] = {
    {"lift", 0.010, 0.050, "mm", 1e3},         {"penetration_speed", 1.6, 2.5, "m/s", 1},
    {"withdrawal_speed", 1.6, 2.5, "m/s", 1},  {"frequency", 35, 45, "Hz", 1},
    {"squeeze_force", 16e3, 19e3, "kN", 1e-3}, {"squeeze_time", 0.8, 1.2, "s", 1},
    {"amplitude", 0.005, 0.010, "mm", 1e3},
};

} // namespace

std::vector<Mistake> complete_railway(Value& root)
{
    const Value* given = root.find("track");
    const Value::List& operations = root.at("operations").list();
    Value& section = root.at("scene");
    std::vector<Mistake> mistakes;
    if (scene::dimension_of(root) == 2 && given) mistakes.push_back(mistake_of_key(*given, "a track is 3D"));
    if (!given && !operations.empty()) {
        mistakes.push_back(mistake_of_key(operations.front(), "operations need a track: give [track]"));
    }
    if (!given && section.at("scale").number() != 1) {
        mistakes.push_back(mistake(section.at("scale"), "shortens a track, and the scene has no [track]"));
    }
    Value& duration = section.at("duration");
    if (duration.is_text() && operations.empty()) {
        mistakes.push_back(mistake(duration, "without operations there is no end to take: give a time"));
    }
    for (Mistake& problem : machine_problems(root)) mistakes.push_back(std::move(problem));
    if (!mistakes.empty() || !given) return mistakes;
    const Track track = *read_track(root);
    mistakes = RailwayChecker(root, track).run();
    name_smallest_scales(root, mistakes);
    if (!mistakes.empty() || !duration.is_text()) return mistakes;
    double end = 0;
    for (const OperationTime& time : operation_times(root)) end = std::max(end, time.until);
    duration.become(end);
    return mistakes;
}

std::vector<std::string> railway_warnings(const Value& root)
{
    std::vector<std::string> all;
    const std::vector<PresetValue> presets = preset_values(root);
    const auto is_from_preset = [&](const Value& value) { // whose source is named, inside the ranges or not
        return std::ranges::any_of(presets,
                                   [&](const PresetValue& given) { return given.key == value.path && given.is_kept; });
    };
    for (const Value& operation : root.at("operations").list()) {
        if (!operation.at("type").is_text("tamping")) continue;
        for (const WorkingRange& range : working_ranges) {
            const double value = operation.at(range.key).number();
            const bool is_off = value == 0; // a lift, squeeze or vibration that is not made
            if (is_off || is_from_preset(operation.at(range.key)) ||
                (value >= range.low * (1 - 1e-9) && value <= range.high * (1 + 1e-9)))
                continue;
            all.push_back(
                fmt::format("{}.{} = {:g} {} is outside the working range of tamping machines, {:g} to {:g} {} "
                            "(BALLAST Table 1.1)",
                            operation.path, range.key, value * range.factor, range.unit, range.low * range.factor,
                            range.high * range.factor, range.unit));
        }
    }
    return all;
}

} // namespace talus
