// Random scenes of people: disks between fixed walls of all kinds, with and without a will, by the three treatments of
// contact.
#include "fuzz/random_parts.hpp"

namespace talus::fuzz {

namespace {

constexpr double density = 400; // [kg/m²] of a person
constexpr double pace = 1.5;    // [m/s]

void add_people(Draft& draft, int count, double radius)
{
    Dice& dice = draft.dice;
    draft.toml << "\n[[generators]]\n"
               << word("name", "people") << word("type", dice.pick({"random", "lattice"})) << word("shape", "disk")
               << draft.material() << line("lower", draft.room.lower) << line("upper", draft.room.upper)
               << line("count", count) << line("radius", Point{dice.between(0.6, 1) * radius, radius});
    if (dice.chance(0.6)) draft.toml << line("velocity", dice.within(2 * pace, 2));
}

// Lines through the room, or beside it.
void add_exits(Draft& draft, int count, double radius)
{
    Dice& dice = draft.dice;
    for (int exit = 0; exit < count; ++exit) {
        const Point middle = sum(draft.room.centre(), dice.within(draft.room.radius(), 2));
        const Point half = scaled(dice.direction(2), radius * dice.between(2, 10));
        draft.toml << "\n[[exits]]\n"
                   << word("name", "exit" + std::to_string(exit)) << line("from", sum(middle, scaled(half, -1)))
                   << line("to", sum(middle, half));
        if (dice.chance(0.3)) draft.toml << line("opens", dice.between(0, 2));
    }
    draft.toml << "\n[[walkers]]\n" << line("speed", dice.chance(0.1) ? 0.0 : dice.between(0.3, 2 * pace));
    if (dice.chance(0.5)) draft.toml << line("speed_deviation", dice.between(0, 0.5));
    if (dice.chance(0.3)) draft.toml << line("relaxation", dice.log_between(0.1, 2));
    if (dice.chance(0.3)) draft.toml << line("reaction", Point{0, dice.between(0, 2)});
    if (dice.chance(0.5)) draft.toml << word("choice", "least_crowded");
}

void add_pushes(Draft& draft, double dt, double mass)
{
    Dice& dice = draft.dice;
    if (dice.chance(0.5)) {
        draft.toml << "\n[[drivers]]\n"
                   << word("type", "social_force") << line("strength", dice.log_between(0.5, 50) * mass)
                   << line("range", dice.between(0.03, 0.2)) << line("anisotropy", dice.between(0, 1));
    }
    if (dice.chance(0.2)) {
        draft.toml << "\n[[drivers]]\n"
                   << word("type", "force") << word("body", "people") << line("force", dice.within(5 * mass, 2));
    }
    if (!draft.walls.empty() && dice.chance(0.3)) {
        const double frequency = dice.log_between(0.003, 0.1) / dt;
        draft.toml << "\n[[drivers]]\n"
                   << word("type", "vibration") << word("body", dice.pick(draft.walls))
                   << line("amplitude", dice.within(pace / 3 / (2 * M_PI * frequency), 2))
                   << line("frequency", frequency);
    }
}

// Soft contact is explicit: a few steps to a swing of a person whom six others touch.
void add_contact(Draft& draft, const std::string& method, double dt, double mass)
{
    Dice& dice = draft.dice;
    draft.toml << "\n[crowd]\n";
    if (method == "crowd-dem") {
        draft.toml << line("stiffness", mass / (dt * dt) * dice.log_between(1e-4, 0.02));
        if (dice.chance(0.4)) draft.toml << line("sliding", mass / (dt * 0.05) * dice.log_between(1e-3, 0.02));
        return;
    }
    draft.toml << word("solver", dice.pick({"sweeps", "sweeps", "uzawa"})) << line("sweeps", dice.whole(50, 2000));
    if (method == "nsm1") return;
    const double kind = dice.between(0, 1);
    draft.toml << line("normal_dissipation", kind < 0.2 ? 0.0 : kind < 0.5 ? 1e5 : mass * dice.log_between(1e-2, 1e4));
    if (dice.chance(0.4)) draft.toml << line("tangential_dissipation", mass * dice.log_between(1e-2, 1e2));
    if (dice.chance(0.4)) draft.toml << line("power", dice.between(1.1, 4));
}

} // namespace

RandomScene random_crowd(std::uint64_t seed, int attempt)
{
    Draft draft(seed, attempt);
    Dice& dice = draft.dice;
    draft.scene.dimension = draft.dimension = 2;
    draft.materials = {"person"};
    draft.people = true;
    const std::string method = dice.pick({"crowd-dem", "nsm1", "nsm2"});
    const int count = int(dice.log_between(2, 151));
    const double radius = dice.between(0.15, 0.3);
    const double mass = density * M_PI * std::pow(0.6 * radius, 2); // [kg] the least
    const double dt = dice.log_between(4e-3, 4e-2);
    // a person to so many squares of two radii; rooms are a third to the whole of the width
    add_walls(draft, 2 * radius * std::sqrt(count * dice.log_between(1.7, 10)) / 0.65);
    add_people(draft, count, radius);
    if (dice.chance(0.7)) add_exits(draft, dice.whole(1, 3), radius);
    add_pushes(draft, dt, mass);
    add_contact(draft, method, dt, mass);
    draft.scene.grains = "people";
    draft.scene.solver = method;
    Toml head;
    head << "# seed " + std::to_string(seed) + (attempt > 0 ? ", attempt " + std::to_string(attempt) : "")
         << "\n[scene]\ndimension = 2\n"
         << word("method", method) << line("dt", dt) << line("duration", steps_of_a_scene * dt)
         << line("seed", dice.whole(0, 1000)) << "\n[materials]\nperson = { density = " + text_of(density) + " }\n"
         << "\n[contact]\nfriction = 0\n";
    draft.scene.toml = head.text + draft.toml.text;
    return draft.scene;
}

} // namespace talus::fuzz
