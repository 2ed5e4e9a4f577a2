// V21, V22: the mean stress from internal moments (MOREAU §4.2) against what the walls feel.
#include "scene_pieces.hpp"
#include "scenes_in_tests.hpp"
#include "talus/probes/internal_moment.hpp"

#include <fmt/format.h>

using namespace talus;

namespace {

// [a, b] in 2D, [a, a, b] in 3D
template <int D>
std::string vector_text(double across, double up)
{
    return D == 2 ? fmt::format("[{}, {}]", across, up) : fmt::format("[{0}, {0}, {1}]", across, up);
}

struct BoxText {
    std::string shape, size;
    int count = 40;
    double wall_friction = 0.4;
    std::string open = R"(["top"])";
};

template <int D>
std::string box_text(const BoxText& box)
{
    // a grain forgets its motion within about 5 ms
    const double drag = D == 2 ? 15 : 0.8, rotational = D == 2 ? 2e-4 : 3e-5;
    const std::string lower = vector_text<D>(0, 0), upper = vector_text<D>(0.1, 0.3);
    return piece::start({.dimension = D,
                         .more = "name = \"box of grains\"\nseed = 3",
                         .materials = "grain = { density = 1000 }\nwall = { density = 1000 }",
                         .contact = "friction = 0.4"}) +
           fmt::format("[[contact.pairs]]\nmaterials = [\"grain\", \"wall\"]\nfriction = {}\n", box.wall_friction) +
           piece::generator("container", lower, upper, "name = \"box\"\nopen = " + box.open, "wall") +
           piece::generator(
               "deposit", lower, upper,
               fmt::format("name = \"grains\"\nshape = \"{}\"\n{}\ncount = {}", box.shape, box.size, box.count),
               "grain") +
           fmt::format("[solver]\ntolerance = 1e-4\n[[drivers]]\ntype = \"drag\"\ncoefficient = {}\nrotational = {}\n",
                       drag, rotational);
}

const std::string gravity = "[[drivers]]\ntype = \"gravity\"\n";

// A wall that moves along one axis, pressed by a force; the drag on everything holds it back.
template <int D>
std::string pressed_wall(const std::string& name, int axis, double place, double force)
{
    Vec<D> normal = -Vec<D>::Unit(axis), position = place * Vec<D>::Unit(axis);
    const auto text = [](const Vec<D>& v) {
        return D == 2 ? fmt::format("[{}, {}]", v[0], v[1]) : fmt::format("[{}, {}, {}]", v[0], v[1], v[D - 1]);
    };
    return fmt::format(R"(
[[bodies]]
name = "{0}"
shape = "half_space"
normal = {1}
position = {2}
motion = ["{3}"]
mass = 1
material = "wall"

[[drivers]]
type = "force"
body = "{0}"
force = {4}
)",
                       name, text(normal), text(position), "xyz"[axis], text(force * normal));
}

template <int D>
double fastest(const Simulation<D>& simulation)
{
    double speed = 0;
    for (std::size_t i = 0; i < simulation.bodies.size(); ++i) {
        speed = std::max({speed, simulation.bodies.velocity[i].norm(), 0.01 * simulation.bodies.spin[i].norm()});
    }
    return speed;
}

template <int D>
void settle_roughly(Simulation<D>& simulation, double speed)
{
    for (int k = 0; k < 3000 && (k < 50 || fastest(simulation) > speed); ++k) simulation.step();
}

// Then with the referee, until two steps in a row end with nothing faster than `speed` [m/s]: at rest,
// not in the act of turning back.
template <int D>
void settle(Simulation<D>& simulation, double speed)
{
    settle_roughly(simulation, 1e-5);
    simulation.contact_dynamics().correction.reset(); // it would move centres after the contacts were found
    SolverOptions options;
    options.name = "newton";
    options.tolerance = 1e-10;
    simulation.use_solver(options);
    int at_rest = 0;
    for (int k = 0; k < 400 && at_rest < 2; ++k) {
        simulation.step();
        at_rest = fastest(simulation) < speed ? at_rest + 1 : 0;
    }
    EXPECT_EQ(at_rest, 2) << "still moves at " << fastest(simulation) << " m/s";
}

// What acts on the grains from outside: forces of walls at their contacts, weights at the centres. What is not balanced
// on each grain, force or moment, is what the two tensors and their symmetry may differ by.
template <int D>
struct Boundary {
    Mat<D> moment = Mat<D>::Zero(); // [N m]
    double unbalance = 0;           // [N m]
};

template <int D>
Boundary<D> boundary_of(const Simulation<D>& simulation)
{
    const Sample<D> sample{simulation.bodies, simulation.shapes};
    Boundary<D> boundary;
    for (std::size_t k = 0; k < simulation.contacts.size(); ++k) {
        const Vec<D> force = simulation.contacts.impulse[k] / simulation.clock.dt;
        const bool is_candidate = sample.is_grain(std::size_t(simulation.contacts.candidate[k]));
        if (is_candidate && sample.is_grain(std::size_t(simulation.contacts.antagonist[k]))) continue;
        boundary.moment += (is_candidate ? force : Vec<D>(-force)) * simulation.contacts.point[k].transpose();
    }
    for (std::size_t i = 0; i < simulation.bodies.size(); ++i) {
        if (!sample.is_grain(i)) continue;
        const Vec<D>& load = simulation.bodies.force[i];
        boundary.moment += load * simulation.bodies.position[i].transpose();
        boundary.unbalance += (load + simulation.bodies.reaction[i]).norm() * simulation.bodies.position[i].norm() +
                              simulation.bodies.reaction_torque[i].norm();
    }
    return boundary;
}

template <int D>
Mat<D> total_moment(const Simulation<D>& simulation)
{
    Mat<D> sum = Mat<D>::Zero();
    for (const Mat<D>& moment :
         internal_moments<D>({simulation.bodies, simulation.shapes}, simulation.contacts, simulation.clock.dt)) {
        sum += moment;
    }
    return sum;
}

template <int D>
void expect_boundary_moment(const std::string& text)
{
    Simulation<D> simulation = simulation_of<D>(text);
    settle(simulation, 1e-9);
    const Mat<D> inside = total_moment(simulation);
    const Boundary<D> outside = boundary_of(simulation);
    EXPECT_LT(inside.trace(), 0) << "under compression";
    EXPECT_LT(outside.unbalance, 1e-4 * inside.norm()) << "at rest";
    EXPECT_LE((inside - outside.moment).norm(), 1e-8 * inside.norm() + outside.unbalance);
    EXPECT_LE((inside - inside.transpose()).norm(), 1e-8 * inside.norm() + 2 * outside.unbalance);
}

const std::string disks = "radius = [0.004, 0.006]", polygons = "size = [0.008, 0.011]";
const std::string spheres = "radius = [0.009, 0.012]", polyhedra = "size = [0.018, 0.024]";

TEST(V22MeanStress, EqualsTheMomentOfWallsAndWeightsUnderGravity2D)
{
    expect_boundary_moment<2>(box_text<2>({.shape = "disk", .size = disks}) + gravity);
    expect_boundary_moment<2>(box_text<2>({.shape = "polygon", .size = polygons, .count = 25}) + gravity);
}
TEST(V22MeanStress, EqualsTheMomentOfWallsAndWeightsUnderGravity3D)
{
    expect_boundary_moment<3>(box_text<3>({.shape = "sphere", .size = spheres}) + gravity);
    expect_boundary_moment<3>(box_text<3>({.shape = "polyhedron", .size = polyhedra, .count = 12}) + gravity);
}

TEST(V22MeanStress, EqualsTheMomentOfTheWallsWithoutGravity2D)
{
    expect_boundary_moment<2>(box_text<2>({.shape = "polygon", .size = polygons, .count = 25}) +
                              pressed_wall<2>("lid", 1, 0.1, 10));
}
TEST(V22MeanStress, EqualsTheMomentOfTheWallsWithoutGravity3D)
{
    expect_boundary_moment<3>(box_text<3>({.shape = "polyhedron", .size = polyhedra, .count = 20}) +
                              pressed_wall<3>("lid", 2, 0.2, 10));
}

// Two walls press on two that are fixed, all of them smooth.
TEST(V21BiaxialBox, StressFromTheWallsIsThatOfTheInternalMoments)
{
    Simulation<2> simulation = simulation_of<2>(
        box_text<2>({.shape = "disk", .size = disks, .count = 100, .wall_friction = 0, .open = R"(["top", "right"])"}) +
        pressed_wall<2>("lid", 1, 0.115, 200) + pressed_wall<2>("side", 0, 0.105, 250));
    settle(simulation, 1e-6);
    const auto wall = [&](const std::string& name) {
        for (const BodyGroup& group : simulation.groups) {
            if (group.name == name) return std::size_t(group.first);
        }
        throw std::logic_error("no wall " + name);
    };
    const double width = simulation.bodies.position[wall("side")][0];
    const double height = simulation.bodies.position[wall("lid")][1];
    const Mat<2> stress = total_moment(simulation) / (width * height);
    const double across = -simulation.bodies.reaction[wall("side")][0] / height;
    const double along = -simulation.bodies.reaction[wall("lid")][1] / width;
    EXPECT_NEAR(stress(0, 0), across, 0.01 * std::abs(across));
    EXPECT_NEAR(stress(1, 1), along, 0.01 * std::abs(along));
    EXPECT_NEAR(across, -250 / height, 0.01 * 250 / height) << "the pressure asked for";
    EXPECT_NEAR(along, -200 / width, 0.01 * 200 / width);
}

} // namespace
