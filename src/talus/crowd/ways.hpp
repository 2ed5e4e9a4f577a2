// The ways to the goals of people, their exits, around obstacles and around doors that are closed now. Where a closed
// door leaves no way people go there as if it were open, and wait; but any other way is shorter.
#pragma once

#include "talus/crowd/doors.hpp"
#include "talus/crowd/walk_field.hpp"

#include <array>

namespace talus {

class Ways {
  public:
    Ways() = default;
    // Obstacles without doors; `goals` in the order of their indices below, each one exit or several of which people
    // take the nearest.
    Ways(Obstacles obstacles, const GroundGrid& grid, std::vector<DoorLeaf> doors,
         std::vector<std::vector<Door>> goals);

    // Doors open and close. Hangs on the time alone.
    void follow(double time);
    // [m] infinite where there is no way even with all doors open
    double distance(std::size_t goal, const Vec<2>& place) const;
    Vec<2> direction(std::size_t goal, const Vec<2>& place) const;
    std::size_t count() const { return goals_.size(); }
    void prefetch(const Vec<2>& place) const
    {
        if (count() == 1) fields_[is_any_closed()][0].prefetch(place);
    }
    bool lead_out(const Vec<2>& place) const;
    const Ground& ground() const { return grounds_[is_any_closed()]; }

  private:
    bool is_any_closed() const { return std::ranges::find(closed_, true) != closed_.end(); }
    void find(bool with_doors);

    Obstacles obstacles_;
    GroundGrid grid_{};
    std::vector<DoorLeaf> doors_;
    std::vector<std::vector<Door>> goals_;
    std::vector<bool> closed_;      // each door, now
    std::array<Ground, 2> grounds_; // with all doors open; with those closed that are, where there are any
    std::array<std::vector<WalkField>, 2> fields_; // one for each goal
};

} // namespace talus
