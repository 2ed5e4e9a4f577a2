// A frame laid out in the plane of the picture: what is where, how far from the viewer, in which colour. The same for
// 2D and 3D from here on; painting it knows nothing of bodies.
#pragma once

#include "talus/report/drawing/colouring.hpp"

#include <optional>
#include <string>
#include <vector>

namespace talus::report {

enum class View { iso, front, side, top }; // of a 3D run; last axis up

struct Slice {       // a plane across a 3D run
    int axis;        // along which it is seen: x, y or z
    double position; // [m]
};

struct Window {          // the part of the world that a picture shows, z = 0 in 2D and in a slice
    Vec<3> lower, upper; // [m]
};

enum class MapKind { density, speed };

// What a picture is of.
struct Subject {
    View view = View::iso; // of a 3D run
    Quantity colour = Quantity::speed;
    bool bands = false;              // colours in classes that halve from the largest value downwards, white to dark
    std::optional<Slice> slice = {}; // 3D: what this plane cuts, seen along its axis, instead of the view
    // of the pictures of a sequence, so that nothing jumps from one to the next; chosen from the frame without them
    std::optional<Window> window = {};
    std::optional<ValueRange> range = {}; // of the colours
    std::optional<double> strongest = {}; // [N] force of the widest chain
    // what a crowd has beside its bodies, in this frame: its disks are people
    std::shared_ptr<const CrowdLook> crowd = {};
    std::optional<MapKind> map = {};          // of the ground below them
    std::optional<ValueRange> map_range = {}; // of its colours
};

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
    double depth;
    double force; // [N] along the normal
};
struct Person { // a disk, seen from above
    Vec<2> centre;
    double radius;
    Vec<2> heading; // unit
    std::int32_t colour;
};
struct Path { // the way that a person has gone
    std::vector<Vec<2>> places;
    std::optional<std::int32_t> colour;
};
struct ExitLine {
    std::string name;
    Vec<2> from, to;
    std::optional<std::int32_t> colour;
};
struct Heat { // a map of the ground
    MapGrid grid;
    std::vector<double> values; // of cells; not a number: nothing to show
    std::vector<Rgb> palette;
    Legend legend;
};
struct Axis {
    std::string name;
    Vec<2> direction;
};

struct Sketch {
    bool is_flat = true; // a 2D run or a slice
    std::vector<Ball> balls;
    std::vector<Rod> rods;
    std::vector<Solid> solids;
    std::vector<Person> persons; // a crowd has these instead of balls
    std::vector<Path> paths;
    std::vector<ExitLine> exits;
    std::optional<Heat> heat;
    std::vector<Wall> walls;
    std::vector<Pane> panes;                   // 3D, from the farthest to the nearest
    std::vector<std::vector<Vec<2>>> outlines; // closed: bowls and drums
    std::vector<Vec<2>> free_space;            // 2D: where no wall is, a convex polygon
    std::vector<Chain> chains;                 // flat: weakest first; 3D: farthest first
    double strongest = 0;                      // [N] force of the widest chain
    std::vector<Axis> axes;                    // 3D and slices
    std::vector<Rgb> palette;
    Legend legend;
    Vec<2> lower = Vec<2>::Zero(), upper = Vec<2>::Ones(); // what the picture shows
    Window window{Vec<3>::Zero(), Vec<3>::Zero()};         // ... of the world
    double grain_size = 0;                                 // [m] mean diameter
    std::size_t grains = 0, beyond = 0;                    // of the grains, so many are too far off to be shown
    bool has_imposed = false;                              // bodies in neutral grey, whose motion is imposed
    std::string remark;                                    // where a slice lies
    std::size_t left = 0;                                  // persons who have left
};

// InputError for a slice of a 2D run or beside the grains, and for bands of materials.
template <int D>
Sketch sketch_of(const io::Frame<D>& frame, const Subject& subject);

// Widens window, ranges and the strongest force of a sequence to what a picture of this frame alone would show.
template <int D>
void reach(Subject& sequence, const io::Frame<D>& frame);

} // namespace talus::report
