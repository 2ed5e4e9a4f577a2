#include "talus/crowd/headway.hpp"

#include "talus/exec/parallel.hpp"

#include <cmath>
#include <numbers>

namespace talus {

namespace {

constexpr int turns = 4;                                // to each side
constexpr double reluctance = 10;                       // to step aside: calibrated with the preset, V35
constexpr double turn_by = 15 * std::numbers::pi / 180; // [rad]

// How far one can go from here before a wall, at most `limit`; in steps of a cell.
double room_on(const Ground& ground, const Vec<2>& from, const Vec<2>& direction, double limit)
{
    for (double way = ground.cell; way < limit; way += ground.cell) {
        if (ground.blocked[ground.cell_at(from + way * direction)]) return way - ground.cell;
    }
    return limit;
}

} // namespace

void Headway::see(const BodyTable<2>& bodies, const ShapeTable<2>& shapes, std::span<const Pair> pairs)
{
    const auto counts = [&](const Pair& pair) {
        return !bodies.is_passive(pair.first) && !bodies.is_passive(pair.second);
    };
    first_.assign(bodies.size() + 1, 0);
    for (const Pair& pair : pairs) {
        if (!counts(pair)) continue;
        ++first_[std::size_t(pair.first) + 1];
        ++first_[std::size_t(pair.second) + 1];
    }
    for (std::size_t i = 0; i < bodies.size(); ++i) first_[i + 1] += first_[i];
    near_.resize(std::size_t(first_.back()));
    std::vector<std::int32_t> next(first_.begin(), first_.end() - 1);
    for (const Pair& pair : pairs) {
        if (!counts(pair)) continue;
        near_[std::size_t(next[std::size_t(pair.first)]++)] = pair.second;
        near_[std::size_t(next[std::size_t(pair.second)]++)] = pair.first;
    }
    radius_.resize(bodies.size());
    parallel_for(bodies.size(), [&](std::size_t i) { radius_[i] = bounding_radius(shapes, bodies.shape[i]); });
}

namespace {

// To those nearer to one's own exit: of two who meet before a door one always goes on.
bool gives_way(const BodyTable<2>& bodies, std::size_t i, std::size_t other, const Aim& aim)
{
    if (!aim.ways) return true;
    return aim.ways->distance(aim.exit, bodies.position[other]) < aim.ways->distance(aim.exit, bodies.position[i]);
}

} // namespace

double Headway::free_way(const BodyTable<2>& bodies, std::size_t i, const Aim& aim, const Vec<2>& direction,
                         double limit) const
{
    double least = limit;
    for (const std::int32_t other : near(i)) {
        const Vec<2> offset = bodies.position[other] - bodies.position[i];
        const double ahead = offset.dot(direction);
        const double aside = direction.x() * offset.y() - direction.y() * offset.x();
        const double touching = radius_[i] + radius_[other], square = touching * touching - aside * aside;
        if (ahead <= 0 || square <= 0) continue;
        const double free = std::max(0.0, ahead - std::sqrt(square));
        if (free >= least) continue;
        if (!gives_way(bodies, i, std::size_t(other), aim)) continue;
        least = free;
    }
    return least;
}

Vec<2> Headway::wanted(const BodyTable<2>& bodies, std::size_t i, const Aim& aim) const
{
    const Vec<2>& way = aim.way;
    const double enough = aim.speed * time_gap_;
    double progress = free_way(bodies, i, aim, way, enough);
    if (progress >= enough) return aim.speed * way;
    Vec<2> best = progress / time_gap_ * way;
    // of two sides that are as good the one where one goes already
    const double side = way.x() * bodies.velocity[i].y() - way.y() * bodies.velocity[i].x() < 0 ? -1 : 1;
    for (int k = 1; k <= turns; ++k) {
        const double cosine = std::cos(k * turn_by), sine = std::sin(k * turn_by),
                     weight = std::pow(cosine, reluctance);
        if (enough * weight <= progress) break;
        for (const double sign : {side, -side}) {
            const Vec<2> direction(cosine * way.x() - sign * sine * way.y(), sign * sine * way.x() + cosine * way.y());
            double free = free_way(bodies, i, aim, direction, enough);
            if (aim.ways && free * weight > progress)
                free = room_on(aim.ways->ground(), bodies.position[i], direction, free);
            if (free * weight <= progress) continue;
            progress = free * weight;
            best = free / time_gap_ * direction;
        }
    }
    return best;
}

} // namespace talus
