// Tamping (BALLAST §1.4.1, §8.2, annexe B): lift the sleeper, tools dive at an imposed speed (or under a force) while
// they vibrate, squeeze towards the sleeper under a force (or at a speed), hold, and withdraw; then on to the next.
//
// Squeeze under force: tool and arm are a mass M on a hydraulic ram whose force falls with its speed u,
//     M (du/dt + d²w/dt²) = F (1 − u/u_max) + contact forces,     y = ram + w,  w = a sin ωt,
// so that the eccentric's vibration w is felt as the inertial load −M d²w/dt² and the ballast may resist it.
#include "railway/operation.hpp"
#include "railway/operations.hpp"

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
    double withdrawal_speed = 0, withdrawal_time = 0;
    double travel_time = 0, travel_height = 0;
    Sine vibration, vertical; // vertical: of an elliptical one

    TampingPlan(const Value& given, std::size_t sleepers_of_track)
        : lift(given.at("lift").number()), align(given.at("align").boolean()),
          holds_sleeper(given.at("hold_sleeper").boolean()), penetration_speed(given.at("penetration_speed").number()),
          penetration_force(given.at("penetration_force").number()),
          penetration_depth(given.at("penetration_depth").number()), squeeze_speed(given.at("squeeze_speed").number()),
          squeeze_force(given.at("squeeze_force").number()), squeeze_time(given.at("squeeze_time").number()),
          squeeze_stroke(given.at("squeeze_stroke").number()), hold_time(given.at("hold_time").number()),
          withdrawal_speed(given.at("withdrawal_speed").number()), travel_time(given.at("travel_time").number()),
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

class Tamping final : public Driver<3> {
  public:
    Tamping(const Value& given, const OperationSite& site)
        : plan_(given, site.all_sleepers.size()), site_(site), stopped_(site.tools.size())
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

    std::vector<std::uint64_t> save() const override
    {
        std::vector<std::uint64_t> words = {
            std::uint64_t(phase_),      std::uint64_t(cycle_), std::uint64_t(phase_start_),
            std::uint64_t(dive_start_), word(highest_),        word(target_)};
        for (const bool stopped : stopped_) words.push_back(stopped);
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
        level_.clear();
        for (const std::uint64_t level : words.subspan(stopped_.size())) level_.push_back(number_in(level));
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
            if (plan_.penetration_force > 0) free_tools(bodies, along_z);
            break;
        case Phase::squeeze:
            hold_tools(bodies);
            std::fill(stopped_.begin(), stopped_.end(), false);
            if (plan_.squeeze_force > 0 && plan_.squeeze_time + plan_.hold_time > 0) let_squeeze(bodies, clock);
            break;
        case Phase::withdrawal:
            hold_tools(bodies);
            break;
        case Phase::travel:
        case Phase::done:
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

    void free_tools(BodyTable<3>& bodies, Freedom freedom) const
    {
        for (const std::int32_t tool : site_.tools) hold(bodies, tool, all_imposed<3> & ~(1u << freedom));
    }
    void hold_tools(BodyTable<3>& bodies) const
    {
        for (const std::int32_t tool : site_.tools) {
            hold(bodies, tool, all_imposed<3>);
            still(bodies, tool);
        }
    }
    // the ram begins at rest, the tool with the speed of its vibration
    void let_squeeze(BodyTable<3>& bodies, const Clock& clock) const
    {
        free_tools(bodies, along_y);
        for (std::size_t k = 0; k < site_.tools.size(); ++k) {
            bodies.velocity[std::size_t(site_.tools[k])].y() =
                place(k).towards * plan_.vibration.velocity(since_dive(clock));
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

    // in the ballast
    void work(BodyTable<3>& bodies, const Clock& clock, std::size_t k)
    {
        const std::int32_t tool = site_.tools[k];
        const double time = since_dive(clock);
        const bool squeezes = phase_ == Phase::squeeze || phase_ == Phase::hold;
        if (squeezes) stop_at_stroke(bodies, clock, k);
        if (phase_ == Phase::penetration) dive(bodies, tool);
        if (phase_ == Phase::withdrawal) rise_to_start(bodies, clock, k);
        if (phase_ != Phase::hold) {
            drive(bodies, tool, along_y, place(k).towards * plan_.vibration.mean_velocity(time, time + clock.dt));
            drive(bodies, tool, along_z, (rise(time + clock.dt) - rise(time)) / clock.dt);
        }
        if (squeezes && !stopped_[k]) squeeze(bodies, clock, k);
    }

    void dive(BodyTable<3>& bodies, std::int32_t tool) const
    {
        if (plan_.penetration_force > 0) {
            const double speed = -bodies.velocity[std::size_t(tool)].z();
            bodies.force[std::size_t(tool)].z() -= ram_force(plan_.penetration_force, speed, plan_.penetration_speed);
        } else {
            drive(bodies, tool, along_z, -plan_.penetration_speed);
        }
    }

    void rise_to_start(BodyTable<3>& bodies, const Clock& clock, std::size_t k) const
    {
        const double left = level_[k] + rise(since_dive(clock)) - bodies.position[std::size_t(site_.tools[k])].z();
        drive(bodies, site_.tools[k], along_z, std::min(plan_.withdrawal_speed, std::max(0.0, left / clock.dt)));
    }

    static double ram_force(double force, double speed, double limit) { return force * (1 - speed / limit); }

    double shake_at(double time) const { return phase_ == Phase::hold ? 0.0 : plan_.vibration.velocity(time); }

    void stop_at_stroke(BodyTable<3>& bodies, const Clock& clock, std::size_t k)
    {
        const std::int32_t tool = site_.tools[k];
        const double swing = phase_ == Phase::hold ? 0.0 : plan_.vibration.at(since_dive(clock));
        const double advanced = place(k).towards * (bodies.position[std::size_t(tool)].y() - place(k).y) - swing;
        if (stopped_[k] || advanced < plan_.squeeze_stroke) return; // as far as the machine goes
        stopped_[k] = true;
        hold(bodies, tool, all_imposed<3>);
        still(bodies, tool);
    }

    void squeeze(BodyTable<3>& bodies, const Clock& clock, std::size_t k) const
    {
        const std::int32_t tool = site_.tools[k];
        const double side = place(k).towards, time = since_dive(clock);
        if (plan_.squeeze_force > 0) {
            const double speed = side * bodies.velocity[std::size_t(tool)].y() - shake_at(time);
            const double inertial =
                bodies.mass[std::size_t(tool)] * (shake_at(time + clock.dt) - shake_at(time)) / clock.dt;
            bodies.force[std::size_t(tool)].y() +=
                side * (ram_force(plan_.squeeze_force, speed, plan_.squeeze_speed) + inertial);
        } else if (phase_ == Phase::squeeze) {
            drive(bodies, tool, along_y, side * plan_.squeeze_speed);
        }
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

    TampingPlan plan_;
    OperationSite site_;
    Phase phase_ = Phase::waiting;
    std::size_t cycle_ = 0;                         // which of the sleepers
    std::int64_t phase_start_ = 0, dive_start_ = 0; // steps
    double highest_ = 0;                            // [m] middle of the highest sleeper
    double target_ = 0;                             // [m] to which the middle of this one is lifted
    std::vector<bool> stopped_;                     // tools at the end of their stroke
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
             length("penetration_depth", "of the tip below its start, which ends the dive").otherwise(Value(0.38)),
             force("squeeze_force", "of each tool; 0: the speed is imposed").otherwise(Value(16e3)),
             speed("squeeze_speed", "of the squeeze; the largest one under force", 0.3),
             time("squeeze_time", "of the squeeze").otherwise(Value(1.0)),
             length("squeeze_stroke", "of each tool towards the sleeper, at most").otherwise(Value(0.12)),
             time("hold_time", "with the force kept, without vibration").otherwise_zero(),
             speed("withdrawal_speed", "of the way up", 1.6),
             time("withdrawal_time", "of the way up; \"auto\": depth over speed").automatic(),
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
