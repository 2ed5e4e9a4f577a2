// The ground that people walk on, as a grid of square cells. A cell is blocked where its centre is nearer to an
// obstacle than the clearance, the radius of a person. From a blocked cell a shortest way out leads to free ground, so
// that people who are pushed against a wall know where to go; it never leads through the wall.
#pragma once

#include "talus/crowd/obstacles.hpp"

#include <algorithm>
#include <cmath>

namespace talus {

struct Ground {
    Vec<2> lower = Vec<2>::Zero(); // [m] corner of the first cell
    double cell = 0;               // [m] its side
    double clearance = 0;          // [m]
    int nx = 0, ny = 0;
    // of each cell, x runs fastest
    std::vector<std::uint8_t> blocked;
    std::vector<Vec<2>> way_out;      // [m] from the centre; zero in a free cell
    std::vector<std::int32_t> refuge; // the free cell at its end; the cell itself where it is free; −1: there is none

    std::size_t size() const { return blocked.size(); }
    std::size_t index(int i, int j) const { return std::size_t(j) * std::size_t(nx) + std::size_t(i); }
    Vec<2> centre(int i, int j) const { return lower + cell * Vec<2>(i + 0.5, j + 0.5); }
    Vec<2> centre(std::size_t c) const { return centre(int(c % std::size_t(nx)), int(c / std::size_t(nx))); }
    // The cell that holds the point; of a point outside the grid the nearest one.
    int column(double x) const { return int(std::clamp(std::floor((x - lower.x()) / cell), 0.0, nx - 1.0)); }
    int row(double y) const { return int(std::clamp(std::floor((y - lower.y()) / cell), 0.0, ny - 1.0)); }
    std::size_t cell_at(const Vec<2>& point) const { return index(column(point.x()), row(point.y())); }
    // On the border of cells all of them are.
    bool is_free(const Vec<2>& point) const;
    bool holds(const Vec<2>& point) const;
};

struct GroundGrid {
    Bounds<2> extent; // made larger at the upper sides to whole cells
    double cell;      // [m] at most the clearance: a thin wall would leak
    double clearance; // [m]
};

// InputError where the cells are too coarse or too many.
Ground make_ground(const Obstacles& obstacles, const GroundGrid& grid);
// Around all bodies that do not move.
Ground make_ground(const BodyTable<2>& bodies, const ShapeTable<2>& shapes, const GroundGrid& grid);

// The box that holds all bodies but those that reach to infinity, with a margin [m].
Bounds<2> extent_of(const BodyTable<2>& bodies, const ShapeTable<2>& shapes, double margin);

} // namespace talus
