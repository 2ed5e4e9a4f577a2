// Tamping (BALLAST §1.4.1, §8.2, annexe B): lift the sleeper, tools dive at a speed (or under a force) while they
// vibrate, squeeze towards the sleeper under a force (or at a speed), hold, and withdraw; then on to the next.
//
// Tool and arm are a mass M that the machine moves along y and z.
// Under a force: a hydraulic ram whose force falls with its speed u,
//     M (du/dt + d²w/dt²) = F (1 − u/u_max) + contact forces,     y = ram + w,  w = a sin ωt,
// so that the eccentric's vibration w is felt as the inertial load −M d²w/dt² and the ballast may resist it.
// At a speed v*: a servo that follows it as long as this needs no more than the largest force F of the machine,
//     M (dv/dt − dv*/dt) = f + contact forces,     |f| ≤ F, across the shaft no more than bends it,
// and yields beyond: no machine drives a tool through a grain wedged between it and the track.
#include "talus/railway/operation.hpp"
#include "talus/railway/operations.hpp"

#include <algorithm>
#include <cmath>

namespace talus {

using namespace scene;

namespace {

struct TampingPlan {
    double lift = 0, lift_time = 0;
    bool align = true, holds_sleeper = true;
    double penetration_speed = 0, penetration_force = 0, penetration_depth = 0, penetration_time = 0;
    double squeeze_speed = 0, squeeze_force = 0, squeeze_time = 0, squeeze_stroke = 0;
    double hold_time = 0;
    double withdrawal_speed = 0, withdrawal_time = 0, opening_speed = 0;
    double travel_time = 0, travel_height = 0;
    Sine vibration, vertical; // vertical: of an elliptical one

    TampingPlan(const Value& given, std::size_t sleepers_of_track)
        : lift(given.at("lift").number()), align(given.at("align").boolean()),
          holds_sleeper(given.at("hold_sleeper").boolean()), penetration_speed(given.at("penetration_speed").number()),
          penetration_force(given.at("penetration_force").number()),
          penetration_depth(given.at("penetration_depth").number()), squeeze_speed(given.at("squeeze_speed").number()),
          squeeze_force(given.at("squeeze_force").number()), squeeze_time(given.at("squeeze_time").number()),
          squeeze_stroke(given.at("squeeze_stroke").number()), hold_time(given.at("hold_time").number()),
          withdrawal_speed(given.at("withdrawal_speed").number()), opening_speed(given.at("opening_speed").number()),
          travel_time(given.at("travel_time").number()),
          travel_height(given.at("travel_height").number()), vibration{given.at("amplitude").number(),
                                                                       given.at("frequency").number()}
    {
        const auto number_or = [&](const char* key, double automatic) {
            return given.at(key).is_text() ? automatic : given.at(key).number();
        };
        const bool raises = lift > 0 || (align && sleepers_of_track > 1);
        lift_time = number_or("lift_time", raises ? 0.2 : 0);
        // under a force the tools start from rest, and the ballast may slow them down
        const double patience = penetration_force > 0 ? 4 : 1;
        penetration_time = number_or("penetration_time", patience * penetration_depth / penetration_speed);
        withdrawal_time = number_or("withdrawal_time", dive_depth(given) / withdrawal_speed);
        if (given.at("vibration").is_text("elliptical")) {
            vertical.amplitude = number_or("vertical_amplitude", 0.5 * vibration.amplitude);
            vertical.frequency = vibration.frequency;
        }
    }
    double cycle() const { return lift_time + penetration_time + squeeze_time + hold_time + withdrawal_time; }
    double duration(std::size_t sleepers) const
    {
        return double(sleepers) * cycle() + double(sleepers - 1) * travel_time;
    }
};

// Of one freedom of a tool over a step: speeds at its beginning and end, and the way between [m/s, m/s, m].
struct Motion {
    double from = 0, to = 0, way = 0;
};
Motion operator+(const Motion& a, const Motion& b) { return {a.from + b.from, a.to + b.to, a.way + b.way}; }
Motion operator*(double factor, const Motion& m) { return {factor * m.from, factor * m.to, factor * m.way}; }
Motion steady(double speed, double dt) { return {speed, speed, speed * dt}; }
Motion swing(const Sine& sine, double time, double dt)
{
    return {sine.velocity(time), sine.velocity(time + dt), sine.at(time + dt) - sine.at(time)};
}

class Tamping final : public Operation {
  public:
    Tamping(const Value& given, const OperationSite& site)
        : Operation(site), plan_(given, site.all_sleepers.size()), largest_force_(given.at("largest_force").number()),
          stopped_(site.tools.size()), aim_(site.tools.size(), Vec<3>::Zero())
    {
    }

    void release(BodyTable<3>& bodies) override
    {
        for (const std::int32_t tool : site_.tools) still(bodies, tool);
        for (const std::int32_t sleeper : site_.sleepers) still(bodies, sleeper);
    }

    void apply(BodyTable<3>& bodies, ShapeTable<3>&, const Clock& clock) override
    {
        if (level_.empty()) { // of the tips' start: tools stand above the bed when the run begins
            for (const std::int32_t tool : site_.tools) level_.push_back(bodies.position[std::size_t(tool)].z());
        }
        if (phase_ == Phase::waiting) {
            if (clock.time() < site_.from - 0.5 * clock.dt) return come(bodies, clock);
            begin(bodies, clock);
        }
        while (phase_ != Phase::done && is_over(bodies, clock)) enter(next(), bodies, clock);
        act(bodies, clock);
    }

    double frequency() const override { return plan_.vibration.amplitude > 0 ? plan_.vibration.frequency : 0; }

    std::optional<Doing> doing() const override
    {
        static constexpr std::string_view names[] = {"",     "lift",       "penetration", "squeeze",
                                                     "hold", "withdrawal", "travel",      ""};
        return Doing{names[std::size_t(phase_)], cycle_, target_};
    }

    std::vector<std::uint64_t> save() const override
    {
        std::vector<std::uint64_t> words = {
            std::uint64_t(phase_),      std::uint64_t(cycle_), std::uint64_t(phase_start_),
            std::uint64_t(dive_start_), word(highest_),        word(target_)};
        for (const bool stopped : stopped_) words.push_back(stopped);
        for (const Vec<3>& aim : aim_) words.insert(words.end(), {word(aim.y()), word(aim.z())});
        for (const double level : level_) words.push_back(word(level));
        return words;
    }
    void restore(std::span<const std::uint64_t> words) override
    {
        phase_ = Phase(words[0]);
        cycle_ = std::size_t(words[1]);
        phase_start_ = std::int64_t(words[2]);
        dive_start_ = std::int64_t(words[3]);
        highest_ = number_in(words[4]);
        target_ = number_in(words[5]);
        words = words.subspan(6);
        for (std::size_t k = 0; k < stopped_.size(); ++k) stopped_[k] = words[k] != 0;
        words = words.subspan(stopped_.size());
        for (std::size_t k = 0; k < aim_.size(); ++k) {
            aim_[k] = {0, number_in(words[2 * k]), number_in(words[2 * k + 1])};
        }
        level_.clear();
        for (const std::uint64_t level : words.subspan(2 * aim_.size())) level_.push_back(number_in(level));
    }

  private:
    enum class Phase { waiting, lift, penetration, squeeze, hold, withdrawal, travel, done };

    std::int32_t sleeper() const { return site_.sleepers[cycle_]; }
    const ToolPlace& place(std::size_t k) const { return site_.places[cycle_][k]; }
    double elapsed(const Clock& clock) const { return double(clock.step - phase_start_) * clock.dt; }
    double since_dive(const Clock& clock) const { return double(clock.step - dive_start_) * clock.dt; }
    // a quarter period ahead of the horizontal one, and at 0 when the dive begins
    double quarter() const { return 0.25 / plan_.vibration.frequency; }
    double rise(double time) const { return plan_.vertical.at(time + quarter()) - plan_.vertical.amplitude; }

    void begin(BodyTable<3>& bodies, const Clock& clock)
    {
        highest_ = -std::numeric_limits<double>::infinity(); // of the row, to which all are lifted (annexe B)
        for (const std::int32_t one : site_.all_sleepers) {
            highest_ = std::max(highest_, bodies.position[std::size_t(one)].z());
        }
        enter(Phase::lift, bodies, clock);
    }

    double phase_time() const
    {
        switch (phase_) {
        case Phase::lift:
            return plan_.lift_time;
        case Phase::penetration:
            return plan_.penetration_time;
        case Phase::squeeze:
            return plan_.squeeze_time;
        case Phase::hold:
            return plan_.hold_time;
        case Phase::withdrawal:
            return plan_.withdrawal_time;
        case Phase::travel:
            return plan_.travel_time;
        default:
            return 0;
        }
    }

    bool is_over(const BodyTable<3>& bodies, const Clock& clock) const
    {
        if (phase_ == Phase::penetration && plan_.penetration_force > 0) {
            double shallowest = std::numeric_limits<double>::infinity();
            for (std::size_t k = 0; k < site_.tools.size(); ++k) {
                shallowest = std::min(shallowest, level_[k] - bodies.position[std::size_t(site_.tools[k])].z());
            }
            if (shallowest >= plan_.penetration_depth) return true;
        }
        return elapsed(clock) >= phase_time() - 0.5 * clock.dt;
    }

    Phase next() const
    {
        switch (phase_) {
        case Phase::lift:
            return Phase::penetration;
        case Phase::penetration:
            return Phase::squeeze;
        case Phase::squeeze:
            return Phase::hold;
        case Phase::hold:
            return Phase::withdrawal;
        case Phase::withdrawal:
            return cycle_ + 1 < site_.sleepers.size() ? Phase::travel : Phase::done;
        case Phase::travel:
            return Phase::lift;
        default:
            return Phase::done;
        }
    }

    void enter(Phase phase, BodyTable<3>& bodies, const Clock& clock)
    {
        phase_ = phase;
        phase_start_ = clock.step;
        switch (phase) {
        case Phase::lift:
            take_sleeper(bodies);
            break;
        case Phase::penetration:
            dive_start_ = clock.step;
            grip_tools(bodies, clock);
            break;
        case Phase::squeeze:
            std::fill(stopped_.begin(), stopped_.end(), false);
            grip_tools(bodies, clock);
            break;
        case Phase::withdrawal:
            grip_tools(bodies, clock);
            break;
        case Phase::travel:
        case Phase::done:
            for (const std::int32_t tool : site_.tools) {
                hold(bodies, tool, all_imposed<3>);
                still(bodies, tool);
            }
            if (plan_.holds_sleeper) hold(bodies, sleeper(), sleeper_at_rest);
            if (phase == Phase::travel) ++cycle_;
            break;
        default:
            break;
        }
    }

    void take_sleeper(BodyTable<3>& bodies)
    {
        const double here = bodies.position[std::size_t(sleeper())].z();
        target_ = (plan_.align ? highest_ : here) + plan_.lift;
        if (!plan_.holds_sleeper) return;
        hold(bodies, sleeper(), all_imposed<3>);
        still(bodies, sleeper());
    }

    // The machine sets each tool going as this phase begins; along y and z the ballast may resist from now on.
    void grip_tools(BodyTable<3>& bodies, const Clock& clock)
    {
        for (std::size_t k = 0; k < site_.tools.size(); ++k) {
            hold(bodies, site_.tools[k], all_imposed<3> & ~(1u << along_y | 1u << along_z));
            const auto tool = std::size_t(site_.tools[k]);
            aim_[k] = bodies.position[tool];
            bodies.velocity[tool].y() = along_track(k, clock).from;
            bodies.velocity[tool].z() = vertical(bodies, k, clock).from;
        }
    }

    void act(BodyTable<3>& bodies, const Clock& clock)
    {
        if (phase_ == Phase::done) return;
        if (phase_ == Phase::lift) {
            if (plan_.lift_time > 0) raise_sleeper(bodies, clock);
            return;
        }
        for (std::size_t k = 0; k < site_.tools.size(); ++k) {
            if (phase_ == Phase::travel) {
                carry(bodies, k, elapsed(clock), clock.dt);
            } else {
                work(bodies, clock, k);
            }
        }
    }

    // at a speed that brings it to its level at the end of the phase
    void raise_sleeper(BodyTable<3>& bodies, const Clock& clock) const
    {
        const double left = std::max(plan_.lift_time - elapsed(clock), clock.dt);
        drive(bodies, sleeper(), along_z, (target_ - bodies.position[std::size_t(sleeper())].z()) / left);
    }

    bool squeezes() const { return phase_ == Phase::squeeze || phase_ == Phase::hold; }

    // in the ballast
    void work(BodyTable<3>& bodies, const Clock& clock, std::size_t k)
    {
        if (squeezes()) stop_at_stroke(bodies, clock, k);
        if (phase_ == Phase::withdrawal) take_out(bodies, clock, k);
        if (squeezes() && !stopped_[k] && plan_.squeeze_force > 0) {
            press(bodies, k, along_y, place(k).towards, {plan_.squeeze_force, plan_.squeeze_speed},
                  along_track(k, clock), clock.dt);
        } else {
            follow(bodies, k, along_y, along_track(k, clock), clock.dt);
        }
        if (phase_ == Phase::penetration && plan_.penetration_force > 0) {
            press(bodies, k, along_z, -1, {plan_.penetration_force, plan_.penetration_speed},
                  vertical(bodies, k, clock), clock.dt);
        } else {
            follow(bodies, k, along_z, vertical(bodies, k, clock), clock.dt);
        }
    }

    // What is planned, beside what a force does.
    Motion along_track(std::size_t k, const Clock& clock) const
    {
        Motion plan;
        if (phase_ != Phase::hold) plan = plan + swing(plan_.vibration, since_dive(clock), clock.dt);
        if (phase_ == Phase::squeeze && plan_.squeeze_force == 0 && !stopped_[k]) {
            plan = plan + steady(plan_.squeeze_speed, clock.dt);
        }
        if (phase_ == Phase::withdrawal) {
            const double wanted = advance(k, aim_[k], clock) / (servo_steps * clock.dt), most = plan_.opening_speed;
            plan = plan + steady(-std::clamp(wanted, -most, most), clock.dt);
        }
        return place(k).towards * plan;
    }
    Motion vertical(const BodyTable<3>& bodies, std::size_t k, const Clock& clock) const
    {
        Motion plan;
        if (phase_ != Phase::hold) plan = swing(plan_.vertical, since_dive(clock) + quarter(), clock.dt);
        if (phase_ == Phase::penetration && plan_.penetration_force == 0) {
            plan = plan + steady(-plan_.penetration_speed, clock.dt);
        }
        if (phase_ == Phase::withdrawal) {
            const double left = std::max(0.0, way_out(bodies, k, clock));
            plan = plan + steady(std::min(plan_.withdrawal_speed, left / clock.dt), clock.dt);
        }
        return plan;
    }

    struct Ram {
        double force, speed; // [N] at rest, [m/s] without load
    };
    void press(BodyTable<3>& bodies, std::size_t k, Freedom freedom, double side, const Ram& ram,
               const Motion& vibration, double dt) const
    {
        const auto tool = std::size_t(site_.tools[k]);
        const double speed = side * (bodies.velocity[tool][freedom] - vibration.from);
        bodies.force[tool][freedom] +=
            side * ram.force * (1 - speed / ram.speed) + bodies.mass[tool] * (vibration.to - vibration.from) / dt;
    }

    // The servo answers a step late and brings a tool that lags back in a few: under a steady load R it stays
    // behind by servo_steps R dt²/M. While its force is at the limit the plan waits for it.
    void follow(BodyTable<3>& bodies, std::size_t k, Freedom freedom, const Motion& plan, double dt)
    {
        const auto tool = std::size_t(site_.tools[k]);
        double& aim = aim_[k][freedom];
        if (bodies.is_imposed(tool, freedom)) {
            aim += plan.way;
            return drive(bodies, site_.tools[k], freedom, plan.way / dt);
        }
        const double mass = bodies.mass[tool], here = bodies.position[tool][freedom];
        const double lag = (aim - here) / (servo_steps * dt) + plan.from - bodies.velocity[tool][freedom];
        const double needed = mass * lag / dt;
        const double most = freedom == along_z ? largest_force_ : std::min(largest_force_, site_.tool_strength);
        const double force = std::clamp(needed, -most, most);
        if (force != needed) aim = here;
        bodies.force[tool][freedom] += force + mass * (plan.to - plan.from) / dt;
        aim += plan.way;
    }

    // [m] of a tool at this point: towards the sleeper from where it dived, the vibration apart
    double advance(std::size_t k, const Vec<3>& here, const Clock& clock) const
    {
        const double swung = phase_ == Phase::hold ? 0.0 : plan_.vibration.at(since_dive(clock));
        return place(k).towards * (here.y() - place(k).y) - swung;
    }
    // [m] up to where it came from
    double way_out(const BodyTable<3>& bodies, std::size_t k, const Clock& clock) const
    {
        return level_[k] + rise(since_dive(clock)) - bodies.position[std::size_t(site_.tools[k])].z();
    }
    // In its last step it is above the ballast, and led again.
    void take_out(BodyTable<3>& bodies, const Clock& clock, std::size_t k) const
    {
        if (way_out(bodies, k, clock) > plan_.withdrawal_speed * clock.dt) return;
        hold(bodies, site_.tools[k], all_imposed<3>);
        still(bodies, site_.tools[k]);
    }

    void stop_at_stroke(BodyTable<3>& bodies, const Clock& clock, std::size_t k)
    {
        const auto tool = std::size_t(site_.tools[k]);
        if (stopped_[k] || advance(k, bodies.position[tool], clock) < plan_.squeeze_stroke) return;
        stopped_[k] = true; // as far as the machine goes
        aim_[k].y() = bodies.position[tool].y();
        bodies.velocity[tool].y() = along_track(k, clock).from;
    }

    // To this operation's first sleeper, in the pause before it.
    void come(BodyTable<3>& bodies, const Clock& clock) const
    {
        const double since = clock.time() - (site_.from - plan_.travel_time);
        if (!site_.tools_come || since < -0.5 * clock.dt) return;
        for (std::size_t k = 0; k < site_.tools.size(); ++k) carry(bodies, k, std::max(0.0, since), clock.dt);
    }

    // Up, over to its place at the sleeper, down: a third of the time each.
    void carry(BodyTable<3>& bodies, std::size_t k, double since, double dt) const
    {
        const Vec<3>& here = bodies.position[std::size_t(site_.tools[k])];
        const double third = plan_.travel_time / 3;
        const int part = std::min(2, int((since + 0.5 * dt) / third));
        const double left = std::max(double(part + 1) * third - since, dt);
        const double top = level_[k] + plan_.travel_height;
        if (part == 1) drive(bodies, site_.tools[k], along_y, (place(k).y - here.y()) / left);
        if (part != 1) drive(bodies, site_.tools[k], along_z, ((part == 0 ? top : level_[k]) - here.z()) / left);
    }

    static constexpr double servo_steps = 5; // in which it makes up for a lag

    TampingPlan plan_;
    double largest_force_ = 0; // [N]
    Phase phase_ = Phase::waiting;
    std::size_t cycle_ = 0;                         // which of the sleepers
    std::int64_t phase_start_ = 0, dive_start_ = 0; // steps
    double highest_ = 0;                            // [m] middle of the highest sleeper
    double target_ = 0;                             // [m] to which the middle of this one is lifted
    std::vector<bool> stopped_;                     // tools at the end of their stroke
    std::vector<Vec<3>> aim_;                       // [m] where the plan has them along y and z
    std::vector<double> level_;                     // [m] of the tools above the bed
};

} // namespace

bool has_dive_time(const Value& given)
{
    return !given.at("penetration_time").is_text() && given.at("penetration_force").number() == 0;
}

double dive_depth(const Value& given)
{
    return has_dive_time(given) ? given.at("penetration_time").number() * given.at("penetration_speed").number()
                                : given.at("penetration_depth").number();
}

OperationKind tamping()
{
    const auto length = [](const char* name, const char* doc) { return number(name, doc).in("m").at_least(0); };
    const auto time = [](const char* name, const char* doc) { return number(name, doc).in("s").at_least(0); };
    const auto speed = [](const char* name, const char* doc, double otherwise) {
        return number(name, doc).in("m/s").above(0).otherwise(Value(otherwise));
    };
    const auto force = [](const char* name, const char* doc) { return number(name, doc).in("N").at_least(0); };
    return {"tamping",
            "a tamping cycle at each of the sleepers, one after another",
            {numbers("sleepers", "by number, in the order they are tamped")
                 .at_least(1)
                 .entries(1)
                 .otherwise(Value::numbers({1})),
             length("lift", "of the sleeper, at the beginning").otherwise_zero(),
             time("lift_time", "for it; \"auto\": 0.2 s, or none without a lift").automatic(),
             boolean("align", "lift to the level of the highest sleeper plus `lift` (BALLAST annexe B)")
                 .otherwise(Value(true)),
             boolean("hold_sleeper", "the machine holds the sleeper until the tools are out").otherwise(Value(true)),
             number("frequency", "of the vibration").in("Hz").above(0).otherwise(Value(35.0)),
             length("amplitude", "of the vibration at the tool").otherwise(Value(0.005)),
             choice("vibration", "along the track, or with a vertical part a quarter period ahead",
                    {"horizontal", "elliptical"})
                 .otherwise(Value("horizontal")),
             length("vertical_amplitude", "of an elliptical vibration; \"auto\": half of `amplitude`").automatic(),
             speed("penetration_speed", "of the dive; the largest one under force", 1.6),
             force("penetration_force", "of each tool; 0: the speed is imposed").otherwise_zero(),
             time("penetration_time", "of the dive at most; \"auto\": depth over speed").automatic(),
             number("largest_force", "of the machine on a tool to follow a speed; across the shaft what bends it")
                 .in("N")
                 .above(0)
                 .otherwise(Value(50e3)),
             length("penetration_depth", "of the tip below its start, which ends the dive").otherwise(Value(0.38)),
             force("squeeze_force", "of each tool; 0: the speed is imposed").otherwise(Value(16e3)),
             speed("squeeze_speed", "of the squeeze; the largest one under force", 0.3),
             time("squeeze_time", "of the squeeze").otherwise(Value(1.0)),
             length("squeeze_stroke", "of each tool towards the sleeper, at most").otherwise(Value(0.12)),
             time("hold_time", "with the force kept, without vibration").otherwise_zero(),
             speed("withdrawal_speed", "of the way up", 1.6),
             time("withdrawal_time", "of the way up; \"auto\": depth over speed").automatic(),
             number("opening_speed", "of the tools away from the sleeper as they rise; 0: they keep their place")
                 .in("m/s")
                 .at_least(0)
                 .otherwise_zero(),
             number("travel_time", "of the tools to the next sleeper, or to the first one in the pause before")
                 .in("s")
                 .above(0)
                 .otherwise(Value(0.3)),
             length("travel_height", "of the tools on that way").otherwise(Value(0.1))},
            [](const Value& given, const Track& track) {
                return TampingPlan(given, track.sleepers.size()).duration(given.at("sleepers").list().size());
            },
            [](const Value& given, const OperationSite& site) -> std::unique_ptr<Driver<3>> {
                return std::make_unique<Tamping>(given, site);
            }};
}

} // namespace talus
