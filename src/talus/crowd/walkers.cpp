#include "talus/crowd/walkers.hpp"

#include "talus/base/error.hpp"
#include "talus/base/random.hpp"
#include "talus/crowd/crowding.hpp"
#include "talus/crowd/ways.hpp"
#include "talus/exec/parallel.hpp"
#include "talus/sampling/vectors.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

namespace talus {

namespace {

constexpr double margin = 1;       // [m] of ground around all that stands there
constexpr double decide_every = 1; // [s] how often people choose among exits by those who queue there
constexpr double queue_flow = 1.3; // [1/(m s)] that they expect of an exit (Weidmann)
constexpr double slowest = 0.1;    // [m/s]

// [m] the preset "weidmann" gives Weidmann's speeds against density (V35) with disks of 0.2 to 0.25 m.
constexpr double weidmann_look_ahead = 2;
double look_ahead_of(const scene::Value& walkers)
{
    if (walkers.at("look_ahead").is_number()) return walkers.at("look_ahead").number();
    return walkers.at("preset").is_text("weidmann") ? weidmann_look_ahead : 0;
}

struct Exit {
    std::string name;
    Vec<2> from, to;      // [m]
    double reach;         // [m]
    double opens, closes; // [s]
    const scene::Value* entry;

    bool is_open(double time) const { return time >= opens - 1e-9 && time < closes - 1e-9; }
    bool is_always_open() const { return opens <= 0 && closes == std::numeric_limits<double>::infinity(); }
    double width() const { return (to - from).norm(); }
    double distance(const Vec<2>& point) const
    {
        const Vec<2> along = to - from;
        const double where = std::clamp((point - from).dot(along) / along.squaredNorm(), 0.0, 1.0);
        return (point - from - where * along).norm();
    }
};

std::vector<Exit> exits_of(const scene::Value& scene)
{
    std::vector<Exit> exits;
    for (const scene::Value& entry : scene.at("exits").list()) {
        const scene::Value& closes = entry.at("closes");
        exits.push_back({entry.at("name").text(), vector_of<2>(entry.at("from")), vector_of<2>(entry.at("to")),
                         entry.at("reach").number(), entry.at("opens").number(),
                         closes.is_number() ? closes.number() : std::numeric_limits<double>::infinity(), &entry});
    }
    return exits;
}

// Exits filed in squares of the ground: few people are near any of them.
class ExitLines final : public Driver<2> {
  public:
    explicit ExitLines(std::vector<Exit> exits) : exits_(std::move(exits))
    {
        const auto lower_of = [](const Exit& e) { return Vec<2>(e.from.cwiseMin(e.to).array() - e.reach - 1e-9); };
        const auto upper_of = [](const Exit& e) { return Vec<2>(e.from.cwiseMax(e.to).array() + e.reach + 1e-9); };
        Vec<2> lower = lower_of(exits_[0]), upper = upper_of(exits_[0]);
        for (const Exit& exit : exits_) {
            lower = lower.cwiseMin(lower_of(exit));
            upper = upper.cwiseMax(upper_of(exit));
        }
        const Vec<2> size = upper - lower;
        const double square = std::max(least_square, size.maxCoeff() / most_squares);
        ground_.lower = lower;
        ground_.cell = square;
        ground_.nx = 1 + int(size.x() / square);
        ground_.ny = 1 + int(size.y() / square);
        upper_ = upper;
        near_.resize(std::size_t(ground_.nx) * std::size_t(ground_.ny));
        for (std::size_t e = 0; e < exits_.size(); ++e) {
            const Vec<2> from = lower_of(exits_[e]), to = upper_of(exits_[e]);
            for (int j = ground_.row(from.y()); j <= ground_.row(to.y()); ++j) {
                for (int i = ground_.column(from.x()); i <= ground_.column(to.x()); ++i) {
                    near_[ground_.index(i, j)].push_back(std::int32_t(e));
                }
            }
        }
    }
    void let_go(const BodyTable<2>& bodies, const Clock& clock, std::vector<std::uint8_t>& leaves) override
    {
        parallel_for(bodies.size(), [&](std::size_t i) {
            const Vec<2>& place = bodies.position[i];
            const bool is_beyond = (place.array() < ground_.lower.array() || place.array() > upper_.array()).any();
            if (is_beyond || bodies.is_passive(i)) return;
            for (const std::int32_t e : near_[ground_.cell_at(place)]) {
                const Exit& exit = exits_[std::size_t(e)];
                if (exit.is_open(clock.time()) && exit.distance(place) <= exit.reach) leaves[i] = 1;
            }
        });
    }
    bool holds_for_step() const override { return true; }

  private:
    static constexpr double least_square = 2, most_squares = 256; // [m]; along the longer side
    std::vector<Exit> exits_;
    Ground ground_; // its squares alone
    Vec<2> upper_ = Vec<2>::Zero();
    std::vector<std::vector<std::int32_t>> near_; // exits of each square
};

// One number, or two between which one is drawn.
struct Range {
    double low, high;
    explicit Range(const scene::Value& value)
        : low(value.is_number() ? value.number() : value.numbers()[0]),
          high(value.is_number() ? value.number() : value.numbers()[1])
    {
    }
};

// What a person wants hangs on their number and the seed alone: it needs no memory.
struct Trait {
    double speed, reaction; // [m/s], [s]
};

class Walkers final : public Driver<2> {
  public:
    Walkers(const scene::Value& entry, std::vector<Exit> exits, std::vector<NamedRange> members)
        : speed_(entry.at("speed")), deviation_(entry.at("speed_deviation").number()), reaction_(entry.at("reaction")),
          relaxation_(entry.at("relaxation").number()), counts_queues_(entry.at("choice").is_text("least_crowded")),
          seed_(std::uint64_t(entry.at("seed").integer())), exits_(std::move(exits)), members_(std::move(members)),
          crowding_(look_ahead_of(entry))
    {
        if (const scene::Value* centre = entry.find("around")) around_ = vector_of<2>(*centre);
    }

    // To any exit, whichever is near, at all times: one field leads to them all.
    bool goes_to_nearest() const
    {
        return !counts_queues_ && std::ranges::all_of(exits_, [](const Exit& exit) { return exit.is_always_open(); });
    }
    void walk_on(Ways ways) { ways_ = std::move(ways); }

    bool leads(const BodyTable<2>& bodies, std::size_t i) const
    {
        if (bodies.is_passive(i)) return false;
        const std::int32_t id = std::int32_t(bodies.id(i));
        return members_.empty() ||
               std::ranges::any_of(members_, [&](const NamedRange& range) { return range.has(id); });
    }
    bool has_a_way(const Vec<2>& place) const { return around_ || ways_.lead_out(place); }

    void apply(BodyTable<2>& bodies, ShapeTable<2>&, const Clock& clock) override
    {
        while (std::int32_t(traits_.size()) < bodies.come()) traits_.push_back(trait_of(traits_.size()));
        ways_.follow(clock.time());
        const auto each = std::int64_t(std::max(1.0, std::round(decide_every / clock.dt)));
        if (counts_queues_ && clock.step % each == 0) decide(bodies, clock.time());
    }

    // m (v₀ e − v)/τ
    void load(BodyTable<2>& bodies, const TimeSpan& during) override
    {
        constexpr std::size_t ahead = 8; // persons
        parallel_for(bodies.size(), [&](std::size_t i) {
            if (i + ahead < bodies.size()) ways_.prefetch(bodies.position[i + ahead]);
            if (!leads(bodies, i)) return;
            const Trait& trait = traits_[std::size_t(bodies.id(i))];
            Vec<2> wanted = Vec<2>::Zero();
            if (during.begin >= trait.reaction - 1e-9) {
                const Vec<2> way = way_of(bodies, i, during.begin);
                wanted = trait.speed * way;
                if (crowding_.look_ahead() > 0) wanted *= crowding_.share_of_speed(bodies, i, way);
            }
            bodies.force[i] += bodies.mass[i] / relaxation_ * (wanted - bodies.velocity[i]);
        });
    }
    double top_speed() const override { return speed_.high + 3 * deviation_; }

    double sight() const override { return crowding_.look_ahead(); }
    void see(const BodyTable<2>& bodies, const ShapeTable<2>&, std::span<const Pair> pairs) override
    {
        crowding_.see(bodies, pairs);
    }

    std::vector<std::uint64_t> save() const override { return {choice_.begin(), choice_.end()}; }
    void restore(std::span<const std::uint64_t> words) override { choice_.assign(words.begin(), words.end()); }

  private:
    Trait trait_of(std::size_t id) const
    {
        Random random(seed_ * 0x9E3779B97F4A7C15ull + id);
        const double first = random.uniform(), second = random.uniform(), third = random.uniform();
        double speed = speed_.low + (speed_.high - speed_.low) * first;
        if (deviation_ > 0) { // Box and Muller
            const double normal = std::sqrt(-2 * std::log(1 - first)) * std::cos(2 * std::numbers::pi * second);
            speed = std::max(slowest, speed_.low + deviation_ * std::clamp(normal, -3.0, 3.0));
        }
        return {speed, reaction_.low + (reaction_.high - reaction_.low) * third};
    }

    // Unit vector; zero where there is nowhere to go.
    Vec<2> way_of(const BodyTable<2>& bodies, std::size_t i, double time) const
    {
        if (around_) return way_round(bodies.position[i] - *around_, bodies.velocity[i].norm());
        const std::int32_t exit = exit_of(bodies, i, time);
        return exit < 0 ? Vec<2>(Vec<2>::Zero()) : ways_.direction(std::size_t(exit), bodies.position[i]);
    }
    // Along the circle; as velocities lag behind by τ, towards its centre by v τ / R.
    Vec<2> way_round(const Vec<2>& lever, double speed) const
    {
        const double square = lever.squaredNorm();
        if (square == 0) return Vec<2>(1, 0);
        const Vec<2> along(-lever.y(), lever.x());
        return (along / std::sqrt(square) - speed * relaxation_ / square * lever).normalized();
    }

    // Cost of an exit [m]; infinite where it is closed, unless all are: then people wait there.
    double way(std::size_t exit, const Vec<2>& place, double time, bool all_closed) const
    {
        if (!all_closed && !exits_[exit].is_open(time)) return std::numeric_limits<double>::infinity();
        return ways_.distance(exit, place);
    }
    bool all_closed(double time) const
    {
        return std::ranges::none_of(exits_, [&](const Exit& exit) { return exit.is_open(time); });
    }
    std::int32_t nearest(const Vec<2>& place, double time, std::span<const double> extra, double speed) const
    {
        const bool closed = all_closed(time);
        std::int32_t best = -1;
        double least = std::numeric_limits<double>::infinity();
        for (std::size_t e = 0; e < exits_.size(); ++e) {
            const double cost = way(e, place, time, closed) + (extra.empty() ? 0 : speed * extra[e]);
            if (cost < least) {
                least = cost;
                best = std::int32_t(e);
            }
        }
        return best;
    }
    // Whose field to follow; −1: none.
    std::int32_t exit_of(const BodyTable<2>& bodies, std::size_t i, double time) const
    {
        if (ways_.count() == 1) return 0;
        const std::size_t id = std::size_t(bodies.id(i));
        if (counts_queues_ && id < choice_.size() && choice_[id] > 0) return std::int32_t(choice_[id]) - 1;
        return nearest(bodies.position[i], time, {}, 0);
    }
    // One after the other, each knowing what those before them chose.
    void decide(const BodyTable<2>& bodies, double time)
    {
        choice_.resize(std::size_t(bodies.come()), 0);
        std::vector<double> queue(exits_.size(), 0), wait(exits_.size(), 0); // persons, [s]
        for (std::size_t i = 0; i < bodies.size(); ++i) {
            if (!leads(bodies, i)) continue;
            if (const std::uint32_t now = choice_[std::size_t(bodies.id(i))]; now > 0) ++queue[now - 1];
        }
        for (std::size_t i = 0; i < bodies.size(); ++i) {
            if (!leads(bodies, i)) continue;
            std::uint32_t& mine = choice_[std::size_t(bodies.id(i))];
            if (mine > 0) --queue[mine - 1];
            for (std::size_t e = 0; e < exits_.size(); ++e) wait[e] = queue[e] / (queue_flow * exits_[e].width());
            mine = std::uint32_t(
                nearest(bodies.position[i], time, wait, std::max(slowest, traits_[std::size_t(bodies.id(i))].speed)) +
                1);
            if (mine > 0) ++queue[mine - 1];
        }
    }

    Range speed_;
    double deviation_;
    Range reaction_;
    double relaxation_;
    bool counts_queues_;
    std::uint64_t seed_;
    std::vector<Exit> exits_;
    std::vector<NamedRange> members_; // none: everybody
    Crowding crowding_;
    std::optional<Vec<2>> around_; // [m]
    Ways ways_;
    std::vector<Trait> traits_;         // by number of the body
    std::vector<std::uint32_t> choice_; // by number of the body: exit + 1, 0: none yet
};

struct Sizes {
    double smallest = std::numeric_limits<double>::infinity(), largest = 0; // [m] radii
};
Sizes sizes_of(const Walkers& walkers, const BodyTable<2>& bodies, const ShapeTable<2>& shapes)
{
    Sizes sizes;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        if (!walkers.leads(bodies, i)) continue;
        const double radius = bounding_radius(shapes, bodies.shape[i]);
        sizes.smallest = std::min(sizes.smallest, radius);
        sizes.largest = std::max(sizes.largest, radius);
    }
    if (sizes.largest == 0) return {0.25, 0.25}; // they come later
    return sizes;
}

// Made larger to whole cells on all sides alike: the grid of a mirror image is the mirror image of the grid.
Bounds<2> whole_cells(Bounds<2> extent, double cell)
{
    const Vec<2> size = extent.upper - extent.lower;
    const Vec<2> more = 0.5 * (((size / cell).array() - 1e-9).ceil().matrix() * cell - size);
    extent.lower -= more;
    extent.upper += more;
    return extent;
}

void refuse_narrow_exits(const Ground& ground, std::span<const Exit> exits, double radius)
{
    std::vector<Mistake> mistakes;
    for (const Exit& exit : exits) {
        const Door door{exit.from, exit.to};
        if (!free_parts(ground, std::span(&door, 1)).empty()) continue;
        mistakes.push_back(mistake(*exit.entry, fmt::format("exit \"{}\" from ({:.3g}, {:.3g}) to ({:.3g}, {:.3g}) m "
                                                            "lets nobody of radius {:.3g} m through",
                                                            exit.name, exit.from.x(), exit.from.y(), exit.to.x(),
                                                            exit.to.y(), radius)));
    }
    if (!mistakes.empty()) throw InputError(std::move(mistakes));
}

void refuse_lost_people(const Walkers& walkers, const scene::Value& entry, const BodyTable<2>& bodies)
{
    std::vector<Mistake> mistakes;
    std::size_t count = 0;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        if (!walkers.leads(bodies, i) || walkers.has_a_way(bodies.position[i])) continue;
        if (++count > 10) continue; // the first ten tell enough
        const Vec<2>& place = bodies.position[i];
        mistakes.push_back(mistake(
            entry, fmt::format("body {} at ({:.3g}, {:.3g}) m has no way to any exit", i, place.x(), place.y())));
    }
    if (count > mistakes.size()) mistakes.push_back(mistake(entry, fmt::format("... and {} more", count - 10)));
    if (!mistakes.empty()) throw InputError(std::move(mistakes));
}

// Those among which these walkers choose.
std::vector<Exit> exits_of(const scene::Value& walkers, const std::vector<Exit>& exits)
{
    const auto& wanted = walkers.at("exits").list();
    if (wanted.empty()) return exits;
    std::vector<Exit> own;
    std::ranges::copy_if(exits, std::back_inserter(own), [&](const Exit& exit) {
        return std::ranges::any_of(wanted, [&](const scene::Value& name) { return name.is_text(exit.name); });
    });
    return own;
}

std::vector<NamedRange> members_of(const scene::Value& walkers, const std::vector<NamedRange>& groups)
{
    std::vector<NamedRange> members;
    const scene::Value* name = walkers.find("body");
    if (!name) return members;
    std::ranges::copy_if(groups, std::back_inserter(members),
                         [&](const NamedRange& range) { return name->is_text(range.name); });
    if (members.empty()) throw InputError({mistake(*name, "names neither a body nor a generator")});
    return members;
}

Ways ways_of(const scene::Value& entry, const Walkers& walkers, const std::vector<Exit>& exits,
             const PeopleGround& start)
{
    const Sizes sizes = sizes_of(walkers, start.bodies, start.shapes);
    GroundGrid grid{extent_of(start.bodies, start.shapes, margin), 0.5 * sizes.smallest, sizes.largest};
    if (entry.at("cell").is_number()) grid.cell = entry.at("cell").number();
    std::vector<std::vector<Door>> goals(walkers.goes_to_nearest() ? 1 : 0);
    for (const Exit& exit : exits) {
        if (!walkers.goes_to_nearest()) goals.emplace_back();
        goals.back().push_back({exit.from, exit.to});
        for (const Vec<2>& end : {exit.from, exit.to}) {
            grid.extent.lower = grid.extent.lower.cwiseMin(Vec<2>(end.array() - margin));
            grid.extent.upper = grid.extent.upper.cwiseMax(Vec<2>(end.array() + margin));
        }
    }
    grid.extent = whole_cells(grid.extent, grid.cell);
    std::vector<std::int32_t> walls = fixed_bodies(start.bodies);
    std::erase_if(walls, [&](std::int32_t wall) { return std::ranges::count(start.leaves, wall) > 0; });
    Ways ways(obstacles_of(start.bodies, start.shapes, walls), grid, start.doors, std::move(goals));
    refuse_narrow_exits(ways.ground(), exits, sizes.largest);
    return ways;
}

} // namespace

std::vector<std::unique_ptr<Driver<2>>> make_walkers(const scene::Value& scene, const PeopleGround& start)
{
    std::vector<std::unique_ptr<Driver<2>>> drivers;
    const std::vector<Exit> exits = exits_of(scene);
    for (const scene::Value& entry : scene.at("walkers").list()) {
        const std::vector<Exit> own = exits_of(entry, exits);
        auto walkers = std::make_unique<Walkers>(entry, own, members_of(entry, start.groups));
        if (!entry.find("around")) {
            walkers->walk_on(ways_of(entry, *walkers, own, start));
            refuse_lost_people(*walkers, entry, start.bodies);
        }
        drivers.push_back(std::move(walkers));
    }
    if (!exits.empty()) drivers.push_back(std::make_unique<ExitLines>(exits));
    return drivers;
}

} // namespace talus
