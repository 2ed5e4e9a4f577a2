// The pieces of a random scene: walls and the room between them, grains in that room.
#pragma once

#include "fuzz/dice.hpp"
#include "fuzz/random_scene.hpp"

namespace talus::fuzz {

struct Room {
    Point lower, upper; // [m] free of walls
    Point centre() const { return scaled(sum(lower, upper), 0.5); }
    double radius() const // of the ball around it
    {
        double squares = 0;
        for (std::size_t axis = 0; axis < lower.size(); ++axis) squares += std::pow(upper[axis] - lower[axis], 2);
        return 0.5 * std::sqrt(squares);
    }
};

// The scene as it grows.
struct Draft {
    Draft(std::uint64_t seed, int attempt) : dice(seed, attempt) {}

    int dimension = 2;
    Dice dice;
    RandomScene scene;
    Toml toml;
    Room room;
    std::vector<std::string> materials;
    std::vector<std::string> walls;   // names of fixed bodies, which a driver may move
    std::vector<std::string> movers;  // names of bodies and groups that can move, which a force may push
    int lots = 0;                     // generators of grains
    int bodies = 0;                   // that can move at the start
    double largest = 0, smallest = 0; // [m] radius of grains
    double speed = 0;                 // [m/s] the fastest body there may be
    bool fed = false;
    bool guided = false; // some bodies are free in part
    bool has_piston = false;
    bool people = false; // they are all that moves freely

    int spins() const { return dimension == 2 ? 1 : 3; }
    std::string material() { return word("material", dice.pick(materials)); }
    // a rotation or spin: a number in 2D, a vector in 3D
    std::string rotation(const std::string& key, double size)
    {
        const Point value = dice.within(size, spins());
        return dimension == 2 ? line(key, value[0]) : line(key, value);
    }
};

void add_walls(Draft& draft, double width);
void add_grains(Draft& draft, int count);

// A scene of people, by one of the methods of crowds.
RandomScene random_crowd(std::uint64_t seed, int attempt);

// Solids, for grains and for obstacles: keys of a body that fits into a ball about its position.
std::string random_solid(Draft& draft, double radius);

} // namespace talus::fuzz
