// Lateral push: the sleeper is moved along its length at an imposed speed; the reaction of its gauge against its
// displacement is the lateral resistance of the track.
#include "talus/railway/operation.hpp"

namespace talus {

using namespace scene;

namespace {

double push_time(const Value& given) { return given.at("displacement").number() / given.at("speed").number(); }

class LateralPush final : public Operation {
  public:
    LateralPush(const Value& given, const OperationSite& site)
        : Operation(site), speed_(given.at("speed").number()), load_(site.scale * given.at("load").number()),
          time_(push_time(given))
    {
    }
    void release(BodyTable<3>& bodies) override
    {
        for (const std::int32_t sleeper : site_.sleepers) still(bodies, sleeper);
    }
    void apply(BodyTable<3>& bodies, ShapeTable<3>&, const Clock& clock) override
    {
        const double since = clock.time() + 0.5 * clock.dt - site_.from;
        const bool pushes = since >= 0 && since < time_;
        for (const std::int32_t sleeper : site_.sleepers) {
            if (pushes != pushes_) {
                hold(bodies, sleeper, pushes ? all_imposed<3> & ~(1u << along_z) : sleeper_at_rest);
                still(bodies, sleeper);
            }
            if (!pushes) continue;
            drive(bodies, sleeper, along_x, speed_);
            bodies.force[std::size_t(sleeper)].z() -= load_;
        }
        pushes_ = pushes;
    }
    std::vector<std::uint64_t> save() const override { return {std::uint64_t(pushes_)}; }
    void restore(std::span<const std::uint64_t> words) override { pushes_ = words[0] != 0; }

  private:
    double speed_, load_, time_; // [m/s], [N], [s]
    bool pushes_ = false;
};

} // namespace

OperationKind lateral_push()
{
    return {
        "lateral_push",
        "the sleepers are pushed along their length at a speed: lateral resistance",
        {numbers("sleepers", "by number").at_least(1).entries(1).otherwise(Value::numbers({1})),
         number("speed", "of the push").in("m/s").above(0).otherwise(Value(0.02)),
         number("displacement", "at the end").in("m").above(0).otherwise(Value(0.005)),
         number("load", "downward on the sleeper meanwhile, times scene.scale").in("N").at_least(0).otherwise_zero()},
        [](const Value& given, const Track&) { return push_time(given); },
        [](const Value& given, const OperationSite& site) -> std::unique_ptr<Driver<3>> {
            return std::make_unique<LateralPush>(given, site);
        }};
}

} // namespace talus
