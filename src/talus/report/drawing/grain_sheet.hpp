// One picture of a grain library: some of its grains to scale, its sieve curve, and how its shapes are spread.
#pragma once

#include "talus/report/picture.hpp"
#include "talus/sampling/library_summary.hpp"

namespace talus::report {

// Painted with cairo, an optional part of the build; without it an InputError.
template <int D>
Picture paint_grain_sheet(const std::vector<Polytope<D>>& grains, const LibrarySummary& summary,
                          const std::string& title);

} // namespace talus::report
