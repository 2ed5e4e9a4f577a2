#include "benchmarks/figures.hpp"

#include "base/error.hpp"

#include <filesystem>
#include <fstream>

namespace talus::bench {

namespace {

void write(const Options& options, const std::string& name, const std::string& svg)
{
    std::filesystem::create_directories(options.figures);
    const std::filesystem::path file = std::filesystem::path(options.figures) / (name + ".svg");
    std::ofstream out(file);
    out << svg;
    if (!out.flush()) throw RunError("cannot write " + file.string());
}

} // namespace

void write_figure(const Options& options, const std::string& name, const report::Chart& chart)
{
    if (!options.figures.empty()) write(options, name, report::draw_chart_svg(chart));
}

void write_figure(const Options& options, const std::string& name, const report::Rose& rose)
{
    if (!options.figures.empty()) write(options, name, report::draw_rose_svg(rose));
}

} // namespace talus::bench
