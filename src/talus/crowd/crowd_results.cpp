// What the measures of a crowd say: columns of series.csv, summary.json, persons.csv and the lines at the end of a run.
#include "talus/crowd/crowd_measures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace talus {

using scene::Value;

namespace {

constexpr double flow_over = 5; // [s] that the flow in series.csv is counted over
constexpr std::size_t most_named_crushed = 100, most_named_pressed = 10; // in summary.json; persons.csv has all

Value as_value(const Maybe& number) { return number ? Value(*number) : Value(); }
std::string as_field(double number) { return std::isnan(number) ? std::string() : fmt::format("{}", number); }
std::string time_text(const Maybe& time) { return time ? fmt::format("{:.4g} s", *time) : "-"; }

// what follows the last dot of a column is the quantity
std::string without_dots(std::string name)
{
    std::ranges::replace(name, '.', '-');
    return name;
}

Maybe mean_of(std::span<const double> numbers)
{
    double sum = 0;
    for (const double number : numbers) sum += number;
    return ratio(sum, double(numbers.size()));
}

// When this share of all persons had left; nothing as long as it has not.
Maybe time_of_share(std::span<const double> sorted, double persons, double share)
{
    const auto needed = std::size_t(std::max(1.0, std::ceil(share * persons - 1e-9)));
    return needed <= sorted.size() ? Maybe(sorted[needed - 1]) : Maybe();
}

std::vector<double> times_ahead(std::span<const Crossing> crossings, bool ahead)
{
    std::vector<double> times;
    for (const Crossing& one : crossings) {
        if ((one.is_ahead > 0) == ahead) times.push_back(one.time);
    }
    return times;
}

} // namespace

Maybe mean_flow(std::span<const double> times)
{
    if (times.size() < 2 || times.back() <= times.front()) return {};
    return double(times.size() - 1) / (times.back() - times.front());
}

std::int64_t CrowdMeasures::count(bool (*is_counted)(const PersonRecord&)) const
{
    return std::ranges::count_if(persons_, is_counted);
}

std::vector<double> CrowdMeasures::leaving_times() const
{
    std::vector<double> times;
    for (const PersonRecord& person : persons_) {
        if (person.is_person() && !person.is_inside()) times.push_back(person.left);
    }
    std::ranges::sort(times);
    return times;
}

std::vector<double> CrowdMeasures::leaving_times(std::size_t exit) const
{
    std::vector<double> times;
    for (const PersonRecord& person : persons_) {
        if (person.is_person() && !person.is_inside() && person.exit == double(exit)) times.push_back(person.left);
    }
    std::ranges::sort(times);
    return times;
}

std::vector<std::string> CrowdMeasures::columns() const
{
    std::vector<std::string> columns{"crowd.inside", "crowd.left"};
    for (const NamedLine& exit : exits_) columns.push_back(fmt::format("crowd.left by {}", without_dots(exit.name)));
    for (const char* column : {"crowd.largest_force_N", "crowd.crushed"}) columns.emplace_back(column);
    for (const NamedLine& line : lines_) {
        for (const char* column : {"ahead", "back", "flow_ps", "specific_flow_pmps"}) {
            columns.push_back(fmt::format("line {}.{}", without_dots(line.name), column));
        }
    }
    return columns;
}

std::vector<Maybe> CrowdMeasures::values() const
{
    const std::int64_t persons = count([](const PersonRecord& one) { return one.is_person(); });
    const std::int64_t inside = count([](const PersonRecord& one) { return one.is_inside(); });
    std::vector<Maybe> values{double(inside), double(persons - inside)};
    std::vector<double> left(exits_.size(), 0);
    for (const PersonRecord& person : persons_) {
        if (person.exit >= 0) ++left[std::size_t(person.exit)];
    }
    values.insert(values.end(), left.begin(), left.end());
    values.emplace_back(force_now_);
    values.emplace_back(double(count([](const PersonRecord& one) { return one.is_crushed(); })));
    for (std::size_t line = 0; line < lines_.size(); ++line) {
        double ahead = 0, back = 0, recent = 0;
        for (const Crossing& one : crossings_[line]) {
            one.is_ahead > 0 ? ++ahead : ++back;
            if (one.time > time_ - flow_over + 1e-9) recent += one.is_ahead > 0 ? 1 : -1;
        }
        const Maybe flow = ratio(recent, std::min(time_, flow_over));
        values.insert(values.end(), {ahead, back, flow, flow ? ratio(*flow, lines_[line].width()) : Maybe()});
    }
    return values;
}

Value CrowdMeasures::line_results(std::size_t line) const
{
    const std::vector<double> ahead = times_ahead(crossings_[line], true), back = times_ahead(crossings_[line], false);
    Value result = Value::table();
    result.set("name", Value(lines_[line].name));
    result.set("ahead", Value(std::int64_t(ahead.size())));
    result.set("back", Value(std::int64_t(back.size())));
    for (const auto& [word, times] : {std::pair("ahead", ahead), std::pair("back", back)}) {
        const Maybe flow = mean_flow(times);
        result.set(fmt::format("{}_flow_ps", word), as_value(flow));
        result.set(fmt::format("{}_specific_flow_pmps", word),
                   as_value(flow ? ratio(*flow, lines_[line].width()) : Maybe()));
    }
    return result;
}

// The largest forces, each of another person.
Value::List CrowdMeasures::most_pressed() const
{
    std::vector<std::size_t> order;
    for (std::size_t k = 0; k < persons_.size(); ++k) {
        if (persons_[k].largest_force > 0) order.push_back(k);
    }
    std::ranges::stable_sort(order, std::greater<>(), [&](std::size_t k) { return persons_[k].largest_force; });
    order.resize(std::min(order.size(), most_named_pressed));
    Value::List list;
    for (const std::size_t k : order) {
        Value person = Value::table();
        person.set("person", Value(std::int64_t(k)));
        person.set("force_N", Value(persons_[k].largest_force));
        person.set("time_s", Value(persons_[k].largest_at));
        person.set("contact_time_s", Value(persons_[k].contact_time));
        list.push_back(std::move(person));
    }
    return list;
}

Value CrowdMeasures::results() const
{
    const std::vector<double> left = leaving_times();
    const auto persons = double(count([](const PersonRecord& one) { return one.is_person(); }));
    Value results = Value::table();
    results.set("persons", Value(std::int64_t(persons)));
    results.set("left", Value(std::int64_t(left.size())));
    results.set("mean_time_s", as_value(mean_of(left)));
    results.set("time_of_95_percent_s", as_value(time_of_share(left, persons, 0.95)));
    results.set("last_time_s", left.empty() ? Value() : Value(left.back()));
    Value::List exits, lines, crushed;
    for (std::size_t e = 0; e < exits_.size(); ++e) {
        const std::vector<double> times = leaving_times(e);
        const Maybe flow = mean_flow(times);
        Value exit = Value::table();
        exit.set("name", Value(exits_[e].name));
        exit.set("left", Value(std::int64_t(times.size())));
        exit.set("first_time_s", times.empty() ? Value() : Value(times.front()));
        exit.set("last_time_s", times.empty() ? Value() : Value(times.back()));
        exit.set("flow_ps", as_value(flow));
        exits.push_back(std::move(exit));
    }
    for (std::size_t line = 0; line < lines_.size(); ++line) lines.push_back(line_results(line));
    results.set("exits", Value(std::move(exits)));
    results.set("lines", Value(std::move(lines)));
    double contact = 0;
    for (std::size_t k = 0; k < persons_.size(); ++k) {
        contact += persons_[k].contact_time;
        if (!persons_[k].is_crushed() || crushed.size() == most_named_crushed) continue;
        Value person = Value::table();
        person.set("person", Value(std::int64_t(k)));
        person.set("time_s", Value(persons_[k].crushed_at));
        crushed.push_back(std::move(person));
    }
    results.set("mean_contact_time_s", as_value(ratio(contact, persons)));
    Value::List pressed = most_pressed();
    results.set("largest_force_N", pressed.empty() ? Value(0.0) : pressed[0].at("force_N"));
    results.set("largest_force_person", pressed.empty() ? Value() : pressed[0].at("person"));
    results.set("largest_force_time_s", pressed.empty() ? Value() : pressed[0].at("time_s"));
    results.set("most_pressed", Value(std::move(pressed)));
    results.set("crush_pressure_Npm", Value(crush_pressure_));
    results.set("crushed", Value(count([](const PersonRecord& one) { return one.is_crushed(); })));
    results.set("crushed_persons", Value(std::move(crushed)));
    return results;
}

MeterTable CrowdMeasures::table() const
{
    MeterTable table{"persons",
                     {"person", "came_s", "left_s", "exit", "contact_time_s", "largest_force_N", "largest_force_time_s",
                      "crushed_s"},
                     {}};
    for (std::size_t k = 0; k < persons_.size(); ++k) {
        const PersonRecord& person = persons_[k];
        if (!person.is_person()) continue;
        table.rows.push_back({fmt::format("{}", k), as_field(person.came), as_field(person.left),
                              person.exit < 0 ? "" : exits_[std::size_t(person.exit)].name,
                              as_field(person.contact_time), as_field(person.largest_force),
                              person.largest_force > 0 ? as_field(person.largest_at) : "",
                              as_field(person.crushed_at)});
    }
    return table;
}

std::vector<std::string> CrowdMeasures::told() const
{
    const Value all = results();
    const std::int64_t persons = all.at("persons").integer(), left = all.at("left").integer();
    const auto time = [&](const char* key) {
        return time_text(all.at(key).is_number() ? Maybe(all.at(key).number()) : Maybe());
    };
    std::vector<std::string> lines;
    lines.push_back(fmt::format("{} persons, {} left", persons, left));
    if (left > 0) {
        lines.back() += fmt::format(": on the mean after {}, 95 % after {}, the last after {}", time("mean_time_s"),
                                    time("time_of_95_percent_s"), time("last_time_s"));
    }
    if (all.at("largest_force_person").is_number()) {
        lines.push_back(fmt::format("largest contact force {:.3g} N over 0.1 s, on person {} at {}; {} over {:g} N per "
                                    "metre of circumference",
                                    all.at("largest_force_N").number(), all.at("largest_force_person").integer(),
                                    time("largest_force_time_s"), all.at("crushed").integer(), crush_pressure_));
    }
    for (const Value& line : all.at("lines").list()) {
        const Value &flow = line.at("ahead_flow_ps"), &specific = line.at("ahead_specific_flow_pmps");
        lines.push_back(fmt::format("line {}: {} ahead, {} back", line.at("name").text(), line.at("ahead").integer(),
                                    line.at("back").integer()));
        if (flow.is_number()) {
            lines.back() +=
                fmt::format(", {:.3g} persons/s, {:.3g} per metre and second", flow.number(), specific.number());
        }
    }
    return lines;
}

} // namespace talus
