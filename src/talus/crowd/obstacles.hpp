// What people walk around: the fixed solids of a scene in the world frame, and the exact distance to each of them.
#pragma once

#include "talus/bodies/body_table.hpp"
#include "talus/shapes/shape_table.hpp"

#include <limits>
#include <span>
#include <vector>

namespace talus {

// How a point lies to the nearest obstacle.
struct Approach {
    double distance = std::numeric_limits<double>::infinity(); // [m] to its surface; negative inside
    Vec<2> outward = Vec<2>::Zero();                           // unit: the shortest way from it, or out of it
    std::int32_t body = -1;                                    // whose surface it is
};

// What an outline is made of.
struct OutlineLine {
    Vec<2> from, to; // [m]
};
struct OutlineCircle {
    Vec<2> centre; // [m]
    double radius; // [m]
};
struct Outline {
    std::vector<OutlineLine> lines;
    std::vector<OutlineCircle> circles;
};

class Obstacles {
  public:
    void add_disk(const Vec<2>& centre, double radius, std::int32_t body = -1);
    void add_hollow_disk(const Vec<2>& centre, double radius, std::int32_t body = -1); // solid outside
    void add_wall(const Vec<2>& from, const Vec<2>& to, double radius = 0, std::int32_t body = -1);
    void add_half_plane(const Vec<2>& point, const Vec<2>& normal, std::int32_t body = -1); // normal: out of the solid
    void add_polygon(std::span<const Vec<2>> corners, std::int32_t body = -1);              // convex, counter-clockwise

    std::size_t size() const { return items_.size(); }
    Approach approach(std::size_t item, const Vec<2>& point) const;
    // The first of those that are equally near.
    Approach nearest(const Vec<2>& point) const;
    Approach nearest(std::span<const std::int32_t> items, const Vec<2>& point) const;
    // The surfaces of all; of a half-plane the part that crosses the extent.
    Outline outline(const Bounds<2>& extent) const;

  private:
    enum class Kind : std::uint8_t { disk, hollow_disk, wall, half_plane, polygon };
    struct Item {
        Kind kind;
        std::int32_t body;
        double radius;      // [m]
        Vec<2> centre;      // [m]
        Vec<2> direction;   // unit normal of a half-plane
        std::int32_t first; // its edges
        std::int32_t count;
    };
    struct Edge {
        Vec<2> from, along; // [m]
        Vec<2> normal;      // unit, to the right of `along`: out of a polygon
        double square;      // [m²] of its length
    };
    void add_edge(const Vec<2>& from, const Vec<2>& to);

    std::vector<Item> items_;
    std::vector<Edge> edges_;
};

// Places of the bodies that do not move.
std::vector<std::int32_t> fixed_bodies(const BodyTable<2>& bodies);

// The solids of these bodies; each part of a cluster is an obstacle of its own.
Obstacles obstacles_of(const BodyTable<2>& bodies, const ShapeTable<2>& shapes, std::span<const std::int32_t> places);

} // namespace talus
