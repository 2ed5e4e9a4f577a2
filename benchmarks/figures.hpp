// Figures of verification studies, as SVG into the folder that --figures names.
#pragma once

#include "benchmarks/bench.hpp"
#include "talus/report/drawing/chart.hpp"

namespace talus::bench {

void write_figure(const Options& options, const std::string& name, const report::Chart& chart);
void write_figure(const Options& options, const std::string& name, const report::Rose& rose);

} // namespace talus::bench
