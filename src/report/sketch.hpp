// A frame laid out in the plane of the picture: what is where, how far from the viewer, in which colour. The same for
// 2D and 3D from here on; painting it knows nothing of bodies.
#pragma once

#include "io/frames.hpp"
#include "report/colours.hpp"

#include <string>
#include <vector>

namespace talus::report {

enum class View { iso, front, side, top };                     // of a 3D run; last axis up
enum class Quantity { speed, load, size, material, rotation }; // what colours mean

// Lengths in metres, x to the right and y upwards in the picture, depth towards the viewer.
struct Ball {
    Vec<2> centre;
    double depth, radius;
    Vec<2> arm; // from the centre to a point of the rim that turns with the grain
    std::int32_t colour;
};
struct Rod {
    Vec<2> from, to;
    double depth, radius;
    std::int32_t colour;
};
struct Facet {
    std::vector<Vec<2>> corners;
    double light;             // 0 to 1
    double depth;             // of its middle
    std::vector<bool> is_cut; // the edge after a corner is where a large facet was cut, no edge of the solid
};
struct Solid { // a convex grain or a part of one: the facets that face the viewer, in any order
    std::vector<Facet> facets;
    double depth;
    std::int32_t colour;
};
struct Wall { // the part of a half-space's surface that lies in the picture
    std::vector<Vec<2>> corners;
    bool faces_viewer; // else it stands between the viewer and the grains
    bool is_floor;
};
struct Pane { // a triangle of a mesh; from either side
    std::vector<Vec<2>> corners;
    double depth, light;
    bool is_behind; // the grains, else it stands between the viewer and them
};
struct Chain {
    Vec<2> from, to;
    double force; // [N] along the normal
};
struct Axis {
    std::string name;
    Vec<2> direction;
};

struct Legend {
    std::string quantity, unit; // SI
    ValueRange range;
    struct Name {
        std::string text;
        std::int32_t colour;
    };
    std::vector<Name> names; // of materials; empty where colours are numbers
};

struct Sketch {
    bool is_flat = true; // a 2D run
    std::vector<Ball> balls;
    std::vector<Rod> rods;
    std::vector<Solid> solids;
    std::vector<Wall> walls;
    std::vector<Pane> panes;                   // 3D, from the farthest to the nearest
    std::vector<std::vector<Vec<2>>> outlines; // closed: bowls and drums
    std::vector<Vec<2>> free_space;            // 2D: where no wall is, a convex polygon
    std::vector<Chain> chains;                 // 2D, weakest first
    std::vector<Axis> axes;                    // 3D
    std::vector<Rgb> palette;
    Legend legend;
    Vec<2> lower = Vec<2>::Zero(), upper = Vec<2>::Ones(); // what the picture shows
    std::size_t grains = 0, beyond = 0;                    // of the grains, so many are too far off to be shown
    bool has_imposed = false;                              // bodies in neutral grey, whose motion is imposed
};

// One number per body: speed [m/s], rate of rotation [rad/s], size (diameter of the bounding ball) [m], load (sum of
// the normal forces of its contacts) [N], or the index of its material.
template <int D>
std::vector<double> body_values(const io::Frame<D>& frame, Quantity quantity);

template <int D>
Sketch sketch_of(const io::Frame<D>& frame, View view, Quantity quantity);

} // namespace talus::report
