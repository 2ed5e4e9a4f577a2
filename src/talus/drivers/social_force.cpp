// Social force (Helbing, Farkas and Vicsek, Nature 407 (2000) 487): people keep their distance from each other and from
// walls,
//   F = A exp(−D/B) (λ + (1 − λ)(1 + cos φ)/2) n
// with D the distance between surfaces and φ the angle between where one walks and the other. λ < 1: what is behind
// counts less (Helbing and Molnár, 1995); 1: as in 2000.
#include "talus/contacts/contacts_of_bodies.hpp"
#include "talus/contacts/obstacle_map.hpp"
#include "talus/detection/ball_grid.hpp"
#include "talus/drivers/driver_kind.hpp"
#include "talus/math/wide_exp.hpp"

#include <bit>
#include <cmath>
#include <cstring>

namespace talus {

namespace {

constexpr std::size_t people_per_chunk = 128;

struct SocialLaw {
    double force, range; // [N], [m] A and B
    double anisotropy;   // λ
    double sight;        // [m]

    // `facing`: cos φ
    double at(double gap, double facing) const
    {
        return force * std::exp(-gap / range) * (anisotropy + (1 - anisotropy) * 0.5 * (1 + facing));
    }
};

// The lanes of each set of four, those in the set first.
constexpr std::array<LaneMask, 16> lanes_to_front = {LaneMask{0, 1, 2, 3}, {0, 1, 2, 3}, {1, 0, 2, 3}, {0, 1, 2, 3},
                                                     {2, 0, 1, 3},         {0, 2, 1, 3}, {1, 2, 0, 3}, {0, 1, 2, 3},
                                                     {3, 0, 1, 2},         {0, 3, 1, 2}, {1, 3, 0, 2}, {0, 1, 3, 2},
                                                     {2, 3, 0, 1},         {0, 2, 3, 1}, {1, 2, 3, 0}, {0, 1, 2, 3}};

TALUS_INLINE Lanes shuffled(const Lanes& a, const LaneMask& from)
{
#ifdef __clang__
    return __builtin_shufflevector(a, from);
#else
    return __builtin_shuffle(a, from);
#endif
}
// anywhere, not aligned
TALUS_INLINE Lanes four_at(const double* p)
{
    Lanes four;
    std::memcpy(&four, p, sizeof four);
    return four;
}
TALUS_INLINE void put_four(double* p, const Lanes& four) { std::memcpy(p, &four, sizeof four); }

// Those whom one person sees: as columns, filled up to whole Wides with people of no effect.
template <int D>
class SeenPeople {
  public:
    // Without branches: in a row of cells somebody is as likely in sight as not. Those in sight of four are shuffled
    // to the front and written with what is behind them, which the next ones overwrite.
    void look_along(const BallGrid<D>& people, std::size_t me, double sight, std::size_t begin, std::size_t end)
    {
        if (count_ + (end - begin) + wide_count > radius_sum_.size()) grow(count_ + (end - begin) + wide_count);
        // in local variables: the compiler cannot know that what is written does not overlap the pointers
        const double *const radius = people.radius().data(), own_radius = radius[me];
        double* const sums = radius_sum_.data();
        std::array<const double*, D> x;
        std::array<double*, D> apart;
        std::array<double, D> here;
        for (int axis = 0; axis < D; ++axis) {
            x[axis] = people.coordinate(axis).data();
            apart[axis] = apart_[axis].data();
            here[axis] = x[axis][me];
        }
        std::size_t count = count_;
        for (std::size_t other = begin; other < end; other += lane_count) {
            std::array<Lanes, D> along;
            Lanes square{};
            for (int axis = 0; axis < D; ++axis) {
                along[axis] = here[axis] - four_at(x[axis] + other);
                square += along[axis] * along[axis];
            }
            const Lanes sum = own_radius + four_at(radius + other), limit = sum + sight;
            unsigned in_sight = mask_bits(square <= limit * limit);
            if (end - other < lane_count) in_sight &= (1u << (end - other)) - 1;
            if (me - other < lane_count) in_sight &= ~(1u << (me - other)); // also where me < other: a huge number
            const LaneMask& front = lanes_to_front[in_sight];
            for (int axis = 0; axis < D; ++axis) put_four(apart[axis] + count, shuffled(along[axis], front));
            put_four(sums + count, shuffled(sum, front));
            count += std::size_t(std::popcount(in_sight));
        }
        count_ = count;
    }
    void restart() { count_ = 0; }

    // The sum of their pushes on one who walks along `heading` (unit, or 0).
    Vec<D> push(const SocialLaw& law, const Vec<D>& heading)
    {
        for (std::size_t k = count_; k % wide_count != 0; ++k) {
            for (int axis = 0; axis < D; ++axis) apart_[axis][k] = 1;
            radius_sum_[k] = -1e9; // so far away that they have no effect
        }
        return law.anisotropy == 1 ? sum_of<false>(law, heading) : sum_of<true>(law, heading);
    }

  private:
    // Two loops, not one with a condition: in such a loop g++ 12 makes a mask of one lane for AVX-512.
    template <bool BehindCountsLess>
    TALUS_INLINE Vec<D> sum_of(const SocialLaw& law, const Vec<D>& heading) const
    {
        const double inverse_range = 1 / law.range, half = 0.5 * (1 - law.anisotropy);
        WideVec<D> sum{};
        for (std::size_t k = 0; k < count_; k += wide_count) {
            WideVec<D> apart;
            for (int axis = 0; axis < D; ++axis) apart[axis] = load(&apart_[axis][k]);
            const Wide square = dot(apart, apart), distance = sqrt(square);
            const Wide inverse =
                select(square > 0, 1.0 / distance, Wide{}); // whoever is at the same place does not push
            const Wide gap = distance - load(&radius_sum_[k]);
            const Wide exponent = larger(gap * -inverse_range, broadcast(-700));
            Wide push = (law.force * inverse) * exp(exponent);
            if constexpr (BehindCountsLess) {
                Wide facing{};
                for (int axis = 0; axis < D; ++axis) facing = facing - apart[axis] * heading[axis];
                push = push * (law.anisotropy + half * (1.0 + facing * inverse));
            }
            for (int axis = 0; axis < D; ++axis) sum[axis] = sum[axis] + push * apart[axis];
        }
        Vec<D> total;
        for (int axis = 0; axis < D; ++axis) {
            const Lanes four = sum[axis].low + sum[axis].high;
            total[axis] = (four[0] + four[1]) + (four[2] + four[3]);
        }
        return total;
    }
    void grow(std::size_t size)
    {
        for (LaneColumn& column : apart_) column.resize(2 * size);
        radius_sum_.resize(2 * size);
    }
    std::size_t count_ = 0;
    std::array<LaneColumn, D> apart_; // [m] from them to me
    LaneColumn radius_sum_;           // [m]
};

// force[k − begin]: on people begin … end − 1 by those around them
template <int D>
TALUS_INLINE void push_each_other_kernel(const BallGrid<D>& people, const SocialLaw& law,
                                         std::span<const Vec<D>> velocity, std::size_t begin, std::size_t end,
                                         Vec<D>* force)
{
    SeenPeople<D> seen;
    for (std::size_t k = begin; k < end; ++k) {
        seen.restart();
        people.for_rows_near(
            k, [&](std::size_t first, std::size_t last) { seen.look_along(people, k, law.sight, first, last); });
        const Vec<D>& v = velocity[std::size_t(people.body(k))];
        const double speed = v.norm();
        force[k - begin] = seen.push(law, speed > 0 ? Vec<D>(v / speed) : Vec<D>(Vec<D>::Zero()));
    }
}
TALUS_WIDE void push_each_other(const BallGrid<2>& people, const SocialLaw& law, std::span<const Vec<2>> velocity,
                                std::size_t begin, std::size_t end, Vec<2>* force)
{
    push_each_other_kernel<2>(people, law, velocity, begin, end, force);
}
TALUS_WIDE void push_each_other(const BallGrid<3>& people, const SocialLaw& law, std::span<const Vec<3>> velocity,
                                std::size_t begin, std::size_t end, Vec<3>* force)
{
    push_each_other_kernel<3>(people, law, velocity, begin, end, force);
}

template <int D>
class SocialForce final : public Driver<D> {
  public:
    explicit SocialForce(const scene::Value& driver)
        : acting_(driver), person_(law_of(driver, "strength", "range")),
          wall_(law_of(driver, "wall_strength", "wall_range")), detector_(make_detector<D>("auto"))
    {
    }

    // where everybody is and goes now; it holds for the step
    void apply(BodyTable<D>& bodies, ShapeTable<D>& shapes, const Clock& clock) override
    {
        if (!acting_.contains(clock)) return;
        if (!find_people(bodies, shapes)) return push_any_shapes(bodies, shapes);
        people_.file(bodies.position, radius_, person_.sight);
        if (people_.size() == 0) return;
        obstacles_.update(bodies, shapes, people_.low(), people_.high(), wall_.sight + people_.largest_radius());
        parallel_chunks(
            people_.size(),
            [&](std::size_t begin, std::size_t end) {
                std::array<Vec<D>, people_per_chunk> force;
                push_each_other(people_, person_, bodies.velocity, begin, end, force.data());
                std::vector<ContactPoint<D>> points;
                for (std::size_t k = begin; k < end; ++k) {
                    const auto i = std::size_t(people_.body(k));
                    bodies.force[i] += force[k - begin] + push_of_obstacles(bodies, shapes, i, points);
                }
            },
            people_per_chunk);
    }

    bool holds_for_step() const override { return true; }

  private:
    static SocialLaw law_of(const scene::Value& driver, const char* strength, const char* range)
    {
        return {driver.at(strength).number(), driver.at(range).number(), driver.at("anisotropy").number(),
                driver.at("sight").number()};
    }

    // People are disks; false where something else moves.
    bool find_people(const BodyTable<D>& bodies, const ShapeTable<D>& shapes)
    {
        radius_.resize(bodies.size());
        return parallel_reduce(
            bodies.size(), true,
            [&](std::size_t i) {
                const Shape<D>& shape = shapes[bodies.shape[i]];
                radius_[i] = bodies.is_passive(i) ? -1.0 : shape.radius;
                return bodies.is_passive(i) || shape.kind == ShapeKind::ball;
            },
            [](bool a, bool b) { return a && b; });
    }

    Vec<D> push_of_obstacles(const BodyTable<D>& bodies, const ShapeTable<D>& shapes, std::size_t i,
                             std::vector<ContactPoint<D>>& points) const
    {
        Vec<D> sum = Vec<D>::Zero();
        for (const std::int32_t obstacle : obstacles_.near(bodies.position[i])) {
            points.clear();
            obstacles_.collide(shapes, {shapes[bodies.shape[i]], bodies.position[i], bodies.orientation[i]}, obstacle,
                               wall_.sight, points);
            for (const ContactPoint<D>& point : points)
                sum += wall_.at(point.gap, facing(bodies, i, point.normal)) * point.normal;
        }
        return sum;
    }

    // The same by the contacts of any shapes.
    void push_any_shapes(BodyTable<D>& bodies, const ShapeTable<D>& shapes)
    {
        near_.detect(bodies, shapes, *detector_, person_.sight);
        of_bodies_.build(near_, bodies.size());
        parallel_for(bodies.size(), [&](std::size_t i) {
            if (bodies.is_passive(i)) return;
            for (const ContactsOfBodies::Side& side : of_bodies_.of(i)) {
                const std::size_t k = side.contact;
                const std::size_t other = std::size_t(side.sign > 0 ? near_.antagonist[k] : near_.candidate[k]);
                const Vec<D> away = side.sign * near_.normal[k];
                const SocialLaw& law = bodies.is_passive(other) ? wall_ : person_;
                bodies.force[i] += law.at(near_.gap[k], facing(bodies, i, away)) * away;
            }
        });
    }

    // cos φ; 0 for one who stands
    static double facing(const BodyTable<D>& bodies, std::size_t i, const Vec<D>& away)
    {
        const double speed = bodies.velocity[i].norm();
        return speed > 0 ? -away.dot(bodies.velocity[i]) / speed : 0;
    }

    ActingTime acting_;
    SocialLaw person_, wall_;
    BallGrid<D> people_;
    std::vector<double> radius_; // [m] of each body; −1: it is no person
    ObstacleMap<D> obstacles_;
    // of other shapes
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
