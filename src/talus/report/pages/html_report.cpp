#include "talus/report/pages/html_report.hpp"

#include "talus/base/error.hpp"
#include "talus/base/version.hpp"
#include "talus/io/files/json_writer.hpp"
#include "talus/io/runs/run_folder.hpp"
#include "talus/io/runs/run_text.hpp"
#include "talus/io/scenes/scene_file.hpp"
#include "talus/report/crowd_figures.hpp"
#include "talus/report/pages/html_pictures.hpp"
#include "talus/report/pages/series_json.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace talus::report {

namespace fs = std::filesystem;

namespace {

// of the whole page, shared by its runs: what keeps a report below 5 MB
constexpr std::size_t room_for_pictures = 2'400'000; // [bytes]
constexpr std::size_t room_for_maps = 1'000'000;     // [bytes] of them, where there are any
constexpr double square_of_maps = 1;                 // [m]
constexpr std::size_t most_values = 170'000;         // of the series, at most 13 bytes each
constexpr std::size_t most_lines = 2000, least_lines = 100;
constexpr std::size_t most_log_bytes = 40'000;

// {"names", "lines", "values"}: a column that never changes is one number instead of a list
std::string series_json(const io::SeriesColumns& series, std::size_t runs)
{
    const std::size_t lists = std::max<std::size_t>(series.names.size(), 1);
    const std::size_t lines = std::clamp(most_values / (lists * runs), least_lines, most_lines);
    std::string names, values;
    for (std::size_t c = 0; c < series.names.size(); ++c) {
        const Column& column = series.values[c];
        const char* comma = c > 0 ? "," : "";
        names += comma + io::json_quoted(series.names[c]);
        values += comma;
        if (c > 0 && !column.empty() &&
            std::all_of(column.begin(), column.end(), [&](const auto& value) { return value == column.front(); })) {
            values += json_number(column.front());
            continue;
        }
        values += json_list(thinned(column, lines), c == 0 ? 9 : 6);
    }
    return fmt::format(R"({{"names":[{}],"lines":{},"values":[{}]}})", names, series.lines(), values);
}

std::string pictures_json(const std::vector<PagePicture>& pictures)
{
    std::string list;
    for (const PagePicture& picture : pictures) {
        list += fmt::format(R"({}{{"colour":"{}","frame":{},"time":{},"width":{},"height":{},"source":"{}"}})",
                            list.empty() ? "" : ",", picture.colour, picture.frame, json_number(picture.time),
                            picture.width, picture.height, picture.source);
    }
    return "[" + list + "]";
}

// the last lines of the log, whole
std::string log_tail(const fs::path& folder)
{
    std::string log = io::read_text(folder / "log.txt");
    if (log.size() <= most_log_bytes) return log;
    const auto line = log.find('\n', log.size() - most_log_bytes);
    return "…\n" + (line == std::string::npos ? std::string{} : log.substr(line + 1));
}

// Maps and paths of a crowd; null for other runs.
std::string crowd_json(const fs::path& folder, const std::string& title, std::size_t room)
{
    if (!can_paint() || !io::is_crowd(folder) || io::list_blocks(folder).empty()) return "null";
    const io::CrowdFrames frames(folder);
    const CrowdMap map = crowd_map(frames, square_of_maps);
    std::string list;
    const auto add = [&](const char* what, const auto& paint_as) {
        const EmbeddedPicture picture = embedded_picture(
            [&](int width) {
                return paint_as(CrowdPicture{title, width, {}});
            },
            room / 4);
        list += fmt::format(R"({}{{"what":"{}","width":{},"height":{},"source":"{}"}})", list.empty() ? "" : ",", what,
                            picture.width, picture.height, picture.source);
    };
    for (const auto& [what, quantity] : {std::pair("density", MapQuantity::density),
                                         {"speed", MapQuantity::speed},
                                         {"service", MapQuantity::service}}) {
        add(what, [&, quantity = quantity](const CrowdPicture& options) {
            return paint_map(frames, map, quantity, options);
        });
    }
    add("paths", [&](const CrowdPicture& options) { return paint_paths(frames, options); });
    return fmt::format(R"({{"square":{},"pictures":[{}]}})", square_of_maps, list);
}

std::string run_json(const ReportedRun& run, std::size_t runs)
{
    const fs::path& folder = run.folder;
    const io::RunInfo info = io::read_run_info(folder);
    const std::string summary = io::read_summary(folder / "summary.json");
    const io::SeriesColumns series = io::read_series(folder / "series.csv");
    const std::string title = run_title(folder);
    std::string json = "{";
    const auto entry = [&](const char* name, const std::string& value) {
        json += fmt::format("{}\"{}\":", json.size() > 1 ? ",\n" : "", name) + value;
    };
    entry("title", io::json_quoted(title));
    entry("folder", io::json_quoted(folder_name(folder)));
    entry("dimension", std::to_string(info.dimension));
    entry("bodies", std::to_string(info.bodies.empty() ? 0 : info.bodies.back()));
    entry("frames", std::to_string(info.frames));
    entry("can_resume", info.can_resume ? "true" : "false");
    entry("provenance", provenance_json(info.provenance));
    entry("summary", summary.empty() ? "null" : summary);
    entry("scene", io::json_quoted(io::read_text(folder / "scene.toml")));
    entry("log", io::json_quoted(log_tail(folder)));
    entry("series", series_json(series, runs));
    const Moments moments = runs > 1 ? Moments::last : Moments::first_middle_last; // side by side: how they ended
    const std::string crowd = crowd_json(folder, title, room_for_maps / runs);
    const std::size_t room = room_for_pictures - (crowd == "null" ? 0 : room_for_maps);
    entry("pictures", pictures_json(page_pictures(folder, title, moments, room / runs)));
    entry("crowd", crowd);
    entry("measured", run.measured);
    return json + "}";
}

} // namespace

std::string folder_name(const fs::path& folder)
{
    const fs::path whole = fs::absolute(folder).lexically_normal();
    return (whole.has_filename() ? whole : whole.parent_path()).filename().string();
}

std::string run_title(const fs::path& folder)
{
    try {
        const scene::Value root = io::read_scene(folder / "scene.toml");
        const scene::Value* table = root.find("scene");
        const scene::Value* name = table ? table->find("name") : nullptr;
        if (name && name->is_text() && !name->text().empty()) return name->text();
    } catch (const InputError&) { // a page can do without
    }
    return folder_name(folder);
}

std::string html_report(std::span<const ReportedRun> runs, const WebPage& page, const std::string& comparison)
{
    std::string list, title;
    for (const ReportedRun& run : runs) {
        list += (list.empty() ? "" : ",\n") + run_json(run, runs.size());
        title += (title.empty() ? "" : " | ") + run_title(run.folder);
    }
    std::string html = R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<link rel="icon" href="data:,">
)";
    html += "<title>" + html_text(title) + " – Talus</title>\n<style>\n";
    html += page.style;
    html +=
        "</style>\n</head>\n<body>\n<noscript>This report draws itself with JavaScript, all of it inside this file.";
    html += "</noscript>\n<script type=\"application/json\" id=\"data\">";
    html += without_tags(fmt::format("{{\"talus\":{},\"comparison\":", io::json_quoted(version())) + comparison +
                         ",\"runs\":[" + list + "]}");
    html += "</script>\n<script>\n";
    html += page.script;
    html += "</script>\n</body>\n</html>\n";
    return html;
}

} // namespace talus::report
