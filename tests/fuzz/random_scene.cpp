#include "fuzz/random_scene.hpp"

#include "fuzz/random_parts.hpp"
#include "talus/partition/metis.hpp"

namespace talus::fuzz {

namespace {

std::string law(Dice& dice, double largest, bool with_rolling)
{
    const double kind = dice.between(0, 1);
    const double normal = kind < 0.4 ? 0.0 : kind < 0.6 ? 1.0 : dice.between(0, 1);
    const double other = dice.between(0, 1);
    const double tangential = other < 0.5 ? 0.0 : other < 0.75 ? normal : dice.between(0, 1);
    std::string text = line("friction", dice.chance(0.2) ? 0.0 : dice.between(0, 1.5)) + line("restitution", normal) +
                       line("tangential_restitution", tangential);
    if (with_rolling) text += line("rolling_friction", dice.between(0, 0.3) * largest);
    if (dice.chance(0.25)) text += line("gap_anticipation", false);
    return text;
}

// As for contact dynamics, but that a dashpot needs some restitution.
std::string smooth_law(Dice& dice, double largest, bool with_rolling)
{
    Toml text;
    text << line("friction", dice.chance(0.2) ? 0.0 : dice.between(0, 1.5))
         << line("restitution", dice.chance(0.3) ? 1.0 : dice.between(0.1, 1));
    if (with_rolling) text << line("rolling_friction", dice.between(0, 0.3) * largest);
    return text.text;
}

struct SolverKind {
    const char *name, *storage, *local;
    double weight;
};
constexpr SolverKind solver_kinds[] = {{"auto", "elg", "exact", 40},     {"nlgs", "elg", "exact", 10},
                                       {"nlgs", "elg", "projection", 7}, {"nlgs", "sdl", "exact", 8},
                                       {"nlgs", "sdl", "projection", 5}, {"ddm", "elg", "exact", 10},
                                       {"ddm", "elg", "projection", 4},  {"ddm_async", "elg", "exact", 5},
                                       {"ddm_free", "elg", "exact", 5},  {"newton", "elg", "exact", 6}};

const SolverKind& random_solver(Dice& dice)
{
    double place = dice.between(0, 100);
    for (const SolverKind& kind : solver_kinds) {
        if (place < kind.weight) return kind;
        place -= kind.weight;
    }
    return solver_kinds[0];
}

bool carries_rolling(const SolverKind& kind)
{
    return std::string(kind.name) != "newton" && std::string(kind.storage) != "sdl";
}

void add_partition(Draft& draft, bool with_plan)
{
    Dice& dice = draft.dice;
    std::string text = "\n[partition]\n";
    int parts = 1;
    if (with_plan || dice.chance(0.3)) {
        std::string boxes, plan;
        for (int axis = 0; axis < draft.dimension; ++axis) {
            const int count = dice.whole(1, 2);
            parts *= count;
            boxes += (axis > 0 ? ", " : "") + std::to_string(count);
        }
        if (!draft.fed && parts > draft.bodies) return;
        text += word("method", "boxes") + line("boxes", "[" + boxes + "]");
        for (int part = 0; with_plan && part < parts; ++part) {
            plan += (part > 0 ? ", " : "") + std::to_string(dice.whole(1, 100));
        }
        if (with_plan) draft.toml << line("plan", "[" + plan + "]"); // the solver's section is open
    } else {
        parts = dice.whole(1, 6);
        if (!draft.fed && parts > draft.bodies) return;
        const std::string method = dice.pick({"auto", "rcb", "metis"});
        text += word("method", method == "metis" && !has_metis() ? "rcb" : method) + line("parts", parts);
    }
    draft.toml << text;
}

void add_solver(Draft& draft, const SolverKind& kind)
{
    Dice& dice = draft.dice;
    const std::string name = kind.name;
    draft.scene.solver = name + (name == "nlgs" ? std::string("-") + kind.storage : "") +
                         (std::string(kind.local) == "exact" ? "" : "-projection");
    draft.toml << "\n[solver]\n" << word("name", name) << word("storage", kind.storage) << word("local", kind.local);
    const bool tight = dice.chance(0.4);
    const double chosen = dice.between(0, 1), stop = name == "newton" ? 0 : chosen; // it goes by the residual
    if (stop < 0.7) {
        if (!dice.chance(0.3)) draft.toml << line("tolerance", tight ? dice.log_between(1e-10, 1e-4) : 1e-2);
        draft.toml << line("sweeps", dice.whole(20, 600));
    } else if (stop < 0.9) {
        draft.toml << word("stop", dice.pick({"mean_dvor", "quad_dv", "quad_dvr"}))
                   << line("sweeps", dice.whole(20, 400));
    } else {
        draft.toml << word("stop", "sweeps") << line("sweeps", dice.whole(1, 100));
    }
    const bool looks = name == "auto" ? stop >= 0.7 && stop < 0.9 : name != "newton"; // when the key says so
    const int check_every = dice.chance(0.3) ? dice.whole(1, 20) : 0;
    if (looks && check_every > 0) draft.toml << line("check_every", check_every);
    if (dice.chance(0.15)) draft.toml << line("warm_start", false);
    if (dice.chance(0.3)) draft.toml << line("position_correction", false);
    const bool divides = name.starts_with("ddm");
    if (divides) {
        if (dice.chance(0.3)) draft.toml << line("inner_sweeps", dice.whole(1, 4));
        if (dice.chance(0.3)) draft.toml << line("interface_sweeps", dice.whole(1, 4));
        const std::string order = dice.pick({"colours", "sequential"});
        if (name == "ddm") draft.toml << word("interface", order);
    }
    if (divides || (name == "auto" && dice.chance(0.5))) add_partition(draft, divides && dice.chance(0.15));
}

bool has_balls_only(const Draft& draft)
{
    return draft.scene.grains.find("corners") == std::string::npos &&
           draft.scene.grains.find("single") == std::string::npos && !draft.has_piston;
}

void add_dem(Draft& draft, double fastest)
{
    Dice& dice = draft.dice;
    const std::string integrator = dice.pick(
        {"leapfrog", "velocity_verlet", "central_differences", "gear", "runge_kutta", "newmark", "symplectic_euler"});
    draft.scene.solver = "dem";
    draft.toml << "\n[dem]\n"
               << line("fastest", fastest) << word("integrator", integrator)
               << word("damping", dice.pick({"restitution", "restitution_push"}));
    if (draft.scene.arena != "mesh" && dice.chance(0.3)) draft.toml << word("overlap", "volume");
    if (has_balls_only(draft) && dice.chance(0.2)) draft.toml << word("lever", "radius");
}

// [s] of a step of the integrator, about: 0.05 π √(m/k), m the lightest and k such that the heaviest body overlaps by a
// hundredth of its radius at the speed that is given.
double smooth_step(const Draft& draft, double fastest)
{
    const double mass_ratio = std::pow(draft.smallest / draft.largest, draft.dimension);
    return 0.05 * M_PI * std::sqrt(0.5 * mass_ratio) * 0.01 * draft.largest / fastest;
}

void add_gravity(Draft& draft, double gravity)
{
    if (!(gravity > 0)) return;
    Point down(std::size_t(draft.dimension), 0.0);
    down.back() = -1;
    if (draft.dice.chance(0.2)) down = draft.dice.direction(draft.dimension);
    draft.toml << "\n[[drivers]]\n" << word("type", "gravity") << line("acceleration", scaled(down, gravity));
}

void add_drivers(Draft& draft, double dt)
{
    Dice& dice = draft.dice;
    const double mass = 100 * std::pow(0.5 * draft.smallest, draft.dimension); // of the lightest grain, at most
    const int count = dice.chance(0.5) ? 0 : dice.whole(1, 3);
    for (int driver = 0; driver < count; ++driver) {
        const std::string type = dice.pick({"force", "velocity", "vibration", "vibration", "drag"});
        Toml keys;
        keys << "\n[[drivers]]\n" << word("type", type);
        if (type == "drag") {
            const double coefficient = dice.log_between(1e-2, 1e2) * mass / dt;
            keys << line("coefficient", coefficient)
                 << line("rotational", dice.between(0, 0.01) * coefficient * std::pow(draft.smallest, 2));
        } else if (type == "force") {
            if (draft.movers.empty()) continue;
            keys << word("body", dice.pick(draft.movers))
                 << line("force", dice.within(mass * draft.speed / (30 * dt), draft.dimension));
            if (dice.chance(0.5)) keys << line("frequency", dice.log_between(0.002, 0.1) / dt);
            if (dice.chance(0.3)) keys << draft.rotation("torque", mass * draft.speed * draft.smallest / (100 * dt));
        } else {
            if (draft.walls.empty()) continue;
            keys << word("body", dice.pick(draft.walls));
            if (type == "velocity") {
                keys << line("velocity", dice.within(draft.speed / 5, draft.dimension));
                if (dice.chance(0.4)) keys << draft.rotation("spin", draft.speed / (3 * draft.room.radius()));
            } else {
                const double frequency = dice.log_between(0.003, 0.1) / dt;
                keys << line("amplitude", dice.within(draft.speed / 3 / (2 * M_PI * frequency), draft.dimension))
                     << line("frequency", frequency) << line("phase", dice.between(0, 6));
            }
        }
        if (dice.chance(0.3)) {
            keys << line("from", dt * dice.whole(0, 100)) << line("until", dt * dice.whole(101, 300));
        }
        draft.toml << keys.text;
    }
}

void add_detection(Draft& draft)
{
    Dice& dice = draft.dice;
    if (dice.chance(0.6)) return;
    const std::string method =
        dice.pick({"auto", "all_pairs", "linked_cells", "verlet", "sweep_and_prune", "delaunay"});
    draft.toml << "\n[detection]\n" << word("method", method) << line("most_points", dice.whole(3, 4));
    if (dice.chance(0.3)) draft.toml << line("alert_distance", draft.smallest * dice.between(0, 0.4));
    const double skin = dice.chance(0.2) ? draft.smallest * dice.between(0.01, 1) : 0;
    if (skin > 0 && (method == "auto" || method == "verlet")) draft.toml << line("skin", skin);
}

void replace(std::string& text, const std::string& what, const std::string& by)
{
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at)) {
        text.replace(at, what.size(), by);
    }
}

} // namespace

// One scene in eight is by smooth contact, and one of people.
RandomScene random_scene(std::uint64_t seed, int attempt)
{
    if (seed % 8 == 5) return random_crowd(seed, attempt);
    const bool smooth = seed % 8 == 2;
    Draft draft(seed, attempt);
    Dice& dice = draft.dice;
    draft.dimension = dice.chance(0.5) ? 2 : 3;
    draft.scene.dimension = draft.dimension;
    draft.materials = {"stone"};
    const int more = dice.whole(0, 2);
    for (int material = 0; material < more; ++material) draft.materials.push_back("stuff" + std::to_string(material));

    draft.guided = dice.chance(0.1);
    const double width = dice.log_between(0.02, 5);
    const double gravity = dice.chance(0.25) ? 0.0 : dice.log_between(1, 100);
    draft.speed = std::sqrt(2 * (gravity > 0 ? gravity : 10) * width) * dice.log_between(0.1, 2);
    add_walls(draft, width);
    add_grains(draft, int(dice.log_between(2, 151)));
    const double fall = std::sqrt(2 * gravity * width);
    const double fastest = std::max(draft.speed, fall);
    // at a fifth of the speed smooth contacts overlap by a hundredth of a radius, at the whole by a twentieth
    const double dt = smooth ? dice.log_between(4, 40) * smooth_step(draft, fastest / 5)
                             : dice.log_between(0.01, 0.3) * 2 * std::sqrt(draft.smallest * draft.largest) / fastest;
    replace(draft.toml.text, "RATE", text_of(dice.between(0.1, 1) / dt));
    add_gravity(draft, gravity);
    add_drivers(draft, dt);
    const SolverKind& solver = random_solver(dice);
    if (smooth) {
        add_dem(draft, fastest / 5);
    } else {
        add_solver(draft, solver);
        add_detection(draft);
    }

    Toml head;
    head << "# seed " + std::to_string(seed) + (attempt > 0 ? ", attempt " + std::to_string(attempt) : "")
         << "\n[scene]\n"
         << (smooth ? word("method", "dem") : "") << line("dimension", draft.dimension) << line("dt", dt)
         << line("duration", steps_of_a_scene * dt) << line("seed", dice.whole(0, 1000)) << "\n[materials]\n";
    for (const std::string& material : draft.materials) {
        const double density = smooth ? dice.between(1000, 3000) : dice.log_between(100, 8000);
        head << material + " = { density = " + text_of(density) + " }\n";
    }
    const bool can_roll = smooth ? has_balls_only(draft) : carries_rolling(solver);
    const bool rolling = can_roll && dice.chance(0.2);
    const auto draw_law = smooth ? smooth_law : law;
    head << "\n[contact]\n" << draw_law(dice, draft.largest, rolling);
    if (draft.materials.size() > 1 && dice.chance(0.5)) {
        head << "[[contact.pairs]]\n"
             << line("materials", "[\"stone\", \"" + dice.pick(draft.materials) + "\"]")
             << draw_law(dice, draft.largest, rolling);
    }
    draft.scene.toml = head.text + draft.toml.text;
    return draft.scene;
}

} // namespace talus::fuzz
