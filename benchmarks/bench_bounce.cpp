#include "benchmarks/bench_bounce.hpp"

#include "benchmarks/bench_scene.hpp"
#include "talus/base/error.hpp"
#include "talus/base/random.hpp"
#include "talus/base/stopwatch.hpp"
#include "talus/math/random_rotation.hpp"
#include "talus/simulation/smooth_dem.hpp"

#include <algorithm>
#include <cmath>

namespace talus::bench {

namespace {

constexpr double edge = 0.1;      // [m]
constexpr int random_turns = 20;  // seeds 1 to 20
constexpr double most_time = 1.0; // [s] for a cube to leave

struct Attitude {
    std::string name;
    std::vector<Rotation<3>> turns; // of the cube that comes from above
};

std::vector<Attitude> attitudes(bool quick)
{
    const double corner_tilt = std::acos(1 / std::sqrt(3.0)); // about the horizontal across the diagonal (1, 1, 1)
    std::vector<Attitude> all = {{"face", {{}}},
                                 {"edge", {Rotation<3>::from_vector({0.25 * M_PI, 0, 0})}},
                                 {"corner", {Rotation<3>::from_vector(corner_tilt * Vec<3>(1, -1, 0).normalized())}},
                                 {"random", {}}};
    for (int seed = 1; seed <= (quick ? 5 : random_turns); ++seed) {
        Random random{std::uint64_t(seed)};
        all.back().turns.push_back(random_rotation<3>(random));
    }
    return all;
}

struct Case {
    std::string overlap; // "points" or "volume"
    std::string below;   // "floor", "cube" for the middle of a cube's face, "rim" for the edge of that face
};

std::string scene_of(const Case& with, const std::string& dem, int count)
{
    std::string text =
        fmt::format("[scene]\ndimension = 3\nmethod = \"dem\"\ndt = 1e-3\nduration = 10\n"
                    "[materials]\nstone = {{ density = 2500 }}\n[contact]\nfriction = 0\nrestitution = 1\n"
                    "[dem]\noverlap = \"{}\"\ndamping = \"none\"\ntangential = \"none\"\nfastest = 1\n{}\n",
                    with.overlap, dem);
    for (int k = 0; k < count; ++k) {
        text += fmt::format("[[bodies]]\nshape = \"box\"\nsize = [{0}, {0}, {0}]\nposition = [{1}, 0, 1]\n"
                            "material = \"stone\"\n",
                            edge, 3 * edge * k);
    }
    for (int k = 0; k < (with.below == "floor" ? 1 : count); ++k) {
        text += with.below == "floor"
                    ? "[[bodies]]\nshape = \"half_space\"\nnormal = [0, 0, 1]\n"
                    : fmt::format("[[bodies]]\nshape = \"box\"\nsize = [{0}, {0}, {0}]\nposition = [{1}, 0, {2}]\n",
                                  edge, 3 * edge * k, -0.5 * edge);
        text += "motion = \"fixed\"\nmaterial = \"stone\"\n";
    }
    return text;
}

// Puts cube k with its lowest corner at a height, a little beside the middle of what is below, or over its rim.
void put(Simulation<3>& simulation, const Case& with, std::size_t k, const Rotation<3>& turn, double height)
{
    const double beside = with.below == "rim" ? 0.49 : 0.11;
    const double low = box<3>({edge, edge, edge}).bounds(turn).lower[2];
    simulation.bodies.orientation[k] = turn;
    simulation.bodies.position[k] = {3 * edge * double(k) + beside * edge, 0.07 * edge, height - low};
}

struct Bounce {
    double change = 0; // of the kinetic energy, relative
    double depth = 0;  // [m] how far the lowest corner went below the surface
};

Bounce bounce(const Case& with, const Rotation<3>& turn, const Vec<3>& spin, double finer)
{
    const auto made = [&](const std::string& dem) { return simulation_of_text<3>(scene_of(with, dem, 1)); };
    const double dt = dynamic_cast<const SmoothDem<3>&>(*made("").engine).dt;
    Simulation<3> simulation = made(fmt::format("dt = {}", dt / finer));
    put(simulation, with, 0, turn, 0.02 * edge);
    simulation.bodies.velocity[0] = {0, 0, -1};
    simulation.bodies.spin[0] = spin;
    const double before = simulation.kinetic_energy();
    Bounce result;
    for (bool has_left = false, has_touched = false; !has_left;) {
        if (simulation.clock.time() > most_time) throw RunError("a cube that should bounce stays");
        simulation.step();
        const bool touches = simulation.contacts.size() > 0;
        has_touched = has_touched || touches;
        const Vec<3>& at = simulation.bodies.position[0];
        const double low = at[2] + box<3>({edge, edge, edge}).bounds(simulation.bodies.orientation[0]).lower[2];
        result.depth = std::max(result.depth, -low);
        // beside the rim it may go on downwards
        has_left = has_touched && !touches && std::abs(at[2]) > edge && at[2] * simulation.bodies.velocity[0][2] > 0;
    }
    result.change = simulation.kinetic_energy() / before - 1;
    return result;
}

// [µs] of a pair that touches, per evaluation, with all that a step has besides.
double time_per_contact(const Case& with, const Attitude& attitude)
{
    constexpr int pairs = 64;
    constexpr double step = 2e-6; // [s] 500 in a step of the clock: nothing moves far
    Simulation<3> simulation =
        simulation_of_text<3>(scene_of(with, fmt::format("stiffness = 1\ndt = {}", step), pairs));
    for (std::size_t k = 0; k < pairs; ++k)
        put(simulation, with, k, attitude.turns[k % attitude.turns.size()], -0.02 * edge);
    simulation.step();
    Stopwatch watch;
    constexpr int steps = 5;
    for (int k = 0; k < steps; ++k) simulation.step();
    return 1e6 * watch.lap() / (pairs * steps * simulation.clock.dt / step);
}

void study(const Case& with, const Attitude& attitude, Report& report)
{
    const std::string path = fmt::format("{}/{}/{}", with.below, with.overlap, attitude.name);
    for (const double finer : {1.0, 4.0}) {
        for (const bool spins : {false, true}) {
            double largest = 0, sum = 0, depth = 0;
            for (const Rotation<3>& turn : attitude.turns) {
                const Bounce result = bounce(with, turn, spins ? Vec<3>(3, -2, 1) : Vec<3>(0, 0, 0), finer);
                largest = std::max(largest, std::abs(result.change));
                sum += std::abs(result.change);
                depth = std::max(depth, result.depth);
            }
            const std::string name =
                fmt::format("{}/{}/{}", path, spins ? "spins" : "still", finer == 1 ? "dt" : "dt÷4");
            report.add(name, "largest_change", largest, "");
            report.add(name, "mean_change", sum / double(attitude.turns.size()), "");
            if (with.below == "floor") report.add(name, "deepest", depth / edge, "edges");
        }
    }
    report.add(path, "us_per_contact", time_per_contact(with, attitude), "µs");
}

} // namespace

void bench_bounce(const Options& options, Report& report)
{
    for (const char* below : {"floor", "cube", "rim"}) {
        for (const char* overlap : {"points", "volume"}) {
            for (const Attitude& attitude : attitudes(options.quick)) study({overlap, below}, attitude, report);
        }
    }
}

} // namespace talus::bench
