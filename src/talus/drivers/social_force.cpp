// Social force (Helbing, Farkas and Vicsek, Nature 407 (2000) 487): people keep their distance from each other and from
// walls,
//   F = A exp(−D/B) (λ + (1 − λ)(1 + cos φ)/2) n
// with D the distance between surfaces and φ the angle between where one walks and the other. λ < 1: what is behind
// counts less (Helbing and Molnár, 1995); 1: as in 2000.
#include "talus/contacts/contacts_of_bodies.hpp"
#include "talus/drivers/driver_kind.hpp"

#include <cmath>

namespace talus {

namespace {

template <int D>
class SocialForce final : public Driver<D> {
  public:
    explicit SocialForce(const scene::Value& driver)
        : acting_(driver), person_{driver.at("strength").number(), driver.at("range").number()},
          wall_{driver.at("wall_strength").number(), driver.at("wall_range").number()},
          anisotropy_(driver.at("anisotropy").number()), sight_(driver.at("sight").number()),
          detector_(make_detector<D>("auto"))
    {
    }

    // where everybody is and goes now; it holds for the step
    void apply(BodyTable<D>& bodies, ShapeTable<D>& shapes, const Clock& clock) override
    {
        if (!acting_.contains(clock)) return;
        near_.detect(bodies, shapes, *detector_, sight_);
        of_bodies_.build(near_, bodies.size());
        parallel_for(bodies.size(), [&](std::size_t i) {
            if (bodies.is_passive(i)) return;
            for (const ContactsOfBodies::Side& side : of_bodies_.of(i)) {
                const std::size_t k = side.contact;
                const std::size_t other = std::size_t(side.sign > 0 ? near_.antagonist[k] : near_.candidate[k]);
                const Vec<D> away = side.sign * near_.normal[k];
                bodies.force[i] += push(bodies, i, other, near_.gap[k], away) * away;
            }
        });
    }

    bool holds_for_step() const override { return true; }

  private:
    struct Strength {
        double force, range; // [N], [m]
    };
    double push(const BodyTable<D>& bodies, std::size_t i, std::size_t other, double gap, const Vec<D>& away) const
    {
        const Strength& law = bodies.is_passive(other) ? wall_ : person_;
        const double speed = bodies.velocity[i].norm();
        const double facing = speed > 0 ? -away.dot(bodies.velocity[i]) / speed : 0;
        const double weight = anisotropy_ + (1 - anisotropy_) * 0.5 * (1 + facing);
        return law.force * std::exp(-gap / law.range) * weight;
    }

    ActingTime acting_;
    Strength person_, wall_;
    double anisotropy_, sight_; // −, [m]
    std::unique_ptr<Detector<D>> detector_;
    ContactTable<D> near_;
    ContactsOfBodies of_bodies_;
};

} // namespace

DriverKind social_force_driver()
{
    using namespace scene;
    return driver_kind<SocialForce>(
        "social_force", "people keep their distance from each other and from walls (Helbing)",
        {number("strength", "A between people").in("N").at_least(0).otherwise(Value(2000.0)),
         number("range", "B between people").in("m").above(0).otherwise(Value(0.08)),
         number("wall_strength", "A of walls").in("N").at_least(0).otherwise(Value(2000.0)),
         number("wall_range", "B of walls").in("m").above(0).otherwise(Value(0.08)),
         number("anisotropy", "λ: how much what is behind counts").at_least(0).at_most(1).otherwise(Value(1.0)),
         number("sight", "distance beyond which nothing is felt").in("m").above(0).otherwise(Value(1.0))});
}

} // namespace talus
