#include "benchmarks/figures.hpp"

#include "talus/io/files/durable_file.hpp"

#include <filesystem>

namespace talus::bench {

namespace {

void write(const Options& options, const std::string& name, const std::string& svg)
{
    io::make_directory(options.figures);
    const std::string method = options.method == default_method ? "" : "-" + options.method;
    io::write_durably(std::filesystem::path(options.figures) / (name + method + ".svg"), svg);
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
