// The ground that belongs to each person: what is nearer to them than to anybody they see, not behind an obstacle, and
// not farther than a largest distance (Steffen and Seyfried 2010: a person's Voronoi cell, cut at walls and at a
// circle). Density is one over its area.
#pragma once

#include "talus/crowd/obstacles.hpp"

#include <optional>

namespace talus {

struct CellOptions {
    double farthest = 2;             // [m] of a cell's border: somebody alone has 1/(4π) = 0.08 persons per m²
    std::optional<Bounds<2>> within; // cells end here too; whoever is outside has none
    bool with_outlines = false;
};

struct PersonCell {
    std::int32_t body;           // its place in the table
    double area;                 // [m²]
    std::vector<Vec<2>> outline; // [m] counter-clockwise, arcs as chords of 3°; only where it is asked for
};

// Disks that can move.
bool is_person(const BodyTable<2>& bodies, const ShapeTable<2>& shapes, std::size_t i);

// One cell for each person, in the order of the bodies. Around the end of a wall two cells may share a sliver: those
// two persons do not see each other.
std::vector<PersonCell> person_cells(const BodyTable<2>& bodies, const ShapeTable<2>& shapes,
                                     const CellOptions& options = {});

// [m²] of a polygon, and of its part in a box.
double area_of(std::span<const Vec<2>> corners);
double area_within(std::span<const Vec<2>> corners, const Bounds<2>& box);

} // namespace talus
