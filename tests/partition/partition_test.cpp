#include "scenes_in_tests.hpp"
#include "talus/base/random.hpp"
#include "talus/partition/metis.hpp"
#include "talus/partition/partitioner.hpp"

#include <algorithm>
#include <numeric>
#include <set>

using namespace talus;

namespace {

template <int D>
std::vector<WeightedGrain<D>> random_grains(int count)
{
    Random random(7);
    std::vector<WeightedGrain<D>> grains;
    for (int i = 0; i < count; ++i) {
        Vec<D> centre;
        for (int axis = 0; axis < D; ++axis) centre[axis] = random.uniform() * (axis + 1);
        grains.push_back({centre, 1 + std::int64_t(12 * random.uniform()), i});
    }
    return grains;
}

// Spheres of radius 0.5 on a line at the given places, and a floor that touches them all.
struct Row {
    BodyTable<2> bodies;
    ShapeTable<2> shapes;
    ContactTable<2> contacts;

    explicit Row(const std::vector<double>& places)
    {
        const std::int32_t ball = shapes.add_ball(0.5);
        for (const double x : places) {
            Body<2> body;
            body.position = {x, 0.5};
            body.mass = 1;
            body.inertia = Ang<2>(0.1);
            body.shape = ball;
            bodies.add(body);
        }
        Body<2> floor;
        floor.position = {-1000, -1000}; // far away: its centre must not count
        floor.imposed = all_imposed<2>;
        floor.shape = ball;
        bodies.add(floor);
    }
    void touch(std::int32_t a, std::int32_t b)
    {
        contacts.candidate.push_back(a);
        contacts.antagonist.push_back(b);
        contacts.gap.push_back(0);
    }
};

Partitioner<2> boxes(int nx, int ny) { return Partitioner<2>({"boxes", 0, {nx, ny}}); }

} // namespace

TEST(Bisection, BalancesWeightedGrains)
{
    for (int parts = 2; parts <= 16; ++parts) {
        auto grains = random_grains<3>(20000);
        const std::vector<std::size_t> begin = Bisection<3>().divide(grains, parts);
        ASSERT_EQ(begin.size(), std::size_t(parts) + 1);
        std::int64_t total = 0, most = 0;
        for (int part = 0; part < parts; ++part) {
            std::int64_t weight = 0;
            for (std::size_t i = begin[part]; i < begin[part + 1]; ++i) weight += grains[i].weight;
            total += weight;
            most = std::max(most, weight);
        }
        EXPECT_LE(double(most) * parts / double(total), 1.05) << parts << " parts";
    }
}

TEST(Bisection, RegionsHoldTheirGrains)
{
    for (const int parts : {1, 2, 3, 7, 16, 48}) {
        auto grains = random_grains<2>(3000);
        Bisection<2> bisection;
        const std::vector<std::size_t> begin = bisection.divide(grains, parts);
        for (int part = 0; part < parts; ++part) {
            for (std::size_t i = begin[part]; i < begin[part + 1]; ++i) {
                ASSERT_EQ(bisection.part_of(grains[i].centre), part) << parts << " parts";
            }
        }
    }
}

TEST(Bisection, BreaksTiesByNumberWhateverTheOrder)
{
    std::vector<WeightedGrain<3>> grains;
    for (int i = 0; i < 1000; ++i) grains.push_back({Vec<3>(i % 4, 0, 0), 1, i});
    auto turned = grains;
    std::reverse(turned.begin(), turned.end());
    Bisection<3> a, b;
    EXPECT_EQ(a.divide(grains, 6), b.divide(turned, 6));
    for (std::size_t i = 0; i < grains.size(); ++i) EXPECT_EQ(grains[i].body, turned[i].body);
}

TEST(Bisection, RanksNeighboursNearOneAnother)
{
    auto grains = random_grains<3>(8000);
    Bisection<3>().divide(grains, 1);
    double along = 0, random = 0;
    for (std::size_t i = 0; i + 1 < grains.size(); ++i) {
        along += (grains[i].centre - grains[i + 1].centre).norm();
        random += (grains[i].centre - grains[(i * 4001) % grains.size()].centre).norm();
    }
    EXPECT_LT(along, 0.25 * random); // 8000 grains in leaves of 16: a leaf is 1/8 of the box wide
}

TEST(Bisection, LeavesPartsEmptyWhereThereAreTooFewGrains)
{
    auto grains = random_grains<2>(3);
    const std::vector<std::size_t> begin = Bisection<2>().divide(grains, 8);
    EXPECT_EQ(begin.size(), 9u);
    EXPECT_EQ(begin.back(), 3u);
    EXPECT_TRUE(std::is_sorted(begin.begin(), begin.end()));
    std::vector<WeightedGrain<2>> none;
    EXPECT_EQ(Bisection<2>().divide(none, 3), (std::vector<std::size_t>{0, 0, 0, 0}));
}

TEST(Boxes, HoldTheCentresOfTheirGrains)
{
    Row row({0, 1, 2, 3.9, 4});
    auto partitioner = boxes(2, 1); // [0, 2) and [2, 4]
    const Partition& partition = partitioner.assign(row.bodies, row.shapes, row.contacts);
    EXPECT_EQ(partition.parts, 2);
    EXPECT_EQ(partition.part, (std::vector<std::int32_t>{0, 0, 1, 1, 1, -1}));
    EXPECT_EQ(partitioner.part_of(Vec<2>(-9, 0)), 0);
    EXPECT_EQ(partitioner.part_of(Vec<2>(99, 0)), 1);
}

TEST(Boxes, AreNumberedAlongXFirst)
{
    const Boxes<3> all{{2, 3, 4}, Vec<3>::Zero(), Vec<3>(2, 3, 4)};
    int expected = 0;
    for (int k = 0; k < 4; ++k) {
        for (int j = 0; j < 3; ++j) {
            for (int i = 0; i < 2; ++i) EXPECT_EQ(all.part_of(Vec<3>(i + 0.5, j + 0.5, k + 0.5)), expected++);
        }
    }
}

TEST(Boxes, FollowTheSampleAndMayBeEmpty)
{
    Row row({0, 1, 9, 10});
    auto partitioner = boxes(5, 1);
    EXPECT_EQ(partitioner.assign(row.bodies, row.shapes, row.contacts).part,
              (std::vector<std::int32_t>{0, 0, 4, 4, -1}));
    EXPECT_EQ(partitioner.statistics().grains, (std::vector<std::int64_t>{2, 0, 0, 0, 2}));
    for (auto& position : row.bodies.position) position[0] += 100;
    row.bodies.position[1][0] = 105.1;
    EXPECT_EQ(partitioner.assign(row.bodies, row.shapes, row.contacts).part,
              (std::vector<std::int32_t>{0, 2, 4, 4, -1}));
}

TEST(Boxes, TakeASampleWithoutExtentOrWithoutGrains)
{
    Row one({5});
    EXPECT_EQ(boxes(3, 3).assign(one.bodies, one.shapes, one.contacts).part, (std::vector<std::int32_t>{0, -1}));
    Row none({});
    EXPECT_EQ(boxes(3, 3).assign(none.bodies, none.shapes, none.contacts).part, (std::vector<std::int32_t>{-1}));
}

TEST(PartitionStatistics, CountInsideAndInterface)
{
    Row row({0, 1, 2, 3}); // boxes [0, 1.5), [1.5, 3]
    for (const auto& [a, b] : {std::pair{0, 1}, {1, 2}, {2, 3}, {0, 4}, {4, 3}, {3, 4}}) row.touch(a, b);
    auto partitioner = boxes(2, 1);
    partitioner.assign(row.bodies, row.shapes, row.contacts);
    const PartitionStatistics& statistics = partitioner.statistics();
    EXPECT_EQ(statistics.grains, (std::vector<std::int64_t>{2, 2}));
    EXPECT_EQ(statistics.contacts, (std::vector<std::int64_t>{2, 3})); // with the floor: in the grain's part
    EXPECT_EQ(statistics.interface, 1);
    EXPECT_EQ(statistics.all_contacts(), 6);
    EXPECT_DOUBLE_EQ(statistics.balance(), 3 / 2.5);
    EXPECT_DOUBLE_EQ(statistics.interface_share(), 1.0 / 6);
}

TEST(PartitionStatistics, DualSharesGrains)
{
    Row row({0, 1, 2, 3, 4});
    for (const auto& [a, b] : {std::pair{0, 1}, {1, 2}, {2, 3}, {3, 4}, {5, 2}}) row.touch(a, b);
    auto partitioner = boxes(4, 1); // contacts at 0.5, 1.5, 2.5, 3.5, and grain 2's with the floor at 2
    partitioner.assign(row.bodies, row.shapes, row.contacts);
    const DualStatistics dual = dual_statistics<2>(row.bodies, row.contacts, 4,
                                                   [&](const Vec<2>& x) { return partitioner.part_of(x).value(); });
    EXPECT_EQ(dual.contacts, (std::vector<std::int64_t>{1, 1, 2, 1}));
    EXPECT_EQ(dual.interface_grains, 3); // 1, 2 and 3; those at the ends have one contact
    EXPECT_DOUBLE_EQ(dual.mean_multiplicity, 2);
    EXPECT_EQ(dual.highest_multiplicity, 2);
}

TEST(Partitioner, CutsAreTheSharesOfTheDualPartitionToo)
{
    auto simulation = library_simulation<3>("moreau/box-of-spheres", {"generators[1].count=1000"});
    for (int step = 0; step < 60; ++step) simulation.step();
    Partitioner<3> partitioner({"rcb", 6, {}});
    partitioner.assign(simulation.bodies, simulation.shapes, simulation.contacts);
    const DualStatistics dual = dual_statistics<3>(simulation.bodies, simulation.contacts, 6,
                                                   [&](const Vec<3>& x) { return partitioner.part_of(x).value(); });
    EXPECT_EQ(std::accumulate(dual.contacts.begin(), dual.contacts.end(), std::int64_t{0}),
              std::int64_t(simulation.contacts.size()));
    EXPECT_GT(dual.interface_grains, 0);
    EXPECT_GE(dual.mean_multiplicity, 2);
    EXPECT_LE(dual.highest_multiplicity, 6);
}

TEST(Partitioner, TakesOnePartPer4000Contacts)
{
    EXPECT_EQ(automatic_parts(0), 1);
    EXPECT_EQ(automatic_parts(7999), 1);
    EXPECT_EQ(automatic_parts(8000), 2);
    EXPECT_EQ(automatic_parts(21000), 4);
    EXPECT_EQ(automatic_parts(50000), 12);
    EXPECT_EQ(automatic_parts(100000000), 48);
}

TEST(Partitioner, GivesWallsToNobodyAndEveryGrainToSomebody)
{
    for (const char* method : {"rcb", "boxes", "metis"}) {
        if (std::string(method) == "metis" && !has_metis()) continue;
        auto simulation = library_simulation<3>("moreau/box-of-spheres", {"generators[1].count=1500"});
        for (int step = 0; step < 100; ++step) simulation.step();
        Partitioner<3> partitioner({method, method == std::string("boxes") ? 0 : 5, {5, 1, 1}});
        const Partition& partition = partitioner.assign(simulation.bodies, simulation.shapes, simulation.contacts);
        ASSERT_EQ(partition.part.size(), simulation.bodies.size());
        EXPECT_EQ(partition.parts, 5);
        for (std::size_t i = 0; i < partition.part.size(); ++i) {
            EXPECT_EQ(partition.part[i] < 0, simulation.bodies.is_passive(i));
            EXPECT_LT(partition.part[i], 5);
        }
        const PartitionStatistics& statistics = partitioner.statistics();
        EXPECT_EQ(statistics.all_contacts(), std::int64_t(simulation.contacts.size()));
        EXPECT_GT(statistics.interface, 0);
        if (method != std::string("boxes")) {
            EXPECT_LT(statistics.balance(), 1.25) << method; // 1500 grains in 5 parts
        }
    }
}

TEST(Partitioner, MetisMakesTheInterfaceSmallerThanBoxes)
{
    if (!has_metis()) GTEST_SKIP() << "built without METIS";
    auto simulation = library_simulation<3>("moreau/box-of-spheres", {"generators[1].count=2000"});
    for (int step = 0; step < 80; ++step) simulation.step();
    const auto interface = [&](const PartitionOptions& options) {
        Partitioner<3> partitioner(options);
        partitioner.assign(simulation.bodies, simulation.shapes, simulation.contacts);
        return partitioner.statistics().interface;
    };
    EXPECT_LT(interface({"metis", 8, {}}), interface({"boxes", 0, {2, 2, 2}}));
    EXPECT_EQ(interface({"metis", 8, {}}), interface({"metis", 8, {}})); // the same each time
}

TEST(Partitioner, RanksAreAPermutation)
{
    auto simulation = library_simulation<3>("moreau/box-of-spheres", {"generators[1].count=500"});
    Partitioner<3> partitioner({"rcb", 3, {}});
    const Partition& partition = partitioner.assign(simulation.bodies, simulation.shapes, simulation.contacts);
    const std::set<std::int32_t> ranks(partition.rank.begin(), partition.rank.end());
    EXPECT_EQ(ranks.size(), simulation.bodies.size());
    EXPECT_EQ(*ranks.rbegin(), std::int32_t(simulation.bodies.size()) - 1);
}

TEST(Partitioner, ANewGrainJoinsThePartItIsIn)
{
    Row row({0, 1, 2, 3, 4, 5, 6, 7});
    Partitioner<2> partitioner({"rcb", 2, {}});
    partitioner.assign(row.bodies, row.shapes, row.contacts);
    Body<2> body;
    body.mass = 1;
    body.position = {6.6, 1.5};
    row.bodies.add(body);
    const Partition& partition = partitioner.assign(row.bodies, row.shapes, row.contacts);
    EXPECT_EQ(partition.part.back(), partition.part[6]);
    EXPECT_EQ(partition.rank.back(), 9);
}

TEST(Partitioner, DividesAnewWhenTheWorkHasMoved)
{
    Row row({0, 1, 2, 3, 4, 5, 6, 7});
    Partitioner<2> partitioner({"rcb", 2, {}});
    partitioner.assign(row.bodies, row.shapes, row.contacts);
    for (int contact = 0; contact < 30; ++contact) row.touch(0, 1); // all the work at one end
    for (int call = 1; call <= 9; ++call) {
        EXPECT_EQ(partitioner.assign(row.bodies, row.shapes, row.contacts).part[3], 0) << "not at once";
    }
    for (int call = 10; call <= 11; ++call) partitioner.assign(row.bodies, row.shapes, row.contacts);
    EXPECT_EQ(partitioner.assign(row.bodies, row.shapes, row.contacts).part[3], 1);
}

TEST(Partitioner, IsRestoredFromWhatItSaves)
{
    for (const char* method : {"rcb", "metis"}) {
        if (std::string(method) == "metis" && !has_metis()) continue;
        auto simulation = library_simulation<3>("moreau/box-of-spheres", {"generators[1].count=600"});
        Partitioner<3> one({method, 4, {}}), other({method, 4, {}});
        for (int step = 0; step < 7; ++step) {
            simulation.step();
            one.assign(simulation.bodies, simulation.shapes, simulation.contacts);
        }
        ASSERT_TRUE(other.restore(one.save()));
        for (int step = 0; step < 120; ++step) { // through at least two divisions
            simulation.step();
            const Partition& a = one.assign(simulation.bodies, simulation.shapes, simulation.contacts);
            const Partition& b = other.assign(simulation.bodies, simulation.shapes, simulation.contacts);
            ASSERT_EQ(a.part, b.part) << "step " << step;
            ASSERT_EQ(a.rank, b.rank) << "step " << step;
        }
    }
}

TEST(Partitioner, RefusesWhatItDidNotSave)
{
    Row row({0, 1, 2, 3});
    Partitioner<2> partitioner({"rcb", 2, {}});
    partitioner.assign(row.bodies, row.shapes, row.contacts);
    const std::vector<std::uint64_t> saved = partitioner.save();
    EXPECT_TRUE(partitioner.restore({}));
    EXPECT_FALSE(partitioner.restore(std::span(saved).first(saved.size() - 1)));
    EXPECT_FALSE(partitioner.restore(std::span(saved).first(3)));
    std::vector<std::uint64_t> damaged = saved;
    damaged[0] = 0; // parts
    EXPECT_FALSE(partitioner.restore(damaged));
    damaged = saved;
    damaged.back() = std::uint64_t{77} << 32; // part 77
    EXPECT_FALSE(partitioner.restore(damaged));
}
