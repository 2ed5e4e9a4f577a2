#include "talus/crowd/ways.hpp"

#include <cmath>

namespace talus {

namespace {

constexpr double through_closed_door = 1e5; // [m] longer than any other way

} // namespace

Ways::Ways(Obstacles obstacles, const GroundGrid& grid, std::vector<DoorLeaf> doors,
           std::vector<std::vector<Door>> goals)
    : obstacles_(std::move(obstacles)), grid_(grid), doors_(std::move(doors)), goals_(std::move(goals)),
      closed_(doors_.size(), false)
{
    find(false);
}

void Ways::find(bool with_doors)
{
    Obstacles obstacles = obstacles_;
    for (std::size_t d = 0; d < doors_.size(); ++d) {
        if (with_doors && closed_[d]) obstacles.add_wall(doors_[d].from, doors_[d].to, doors_[d].radius);
    }
    grounds_[with_doors] = make_ground(obstacles, grid_);
    fields_[with_doors].clear();
    for (const std::vector<Door>& goal : goals_) fields_[with_doors].emplace_back(grounds_[with_doors], goal);
}

void Ways::follow(double time)
{
    std::vector<bool> closed;
    for (const DoorLeaf& door : doors_) closed.push_back(!door.is_open(time));
    if (closed == closed_) return;
    closed_ = std::move(closed);
    if (is_any_closed()) find(true);
}

double Ways::distance(std::size_t goal, const Vec<2>& place) const
{
    if (!is_any_closed()) return fields_[0][goal].distance(place);
    const double present = fields_[1][goal].distance(place);
    return std::isfinite(present) ? present : through_closed_door + fields_[0][goal].distance(place);
}

Vec<2> Ways::direction(std::size_t goal, const Vec<2>& place) const
{
    const bool is_open = !is_any_closed() || !std::isfinite(fields_[1][goal].distance(place));
    return fields_[!is_open][goal].direction(place);
}

bool Ways::lead_out(const Vec<2>& place) const
{
    return std::ranges::any_of(fields_[0],
                               [&](const WalkField& field) { return std::isfinite(field.distance(place)); });
}

} // namespace talus
