// Doors that stand in the way while they are closed: a wall that is taken away when it opens, and comes back when it
// closes and nobody stands there.
#pragma once

#include "talus/crowd/obstacles.hpp"
#include "talus/drivers/driver.hpp"
#include "talus/laws/contact_law.hpp"
#include "talus/scene/value.hpp"

#include <memory>

namespace talus {

struct DoorLeaf {
    std::string name;
    Vec<2> from, to;      // [m]
    double radius;        // [m] half its thickness
    double opens, closes; // [s]
    std::int32_t material;

    bool is_open(double time) const { return time >= opens - 1e-9 && time < closes - 1e-9; }
};

// [[doors]] of a validated scene.
std::vector<DoorLeaf> doors_of(const scene::Value& scene, const MaterialTable& materials);

// The wall; its place in the table.
std::int32_t add_leaf(BodyTable<2>& bodies, ShapeTable<2>& shapes, const DoorLeaf& door);

// `leaf` is the number of its wall, or none while it is open.
std::unique_ptr<Driver<2>> make_door(DoorLeaf door, BodyId leaf);

} // namespace talus
