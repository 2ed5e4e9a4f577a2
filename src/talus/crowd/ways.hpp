// The ways to each exit, around obstacles and around doors that are closed now. Where a closed door leaves no way
// people go there as if it were open, and wait; but any other way is shorter.
#pragma once

#include "talus/crowd/doors.hpp"
#include "talus/crowd/walk_field.hpp"

namespace talus {

class Ways {
  public:
    Ways() = default;
    // Obstacles without doors; `exits` in the order of their indices below.
    Ways(Obstacles obstacles, const GroundGrid& grid, std::vector<DoorLeaf> doors, std::vector<Door> exits);

    // Doors open and close. Hangs on the time alone.
    void follow(double time);
    // [m] infinite where there is no way even with all doors open
    double distance(std::size_t exit, const Vec<2>& place) const;
    Vec<2> direction(std::size_t exit, const Vec<2>& place) const;
    bool lead_out(const Vec<2>& place) const;
    const Ground& ground() const { return grounds_[is_any_closed()]; }

  private:
    bool is_any_closed() const { return std::ranges::find(closed_, true) != closed_.end(); }
    void find(bool with_doors);

    Obstacles obstacles_;
    GroundGrid grid_{};
    std::vector<DoorLeaf> doors_;
    std::vector<Door> exits_;
    std::vector<bool> closed_;         // each door, now
    Ground grounds_[2];                // with all doors open; with those closed that are, where there are any
    std::vector<WalkField> fields_[2]; // one for each exit
};

} // namespace talus
