// People with a will, and the exits through which they leave.
#pragma once

#include "talus/crowd/doors.hpp"

#include <algorithm>

namespace talus {

// The bodies that a name stands for: numbers first … first + count − 1, or those that a feeder has fed so far.
struct NamedRange {
    std::string name;
    std::int32_t first, count;
    const std::vector<std::int32_t>* fed; // they grow in number; null: all are there at the start

    bool has(std::int32_t number) const
    {
        return fed ? std::ranges::binary_search(*fed, number) : number >= first && number < first + count;
    }
};

// What is there when the run starts.
struct PeopleGround {
    const BodyTable<2>& bodies;
    const ShapeTable<2>& shapes;
    std::vector<NamedRange> groups;
    std::vector<std::int32_t> leaves; // places of the walls of closed doors
    std::vector<DoorLeaf> doors;
};

// One driver for each of [[walkers]] and [[exits]] of a validated scene. InputError where a person has no way to any of
// their exits, or an exit is too narrow for them.
std::vector<std::unique_ptr<Driver<2>>> make_walkers(const scene::Value& scene, const PeopleGround& start);

} // namespace talus
