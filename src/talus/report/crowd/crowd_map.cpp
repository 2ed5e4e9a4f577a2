#include "talus/report/crowd/crowd_map.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace talus::report {

namespace {

struct MapLimits {
    double finest_cell; // [m]
    double most_cells;  // each way
};
constexpr MapLimits fine_map{0.08, 500}, coarse_map{0.2, 240};
constexpr double nobody_near = std::numeric_limits<double>::quiet_NaN();

// Where a horizontal line enters and leaves a polygon, in order.
std::vector<double> crossings(std::span<const Vec<2>> polygon, double y)
{
    std::vector<double> found;
    for (std::size_t k = 0; k < polygon.size(); ++k) {
        const Vec<2>&a = polygon[k], &b = polygon[(k + 1) % polygon.size()];
        if ((a.y() <= y) == (b.y() <= y)) continue;
        found.push_back(a.x() + (y - a.y()) / (b.y() - a.y()) * (b.x() - a.x()));
    }
    std::ranges::sort(found);
    return found;
}

void fill(CrowdMaps& maps, const MappedPerson& person)
{
    const MapGrid& grid = maps.grid;
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const Vec<2>& corner : person.outline) {
        low = std::min(low, corner.y());
        high = std::max(high, corner.y());
    }
    if (!(low <= high)) return;
    // the first cell whose centre lies beyond a place
    const auto first = [&](double place, double from, int most) {
        return std::clamp(int(std::ceil((place - from) / grid.cell - 0.5)), 0, most);
    };
    for (int j = first(low, grid.lower.y(), grid.ny); j < first(high, grid.lower.y(), grid.ny); ++j) {
        const std::vector<double> places = crossings(person.outline, grid.lower.y() + grid.cell * (j + 0.5));
        for (std::size_t k = 0; k + 1 < places.size(); k += 2) {
            const int end = first(places[k + 1], grid.lower.x(), grid.nx);
            for (int i = first(places[k], grid.lower.x(), grid.nx); i < end; ++i) {
                maps.density[grid.index(i, j)] = person.density;
                maps.speed[grid.index(i, j)] = person.speed;
            }
        }
    }
}

} // namespace

MapGrid map_grid(const Vec<2>& lower, const Vec<2>& upper, MapGrain grain)
{
    const auto& [finest_cell, most_cells] = grain == MapGrain::fine ? fine_map : coarse_map;
    if (!(lower.array() <= upper.array()).all()) return {};
    const double room = CellOptions().farthest;
    MapGrid grid;
    grid.lower = lower.array() - room;
    const Vec<2> size = upper.array() + room - grid.lower.array();
    grid.cell = std::max(finest_cell, size.maxCoeff() / most_cells);
    grid.nx = int(std::ceil(size[0] / grid.cell));
    grid.ny = int(std::ceil(size[1] / grid.cell));
    return grid;
}

CrowdMaps crowd_maps(const MapGrid& grid, std::span<const MappedPerson> persons)
{
    CrowdMaps maps{grid, std::vector<double>(grid.size(), nobody_near), std::vector<double>(grid.size(), nobody_near)};
    for (const MappedPerson& person : persons) fill(maps, person);
    return maps;
}

} // namespace talus::report
