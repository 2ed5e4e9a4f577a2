// Density and speed in a measuring area at one moment, by two methods (Steffen and Seyfried 2010). Classic: who has the
// centre in it, D = N/A, mean of their speeds. Voronoi: ∫ 1/A(cell) over the area, and the mean of the speeds of those
// whose cells reach into it, weighted by how far.
#pragma once

#include "talus/crowd/voronoi.hpp"
#include "talus/probes/indicator.hpp"

namespace talus {

struct FundamentalSample {
    std::int64_t persons = 0;   // with their centre in the area
    double density = 0;         // [1/m²] classic
    Maybe speed;                // [m/s]
    double voronoi_density = 0; // [1/m²]
    Maybe voronoi_speed;        // [m/s]
};

FundamentalSample measure_fundamental(const BodyTable<2>& bodies, const ShapeTable<2>& shapes, const Bounds<2>& area,
                                      CellOptions options = {});

} // namespace talus
