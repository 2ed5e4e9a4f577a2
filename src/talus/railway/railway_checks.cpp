#include "talus/railway/railway_checks.hpp"

#include "talus/railway/operations.hpp"
#include "talus/railway/track.hpp"
#include "talus/scene/suggestion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace talus {

using scene::Value;

namespace {

constexpr double least_steps_per_period = 10; // a vibration in fewer steps is another one

class RailwayChecker {
  public:
    RailwayChecker(const Value& root, const Track& track) : root_(root), given_(root.at("track")), track_(track) {}

    std::vector<Mistake> run()
    {
        check_materials();
        check_sleepers();
        for (const Value& operation : root_.at("operations").list()) check_operation(operation);
        if (mistakes_.empty()) check_order();
        return std::move(mistakes_);
    }

  private:
    void report(const Value& at, std::string message) { mistakes_.push_back(mistake(at, std::move(message))); }

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
        if (track_.sleepers.size() > 1 && sleepers.at("spacing").number() <= 2 * half.y()) {
            report(sleepers.at("spacing"), fmt::format("the sleepers overlap: each is {:g} m wide", 2 * half.y()));
        }
        const double first = track_.sleepers.front().centre.y() - half.y();
        const double last = track_.sleepers.back().centre.y() + half.y();
        if (first < 0 || last > track_.length) {
            report(given_.at("length"),
                   fmt::format("too short for the sleepers, which reach from {:g} to {:g} m", first, last));
        }
        const std::size_t levels = sleepers.at("levels").list().size();
        if (levels != 0 && levels != track_.sleepers.size()) {
            report(sleepers.at("levels"),
                   fmt::format("has {} entries for {} sleepers", levels, track_.sleepers.size()));
        }
        for (const Sleeper& sleeper : track_.sleepers) {
            if (sleeper.centre.z() > half.z()) continue;
            report(sleepers.at("levels"), sleeper.name + " would lie in the sub-layer");
        }
        if (track_.below >= track_.height) {
            report(given_.at("below"),
                   fmt::format("the bed of ballast is only about {:.2g} m high: the sleepers would stand on top of it",
                               track_.height));
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
        if (operation.at("type").is_text("tamping") && all_there) check_tamping(operation);
    }

    // One at a time on each sleeper, and time for the tools to come.
    void check_order()
    {
        const Value::List& list = root_.at("operations").list();
        const std::vector<OperationTime> times = operation_times(root_);
        for (std::size_t k = 0; k < list.size(); ++k) {
            const bool tamps = list[k].at("type").is_text("tamping");
            for (std::size_t before = 0; before < k; ++before) {
                const bool both_tamp = tamps && list[before].at("type").is_text("tamping");
                const double needed = both_tamp ? list[k].at("travel_time").number() : 0.0;
                const double free = times[k].from - times[before].until;
                if (free >= needed - 1e-9 || (!both_tamp && !share_sleepers(list[k], list[before]))) continue;
                const Value& key = list[k].at(list[k].at("from").is_text() ? "pause" : "from");
                report(key, both_tamp
                                ? fmt::format("the tools need travel_time = {:g} s to come from {}: they have {:.3g} s",
                                              needed, list[before].path, free)
                                : fmt::format("{} still acts on this sleeper, until {:.4g} s", list[before].path,
                                              times[before].until));
                break;
            }
        }
    }

    static bool share_sleepers(const Value& a, const Value& b)
    {
        const Value *first = a.find("sleepers"), *second = b.find("sleepers");
        if (!first || !second) return !first && !second;
        return std::ranges::any_of(first->numbers(),
                                   [&](double k) { return std::ranges::count(second->numbers(), k) > 0; });
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
        check_places(operation);
        const double amplitude = operation.at("amplitude").number();
        const double reach = operation.at("squeeze_stroke").number() + amplitude;
        if (operation.at("squeeze_time").number() > 0 && reach >= track_.distance) {
            report(operation.at("squeeze_stroke"),
                   fmt::format("with the vibration of {:g} m the tools would strike the sleeper, {:g} m away",
                               amplitude, track_.distance));
        }
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

    void check_places(const Value& operation)
    {
        const Value& tools = given_.at("tools");
        const Vec<3> half = 0.5 * track_.sleeper_size;
        const double wide = 0.5 * std::max(track_.foot.x(), track_.shaft.x()), thick = 0.5 * track_.tool_thickness();
        std::vector<double> row;
        for (const ToolPlace& tool : track_.tool_places(0)) {
            if (tool.towards > 0) row.push_back(tool.x);
        }
        std::ranges::sort(row);
        for (std::size_t k = 1; k < row.size(); ++k) {
            if (row[k] - row[k - 1] > 2 * wide) continue;
            report(tools.at("pitch"), fmt::format("tools overlap: each is {:g} m wide", 2 * wide));
            break;
        }
        bool outside = false, inside = false;
        for (const Value& number : operation.at("sleepers").list()) {
            for (const ToolPlace& tool : track_.tool_places(std::size_t(number.number()) - 1)) {
                outside |= std::abs(tool.x) + wide > 0.5 * track_.width || tool.y - thick < 0 ||
                           tool.y + thick > track_.length;
                for (const Sleeper& sleeper : track_.sleepers) {
                    inside |= std::abs(tool.y - sleeper.centre.y()) < half.y() + thick &&
                              std::abs(tool.x - sleeper.centre.x()) < half.x() + wide;
                }
            }
        }
        if (outside) report(tools.at("distance"), "a tool would stand outside the box");
        if (inside) report(tools.at("distance"), "a tool would stand inside a neighbouring sleeper");
    }

    const Value& root_;
    const Value& given_;
    const Track& track_;
    std::vector<Mistake> mistakes_;
};

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
    if (!mistakes.empty() || !given) return mistakes;
    const Track track = *read_track(root);
    mistakes = RailwayChecker(root, track).run();
    if (!mistakes.empty() || !duration.is_text()) return mistakes;
    double end = 0;
    for (const OperationTime& time : operation_times(root)) end = std::max(end, time.until);
    duration.become(end);
    return mistakes;
}

std::vector<std::string> railway_warnings(const Value& root)
{
    std::vector<std::string> all;
    for (const Value& operation : root.at("operations").list()) {
        if (!operation.at("type").is_text("tamping")) continue;
        for (const WorkingRange& range : working_ranges) {
            const double value = operation.at(range.key).number();
            const bool is_off = value == 0; // a lift, squeeze or vibration that is not made
            if (is_off || (value >= range.low * (1 - 1e-9) && value <= range.high * (1 + 1e-9))) continue;
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
