// How far it is to the nearest door around all obstacles, and which way to go. The distance T solves the eikonal
// equation
//   |grad T| = f,  T = cost on a door,
// with slowness f = 1 for the shortest way, f > 1 where walking costs more (a crowd). Solved by fast marching: Sethian,
// PNAS 93 (1996) 1591, with one-sided differences of second order where the values they need are known, of first order
// elsewhere; near a door T is the distance along a straight line. People go down the gradient.
#pragma once

#include "talus/crowd/ground.hpp"

namespace talus {

struct Door {
    Vec<2> from, to; // [m]
    double cost = 0; // [m] added to each way through it
};

// The part of a door that a person's centre may pass, found in steps of a quarter of a cell.
struct FreePart {
    Vec<2> from, to;   // [m]
    std::int32_t door; // its index
};
std::vector<FreePart> free_parts(const Ground& ground, std::span<const Door> doors);

class WalkField {
  public:
    // `slowness` of each cell, or empty: 1 everywhere. The ground is copied.
    WalkField(Ground ground, std::span<const Door> doors, std::span<const double> slowness = {});

    // [m] with f = 1; infinite where there is no way.
    double distance(const Vec<2>& point) const;
    // Unit vector; zero on a door, and where there is no way. In the clearance of a wall it leads out of it.
    Vec<2> direction(const Vec<2>& point) const;
    // Asks for what direction() will read: people come in no order, each is a cache miss.
    void prefetch(const Vec<2>& point) const
    {
        const Vec<2> scaled = (point - ground_.lower) / ground_.cell;
        const double x = std::clamp(scaled.x(), 0.5, ground_.nx - 1.0),
                     y = std::clamp(scaled.y(), 0.5, ground_.ny - 1.0);
        const std::size_t corner = ground_.index(int(x - 0.5), int(y - 0.5)); // of the four cells around the point
        __builtin_prefetch(&place_[ground_.index(int(x), int(y))]);
        __builtin_prefetch(&direction_[corner]);
        __builtin_prefetch(&direction_[std::min(corner + std::size_t(ground_.nx), direction_.size() - 1)]);
    }
    // Index of the door at the end of the way; −1: there is no way.
    std::int32_t door(const Vec<2>& point) const { return door_[ground_.cell_at(point)]; }

    const Ground& ground() const { return ground_; }
    // of each cell; in a blocked one by its way out
    std::span<const double> distances() const { return distance_; }
    std::span<const Vec<2>> directions() const { return direction_; }

  private:
    struct Corners; // cells around a point, with their weights
    Corners corners_of(const Vec<2>& point) const;
    Vec<2> to_door(std::int32_t door, const Vec<2>& point) const; // the shortest vector to its free parts
    bool is_at_door(std::size_t cell) const;
    void find_open_ground();
    void march(std::span<const double> slowness);
    void extend_into_walls();
    void find_directions();
    Vec<2> descent(std::size_t cell) const;

    Ground ground_;
    std::vector<Door> doors_;
    std::vector<FreePart> parts_;
    std::vector<double> distance_;
    std::vector<Vec<2>> direction_;
    std::vector<std::int32_t> door_;
    enum class Place : std::uint8_t { at_wall, at_door, open }; // open: free ground all around, with a way to a door
    std::vector<Place> place_;
};

} // namespace talus
