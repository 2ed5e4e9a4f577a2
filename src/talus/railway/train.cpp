// Train passages as a cyclic vertical load: F(t) = F (1 − cos 2πft)/2 on the sleepers, later on those further along
// the track where the train has a speed. Settlement against cycles is read off the sleepers' gauges.
#include "talus/railway/operation.hpp"

#include <algorithm>

namespace talus {

using namespace scene;

namespace {

class Train final : public Operation {
  public:
    Train(const Value& given, const OperationSite& site)
        : Operation(site), force_(site.scale * given.at("force").number()), frequency_(given.at("frequency").number()),
          cycles_(double(given.at("cycles").integer())), speed_(given.at("speed").number())
    {
    }
    void apply(BodyTable<3>& bodies, ShapeTable<3>&, const Clock& clock) override
    {
        const double first = bodies.position[std::size_t(site_.sleepers.front())].y();
        for (const std::int32_t sleeper : site_.sleepers) {
            const double away = std::abs(bodies.position[std::size_t(sleeper)].y() - first);
            const double delay = speed_ > 0 ? away / speed_ : 0.0;
            const double phase = frequency_ * (clock.time() + 0.5 * clock.dt - site_.from - delay);
            if (phase < 0 || phase > cycles_) continue;
            bodies.force[std::size_t(sleeper)].z() -= 0.5 * force_ * (1 - std::cos(2 * M_PI * phase));
        }
    }
    double frequency() const override { return frequency_; }

  private:
    double force_, frequency_, cycles_, speed_; // [N], [Hz], -, [m/s]
};

} // namespace

OperationKind train()
{
    return {"train",
            "cyclic vertical loading of the sleepers, as by the axles of trains",
            {numbers("sleepers", "by number").at_least(1).entries(1).otherwise(Value::numbers({1})),
             number("force", "largest, downward, on each sleeper, times scene.scale")
                 .in("N")
                 .at_least(0)
                 .otherwise(Value(50e3)),
             number("frequency", "of the axles").in("Hz").above(0).otherwise(Value(5.0)),
             integer("cycles", "axles that pass").at_least(1).at_most(1e9).required(),
             number("speed", "of the train, by which later sleepers are loaded later; 0: all at once")
                 .in("m/s")
                 .at_least(0)
                 .otherwise_zero()},
            [](const Value& given, const Track& track) {
                double last = 0; // when the train reaches the farthest sleeper
                const std::vector<double> numbers = given.at("sleepers").numbers();
                const auto y = [&](double number) { return track.sleepers[std::size_t(number) - 1].centre.y(); };
                const double speed = given.at("speed").number();
                for (const double number : numbers) {
                    if (speed > 0) last = std::max(last, std::abs(y(number) - y(numbers.front())) / speed);
                }
                return last + double(given.at("cycles").integer()) / given.at("frequency").number();
            },
            [](const Value& given, const OperationSite& site) -> std::unique_ptr<Driver<3>> {
                return std::make_unique<Train>(given, site);
            }};
}

} // namespace talus
