#include "talus/simulation/event_driven.hpp"

#include "talus/base/error.hpp"
#include "talus/base/stopwatch.hpp"
#include "talus/simulation/simulation.hpp"

#include <fmt/format.h>

#include <bit>

namespace talus {

namespace {

constexpr double instant_share = 1e-9; // of a step of the clock: impacts nearer than that are simultaneous
constexpr double same_load = 1e-12;

template <int D>
constexpr std::size_t flight_words = 2 * D + 3; // place, velocity, time, last impact, streak

// [m/s²] that loads give to all bodies alike: relative flights are straight then.
template <int D>
Vec<D> common_acceleration(const Simulation<D>& simulation)
{
    const BodyTable<D>& bodies = simulation.bodies;
    std::optional<Vec<D>> common;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        if (bodies.is_passive(i)) continue;
        const Vec<D> acceleration = bodies.force[i] / bodies.mass[i];
        if (!common) common = acceleration;
        if ((acceleration - *common).norm() <= same_load * common->norm() && bodies.torque[i].isZero(0)) continue;
        throw RunError(fmt::format("{} is loaded otherwise than the other bodies: event-driven dynamics knows one "
                                   "acceleration for all, such as gravity",
                                   body_name(simulation, std::int32_t(i))));
    }
    return common.value_or(Vec<D>::Zero());
}

} // namespace

template <int D>
std::string body_name(const State<D>& state, std::int32_t body)
{
    const BodyId id = state.bodies.id(std::size_t(body));
    for (const BodyGroup& group : state.groups) {
        if (!group.has(id)) continue;
        return group.count == 1 ? group.name : fmt::format("body {} of {}", std::int32_t(id) - group.first, group.name);
    }
    return fmt::format("body {}", std::int32_t(id));
}

template <int D>
StepReport EventDriven<D>::step(Simulation<D>& simulation)
{
    StepReport report;
    Stopwatch watch;
    const auto finish = [&](Phase phase) { report.seconds[std::size_t(phase)] += watch.lap(); };

    simulation.begin_step(); // what the experimenter imposes
    simulation.add_loads(next_step(simulation.clock));
    if (simulation.contacts.size() > 0) simulation.contacts.take({}); // of another method, in a state to start from
    finish(Phase::drivers);

    balls.name = [&simulation](std::int32_t body) { return body_name(simulation, body); };
    take(simulation); // flights and their next events
    finish(Phase::detection);

    balls.advance(double(simulation.clock.step + 1) * simulation.clock.dt, simulation.energy);
    finish(Phase::solver);

    publish(simulation);
    simulation.end_step();
    report.non_finite = first_non_finite(simulation.bodies);
    finish(Phase::motion);
    return report;
}

// The same bodies as they were published: their flights go on.
template <int D>
bool EventDriven<D>::has_flights_of(const BodyTable<D>& bodies, double now) const
{
    if (!has_bodies_ || bodies_ != bodies.size() || balls.now() != now) return false;
    for (std::size_t p = 0; p < balls.size(); ++p) {
        const std::size_t i = std::size_t(balls.body(p).body);
        const bool is_same = bodies.position[i] == balls.place(p, now) &&
                             (balls.is_fixed(p) ||
                              (bodies.velocity[i] == balls.velocity(p, now) && bodies.spin[i] == balls.body(p).spin));
        if (!is_same) return false;
    }
    return true;
}

template <int D>
void EventDriven<D>::take(const Simulation<D>& simulation)
{
    const BodyTable<D>& bodies = simulation.bodies;
    const double now = simulation.clock.time();
    const Vec<D> gravity = common_acceleration(simulation);
    const bool same_gravity = (gravity - balls.gravity()).norm() <= same_load * balls.gravity().norm();
    if (same_gravity && has_flights_of(bodies, now)) return;

    const bool resumes = remembered_.size() == bodies.size() * flight_words<D>;
    balls.clear();
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const Shape<D>& shape = simulation.shapes[bodies.shape[i]];
        if (shape.kind != ShapeKind::ball) {
            if (bodies.is_passive(i)) continue; // a wall
            throw RunError(fmt::format("{} is a {}: event-driven dynamics moves disks and spheres",
                                       body_name(simulation, std::int32_t(i)), shape_name<D>(shape.kind)));
        }
        const bool is_fixed = bodies.is_passive(i), turns = !bodies.is_imposed(i, D);
        Flight<D> flight{};
        flight.place = bodies.position[i];
        flight.velocity = is_fixed ? Vec<D>(Vec<D>::Zero()) : bodies.velocity[i];
        flight.time = now;
        flight.radius = shape.radius;
        BallBody<D> body;
        body.body = std::int32_t(i);
        body.material = bodies.material[i];
        body.inverse_mass = is_fixed ? 0.0 : 1 / bodies.mass[i];
        body.turning = is_fixed || !turns ? 0.0 : 1 / bodies.inertia[i][0];
        body.spin = bodies.spin[i];
        body.orientation = bodies.orientation[i];
        body.turned = now;
        if (resumes && !is_fixed) resume_flight(flight, body);
        balls.add(flight, body);
    }
    for (std::size_t w = 0; w < balls.walls.size(); ++w) balls.walls[w].body = bodies.find(wall_ids[w]); // walls stay
    remembered_.clear();
    balls.materials = simulation.materials;
    balls.options.instant = instant_share * simulation.clock.dt;
    balls.begin(now, gravity);
    bodies_ = bodies.size();
    has_bodies_ = true;
}

template <int D>
void EventDriven<D>::publish(Simulation<D>& simulation)
{
    BodyTable<D>& bodies = simulation.bodies;
    const double dt = simulation.clock.dt, now = balls.now();
    double work = 0; // [J] of loads without a potential
    for (std::size_t p = 0; p < balls.size(); ++p) {
        if (balls.is_fixed(p)) continue;
        const std::size_t i = std::size_t(balls.body(p).body);
        const Vec<D> place = balls.place(p, now), velocity = balls.velocity(p, now);
        const Vec<D> load = bodies.force[i] - simulation.field_load(i).force;
        if (!load.isZero(0)) work += load.dot(place - bodies.position[i]);
        bodies.reaction[i] = bodies.mass[i] / dt * (velocity - bodies.velocity[i]) - bodies.force[i];
        bodies.reaction_torque[i] = (balls.body(p).spin - bodies.spin[i]).cwiseProduct(bodies.inertia[i]) / dt;
        bodies.position[i] = place;
        bodies.velocity[i] = velocity;
        bodies.spin[i] = balls.body(p).spin;
        bodies.orientation[i] = balls.turn(p, now);
    }
    for (const Wall<D>& wall : balls.walls) {
        bodies.position[std::size_t(wall.body)] = wall.place + wall.motion.displacement(now);
    }
    for (const auto& [body, impulse] : balls.given()) bodies.reaction[std::size_t(body)] = impulse / dt;
    simulation.energy.load_work += work;
}

template <int D>
void EventDriven<D>::follow(std::span<const std::int32_t>)
{
    has_bodies_ = false;
    remembered_.clear();
}

template <int D>
std::vector<std::uint64_t> EventDriven<D>::flights() const
{
    std::vector<std::uint64_t> words(bodies_ * flight_words<D>, 0);
    for (std::size_t p = 0; p < balls.size(); ++p) {
        std::uint64_t* word = &words[std::size_t(balls.body(p).body) * flight_words<D>];
        const Flight<D>& flight = balls.ball(p);
        for (const double x : flight.place) *word++ = std::bit_cast<std::uint64_t>(x);
        for (const double v : flight.velocity) *word++ = std::bit_cast<std::uint64_t>(v);
        *word++ = std::bit_cast<std::uint64_t>(flight.time);
        *word++ = std::bit_cast<std::uint64_t>(balls.body(p).last);
        *word++ = std::uint64_t(balls.body(p).streak);
    }
    return words;
}

template <int D>
void EventDriven<D>::resume_flight(Flight<D>& flight, BallBody<D>& body) const
{
    const std::uint64_t* word = &remembered_[std::size_t(body.body) * flight_words<D>];
    for (double& x : flight.place) x = std::bit_cast<double>(*word++);
    for (double& v : flight.velocity) v = std::bit_cast<double>(*word++);
    flight.time = std::bit_cast<double>(*word++);
    body.last = std::bit_cast<double>(*word++);
    body.streak = std::int64_t(*word++);
}

template <int D>
EngineMemory EventDriven<D>::save() const
{
    const EventTally& tally = balls.tally;
    return {.numbers = {{"event_impacts", tally.impacts},
                        {"event_wall_impacts", tally.wall_impacts},
                        {"event_elastic", tally.elastic},
                        {"event_virial", tally.virial}},
            .columns = {{"event_flights", has_bodies_ ? flights() : remembered_}}};
}

template <int D>
std::string EventDriven<D>::restore(const EngineMemory& memory)
{
    if (memory.columns.front().second.size() % flight_words<D> != 0) return "has no sound flights of bodies";
    balls.tally = {memory.numbers[0].second, memory.numbers[1].second, memory.numbers[2].second,
                   memory.numbers[3].second};
    remembered_ = memory.columns.front().second;
    has_bodies_ = false;
    return {};
}

template class EventDriven<2>;
template class EventDriven<3>;
template std::string body_name(const State<2>&, std::int32_t);
template std::string body_name(const State<3>&, std::int32_t);

} // namespace talus
