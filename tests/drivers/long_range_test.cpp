// Sums of 1/r²: the three algorithms against each other, threads, mirrors, and clouds that are awkward.
#include "benchmarks/long_range_clouds.hpp"
#include "scenes_in_tests.hpp"
#include "talus/exec/parallel.hpp"

#include <fmt/format.h>

namespace talus {
namespace {

template <int D>
std::vector<std::unique_ptr<Summation<D>>> all_algorithms()
{
    std::vector<std::unique_ptr<Summation<D>>> all;
    all.push_back(direct_sum<D>());
    all.push_back(effective_cells<D>(0));
    all.push_back(effective_cells<D>(0.11));
    all.push_back(tree_of_cells<D>(0.5));
    all.push_back(tree_of_cells<D>(1));
    return all;
}

// plain loops, in the order of the formula
template <int D>
Felt<D> by_definition(const Sources<D>& sources, double softening)
{
    Felt<D> felt;
    felt.resize(sources.size());
    for (std::size_t i = 0; i < sources.size(); ++i) {
        felt.pull[i].setZero();
        felt.potential[i] = 0;
        for (std::size_t j = 0; j < sources.size(); ++j) {
            if (i == j) continue;
            const Vec<D> r = sources.place[i] - sources.place[j];
            const double distance = std::sqrt(r.squaredNorm() + softening * softening);
            felt.pull[i] += sources.strength[j] / (distance * distance * distance) * r;
            felt.potential[i] += sources.strength[j] / distance;
        }
    }
    return felt;
}

template <int D>
void expect_direct_sum_is_the_definition()
{
    for (const double softening : {0.0, 0.1}) {
        const Sources<D> cloud = random_cloud<D>(333, true, 1); // not a multiple of eight
        const Felt<D> exact = by_definition(cloud, softening), felt = felt_by(direct_sum<D>(), cloud, softening);
        EXPECT_LT(force_error(cloud, felt, exact), 1e-13); // round-off of sums in another order
        EXPECT_NEAR(energy_of(cloud, felt), energy_of(cloud, exact), 1e-12 * std::abs(energy_of(cloud, exact)));
    }
}
TEST(LongRange, DirectSumIsTheDefinition)
{
    expect_direct_sum_is_the_definition<2>();
    expect_direct_sum_is_the_definition<3>();
}

// Where every cell is a neighbour, or every tree is one leaf, nothing is left out.
template <int D>
void expect_exact_where_all_is_near()
{
    const Sources<D> cloud = random_cloud<D>(200, true, 2), handful = random_cloud<D>(12, true, 3);
    EXPECT_LT(force_error(cloud, felt_by(effective_cells<D>(0.6), cloud), by_definition(cloud, 0)), 1e-13);
    EXPECT_LT(force_error(handful, felt_by(tree_of_cells<D>(1), handful), by_definition(handful, 0)), 1e-13);
}
TEST(LongRange, NothingIsLeftOutWhereAllIsNear)
{
    expect_exact_where_all_is_near<2>();
    expect_exact_where_all_is_near<3>();
}

// Softened forces are expanded softened: the error stays that of the angle.
template <int D>
void expect_softening_in_the_tree()
{
    const Sources<D> cloud = random_cloud<D>(2000, false, 4);
    const Felt<D> exact = felt_by(direct_sum<D>(), cloud, 0.1);
    EXPECT_LT(force_error(cloud, felt_by(tree_of_cells<D>(0.5), cloud, 0.1), exact), 3e-3);
    EXPECT_LT(force_error(cloud, felt_by(tree_of_cells<D>(0.25), cloud, 0.1), exact), 5e-4);
}
TEST(LongRange, TreeKnowsSoftening)
{
    expect_softening_in_the_tree<2>();
    expect_softening_in_the_tree<3>();
}

template <int D>
void expect_same_bits_for_any_number_of_threads()
{
    const Sources<D> cloud = random_cloud<D>(20000, true, 5);
    const int threads_before = thread_count();
    for (std::size_t which = 1; which < all_algorithms<D>().size(); ++which) {
        set_thread_count(1);
        const Felt<D> alone = felt_by(std::move(all_algorithms<D>()[which]), cloud);
        for (const int threads : {2, 3}) {
            set_thread_count(threads);
            const Felt<D> together = felt_by(std::move(all_algorithms<D>()[which]), cloud);
            EXPECT_EQ(together.pull, alone.pull) << which;
            EXPECT_EQ(together.potential, alone.potential) << which;
        }
    }
    const Sources<D> few = random_cloud<D>(3000, true, 5); // all pairs
    set_thread_count(1);
    const Felt<D> alone = felt_by(direct_sum<D>(), few);
    set_thread_count(3);
    EXPECT_EQ(felt_by(direct_sum<D>(), few).pull, alone.pull);
    set_thread_count(threads_before);
}
TEST(LongRange, BitsAreTheSameForAnyNumberOfThreads)
{
    expect_same_bits_for_any_number_of_threads<2>();
    expect_same_bits_for_any_number_of_threads<3>();
}

template <int D>
void expect_mirrored_forces()
{
    const Sources<D> cloud = random_cloud<D>(3000, true, 6);
    Sources<D> mirrored = cloud;
    for (Vec<D>& place : mirrored.place) place[0] = -place[0];
    const auto algorithms = all_algorithms<D>();
    for (std::size_t which = 0; which < algorithms.size(); ++which) {
        Felt<D> felt, image;
        algorithms[which]->sum(cloud, 0, felt);
        algorithms[which]->sum(mirrored, 0, image);
        for (Vec<D>& pull : image.pull) pull[0] = -pull[0];
        if (which == 0) {
            EXPECT_EQ(image.pull, felt.pull) << "all pairs in the same order: to the bit";
        } else {
            EXPECT_LT(force_error(cloud, image, felt), 1e-12) << which << ": the same cells, summed in another order";
        }
    }
}
TEST(LongRange, MirrorImagesFeelMirroredForces)
{
    expect_mirrored_forces<2>();
    expect_mirrored_forces<3>();
}

// Two sources a picometre apart in a cloud of a metre, closer than cells can tell.
template <int D>
void expect_finite_forces_very_near()
{
    Sources<D> cloud = random_cloud<D>(1000, true, 7);
    cloud.place[1] = cloud.place[0];
    cloud.place[1][0] += 1e-12;
    const double apart = cloud.place[1][0] - cloud.place[0][0]; // what rounding made of it
    for (auto& algorithm : all_algorithms<D>()) {
        Felt<D> felt;
        algorithm->sum(cloud, 0, felt);
        for (const Vec<D>& pull : felt.pull) EXPECT_TRUE(pull.allFinite());
        EXPECT_NEAR(felt.pull[0][0] / (-cloud.strength[1] / (apart * apart)), 1, 1e-9);
    }
}
TEST(LongRange, TwoVeryNearBodiesGiveFiniteForces)
{
    expect_finite_forces_very_near<2>();
    expect_finite_forces_very_near<3>();
}

// A swarm far smaller than the distance to the next body: no cells can divide it.
template <int D>
void expect_sound_sums_of_awkward_clouds()
{
    Sources<D> swarm = random_cloud<D>(100, true, 8);
    for (Vec<D>& place : swarm.place) place *= 1e-6;
    swarm.place[0] = Vec<D>::Constant(1e6);
    const Felt<D> exact = by_definition(swarm, 0);
    EXPECT_LT(force_error(swarm, felt_by(tree_of_cells<D>(0.5), swarm), exact), 1e-12);
    Sources<D> line = random_cloud<D>(3000, false, 9); // no extent along all axes but one
    for (Vec<D>& place : line.place) place.template tail<D - 1>().setZero();
    const Felt<D> along = felt_by(direct_sum<D>(), line);
    EXPECT_LT(force_error(line, felt_by(tree_of_cells<D>(0.5), line), along), 1e-3);
    EXPECT_LT(force_error(line, felt_by(effective_cells<D>(0), line), along), 0.05);
    for (auto& algorithm : all_algorithms<D>()) {
        const Sources<D> one = random_cloud<D>(1, false, 1);
        Felt<D> felt;
        algorithm->sum(one, 0, felt);
        EXPECT_EQ(felt.pull[0].norm(), 0);
        algorithm->sum(Sources<D>{}, 0, felt);
        EXPECT_TRUE(felt.pull.empty());
    }
}
TEST(LongRange, SwarmsLinesAndSingleBodiesAreSummedToo)
{
    expect_sound_sums_of_awkward_clouds<2>();
    expect_sound_sums_of_awkward_clouds<3>();
}

// --- as drivers

template <int D>
std::string position(double x, double y, double z = 0.013)
{
    return D == 2 ? fmt::format("[{}, {}]", x, y) : fmt::format("[{}, {}, {}]", x, y, z);
}

struct Cloud {
    std::string method = "nscd";
    std::string driver = "type = \"charges\"\npermittivity = 2\n"
                         "groups = [{ body = \"a\", charge = 1e-6 }, { body = \"b\", charge = \"-2 µC\" }]\n";
    std::string more = "";
    double dt = 1e-3;
};

// Nine balls of both signs on a lattice, not in contact, and one of them fixed.
template <int D>
std::string cloud_scene(const Cloud& with)
{
    const std::string ball = D == 2 ? "disk" : "sphere";
    std::string text =
        fmt::format("[scene]\ndimension = {}\nmethod = \"{}\"\ndt = {}\nduration = 1\n[materials.glass]\ndensity = "
                    "2500\n[contact]\nfriction = 0\nrestitution = 1\n",
                    D, with.method, with.dt);
    if (with.method == "dem") text += "[dem]\nstiffness = 100\n";
    text += fmt::format("[[bodies]]\nname = \"b\"\nshape = \"{}\"\nradius = 0.01\nposition = {}\nmaterial = "
                        "\"glass\"\nmotion = \"fixed\"\nmass = 0.1\n",
                        ball, position<D>(-0.1, 0.02));
    text += fmt::format("[[generators]]\nname = \"a\"\ntype = \"lattice\"\nlower = {}\nupper = {}\nradius = "
                        "0.01\nspacing = 0.05\njitter = 0.4\ncount = 8\nmaterial = \"glass\"\n",
                        position<D>(0, 0, 0), position<D>(0.15, 0.15, 0.05));
    return text + "[[drivers]]\n" + with.driver + with.more;
}

const std::string masses = "type = \"gravitation\"\nconstant = \"0.01 m^3/(kg s^2)\"\n";

template <int D>
void find_loads(Simulation<D>& simulation)
{
    clear_loads(simulation.bodies);
    simulation.add_loads({0, 0});
}

template <int D>
void expect_forces_are_the_gradient(const std::string& driver)
{
    auto simulation = simulation_of<D>(cloud_scene<D>({.driver = driver}));
    BodyTable<D>& bodies = simulation.bodies;
    find_loads(simulation);
    const std::vector<Vec<D>> force = bodies.force;
    const double h = 1e-6;
    for (std::size_t i = 1; i < bodies.size(); ++i) {
        for (int axis = 0; axis < D; ++axis) {
            const double before = bodies.position[i][axis];
            const auto energy_at = [&](double x) {
                bodies.position[i][axis] = x;
                return simulation.potential_energy();
            };
            const double slope = (energy_at(before + h) - energy_at(before - h)) / (2 * h);
            bodies.position[i][axis] = before;
            EXPECT_NEAR(force[i][axis], -slope, 1e-6 * force[i].norm()); // h² and round-off of the energy
        }
    }
}
TEST(LongRange, ForcesAreTheGradientOfTheEnergy)
{
    const std::string charges = Cloud{}.driver;
    for (const std::string& driver : {charges, masses, charges + "softening = 0.03\n"}) {
        expect_forces_are_the_gradient<2>(driver + "algorithm = \"direct\"\n");
        expect_forces_are_the_gradient<3>(driver + "algorithm = \"direct\"\n");
    }
}

template <int D>
void expect_balance_of_forces(const std::string& driver)
{
    auto simulation = simulation_of<D>(cloud_scene<D>({.driver = driver}), {"bodies[0].motion=\"free\""});
    find_loads(simulation);
    Vec<D> force = Vec<D>::Zero();
    Ang<D> torque = Ang<D>::Zero();
    double size = 0;
    for (std::size_t i = 0; i < simulation.bodies.size(); ++i) {
        force += simulation.bodies.force[i];
        torque += moment(simulation.bodies.position[i], simulation.bodies.force[i]) + simulation.bodies.torque[i];
        size += simulation.bodies.force[i].norm();
    }
    EXPECT_GT(size, 0);
    EXPECT_LT(force.norm(), 1e-13 * size);
    EXPECT_LT(torque.norm(), 1e-13 * size);
}
TEST(LongRange, ForcesAndTorquesOfAllBodiesBalance)
{
    for (const std::string& driver : {Cloud{}.driver, masses}) {
        expect_balance_of_forces<2>(driver);
        expect_balance_of_forces<3>(driver);
    }
}

// The worst imbalance of the ledger over the energy turned over.
template <int D>
double worst_imbalance(const Cloud& with, const std::vector<std::string>& sets = {})
{
    auto simulation = simulation_of<D>(cloud_scene<D>(with), sets);
    double worst = 0, turned_over = 0;
    while (simulation.clock.time() < 0.3) {
        simulation.step();
        worst = std::max(worst, std::abs(simulation.energy_imbalance()));
        turned_over = std::max(turned_over, simulation.kinetic_energy());
    }
    EXPECT_GT(turned_over, 0);
    return worst / turned_over;
}

// Charges that repel each other: no contacts, so that what is left over is the scheme's, of second order.
template <int D>
void expect_ledger_of_second_order(const std::string& method)
{
    const std::string driver = "type = \"charges\"\ngroups = [{ body = \"a\", charge = 1e-6 }]\n";
    const double coarse = worst_imbalance<D>({.method = method, .driver = driver, .dt = 1e-3});
    const double fine = worst_imbalance<D>({.method = method, .driver = driver, .dt = 5e-4});
    EXPECT_LT(coarse, 0.02) << method;
    EXPECT_NEAR(coarse / fine, 4, 0.5) << method << ": half the step, a quarter of the error";
}
TEST(LongRange, LedgerClosesToSecondOrderByContactDynamics)
{
    expect_ledger_of_second_order<2>("nscd");
    expect_ledger_of_second_order<3>("nscd");
}
TEST(LongRange, LedgerClosesToSecondOrderBySmoothDem)
{
    expect_ledger_of_second_order<2>("dem");
    expect_ledger_of_second_order<3>("dem");
}
TEST(LongRange, LedgerClosesWithEveryIntegratorOfSecondOrder)
{
    const std::string driver = "type = \"charges\"\ngroups = [{ body = \"a\", charge = 1e-6 }]\n";
    for (const char* integrator :
         {"leapfrog", "velocity_verlet", "central_differences", "gear", "runge_kutta", "newmark"}) {
        EXPECT_LT(worst_imbalance<2>({.method = "dem", .driver = driver, .dt = 2.5e-4},
                                     {std::string("dem.integrator=\"") + integrator + "\""}),
                  2e-3)
            << integrator;
    }
}

// A body that is led through the others by a driver works against their pull.
TEST(LongRange, LedgerKnowsTheWorkOfWhatIsLed)
{
    const std::string led = "[[drivers]]\ntype = \"velocity\"\nbody = \"b\"\nvelocity = [0.5, 0.1]\n";
    for (const std::string method : {"nscd", "dem"}) {
        auto simulation = simulation_of<2>(cloud_scene<2>({.method = method, .more = led, .dt = 1e-4}),
                                           {"bodies[0].position=[-0.1, -0.03]"});
        advance(simulation, 0.1);
        const double work = std::abs(simulation.energy.driver_work);
        EXPECT_GT(work, 1e-3) << method;
        // the rest is the scheme's: of second order in contact dynamics; smooth contact counts work at the ends of
        // steps
        EXPECT_LT(std::abs(simulation.energy_imbalance()), (method == "dem" ? 1e-2 : 1e-3) * work) << method;
    }
}

// stiff enough to bear what balls of this density attract each other with
std::vector<std::string> sets_of(const std::string& method)
{
    return method == "dem" ? std::vector<std::string>{"dem.stiffness=1e6"} : std::vector<std::string>{};
}

// Bodies that come and go bring and take the energy they have in the field of the others.
TEST(LongRange, LedgerKnowsWhoComesAndGoes)
{
    const std::string more =
        "[[generators]]\ntype = \"feeder\"\nmaterial = \"glass\"\nradius = 0.01\nlower = [0.3, 0]\n"
        "upper = [0.4, 0.2]\nrate = 100\ncount = 5\n"
        "[[drivers]]\ntype = \"outlet\"\nlower = [-0.2, -0.2]\nupper = [0.05, 0.2]\nfrom = 0.02\n";
    for (const std::string method : {"nscd", "dem"}) {
        auto simulation =
            simulation_of<2>(cloud_scene<2>({.method = method, .driver = masses, .more = more}), sets_of(method));
        const double start = std::abs(simulation.potential_energy());
        const std::size_t before = simulation.bodies.size();
        advance(simulation, 0.1);
        EXPECT_NE(simulation.bodies.size(), before);
        EXPECT_LT(std::abs(simulation.energy_imbalance()), 1e-3 * start) << method;
        EXPECT_GT(std::abs(simulation.energy.fed), 0.1 * start) << method;
    }
}

// --- what is refused

TEST(LongRange, BodiesAtOnePlaceAreRefusedUnlessSoftened)
{
    const std::string same = cloud_scene<2>({}) +
                             "[[bodies]]\nname = \"c\"\nshape = \"disk\"\nradius = 0.01\nposition = [-0.1, "
                             "0.02]\nmaterial = \"glass\"\n";
    const std::string driver = "[[drivers]]\ntype = \"gravitation\"\n";
    const std::string refused = refusal<2>(same + driver);
    EXPECT_TRUE(has(refused, "bodies 0 and 1 are both at [-0.1, 0.02] m")) << refused;
    EXPECT_TRUE(has(refused, "softening > 0")) << refused;
    const std::string held = same + "motion = \"fixed\"\n"; // that they overlap is nobody's business then
    EXPECT_TRUE(has(refusal<2>(held + driver), "are both at [-0.1, 0.02] m"));
    EXPECT_EQ(refusal<2>(held + driver + "softening = 0.01\n"), "");
}

TEST(LongRange, KeysOutOfRangeOrOfAnotherAlgorithmAreRefused)
{
    const auto refused = [](const std::string& keys) {
        return refusal<2>(cloud_scene<2>({.driver = Cloud{}.driver + keys + "\n"}));
    };
    EXPECT_TRUE(has(refused("angle = 1.5"), "drivers[0].angle = 1.5")) << refused("angle = 1.5");
    EXPECT_TRUE(has(refused("angle = 1.5"), "(0, 1]")) << refused("angle = 1.5");
    EXPECT_TRUE(has(refused("angle = 0"), "(0, 1]")) << refused("angle = 0");
    EXPECT_TRUE(has(refused("cell = 0.1"), "has no effect with algorithm = \"tree\", only with \"cells\""));
    EXPECT_TRUE(has(refused("algorithm = \"direct\"\nangle = 0.3"), "only with \"tree\""));
    EXPECT_TRUE(has(refused("softening = -1"), "≥ 0")) << refused("softening = -1");
    EXPECT_EQ(refused("algorithm = \"cells\"\ncell = 0.1"), "");
}

TEST(LongRange, GroupsOfNobodyOrNamedTwiceAreRefused)
{
    const auto refused = [](const std::string& groups) {
        return refusal<2>(cloud_scene<2>({.driver = "type = \"charges\"\ngroups = [" + groups + "]\n"}));
    };
    EXPECT_TRUE(has(refused("{ body = \"z\", charge = 1 }"), "no body has this name"));
    EXPECT_TRUE(has(refused("{ body = \"a\", charge = 1 }, { body = \"a\", charge = 2 }"), "already"));
    EXPECT_NE(refused(""), "");
    EXPECT_TRUE(has(refused("{ body = \"a\", charge = \"1 kg\" }"), "a charge such as"))
        << refused("{ body = \"a\", charge = \"1 kg\" }");
}

} // namespace
} // namespace talus
