#include "talus/crowd/walk_field.hpp"

#include "talus/crowd/fast_marching.hpp"
#include "talus/exec/parallel.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace talus {

namespace {

constexpr double nowhere = std::numeric_limits<double>::infinity();
constexpr double straight_reach = 20; // cells around a door where the way to it is a straight line
constexpr double slow_reach = 4;      // the same where slowness could bend it
constexpr double door_reach = 1.5;    // cells from a door where people aim at the door itself

Vec<2> to_part(const FreePart& part, const Vec<2>& point)
{
    const Vec<2> along = part.to - part.from;
    const double square = along.squaredNorm();
    const double share = square > 0 ? std::clamp((point - part.from).dot(along) / square, 0.0, 1.0) : 0.0;
    return part.from + share * along - point;
}

// Mean slowness on the straight way; infinite where a wall stands in it.
double slowness_of_way(const Ground& ground, std::span<const double> slowness, const Vec<2>& from, const Vec<2>& way)
{
    const int steps = 1 + int(std::ceil(2 * way.norm() / ground.cell));
    double sum = 0;
    for (int k = 0; k < steps; ++k) {
        const Vec<2> point = from + (k / double(steps)) * way;
        if (!ground.is_free(point)) return nowhere;
        sum += slowness.empty() ? 1.0 : slowness[ground.cell_at(point)];
    }
    return sum / steps;
}

} // namespace

std::vector<FreePart> free_parts(const Ground& ground, std::span<const Door> doors)
{
    std::vector<FreePart> parts;
    for (std::size_t d = 0; d < doors.size(); ++d) {
        const Vec<2> along = doors[d].to - doors[d].from;
        const int steps = 1 + int(std::ceil(4 * along.norm() / ground.cell));
        bool was_free = false;
        for (int k = 0; k <= steps; ++k) {
            const Vec<2> point = doors[d].from + (k / double(steps)) * along;
            const bool is_free = ground.holds(point) && ground.is_free(point);
            if (is_free && !was_free) parts.push_back({point, point, std::int32_t(d)});
            if (is_free) parts.back().to = point;
            was_free = is_free;
        }
    }
    return parts;
}

WalkField::WalkField(Ground ground, std::span<const Door> doors, std::span<const double> slowness)
    : ground_(std::move(ground)), doors_(doors.begin(), doors.end()), parts_(free_parts(ground_, doors))
{
    if (!slowness.empty() && slowness.size() != ground_.size()) {
        throw std::logic_error("WalkField: one slowness per cell");
    }
    distance_.assign(ground_.size(), nowhere);
    direction_.assign(ground_.size(), Vec<2>::Zero());
    door_.assign(ground_.size(), -1);
    march(slowness);
    find_directions();
    extend_into_walls();
    find_open_ground();
}

void WalkField::march(std::span<const double> slowness)
{
    const double reach = (slowness.empty() ? straight_reach : slow_reach) * ground_.cell;
    for (const FreePart& part : parts_) {
        const Vec<2> lower = part.from.cwiseMin(part.to), upper = part.from.cwiseMax(part.to);
        for (int j = ground_.row(lower.y() - reach); j <= ground_.row(upper.y() + reach); ++j) {
            for (int i = ground_.column(lower.x() - reach); i <= ground_.column(upper.x() + reach); ++i) {
                const Vec<2> centre = ground_.centre(i, j), way = to_part(part, centre);
                if (way.norm() > reach) continue;
                const double cost = doors_[part.door].cost;
                const double arrival = cost + slowness_of_way(ground_, slowness, centre, way) * way.norm();
                const std::size_t c = ground_.index(i, j);
                if (!(arrival < distance_[c])) continue;
                distance_[c] = arrival;
                door_[c] = part.door;
            }
        }
    }
    fast_march({ground_.nx, ground_.ny, ground_.cell, ground_.blocked, slowness}, distance_, door_);
}

// Down the gradient by differences towards earlier cells; of two that are as early, the lower index.
Vec<2> WalkField::descent(std::size_t cell) const
{
    const int place[2] = {int(cell % std::size_t(ground_.nx)), int(cell / std::size_t(ground_.nx))};
    const int size[2] = {ground_.nx, ground_.ny};
    const std::ptrdiff_t stride[2] = {1, ground_.nx};
    Vec<2> down = Vec<2>::Zero();
    for (int axis = 0; axis < 2; ++axis) {
        const auto at = [&](int step) {
            const int k = place[axis] + step;
            if (k < 0 || k >= size[axis]) return nowhere;
            const std::size_t c = std::size_t(std::ptrdiff_t(cell) + step * stride[axis]);
            return ground_.blocked[c] ? nowhere : distance_[c];
        };
        const int side = at(-1) <= at(1) ? -1 : 1;
        const double here = distance_[cell], first = at(side), second = at(2 * side);
        if (!(first < here)) continue;
        down[axis] = side * (second < first - 1e-9 * ground_.cell ? std::max(0.0, 1.5 * here - 2 * first + 0.5 * second)
                                                                  : here - first);
    }
    return down;
}

void WalkField::find_directions()
{
    parallel_for(ground_.size(), [&](std::size_t c) {
        if (ground_.blocked[c] || distance_[c] == nowhere) return;
        const Vec<2> straight = to_door(door_[c], ground_.centre(c));
        const double detour = distance_[c] - doors_[door_[c]].cost - straight.norm();
        const Vec<2> down = is_at_door(c) || std::abs(detour) < 1e-9 * ground_.cell ? straight : descent(c);
        if (down.norm() > 1e-12 * ground_.cell) direction_[c] = down.normalized();
    });
}

// In the clearance of a wall people go on as those do beside them on free ground, but not towards the wall, and the
// more out of it the deeper they are in.
void WalkField::extend_into_walls()
{
    parallel_for(ground_.size(), [&](std::size_t c) {
        if (!ground_.blocked[c] || ground_.refuge[c] < 0) return;
        const std::size_t refuge = std::size_t(ground_.refuge[c]);
        const double depth = ground_.way_out[c].norm();
        if (distance_[refuge] == nowhere || !(depth > 0)) return;
        const Vec<2> outward = ground_.way_out[c] / depth;
        Vec<2> way = direction_[refuge];
        way += (depth / ground_.clearance - std::min(0.0, way.dot(outward))) * outward;
        distance_[c] = distance_[refuge] + (ground_.centre(refuge) - ground_.centre(c)).norm();
        direction_[c] = way.norm() > 1e-9 ? Vec<2>(way.normalized()) : outward;
        door_[c] = door_[refuge];
    });
}

Vec<2> WalkField::to_door(std::int32_t door, const Vec<2>& point) const
{
    Vec<2> best = Vec<2>::Constant(nowhere);
    for (const FreePart& part : parts_) {
        if (part.door != door) continue;
        const Vec<2> way = to_part(part, point);
        if (way.squaredNorm() < best.squaredNorm()) best = way;
    }
    return best;
}

bool WalkField::is_at_door(std::size_t cell) const
{
    if (door_[cell] < 0) return false;
    return to_door(door_[cell], ground_.centre(cell)).norm() < door_reach * ground_.cell &&
           distance_[cell] - doors_[door_[cell]].cost < 2 * door_reach * ground_.cell;
}

void WalkField::find_open_ground()
{
    place_.assign(ground_.size(), Place::at_wall);
    parallel_for(ground_.size(), [&](std::size_t c) {
        const int i = int(c % std::size_t(ground_.nx)), j = int(c / std::size_t(ground_.nx));
        if (is_at_door(c)) place_[c] = Place::at_door;
        if (i == 0 || j == 0 || i + 1 == ground_.nx || j + 1 == ground_.ny || place_[c] == Place::at_door) return;
        for (int dj = -1; dj <= 1; ++dj) {
            for (int di = -1; di <= 1; ++di) {
                const std::size_t other = ground_.index(i + di, j + dj);
                if (ground_.blocked[other] || distance_[other] == nowhere) return;
            }
        }
        place_[c] = Place::open;
    });
}

// Up to four cells; those on the other side of a wall are left out.
struct WalkField::Corners {
    int count = 0;
    std::array<std::size_t, 4> cell;
    std::array<double, 4> weight; // their sum is 1
};

WalkField::Corners WalkField::corners_of(const Vec<2>& point) const
{
    const Vec<2> place = (point - ground_.lower) / ground_.cell - Vec<2>(0.5, 0.5);
    const double x = std::clamp(place.x(), 0.0, ground_.nx - 1.0), y = std::clamp(place.y(), 0.0, ground_.ny - 1.0);
    const int i = std::min(int(x), std::max(0, ground_.nx - 2)), j = std::min(int(y), std::max(0, ground_.ny - 2));
    const std::size_t own = ground_.cell_at(point);
    const auto is_beyond_wall = [&](std::size_t c) {
        const Vec<2>& out = ground_.way_out[own];
        if (!ground_.blocked[c]) return ground_.blocked[own] && out.dot(ground_.centre(c) - ground_.centre(own)) < 0;
        const Vec<2> side = ground_.blocked[own] ? out : Vec<2>(point - ground_.centre(c));
        return ground_.way_out[c].dot(side) < 0;
    };
    Corners corners;
    double sum = 0;
    for (int dj = 0; dj < std::min(2, ground_.ny); ++dj) {
        for (int di = 0; di < std::min(2, ground_.nx); ++di) {
            const double weight = (di ? x - i : 1 - (x - i)) * (dj ? y - j : 1 - (y - j));
            const std::size_t c = ground_.index(i + di, j + dj);
            if (!(weight > 0) || distance_[c] == nowhere || (c != own && is_beyond_wall(c))) continue;
            corners.cell[corners.count] = c;
            corners.weight[corners.count++] = weight;
            sum += weight;
        }
    }
    for (int k = 0; k < corners.count; ++k) corners.weight[k] /= sum;
    return corners;
}

double WalkField::distance(const Vec<2>& point) const
{
    const std::size_t own = ground_.cell_at(point);
    if (place_[own] ==
        Place::at_door) { // T has a kink on the door: the mean slowness of the cell's way, times the point's own way
        const double cost = doors_[door_[own]].cost, length = to_door(door_[own], ground_.centre(own)).norm();
        const double slowness = length > 0 ? (distance_[own] - cost) / length : 1.0;
        return cost + slowness * to_door(door_[own], point).norm();
    }
    const Corners corners = corners_of(point);
    if (corners.count == 0) return nowhere;
    double sum = 0;
    for (int k = 0; k < corners.count; ++k) sum += corners.weight[k] * distance_[corners.cell[k]];
    return sum;
}

Vec<2> WalkField::direction(const Vec<2>& point) const
{
    // nearly everybody: between four cells that all count
    const Vec<2> scaled = (point - ground_.lower) / ground_.cell;
    const bool is_inside = scaled.x() >= 1 && scaled.y() >= 1 && scaled.x() < ground_.nx && scaled.y() < ground_.ny;
    if (is_inside && place_[ground_.index(int(scaled.x()), int(scaled.y()))] == Place::open) {
        const int i = int(scaled.x() - 0.5), j = int(scaled.y() - 0.5);
        const double x = scaled.x() - 0.5 - i, y = scaled.y() - 0.5 - j;
        const Vec<2>*const low = &direction_[ground_.index(i, j)], *const high = low + ground_.nx;
        const Vec<2> mean = (1 - y) * ((1 - x) * low[0] + x * low[1]) + y * ((1 - x) * high[0] + x * high[1]);
        if (const double length = mean.norm(); length >= 0.5) return mean / length;
    }
    const std::size_t own = ground_.cell_at(point);
    if (place_[own] == Place::at_door) {
        const Vec<2> way = to_door(door_[own], point);
        return way.norm() > 1e-9 * ground_.cell ? Vec<2>(way.normalized()) : Vec<2>(Vec<2>::Zero());
    }
    const Corners corners = corners_of(point);
    Vec<2> sum = Vec<2>::Zero();
    std::size_t nearest_door = own;
    for (int k = 0; k < corners.count; ++k) {
        const std::size_t c = corners.cell[k];
        sum += corners.weight[k] * direction_[c];
        if (k == 0 || distance_[c] < distance_[nearest_door]) nearest_door = c;
    }
    // where two ways are as long their directions cancel out: one is taken
    if (sum.norm() < 0.5) sum = direction_[nearest_door];
    return sum.norm() > 0 ? Vec<2>(sum.normalized()) : sum;
}

} // namespace talus
