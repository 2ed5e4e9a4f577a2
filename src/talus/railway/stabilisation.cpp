// Dynamic stabilisation (BALLAST §1.4.2, §6.1.1): a vertical force on the sleeper, which vibrates along its length.
// The machine travels: the sleepers named are treated one after another.
#include "talus/railway/operation.hpp"

#include <algorithm>

namespace talus {

using namespace scene;

namespace {

class Stabilisation final : public Operation {
  public:
    Stabilisation(const Value& given, const OperationSite& site)
        : Operation(site), vibration_{given.at("amplitude").number(), given.at("frequency").number()},
          force_(site.scale * given.at("force").number()), ramp_(given.at("ramp").number()),
          time_(given.at("time").number())
    {
    }

    void release(BodyTable<3>& bodies) override
    {
        for (const std::int32_t sleeper : site_.sleepers) still(bodies, sleeper);
    }

    void apply(BodyTable<3>& bodies, ShapeTable<3>&, const Clock& clock) override
    {
        const double since = clock.time() + 0.5 * clock.dt - site_.from; // half a step of slack, as for other drivers
        const auto turn = since < 0 ? -1 : std::min(std::int64_t(since / time_), std::int64_t(site_.sleepers.size()));
        if (turn != turn_) change(bodies, turn);
        if (turn_ < 0 || turn_ >= std::int64_t(site_.sleepers.size())) return;
        const std::int32_t sleeper = site_.sleepers[std::size_t(turn_)];
        const double time = clock.time() - site_.from - double(turn_) * time_;
        drive(bodies, sleeper, along_x, vibration_.mean_velocity(time, time + clock.dt));
        const double share = ramp_ > 0 ? std::clamp((time + 0.5 * clock.dt) / ramp_, 0.0, 1.0) : 1.0;
        bodies.force[std::size_t(sleeper)].z() -= share * force_;
    }

    double frequency() const override { return vibration_.frequency; }
    std::vector<std::uint64_t> save() const override { return {std::uint64_t(turn_)}; }
    void restore(std::span<const std::uint64_t> words) override { turn_ = std::int64_t(words[0]); }

  private:
    void change(BodyTable<3>& bodies, std::int64_t turn)
    {
        const auto is_on = [&](std::int64_t k) { return k >= 0 && k < std::int64_t(site_.sleepers.size()); };
        if (is_on(turn_)) hold(bodies, site_.sleepers[std::size_t(turn_)], sleeper_at_rest);
        turn_ = turn;
        if (is_on(turn_)) { // sinks freely, is led along x
            hold(bodies, site_.sleepers[std::size_t(turn_)], all_imposed<3> & ~(1u << along_z));
            still(bodies, site_.sleepers[std::size_t(turn_)]);
        }
    }

    Sine vibration_;
    double force_, ramp_, time_; // [N], [s]
    std::int64_t turn_ = -1;     // which sleeper is treated
};

} // namespace

OperationKind stabilisation()
{
    return {"stabilisation",
            "a vertical force and a lateral vibration on each of the sleepers, one after another",
            {numbers("sleepers", "by number, in the order they are treated")
                 .at_least(1)
                 .entries(1)
                 .otherwise(Value::numbers({1})),
             number("force", "downward, times scene.scale").in("N").at_least(0).otherwise(Value(120e3)),
             number("amplitude", "of the vibration along the sleeper").in("m").at_least(0).otherwise(Value(0.005)),
             number("frequency", "of the vibration").in("Hz").above(0).otherwise(Value(30.0)),
             number("time", "on each sleeper").in("s").above(0).required(),
             number("ramp", "in which the force grows to its value").in("s").at_least(0).otherwise(Value(0.01))},
            [](const Value& given, const Track&) {
                return double(given.at("sleepers").list().size()) * given.at("time").number();
            },
            [](const Value& given, const OperationSite& site) -> std::unique_ptr<Driver<3>> {
                return std::make_unique<Stabilisation>(given, site);
            }};
}

} // namespace talus
