// Figures of what was measured: distributions and roses, the diameters of Moreau's check, and columns against time.
#pragma once

#include "talus/io/runs/run_text.hpp"
#include "talus/probes/diameter_check.hpp"
#include "talus/probes/indicator.hpp"
#include "talus/report/drawing/chart.hpp"

#include <string>
#include <vector>

namespace talus::report {

std::string distribution_svg(const Distribution& distribution, const std::string& gauge);

// Normal and tangential forces on the diameters, on the sinusoids of the tensor.
Chart diameters_chart(const DiameterCheck& check, const std::string& title, const std::string& unit);

// Columns of a series against time, in one chart; absent values break the lines.
Chart series_chart(const io::SeriesColumns& series, const std::vector<std::string>& columns, const std::string& title,
                   const std::string& y_label);

} // namespace talus::report
