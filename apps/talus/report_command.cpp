// talus report: one HTML file about one run, or about two side by side.
#include "commands.hpp"
#include "report_file.hpp"
#include "talus/base/error.hpp"
#include "talus/report/pages/html_report.hpp"
#include "web_pages.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <vector>

using namespace talus;

namespace {

namespace fs = std::filesystem;

// A single report belongs to its run; a comparison belongs to neither.
fs::path default_file(const std::vector<fs::path>& folders)
{
    if (folders.size() == 1) return folders[0] / "report.html";
    return fmt::format("compare-{}-{}.html", report::folder_name(folders[0]), report::folder_name(folders[1]));
}

int report_on(const std::vector<fs::path>& folders, fs::path file)
{
    if (report_page().script.empty()) refuse_without_page("talus report");
    if (file.empty()) file = default_file(folders);
    if (fs::is_directory(file)) throw InputError(file.string() + ": is a folder");
    write_report(folders, file);
    return 0;
}

} // namespace

void add_report_command(CLI::App& app, Action& action)
{
    struct Options {
        fs::path folder, other, out;
    };
    auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand("report", "one HTML file about a run, or two runs side by side");
    command->add_option("folder", options->folder, "the run's folder")->required();
    command->add_option("other", options->other, "the folder of a run to compare it with");
    command->add_option("--out", options->out,
                        "the file to write; without it DIR/report.html, or compare-A-B.html here for two runs");
    command->callback([&action, options] {
        action = [options] {
            std::vector<fs::path> folders{options->folder};
            if (!options->other.empty()) folders.push_back(options->other);
            return report_on(folders, options->out);
        };
    });
}
