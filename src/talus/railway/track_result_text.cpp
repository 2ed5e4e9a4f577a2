// What the track result says: summary.json and the lines at the end of a run.
#include "talus/railway/track_result.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace talus {

using scene::Value;

namespace {

constexpr double usual_way = 2e-3;     // [m] of a push, at which resistances are compared
constexpr double hanging_share = 0.1;  // of the weight of a sleeper, that the ballast beside it may pull down
constexpr double carrying_share = 0.1; // of the mean over the strips of the foot: a strip with less carries nothing

Value as_value(const Maybe& number) { return number ? Value(*number) : Value(); }

Value record(std::initializer_list<std::pair<const char*, Value>> entries)
{
    Value made = Value::table();
    for (const auto& [key, value] : entries) made.set(key, value);
    return made;
}

Value texts(const std::vector<std::string>& lines)
{
    Value::List list;
    for (const std::string& line : lines) list.emplace_back(line);
    return Value(std::move(list));
}

std::string name_of(const Track& track, double sleeper) { return track.sleepers[std::size_t(sleeper)].name; }

// Where the force was read off a push at this displacement; nothing where it did not get there.
Maybe force_at(const ForceCurve& curve, double way)
{
    for (std::size_t k = 1; k < curve.way.size(); ++k) {
        if (curve.way[k] < way) continue;
        const double before = curve.way[k - 1], share = (way - before) / (curve.way[k] - before);
        if (!(share >= 0)) return {};
        return curve.force[k - 1] + share * (curve.force[k] - curve.force[k - 1]);
    }
    return {};
}

std::size_t largest_of(const ForceCurve& curve)
{
    return std::size_t(std::ranges::max_element(curve.force) - curve.force.begin());
}

std::string kilonewtons(double force) { return fmt::format("{:.3g} kN", 1e-3 * force); }
std::string millimetres(double length) { return fmt::format("{:.2f} mm", 1e3 * length); }

std::string in_words(std::string type)
{
    std::ranges::replace(type, '_', ' ');
    return type;
}

// "left 1": the row at smaller y, counted along the sleeper.
std::string tool_place(const Track& track, std::size_t tool)
{
    const std::size_t per_side = track.tool_places(0).size() / 2;
    return fmt::format("{} {}", tool < per_side ? "left" : "right", tool % per_side + 1);
}

} // namespace

// Of the foot's length: strips that carry.
Maybe TrackResult::foot_share(const Support& support) const
{
    if (!(support.below > 0)) return {};
    const double least = carrying_share * support.below / double(support.strips.size());
    const auto carrying = std::ranges::count_if(support.strips, [&](double force) { return force > least; });
    return double(carrying) / double(support.strips.size());
}

Value TrackResult::sleeper_results(std::size_t k) const
{
    const Support& support = seen_.support[k];
    const Lift& lift = seen_.lifts[k];
    const double start = seen_.stages.front().levels[k], end = seen_.latest.levels[k];
    Value::List settlements;
    for (std::size_t p = 0; p < subject_.parts.size(); ++p) {
        const Sinking& sinking = seen_.sinkings[pair_of(p, k)];
        if (!sinking.has_begun || subject_.parts[p].type == "tamping") continue;
        settlements.push_back(record({{"operation", Value(std::int64_t(p + 1))},
                                      {"type", Value(subject_.parts[p].type)},
                                      {"under_load_m", Value(sinking.before - sinking.lowest)},
                                      {"unloaded_m", Value(sinking.before - sinking.after)}}));
    }
    const Maybe left = support.below > 0 ? Maybe(support.left / support.below) : Maybe();
    Value sleeper = record({{"name", Value(name_of(subject_.track, double(k)))},
                            {"y_m", Value(subject_.track.sleepers[k].centre.y())},
                            {"level_start_m", Value(start)},
                            {"level_end_m", Value(end)},
                            {"lift_asked_m", lift.is_asked ? Value(lift.asked) : Value()},
                            {"lift_kept_m", lift.is_asked ? Value(end - lift.before) : Value()}});
    sleeper.set("settlements", Value(std::move(settlements)));
    sleeper.set("support", record({{"from_below_N", Value(support.below)},
                                   {"left_share", as_value(left)},
                                   {"right_share", left ? Value(1 - *left) : Value()},
                                   {"foot_share", as_value(foot_share(support))},
                                   {"from_sides_N", Value(support.sides)},
                                   {"hangs", Value(hangs(k))}}));
    return sleeper;
}

bool TrackResult::hangs(std::size_t sleeper) const
{
    return seen_.support[sleeper].sides < -hanging_share * subject_.weight;
}

Value TrackResult::operation_results(std::size_t p) const
{
    const Part& part = subject_.parts[p];
    Value::List sleepers, phases;
    for (std::size_t k = 0; k < subject_.sleepers.size(); ++k) {
        if (names(p, k)) sleepers.emplace_back(std::int64_t(k + 1));
    }
    double until = part.time.from;
    for (const PhaseSpan& span : seen_.phases) {
        if (span.operation != double(p)) continue;
        until = span.until;
        phases.push_back(record({{"name", Value(span.name)},
                                 {"sleeper", Value(std::int64_t(span.sleeper) + 1)},
                                 {"from_s", Value(span.from)},
                                 {"until_s", Value(span.until)}}));
    }
    return record({{"type", Value(part.type)},
                   {"from_s", Value(part.time.from)},
                   {"until_s", Value(until)},
                   {"sleepers", Value(std::move(sleepers))},
                   {"phases", Value(std::move(phases))}});
}

// From the lift, or the dive, to the end of the withdrawal.
std::vector<double> TrackResult::cycle_times() const
{
    std::vector<double> times;
    double from = -1;
    for (const PhaseSpan& span : seen_.phases) {
        if (subject_.parts[std::size_t(span.operation)].type != "tamping") continue;
        if (from < 0 && span.name != "travel") from = span.from;
        if (span.name != "withdrawal" || from < 0) continue;
        times.push_back(span.until - from);
        from = -1;
    }
    return times;
}

// One entry per push or load of a sleeper.
Value::List TrackResult::curve_results(bool of_pushes) const
{
    Value::List list;
    for (std::size_t p = 0; p < subject_.parts.size(); ++p) {
        for (std::size_t k = 0; k < subject_.sleepers.size(); ++k) {
            const ForceCurve& curve = seen_.curves[pair_of(p, k)];
            const bool is_push = subject_.parts[p].type == "lateral_push";
            if (curve.way.empty() || is_push != of_pushes) continue;
            Value entry = record({{"operation", Value(std::int64_t(p + 1))},
                                  {"type", Value(subject_.parts[p].type)},
                                  {"sleeper", Value(std::int64_t(k + 1))}});
            if (is_push) {
                const std::size_t top = largest_of(curve);
                entry.set("largest_N", Value(curve.force[top]));
                entry.set("at_largest_m", Value(curve.way[top]));
                entry.set("at_2mm_N", as_value(force_at(curve, usual_way)));
            }
            entry.set(is_push ? "displacement_m" : "settlement_m", Value::numbers(curve.way));
            entry.set("force_N", Value::numbers(curve.force));
            list.push_back(std::move(entry));
        }
    }
    return list;
}

Value::List TrackResult::place_results() const
{
    Value::List list;
    for (std::size_t k = 0; k < subject_.places.size(); ++k) {
        Value::List after;
        for (std::size_t stage = 1; stage < seen_.stages.size(); ++stage) {
            after.push_back(as_value(seen_.stages[stage].compacities[k]));
        }
        after.push_back(as_value(seen_.latest.compacities[k]));
        list.push_back(record({{"name", Value(subject_.places[k].name)},
                               {"start", as_value(seen_.stages.front().compacities[k])},
                               {"end", as_value(seen_.latest.compacities[k])},
                               {"after", Value(std::move(after))}}));
    }
    return list;
}

Value::List TrackResult::crib_results() const
{
    Value::List list;
    for (std::size_t k = 0; k < cribs_.size(); ++k) {
        const Maybe start = seen_.stages.front().surfaces[k], end = seen_.latest.surfaces[k];
        list.push_back(record({{"name", Value(cribs_[k].name)},
                               {"surface_start_m", as_value(start)},
                               {"surface_end_m", as_value(end)},
                               {"heave_m", start && end ? Value(*end - *start) : Value()}}));
    }
    return list;
}

Value::List TrackResult::tool_results() const
{
    Value::List list;
    std::vector<std::string> phases; // as they came
    for (const PhaseSpan& span : seen_.phases) {
        if (seen_.work.contains(span.name) && std::ranges::find(phases, span.name) == phases.end()) {
            phases.push_back(span.name);
        }
    }
    for (std::size_t t = 0; t < subject_.tools.size() && !phases.empty(); ++t) {
        Value::List works;
        for (const std::string& phase : phases) {
            const ToolWork& work = seen_.work.at(phase)[t];
            works.push_back(record({{"name", Value(phase)},
                                    {"force_N", as_value(ratio(work.impulse, work.time))},
                                    {"largest_N", as_value(work.largest)},
                                    {"energy_J", Value(work.energy)},
                                    {"power_W", as_value(ratio(work.energy, work.time))}}));
        }
        list.push_back(record({{"name", Value(tool_name(t))},
                               {"place", Value(tool_place(subject_.track, t))},
                               {"phases", Value(std::move(works))}}));
    }
    return list;
}

Value TrackResult::force_results() const
{
    std::vector<double> times, means, largest, highest;
    for (const PeriodForces& period : seen_.periods) {
        times.push_back(period.time);
        means.push_back(period.mean);
        largest.push_back(period.largest);
        highest.push_back(period.highest);
    }
    const auto tamping = std::ranges::find(subject_.parts, "tamping", &Part::type);
    return record({{"period_s", Value(1 / tamping->frequency)},
                   {"time_s", Value::numbers(times)},
                   {"mean_N", Value::numbers(means)},
                   {"largest_N", Value::numbers(largest)},
                   {"highest_N", Value::numbers(highest)}});
}

Value TrackResult::results() const
{
    if (seen_.stages.empty()) return Value::table(); // no step was made
    Value::List operations, sleepers;
    for (std::size_t p = 0; p < subject_.parts.size(); ++p) operations.push_back(operation_results(p));
    for (std::size_t k = 0; k < subject_.sleepers.size(); ++k) sleepers.push_back(sleeper_results(k));
    Value results = record({{"verdict", texts(verdict())},
                            {"based_on", Value(basis())},
                            {"warnings", texts(warnings())},
                            {"scale", Value(subject_.track.scale)},
                            {"operations", Value(std::move(operations))},
                            {"sleepers", Value(std::move(sleepers))},
                            {"resistances", Value(curve_results(true))},
                            {"loads", Value(curve_results(false))},
                            {"places", Value(place_results())},
                            {"cribs", Value(crib_results())},
                            {"tools", Value(tool_results())},
                            {"cycle_times_s", Value::numbers(cycle_times())},
                            {"grains_moved", record({{"count", Value(std::int64_t(seen_.moved))},
                                                     {"share", as_value(ratio(seen_.moved, seen_.grains))},
                                                     {"farther_than_m", Value(0.5 * seen_.diameter)}})}});
    if (!seen_.periods.empty()) results.set("forces", force_results());
    return results;
}

void TrackResult::tell_compacity(std::vector<std::string>& said) const
{
    for (std::size_t k = 0; k < subject_.places.size(); ++k) {
        const std::string& place = subject_.places[k].name;
        const bool is_below = place == "below" || (place.starts_with("below ") && std::isdigit(place.back()));
        const Maybe start = seen_.stages.front().compacities[k], end = seen_.latest.compacities[k];
        if (!is_below || !start || !end) continue;
        const std::string where = place == "below" ? "the sleeper" : "sleeper" + place.substr(5);
        if (std::abs(*end - *start) < 5e-4) {
            said.push_back(fmt::format("compacity below {} stayed at {:.3f}", where, *start));
        } else {
            said.push_back(fmt::format("compacity below {} {} from {:.3f} to {:.3f}", where,
                                       *end > *start ? "rose" : "fell", *start, *end));
        }
    }
}

// What each operation did to it, in their order, and how it lies.
void TrackResult::tell_sleeper(std::size_t k, std::vector<std::string>& said) const
{
    const std::string name = subject_.sleepers.size() == 1 ? "the sleeper" : name_of(subject_.track, double(k));
    const Lift& lift = seen_.lifts[k];
    if (lift.is_asked && lift.asked > 1e-6) {
        said.push_back(fmt::format("{} keeps {} of a lift of {}", name,
                                   millimetres(seen_.latest.levels[k] - lift.before), millimetres(lift.asked)));
    }
    for (std::size_t p = 0; p < subject_.parts.size(); ++p) {
        const std::string& type = subject_.parts[p].type;
        const Sinking& sinking = seen_.sinkings[pair_of(p, k)];
        if (type == "tamping" || type == "lateral_push" || !sinking.has_begun) continue;
        const double sank = sinking.before - sinking.after;
        said.push_back(fmt::format("{} {} by {} in the {}", name, sank < 0 ? "rose" : "sank",
                                   millimetres(std::abs(sank)), in_words(type)));
    }
    std::vector<std::string> pushes;
    for (std::size_t p = 0; p < subject_.parts.size(); ++p) {
        const ForceCurve& curve = seen_.curves[pair_of(p, k)];
        if (subject_.parts[p].type != "lateral_push" || curve.way.empty()) continue;
        const std::size_t top = largest_of(curve);
        const Maybe usual = force_at(curve, usual_way);
        pushes.push_back(fmt::format("{} at {}{}", kilonewtons(usual.value_or(curve.force[top])),
                                     usual ? "2 mm" : millimetres(curve.way[top]),
                                     p == 0 ? " at first" : " after the " + in_words(subject_.parts[p - 1].type)));
    }
    if (!pushes.empty()) said.push_back(fmt::format("{} resists a push with {}", name, fmt::join(pushes, " and ")));
    if (const Maybe share = foot_share(seen_.support[k])) {
        said.push_back(fmt::format("{} is supported over {:.0f} % of its foot", name, 100 * *share));
    }
}

void TrackResult::tell_tools(std::vector<std::string>& said) const
{
    double impulse = 0, time = 0, energy = 0;
    for (const auto& [phase, works] : seen_.work) {
        for (const ToolWork& work : works) {
            energy += work.energy;
            impulse += phase == "squeeze" ? work.impulse : 0;
            time += phase == "squeeze" ? work.time : 0;
        }
    }
    if (time == 0) return;
    said.push_back(fmt::format("a tool pressed with {} in the squeeze, and all gave the ballast {:.3g} kJ",
                               kilonewtons(impulse / time), 1e-3 * energy));
}

std::vector<std::string> TrackResult::verdict() const
{
    std::vector<std::string> said;
    tell_compacity(said);
    for (std::size_t k = 0; k < subject_.sleepers.size(); ++k) tell_sleeper(k, said);
    tell_tools(said);
    return said;
}

std::string TrackResult::basis() const
{
    std::string text = fmt::format("compacities at {:.4g} s and {:.4g} s, grains cut exactly at the surfaces of the "
                                   "gauges; forces of tools: means over a period of the vibration",
                                   seen_.stages.front().time, seen_.latest.time);
    if (subject_.track.scale != 1) {
        text +=
            fmt::format("; the piece has {:g} of the length of a sleeper and of its vertical loads, and resistances "
                        "are those of the piece",
                        subject_.track.scale);
    }
    return text;
}

std::vector<std::string> TrackResult::warnings() const
{
    std::vector<std::string> said;
    for (std::size_t k = 0; k < subject_.sleepers.size(); ++k) {
        if (!hangs(k)) continue;
        said.push_back(fmt::format("the ballast hangs on {}: beside it, it pulls down with {}, of a weight of {}",
                                   name_of(subject_.track, double(k)), kilonewtons(-seen_.support[k].sides),
                                   kilonewtons(subject_.weight)));
    }
    return said;
}

std::vector<std::string> TrackResult::told() const
{
    std::vector<std::string> lines;
    if (seen_.stages.empty()) return lines;
    const std::vector<std::string> said = verdict();
    lines.push_back(fmt::format("track: {}", fmt::join(said, "; ")));
    lines.push_back("based on " + basis());
    const std::vector<double> cycles = cycle_times();
    if (!cycles.empty()) {
        const double mean = std::accumulate(cycles.begin(), cycles.end(), 0.0) / double(cycles.size());
        lines.push_back(fmt::format("{} tamped, {:.3g} s each; {:.0f} of {:.0f} grains moved farther than {}",
                                    cycles.size() == 1 ? "1 sleeper" : fmt::format("{} sleepers", cycles.size()), mean,
                                    seen_.moved, seen_.grains, millimetres(0.5 * seen_.diameter)));
    }
    for (const std::string& warning : warnings()) lines.push_back("warning: " + warning);
    return lines;
}

} // namespace talus
