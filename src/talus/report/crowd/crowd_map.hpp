// Density and speed of a crowd on a grid: every point of the ground has the density and the speed of the person whose
// Voronoi cell holds it (Steffen and Seyfried, Physica A 389 (2010) 1902).
#pragma once

#include "talus/crowd/voronoi.hpp"

#include <span>
#include <vector>

namespace talus::report {

// Square cells, x runs fastest.
struct MapGrid {
    Vec<2> lower = Vec<2>::Zero(); // [m] corner of the first cell
    double cell = 1;               // [m] its side
    int nx = 0, ny = 0;

    std::size_t size() const { return std::size_t(nx) * std::size_t(ny); }
    std::size_t index(int i, int j) const { return std::size_t(j) * std::size_t(nx) + std::size_t(i); }
};

enum class MapGrain { fine, coarse }; // of a picture; of what a page is sent

// Around all places where somebody has been, with room for their cells.
MapGrid map_grid(const Vec<2>& lower, const Vec<2>& upper, MapGrain grain);

struct CrowdMaps {
    MapGrid grid;
    // not a number where nobody is near
    std::vector<double> density; // [1/m²]
    std::vector<double> speed;   // [m/s]
};

// A person's cell and their speed.
struct MappedPerson {
    std::span<const Vec<2>> outline; // [m] counter-clockwise
    double density, speed;
};

// Cells whose centre lies in an outline.
CrowdMaps crowd_maps(const MapGrid& grid, std::span<const MappedPerson> persons);

} // namespace talus::report
