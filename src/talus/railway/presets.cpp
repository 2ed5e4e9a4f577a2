#include "talus/railway/presets.hpp"

#include "talus/scene/place.hpp"
#include "talus/scene/units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <span>

namespace talus {

using namespace scene;

namespace {

struct Preset {
    const char* name;
    const char* doc;
};
struct Line {
    const char* preset;
    const char* place; // [machine]: a type of operation; [track]: a table in it, "" for itself
    const char* key;
    const char* value; // as a scene would write it
    const char* source;
};

// Only what is printed: where the document gives a range, a preset is one of its ends.
constexpr Preset machines[] = {
    {"table-1.1-low", "a tamping machine at the low ends of BALLAST Table 1.1"},
    {"table-1.1-high", "a tamping machine at the high ends of BALLAST Table 1.1"},
    {"ballast-8.2", "BALLAST's Bourrage1B1C"},
    {"ballast-9", "BALLAST's Bourrage7B1C"},
    {"ballast-10.1", "BALLAST's Enfoncement7B: the dive alone"},
    {"ballast-6.1", "BALLAST's dynamic stabilisation"},
};
constexpr Line machine_lines[] = {
    {"table-1.1-low", "tamping", "lift", "10 mm", "Table 1.1: 10 to 50 mm"},
    {"table-1.1-low", "tamping", "penetration_speed", "1.6 m/s", "Table 1.1: 1.6 to 2.5 m/s"},
    {"table-1.1-low", "tamping", "withdrawal_speed", "1.6 m/s", "Table 1.1: 1.6 to 2.5 m/s"},
    {"table-1.1-low", "tamping", "frequency", "35 Hz", "Table 1.1: 35 to 45 Hz"},
    {"table-1.1-low", "tamping", "amplitude", "5 mm", "§1.4.1 d: 5 to 10 mm at the tip"},
    {"table-1.1-low", "tamping", "squeeze_force", "16 kN", "Table 1.1: 16 to 19 kN; the text: about 16 kN"},
    {"table-1.1-low", "tamping", "squeeze_time", "0.8 s", "Table 1.1: 0.8 to 1.2 s"},
    {"table-1.1-high", "tamping", "lift", "50 mm", "Table 1.1: 10 to 50 mm"},
    {"table-1.1-high", "tamping", "penetration_speed", "2.5 m/s", "Table 1.1: 1.6 to 2.5 m/s"},
    {"table-1.1-high", "tamping", "withdrawal_speed", "2.5 m/s", "Table 1.1: 1.6 to 2.5 m/s"},
    {"table-1.1-high", "tamping", "frequency", "45 Hz", "Table 1.1: 35 to 45 Hz"},
    {"table-1.1-high", "tamping", "amplitude", "10 mm", "§1.4.1 d: 5 to 10 mm at the tip"},
    {"table-1.1-high", "tamping", "squeeze_force", "19 kN", "Table 1.1: 16 to 19 kN"},
    {"table-1.1-high", "tamping", "squeeze_time", "1.2 s", "Table 1.1: 0.8 to 1.2 s"},
    {"ballast-8.2", "tamping", "frequency", "35 Hz", "§8.2.1"},
    {"ballast-8.2", "tamping", "penetration_speed", "1.6 m/s", "§8.2.1"},
    {"ballast-8.2", "tamping", "penetration_time", "0.2375 s", "§8.2.1"},
    {"ballast-8.2", "tamping", "squeeze_force", "6 kN", "§8.2.1"},
    {"ballast-8.2", "tamping", "squeeze_time", "1.2 s", "§8.2.1"},
    {"ballast-8.2", "tamping", "withdrawal_speed", "1 m/s", "§8.2.1"},
    {"ballast-8.2", "tamping", "withdrawal_time", "0.38 s", "§8.2.1"},
    {"ballast-9", "tamping", "frequency", "35 Hz", "§9.1"},
    {"ballast-9", "tamping", "penetration_speed", "1.6 m/s", "§9.1"},
    {"ballast-9", "tamping", "penetration_time", "0.2 s", "§9.1"},
    {"ballast-9", "tamping", "squeeze_force", "6 kN", "§9.1"},
    {"ballast-9", "tamping", "squeeze_time", "1.2 s", "§9.1"},
    {"ballast-9", "tamping", "withdrawal_speed", "1 m/s", "§9.1"},
    {"ballast-9", "tamping", "withdrawal_time", "0.36 s", "§9.1"},
    {"ballast-10.1", "tamping", "frequency", "35 Hz", "§10.1"},
    {"ballast-10.1", "tamping", "penetration_speed", "1.6 m/s", "§10.1"},
    {"ballast-10.1", "tamping", "penetration_time", "0.2 s", "§10.1"},
    {"ballast-10.1", "tamping", "squeeze_time", "0 s", "§10.1: penetration only"},
    {"ballast-10.1", "tamping", "withdrawal_time", "0 s", "§10.1: penetration only"},
    {"ballast-6.1", "stabilisation", "force", "120 kN", "§6.1.1"},
    {"ballast-6.1", "stabilisation", "amplitude", "5 mm", "§6.1.1"},
    {"ballast-6.1", "stabilisation", "frequency", "30 Hz", "§6.1.1"},
};

// A conventional line has none: the document prints no figure of its bed.
constexpr Preset tracks[] = {
    {"high-speed-two-block", "blocks of two-block sleepers on the bed of a high-speed line"},
    {"high-speed-monobloc", "monobloc sleepers on the bed of a high-speed line"},
    {"ballast-8.2", "the sample of BALLAST's Bourrage1B1C"},
    {"ballast-9", "the sample of BALLAST's Bourrage7B1C and Enfoncement7B"},
    {"ballast-6.1", "the sample of BALLAST's stabilisation cases"},
};
constexpr Line track_lines[] = {
    {"high-speed-two-block", "", "below", "0.3 m", "§1.2, annexe A: about 30 cm on a high-speed line"},
    {"high-speed-two-block", "sleepers", "type", "block", "annexe A, fig. A.3"},
    {"high-speed-two-block", "tools", "count", "8", "§1.4.1 d, fig. 1.15: 8 per rail"},
    {"high-speed-two-block", "tools", "distance", "0.15 m", "annexe A"},
    {"high-speed-two-block", "tools", "clearance", "5 mm", "annexe A"},
    {"high-speed-monobloc", "", "below", "0.3 m", "§1.2, annexe A: about 30 cm on a high-speed line"},
    {"high-speed-monobloc", "sleepers", "type", "monobloc", "§1.4.1 d, fig. 1.15"},
    {"high-speed-monobloc", "tools", "count", "8", "§1.4.1 d, fig. 1.15: 16, which is 8 per rail"},
    {"high-speed-monobloc", "tools", "distance", "0.15 m", "annexe A"},
    {"high-speed-monobloc", "tools", "clearance", "5 mm", "annexe A"},
    {"ballast-8.2", "", "width", "2 m", "§8.2.1"},
    {"ballast-8.2", "", "length", "0.9 m", "§8.2.1"},
    {"ballast-8.2", "", "grains", "17000", "§8.2.1"},
    {"ballast-8.2", "", "below", "0.3 m", "annexe A"},
    {"ballast-8.2", "sleepers", "type", "block", "§8.2.1"},
    {"ballast-8.2", "sleepers", "count", "1", "§8.2.1"},
    {"ballast-8.2", "tools", "count", "8", "annexe A"},
    {"ballast-8.2", "tools", "distance", "0.15 m", "annexe A"},
    {"ballast-8.2", "tools", "clearance", "5 mm", "annexe A"},
    {"ballast-9", "", "width", "2 m", "§9.1"},
    {"ballast-9", "", "length", "3.6 m", "§9.1"},
    {"ballast-9", "", "grains", "88100", "§9.1"},
    {"ballast-9", "", "below", "0.3 m", "§9.1"},
    {"ballast-9", "sleepers", "type", "block", "§9.1"},
    {"ballast-9", "sleepers", "count", "7", "§9.1"},
    {"ballast-9", "sleepers", "spacing", "0.514 m", "§9.1: seven in 3.6 m"},
    {"ballast-9", "tools", "count", "8", "annexe A"},
    {"ballast-9", "tools", "distance", "0.15 m", "annexe A"},
    {"ballast-9", "tools", "clearance", "5 mm", "annexe A"},
    {"ballast-6.1", "", "width", "4 m", "§6.1.1, which counts it as y"},
    {"ballast-6.1", "", "length", "1 m", "§6.1.1"},
    {"ballast-6.1", "", "grains", "28608", "§6.1.1"},
    {"ballast-6.1", "", "below", "0.3 m", "annexe A"},
    {"ballast-6.1", "sleepers", "type", "block", "§6.1.1"},
    {"ballast-6.1", "sleepers", "count", "1", "§6.1.1"},
    {"ballast-6.1", "tools", "count", "0", "§6.1.1: no tamping"},
};

std::vector<Line> lines_of(std::span<const Line> all, const std::string& preset)
{
    std::vector<Line> some;
    std::ranges::copy_if(all, std::back_inserter(some), [&](const Line& line) { return line.preset == preset; });
    return some;
}

Key preset_key(std::span<const Preset> presets, const char* doc)
{
    std::vector<std::string> names;
    for (const Preset& preset : presets) names.emplace_back(preset.name);
    return choice("preset", doc, names);
}

std::string dotted(const Line& line) { return fmt::format("{}{}{}", line.place, *line.place ? "." : "", line.key); }

std::string table_of(std::span<const Preset> presets, std::span<const Line> lines)
{
    std::string text = "\n\n| preset | value | source in BALLAST |\n|---|---|---|\n";
    for (const Preset& preset : presets) {
        text += fmt::format("| `\"{}\"` | {} | |\n", preset.name, preset.doc);
        for (const Line& line : lines_of(lines, preset.name)) {
            text += fmt::format("| | `{}` = {} | {} |\n", dotted(line), line.value, line.source);
        }
    }
    text.pop_back(); // the reference ends the line
    return text;
}

Value value_of(const Line& line)
{
    const std::string_view text = line.value;
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool is_whole = error == std::errc() && end == text.data() + text.size();
    return is_whole ? Value(number) : Value(std::string(text));
}

const Value* named_preset(const Value& root, const char* section)
{
    const Value* table = root.find(section);
    const Value* preset = table ? table->find("preset") : nullptr;
    return preset && preset->is_text() ? preset : nullptr;
}

// Calls visit(operation, line) for each value that [machine] gives; Tree is Value or const Value.
template <class Tree, class Visit>
void visit_operations(Tree& root, const Visit& visit)
{
    const Value* preset = named_preset(root, "machine");
    auto* operations = root.find("operations");
    if (!preset || !operations || !operations->is_list()) return;
    const std::vector<Line> lines = lines_of(machine_lines, preset->text());
    for (auto& operation : operations->list()) {
        for (const Line& line : lines) { // the type is asked for each time: a key that is set moves it
            const Value* type = operation.find("type");
            if (type && type->is_text(line.place)) visit(operation, line);
        }
    }
}

void set_missing(Value& table, const Line& line)
{
    if (table.find(line.key)) return;
    Value value = value_of(line);
    place(value, child_path(table.path, line.key), table.where.file);
    table.set(line.key, std::move(value));
}

// [track.sleepers] and [track.tools] are made where the scene leaves them out; null where it has something else there.
Value* table_in(Value& track, const char* name)
{
    if (*name == '\0') return &track;
    if (!track.find(name)) {
        Value made = Value::table();
        place(made, child_path(track.path, name), track.where.file);
        track.set(name, std::move(made));
    }
    Value* table = track.find(name);
    return table->is_table() ? table : nullptr;
}

// A number as it stands, in the unit that the preset has: "17 kN"
std::string in_unit_of(std::string_view given, double number)
{
    const std::size_t blank = given.find(' ');
    const std::string_view unit = blank == std::string_view::npos ? std::string_view() : given.substr(blank + 1);
    Unit one;
    if (unit.empty() || !parse_unit(unit, one).empty()) return fmt::format("{:.6g}", number);
    return fmt::format("{:.6g} {}", number / one.scale, unit);
}

PresetValue compared(const Value& table, const Line& line, const char* section)
{
    const Value& stands = table.at(line.key);
    const Value given = value_of(line);
    Quantity quantity;
    const bool is_quantity = given.is_text() && parse_quantity(given.text(), quantity).empty();
    PresetValue value{section, line.preset, stands.path, line.value, line.source, false, {}};
    if (stands.is_number() && (is_quantity || given.is_number())) {
        const double wanted = is_quantity ? quantity.value : given.number();
        value.is_kept = std::abs(stands.number() - wanted) <= 1e-12 * std::abs(wanted);
    } else {
        value.is_kept = stands == given;
    }
    value.stands = value.is_kept        ? value.given
                   : stands.is_number() ? in_unit_of(line.value, stands.number())
                   : stands.is_text()   ? stands.text()
                                        : stands.shown();
    return value;
}

} // namespace

Key machine_schema()
{
    return table("machine",
                 "The machine that works on the track: [[operations]] take from its preset what they do not write." +
                     table_of(machines, machine_lines),
                 {preset_key(machines, "defaults of the operations of its kind").required()});
}

Key track_preset_key()
{
    return preset_key(tracks,
                      "defaults of the keys of [track], [track.sleepers] and [track.tools]; see the table above");
}

std::string track_preset_table() { return table_of(tracks, track_lines); }

void apply_presets(Value& root)
{
    if (!root.is_table()) return;
    visit_operations(root, set_missing);
    const Value* preset = named_preset(root, "track");
    if (!preset) return;
    const std::vector<Line> lines = lines_of(track_lines, preset->text()); // a table that is added moves the text
    for (const Line& line : lines) {
        if (Value* table = table_in(root.at("track"), line.place)) set_missing(*table, line);
    }
}

std::vector<Mistake> machine_problems(const Value& root)
{
    const Value* preset = named_preset(root, "machine");
    if (!preset) return {};
    const Value& machine = root.at("machine");
    if (!root.find("track")) return {mistake_of_key(machine, "a machine works on a track: give [track]")};
    bool has_work = false;
    visit_operations(root, [&](const Value&, const Line&) { has_work = true; });
    if (has_work || root.at("operations").list().empty()) return {}; // nothing to do, as while a sample is looked at
    const Line work = lines_of(machine_lines, preset->text()).front();
    return {mistake(*preset, fmt::format("gives defaults of {}, and no operation is of this type", work.place))};
}

std::vector<PresetValue> preset_values(const Value& root)
{
    std::vector<PresetValue> values;
    visit_operations(root, [&](const Value& operation, const Line& line) {
        values.push_back(compared(operation, line, "machine"));
    });
    const Value* preset = named_preset(root, "track");
    if (!preset) return values;
    for (const Line& line : lines_of(track_lines, preset->text())) {
        const Value& track = root.at("track");
        values.push_back(compared(*line.place ? track.at(line.place) : track, line, "track"));
    }
    return values;
}

} // namespace talus
