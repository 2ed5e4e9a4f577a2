#include "talus/report/comparison.hpp"

#include "talus/io/files/json_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace talus::report {

namespace {

using Number = std::optional<double>;

Number found_in(const ComparedRun& run, const std::string& group, const std::string& name)
{
    for (const io::Figure& figure : run.result.figures) {
        if (figure.group == group && figure.name == name) return figure.value;
    }
    return {};
}

Difference difference(const Number& reference, const Number& other)
{
    if (!reference || !other) return {};
    const double change = *other - *reference;
    if (*reference == 0) return {change, {}};
    return {change, change / std::abs(*reference)};
}

// Of the other methods, with their place in the list.
template <class Visit>
void for_others(const Comparison& comparison, Visit&& visit)
{
    for (std::size_t i = 0; i < comparison.runs.size(); ++i) {
        if (comparison.runs[i].has_run() && i != comparison.reference()) visit(i, comparison.runs[i].method);
    }
}

ComparedFigure compared(const Comparison& comparison, std::string group, std::string name)
{
    ComparedFigure figure{std::move(group), std::move(name), {}, {}};
    for (const ComparedRun& run : comparison.runs) figure.values.push_back(found_in(run, figure.group, figure.name));
    figure.differences.resize(figure.values.size());
    for_others(comparison, [&](std::size_t i, const std::string&) {
        figure.differences[i] = difference(figure.values[*comparison.reference()], figure.values[i]);
    });
    return figure;
}

// How many times as long the computer took as for the reference.
ComparedFigure cost_ratio(const Comparison& comparison)
{
    ComparedFigure ratio = compared(comparison, "cost", "wall_time_s");
    ratio.name = "wall_time_ratio";
    const Number first = ratio.values[*comparison.reference()];
    for (Number& value : ratio.values) value = value && first && *first > 0 ? Number(*value / *first) : Number();
    std::ranges::fill(ratio.differences, Difference{}); // it is one itself
    return ratio;
}

std::string csv_field(const std::string& words)
{
    if (words.find_first_of(",\"\n") == std::string::npos) return words;
    std::string field = "\"";
    for (const char c : words) field += c == '"' ? std::string("\"\"") : std::string(1, c);
    return field + "\"";
}

std::string csv_number(const Number& value) { return value && std::isfinite(*value) ? fmt::format("{}", *value) : ""; }

std::string number_text(const Number& value) { return value ? fmt::format("{:.6g}", *value) : "–"; }

// beyond a factor of a thousand the reference is as good as 0, and digits tell nothing
std::string relative_text(double share)
{
    return std::abs(share) < 1000 ? fmt::format("{:+.3g} %", 100 * share)
                                  : fmt::format("{}> 1e5 %", share < 0 ? "-" : "");
}

struct DifferenceText {
    std::string absolute, relative;
};
DifferenceText text_of(const Difference& difference)
{
    if (difference.absolute == 0.0) return {"=", ""};
    return {difference.absolute ? fmt::format("{:+.3g}", *difference.absolute) : "",
            difference.relative ? relative_text(*difference.relative) : ""};
}

// Words of a table of a terminal, the first column on the left.
class TextTable {
  public:
    void add(std::vector<std::string> line) { lines_.push_back(std::move(line)); }
    std::string text() const
    {
        std::vector<std::size_t> widths;
        for (const auto& line : lines_) {
            widths.resize(std::max(widths.size(), line.size()), 0);
            if (line.size() == 1) continue; // a heading
            for (std::size_t c = 0; c < line.size(); ++c) widths[c] = std::max(widths[c], letters(line[c]));
        }
        std::string all;
        for (const auto& line : lines_) {
            std::string words;
            for (std::size_t c = 0; c < line.size(); ++c) {
                const std::string blanks(widths[c] - std::min(widths[c], letters(line[c])), ' ');
                words += c == 0 ? line[c] + blanks : "  " + blanks + line[c];
            }
            words.erase(words.find_last_not_of(' ') + 1);
            all += words + "\n";
        }
        return all;
    }

  private:
    // on the screen: the bytes of UTF-8 that begin one
    static std::size_t letters(const std::string& words)
    {
        return std::size_t(std::ranges::count_if(words, [](char c) { return (c & 0xC0) != 0x80; }));
    }
    std::vector<std::vector<std::string>> lines_;
};

} // namespace

std::optional<std::size_t> Comparison::reference() const
{
    const auto first = std::ranges::find_if(runs, &ComparedRun::has_run);
    return first == runs.end() ? std::nullopt : std::optional(std::size_t(first - runs.begin()));
}

std::vector<ComparedFigure> Comparison::figures() const
{
    std::vector<ComparedFigure> all;
    const auto is_known = [&](const io::Figure& figure) {
        return std::ranges::any_of(
            all, [&](const ComparedFigure& known) { return known.group == figure.group && known.name == figure.name; });
    };
    for (const ComparedRun& run : runs) {
        for (const io::Figure& figure : run.result.figures) {
            if (!is_known(figure)) all.push_back(compared(*this, figure.group, figure.name));
        }
    }
    if (reference()) all.push_back(cost_ratio(*this));
    return all;
}

std::string to_text(const Comparison& comparison)
{
    TextTable table;
    std::vector<std::string> head{""}, outcomes{"outcome"};
    for (const ComparedRun& run : comparison.runs) {
        head.push_back(run.method);
        outcomes.push_back(run.has_run() ? run.result.end.outcome : "does not apply");
    }
    for_others(comparison, [&](std::size_t, const std::string& method) {
        head.push_back(fmt::format("{} − {}", method, comparison.runs[*comparison.reference()].method));
        head.emplace_back("relative");
    });
    table.add(head);
    table.add(outcomes);
    std::string group;
    for (const ComparedFigure& figure : comparison.figures()) {
        if (figure.group != group) table.add({group = figure.group});
        std::vector<std::string> line{"  " + figure.name};
        for (const Number& value : figure.values) line.push_back(number_text(value));
        for_others(comparison, [&](std::size_t i, const std::string&) {
            const auto [absolute, relative] = text_of(figure.differences[i]);
            line.insert(line.end(), {absolute, relative});
        });
        table.add(line);
    }
    std::string text = table.text();
    for (const ComparedRun& run : comparison.runs) {
        if (!run.has_run())
            text += fmt::format("{} does not apply: {}\n", run.method, run.refusal);
        else if (run.result.end.status != 0)
            text += fmt::format("{}: {}\n", run.method, run.result.end.reason);
    }
    return text;
}

std::string to_csv(const Comparison& comparison)
{
    std::string text = "group,quantity";
    for (const ComparedRun& run : comparison.runs) text += "," + csv_field(run.method);
    for_others(comparison, [&](std::size_t, const std::string& method) {
        text += fmt::format(",{},{}", csv_field(method + "_difference"), csv_field(method + "_relative"));
    });
    text += "\n";
    for (const ComparedFigure& figure : comparison.figures()) {
        text += csv_field(figure.group) + "," + csv_field(figure.name);
        for (const Number& value : figure.values) text += "," + csv_number(value);
        for_others(comparison, [&](std::size_t i, const std::string&) {
            text += fmt::format(",{},{}", csv_number(figure.differences[i].absolute),
                                csv_number(figure.differences[i].relative));
        });
        text += "\n";
    }
    return text;
}

std::string to_json(const Comparison& comparison)
{
    io::JsonWriter json;
    const auto list = [&](const char* name, const auto& items, const auto& write) {
        json.key(name);
        json.open('[');
        for (const auto& item : items) {
            json.item();
            json.open('{');
            write(item);
            json.close('}');
        }
        json.close(']');
    };
    json.open('{');
    json.entry("scene", std::string_view(comparison.scene));
    list("methods", comparison.runs, [&](const ComparedRun& run) {
        json.entry("method", std::string_view(run.method));
        json.entry("applies", run.has_run());
        json.entry("outcome", std::string_view(run.has_run() ? run.result.end.outcome : "does not apply"));
        json.entry("reason", std::string_view(run.has_run() ? run.result.end.reason : run.refusal));
        if (run.has_run()) json.entry("exit_status", std::int64_t{run.result.end.status});
    });
    if (comparison.reference()) {
        json.entry("reference", std::string_view(comparison.runs[*comparison.reference()].method));
    }
    list("figures", comparison.figures(), [&](const ComparedFigure& figure) {
        json.entry("group", std::string_view(figure.group));
        json.entry("quantity", std::string_view(figure.name));
        const auto of_each = [&](const char* name, const auto& value_of) {
            json.object(name, [&] {
                for_others(comparison, [&](std::size_t i, const std::string& method) {
                    json.entry(method, value_of(figure.differences[i]));
                });
            });
        };
        json.object("values", [&] {
            for (std::size_t i = 0; i < comparison.runs.size(); ++i) {
                if (comparison.runs[i].has_run()) json.entry(comparison.runs[i].method, figure.values[i]);
            }
        });
        of_each("difference", [](const Difference& difference) { return difference.absolute; });
        of_each("relative", [](const Difference& difference) { return difference.relative; });
    });
    json.close('}');
    return json.take();
}

} // namespace talus::report
