// CELLS' exercise: a few particles filed in the linked cells of a square, as text, with heads and links as on the
// slides: a particle becomes the head of its cell and remembers who was head before it.
#pragma once

#include "talus/math/space.hpp"

#include <span>
#include <string>
#include <vector>

namespace talus {

struct FiledCells {
    int per_side;          // cells along each edge of the square: 3 in the exercise
    std::vector<int> head; // per cell j * per_side + i: the particle filed last; -1 where the cell is empty
    std::vector<int> next; // per particle: who was head before it; -1 where it was the first
    std::vector<int> cell; // per particle; -1 outside of the square
    std::vector<int> chain(int of_cell) const; // from head to the first filed
};

struct Square {
    Vec<2> corner; // lower left
    double edge;   // [m]
};

FiledCells file_in_cells(std::span<const Vec<2>> particles, const Square& square, int per_side);

// The grid with the particles of each cell, the two arrays, and the chain of every cell.
std::string cells_picture(const FiledCells& cells);
// The same for the smallest square around all particles.
std::string cells_picture(std::span<const Vec<2>> particles, int per_side = 3);

} // namespace talus
