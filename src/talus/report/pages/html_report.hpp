// One HTML page about one run, or about several side by side. It carries its script, its style, its data as JSON and
// its pictures, and asks no other host for anything. What the data holds: viewer/src/data.ts reads it.
#pragma once

#include "talus/report/pages/page_text.hpp"

#include <filesystem>
#include <span>
#include <string>

namespace talus::report {

struct ReportedRun {
    std::filesystem::path folder;
    std::string measured = "{}"; // JSON: distributions of the last frame, by gauge
};

// InputError where a folder is damaged, from a newer version, or no run's.
// `comparison`: JSON of one by methods (report/comparison.hpp), whose runs these are; its table opens the page.
std::string html_report(std::span<const ReportedRun> runs, const WebPage& page, const std::string& comparison = "null");

std::string folder_name(const std::filesystem::path& folder);
// The name of the scene; the folder's where it has none or its scene cannot be read any more.
std::string run_title(const std::filesystem::path& folder);

} // namespace talus::report
