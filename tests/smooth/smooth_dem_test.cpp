// The smooth engine as a run sees it: bits for any number of threads, resumed runs, shapes of all kinds, bodies that
// come and leave.
#include "io/made_up_run.hpp"
#include "scene_pieces.hpp"
#include "scenes_in_tests.hpp"
#include "talus/exec/parallel.hpp"
#include "talus/io/runs/checkpoint.hpp"
#include "talus/io/runs/run_recorder.hpp"
#include "talus/simulation/run.hpp"
#include "talus/simulation/smooth_dem.hpp"

#include <fmt/format.h>

using namespace talus;

namespace {

using Run3 = Run<3>; // the name is taken in tests by googletest

std::string box_of_balls(int count, const std::string& dem = "", const std::string& more = "")
{
    return piece::start({.dimension = 3,
                         .dt = "1e-3",
                         .duration = "0.05",
                         .more = "method = \"dem\"",
                         .contact = "friction = 0.5\nrestitution = 0.4\nrolling_friction = 1e-4"}) +
           "[dem]\nstiffness = 2e4\n" + piece::lines(dem) + "[output]\nframes_every = 0.01\n" +
           piece::generator("container", "[0, 0, 0]", "[0.2, 0.2, 0.8]", "name = \"box\"\nopen = [\"top\"]") +
           piece::generator("deposit", "[0, 0, 0]", "[0.2, 0.2, 0.8]",
                            fmt::format("radius = [0.004, 0.006]\ncount = {}\nname = \"grains\"", count)) +
           more + piece::gravity;
}

std::uint64_t bits(const std::string& scene, int threads, double until)
{
    const int before = thread_count();
    set_thread_count(threads);
    auto simulation = simulation_of<3>(scene);
    advance(simulation, until);
    set_thread_count(before);
    return simulation.state_hash();
}

} // namespace

TEST(SmoothDem, GivesTheSameBitsOnAnyNumberOfThreads)
{
    // walls that move are looked at by all threads, and are moved on with the last part
    const std::string moving = "[[drivers]]\ntype = \"velocity\"\nbody = \"box.bottom\"\nvelocity = [0.3, 0, 0.2]\n"
                               "[[drivers]]\ntype = \"velocity\"\nbody = \"box.left\"\nvelocity = [0.2, 0.1, 0]\n";
    for (const std::string& drivers : {std::string(), moving}) {
        const std::string scene =
            box_of_balls(7000, "", drivers); // seven parts, so that threads have something to share
        const std::uint64_t one = bits(scene, 1, 0.01);
        for (const int threads : {2, 3, 5}) EXPECT_EQ(bits(scene, threads, 0.01), one) << threads << drivers;
    }
}

// Every pair that touches is found, whatever the list: forces are those of the list of all pairs.
TEST(SmoothDem, DoesNotDependOnTheSkin)
{
    const std::string scene = box_of_balls(1500);
    const std::uint64_t automatic = bits(scene, 1, 0.02);
    for (const char* skin : {"skin = 1e-4", "skin = 2e-3", "skin = 1e-2"}) {
        EXPECT_EQ(bits(box_of_balls(1500, skin), 1, 0.02), automatic) << skin;
    }
}

TEST(SmoothDem, ResumesToTheBit)
{
    for (const IntegratorKind& kind : integrator_kinds()) {
        const std::string toml = box_of_balls(60, fmt::format("integrator = \"{}\"", kind.name));
        const scene::Value scene = checked(io::parse_scene(toml, "balls.toml"));
        const io::Scratch scratch;
        Run3 whole(assemble<3>(scene), plan_of(scene));
        whole.advance();
        Run3 begun(assemble<3>(scene), plan_of(scene));
        begun.observe(io::new_recorder(begun, scene, {scratch / "parts", "test"}));
        begun.advance_to(0.023);
        begun.stop_when([] { return RunEnd{"interrupted", "by the test", 0}; });
        begun.advance();
        Run3 resumed(assemble<3>(scene), plan_of(scene));
        io::read_checkpoint(scratch / "parts", resumed.simulation());
        resumed.advance();
        EXPECT_EQ(resumed.simulation().state_hash(), whole.simulation().state_hash()) << kind.name;
        EXPECT_EQ(resumed.simulation().energy.friction, whole.simulation().energy.friction) << kind.name;
        EXPECT_EQ(resumed.simulation().potential_energy(), whole.simulation().potential_energy()) << kind.name;
    }
}

// What it publishes is what acted: reactions are the sums of the contacts' forces, and floor and sides carry the weight
// of what lies at rest.
TEST(SmoothDem, PublishesContactsAndReactions)
{
    auto simulation = simulation_of<3>(box_of_balls(300));
    advance(simulation, 0.5);
    const BodyTable<3>& bodies = simulation.bodies;
    std::vector<Vec<3>> sum(bodies.size(), Vec<3>::Zero());
    for (std::size_t k = 0; k < simulation.contacts.size(); ++k) {
        const Vec<3> force = simulation.contacts.impulse[k] / simulation.clock.dt;
        sum[std::size_t(simulation.contacts.candidate[k])] += force;
        sum[std::size_t(simulation.contacts.antagonist[k])] -= force;
    }
    double weight = 0, carried = 0;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        EXPECT_LT((sum[i] - bodies.reaction[i]).norm(), 1e-12 * (1 + sum[i].norm())) << i;
        if (bodies.is_passive(i)) {
            carried -= bodies.reaction[i][2];
        } else {
            weight += bodies.mass[i] * 9.81;
        }
    }
    EXPECT_NEAR(carried / weight, 1, 2e-3); // what still moves after half a second
}

// A block stands on its four corners, a rod and a cluster lie, and nothing spins by itself.
TEST(SmoothDem, CarriesShapesOfAllKinds)
{
    auto simulation = simulation_of<3>(
        piece::start({.dimension = 3,
                      .dt = "1e-3",
                      .more = "method = \"dem\"",
                      .contact = "friction = 0.6\nrestitution = 0.3"}) +
        "[dem]\nstiffness = 1e6\n" + piece::floor(3) +
        piece::body("box", "name = \"block\"\nsize = [0.1, 0.1, 0.2]\nposition = [0, 0, 0.1001]") +
        piece::body("polyhedron",
                    "vertices = [[0, 0, 0], [0.1, 0, 0], [0, 0.1, 0], [0, 0, 0.1]]\nposition = [0.5, 0, 0.06]") +
        piece::body("sphere", "radius = 0.03\nposition = [-0.5, 0, 0.04]") + piece::gravity);
    advance(simulation, 1);
    for (std::size_t i = 0; i < simulation.bodies.size(); ++i) {
        EXPECT_LT(simulation.bodies.velocity[i].norm(), 1e-3) << i;
        EXPECT_LT(simulation.bodies.spin[i].norm(), 2e-2) << i;
    }
    EXPECT_NEAR(simulation.bodies.position[1][2], 0.1, 1e-4);
}

// A torque-free body of three unequal moments keeps its angular momentum, and its energy to the order of the scheme.
TEST(SmoothDem, LetsBodiesTumble)
{
    for (const char* integrator : {"leapfrog", "velocity_verlet", "runge_kutta", "gear", "newmark"}) {
        auto simulation = simulation_of<3>(
            piece::start({.dimension = 3, .dt = "1e-3", .more = "method = \"dem\"", .contact = "restitution = 0.5"}) +
            fmt::format("[dem]\nstiffness = 1e5\nfastest = 1\nintegrator = \"{}\"\n", integrator) +
            piece::body("box", "size = [0.1, 0.2, 0.3]\nposition = [0, 0, 5]\nspin = [3, 5, -2]"));
        const Vec<3> angular = simulation.angular_momentum();
        const double energy = simulation.kinetic_energy();
        advance(simulation, 1);
        EXPECT_LT((simulation.angular_momentum() - angular).norm(), 1e-3 * angular.norm()) << integrator;
        // leapfrog takes the spin in ω × L half a step late: h ω = 0.006 a turn
        EXPECT_NEAR(simulation.kinetic_energy() / energy, 1, 3e-3) << integrator;
    }
}

// Grains that are fed and leave through an outlet: the ledger still closes, histories stay with their pairs.
TEST(SmoothDem, LetsBodiesComeAndLeave)
{
    auto simulation = simulation_of<2>(
        piece::start({.dt = "1e-3", .more = "method = \"dem\"", .contact = "friction = 0.4\nrestitution = 0.3"}) +
        "[dem]\nstiffness = 1e6\nintegrator = \"velocity_verlet\"\n" + piece::floor(2) +
        piece::generator("feeder", "[-0.1, 0.4]", "[0.1, 0.8]", "radius = [0.01, 0.02]\nrate = 200\ncount = 60") +
        "[[drivers]]\ntype = \"outlet\"\nlower = [0.15, -0.1]\nupper = [2, 1]\n" + piece::gravity);
    advance(simulation, 1);
    EXPECT_GT(simulation.left.size(), 0u);
    EXPECT_LT(simulation.left.size(), 60u);
    EXPECT_EQ(simulation.bodies.size() + simulation.left.size(), 61u);
    EXPECT_LT(std::abs(simulation.energy_imbalance()), 0.01 * simulation.energy.dissipated());
}
