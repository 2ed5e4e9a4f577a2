// Drivers that see their neighbours.
#include "scenes_in_tests.hpp"
#include "talus/base/random.hpp"
#include "talus/exec/parallel.hpp"

#include <set>

using namespace talus;

namespace {

// Keeps what it is shown, and pushes the two of a pair apart by 1 N along the line of their centres.
template <int D>
class Shy final : public Driver<D> {
  public:
    explicit Shy(double sight) : sight_(sight) {}
    double sight() const override { return sight_; }
    void see(const BodyTable<D>&, const ShapeTable<D>&, std::span<const Pair> pairs) override
    {
        seen.assign(pairs.begin(), pairs.end());
    }
    void load(BodyTable<D>& bodies, const TimeSpan&) override
    {
        for (const auto [i, j] : seen) {
            if (bodies.is_passive(i) || bodies.is_passive(j)) continue;
            const Vec<D> away = (bodies.position[i] - bodies.position[j]).normalized();
            bodies.force[i] += away;
            bodies.force[j] -= away;
        }
    }
    std::vector<Pair> seen;

  private:
    double sight_;
};

template <int D>
Simulation<D> strewn_balls(int count, std::uint64_t seed)
{
    Simulation<D> simulation;
    simulation.clock.dt = 1e-3;
    simulation.materials = simulation_of<D>("[scene]\ndimension = " + std::to_string(D) +
                                            "\ndt = 1e-3\nduration = 1\n[materials]\nstone = { density = 2600 }\n")
                               .materials;
    simulation.contact_dynamics().detector = make_detector<D>("auto");
    simulation.use_solver({});
    Random random(seed);
    for (int i = 0; i < count; ++i) {
        Body<D> body;
        for (int axis = 0; axis < D; ++axis) body.position[axis] = random.uniform(0, 1);
        const double radius = random.uniform(1e-4, 3e-4); // far from touching, mostly
        body.mass = 1;
        body.inertia.setConstant(radius * radius);
        body.shape = simulation.shapes.add_ball(radius);
        simulation.bodies.add(body);
    }
    Body<D> wall; // z ≥ 0
    wall.imposed = all_imposed<D>;
    Vec<D> up = Vec<D>::Zero();
    up[D - 1] = 1;
    wall.shape = simulation.shapes.add_half_space(up);
    simulation.bodies.add(wall);
    return simulation;
}

template <int D>
void sees_every_pair_within_its_sight(int count, std::uint64_t seed)
{
    Simulation<D> simulation = strewn_balls<D>(count, seed);
    const double sight = 0.07;
    auto near = std::make_unique<Shy<D>>(sight), far = std::make_unique<Shy<D>>(2 * sight);
    const Shy<D>&shy = *near, &shyer = *far;
    simulation.drivers.push_back(std::move(near));
    simulation.drivers.push_back(std::move(far));
    for (int step = 0; step < 3; ++step) {
        const BodyTable<D> before = simulation.bodies;
        const Vec<D> momentum = simulation.momentum();
        simulation.step();
        EXPECT_EQ(shy.seen, shyer.seen); // one search for all
        EXPECT_TRUE(std::ranges::is_sorted(shy.seen));
        const std::set<Pair> seen(shy.seen.begin(), shy.seen.end());
        EXPECT_EQ(seen.size(), shy.seen.size()) << "each pair once";
        const auto radius = [&](std::size_t i) { return bounding_radius(simulation.shapes, before.shape[i]); };
        for (std::int32_t i = 0; i < count; ++i) {
            for (std::int32_t j = i + 1; j < count; ++j) {
                const double gap = (before.position[i] - before.position[j]).norm() - radius(i) - radius(j);
                EXPECT_TRUE(gap > 2 * sight * (1 - 1e-9) || seen.contains({i, j})) << i << " " << j << " " << gap;
            }
            const double height = before.position[i][D - 1] - radius(i);
            EXPECT_TRUE(height > 2 * sight * (1 - 1e-9) || seen.contains({i, count})) << i << " " << height;
        }
        // forces of pairs cancel: what the pairs exchange keeps the momentum, to round-off of their number
        EXPECT_LE((simulation.momentum() - momentum).norm(), 1e-14 * double(shy.seen.size()));
    }
}

} // namespace

TEST(Sight, ShowsEveryPairWithinIt)
{
    for (const int count : {1, 2, 23, 200}) {
        for (const std::uint64_t seed : {1, 2}) {
            sees_every_pair_within_its_sight<2>(count, seed);
            sees_every_pair_within_its_sight<3>(count, seed);
        }
    }
}

// The same bits for any number of threads.
TEST(Sight, IsTheSameForAnyNumberOfThreads)
{
    std::vector<std::uint64_t> hashes;
    const int before = thread_count();
    for (const int threads : {1, 2, 3}) {
        set_thread_count(threads);
        Simulation<2> simulation = strewn_balls<2>(3000, 5);
        simulation.drivers.push_back(std::make_unique<Shy<2>>(0.05));
        for (int step = 0; step < 5; ++step) simulation.step();
        hashes.push_back(simulation.state_hash());
    }
    set_thread_count(before);
    EXPECT_EQ(hashes[0], hashes[1]);
    EXPECT_EQ(hashes[0], hashes[2]);
}
