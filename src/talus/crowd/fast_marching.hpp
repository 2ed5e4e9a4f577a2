// Fast marching on a grid of square cells: |grad T| = f from cells with a given T.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace talus {

struct MarchGrid {
    int nx, ny;
    double cell;                           // [m]
    std::span<const std::uint8_t> blocked; // nx ny, x runs fastest
    std::span<const double> slowness;      // of each cell, or empty: 1
};

// `arrival` is finite where the front starts, infinite elsewhere, and is filled in; it stays infinite where the front
// does not come. `origin` is passed on from a cell to those that the front reaches from there. Cells of equal arrival
// are taken in the order of their index.
void fast_march(const MarchGrid& grid, std::vector<double>& arrival, std::vector<std::int32_t>& origin);

} // namespace talus
