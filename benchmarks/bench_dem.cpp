#include "benchmarks/bench_dem.hpp"

#include "benchmarks/bench_scene.hpp"
#include "benchmarks/claims.hpp"
#include "benchmarks/other_codes.hpp"
#include "talus/base/stopwatch.hpp"
#include "talus/exec/parallel.hpp"
#include "talus/simulation/smooth_dem.hpp"

#include <fmt/format.h>

#include <cmath>

namespace talus::bench {

namespace {

constexpr double ball = 2e-3, hooke_dt = 5e-6; // [m] diameter, [s]
constexpr int parts = 200;                     // steps in a step of the clock, whatever the size
constexpr HookeLaw law{2000, 2000 * 2.0 / 7.0, 1000, 500, 0.5};
constexpr double skins[] = {0.03, 0.06, 0.12}; // of the ball: the best is taken, for each code

// Spheres of one size, dropped and rolled into a box with an open top, then settled for `settle` seconds.
Simulation<3> dense_spheres(int count, double clock_dt, OtherCase& with)
{
    const double width = std::cbrt(0.7 * count) * ball;
    with = {law, hooke_dt, Vec<3>::Zero(), Vec<3>(width, width, 3 * width)};
    const std::string scene = fmt::format(
        "[scene]\nname = \"dense spheres\"\ndimension = 3\nmethod = \"dem\"\ndt = {}\nduration = 1\n"
        "[materials]\nglass = {{ density = 2500 }}\n[contact]\nfriction = {}\nrestitution = 0.5\n"
        "[dem]\n{}dt = {}\nforce_dt = true\n"
        "[[generators]]\ntype = \"container\"\nlower = [0, 0, 0]\nupper = {}\nopen = [\"top\"]\nmaterial = "
        "\"glass\"\n[[generators]]\ntype = \"deposit\"\nradius = {}\nlower = [0, 0, 0]\nupper = {}\ncount = "
        "{}\nmaterial = \"glass\"\n[[drivers]]\ntype = \"gravity\"\n",
        clock_dt, law.friction, law.keys(), hooke_dt, vector_text<3>(width, 3 * width), ball / 2,
        vector_text<3>(width, 3 * width), count);
    return simulation_of_text<3>(scene);
}

// Particle steps a second of ours, the best of some repeats.
double own_rate(Simulation<3>& simulation, int count, int repeats)
{
    double best = 0;
    for (int repeat = 0; repeat < repeats; ++repeat) {
        Stopwatch watch;
        simulation.step();
        const double made = simulation.clock.dt / hooke_dt;
        best = std::max(best, made * count / watch.seconds());
    }
    return best;
}

std::optional<double> other_rate(const OtherCode& code, const OtherCase& with, const std::filesystem::path& folder,
                                 int count, int asked, int ranks)
{
    std::optional<double> best;
    for (const double skin : skins) {
        const auto seconds = seconds_of(code, with, folder, skin * ball, asked, ranks);
        if (seconds) best = std::max(best.value_or(0), double(asked) * count / *seconds);
    }
    return best;
}

// One size on one and on two threads, beside those that are installed.
double measure_size(int count, const Options& options, Report& report)
{
    const std::string path = fmt::format("3d/spheres/{}", count);
    const std::filesystem::path folder = std::filesystem::temp_directory_path() / fmt::format("talus-dem-{}", count);
    OtherCase with;
    Simulation<3> simulation = dense_spheres(count, parts * hooke_dt, with);
    const int settle = count > 200000 ? 10 : 50, asked = count > 200000 ? 40 : 200;
    for (int step = 0; step < settle; ++step) simulation.step();
    report.say(fmt::format("{}: {} contacts, {:.2f} a grain", path, simulation.contacts.size(),
                           double(simulation.contacts.size()) / count));
    write_balls(simulation, with, folder);
    const int most = thread_count();
    double alone = 0;
    for (const int threads : {1, 2}) {
        if (threads > most) continue;
        set_thread_count(threads);
        const double own = own_rate(simulation, count, options.quick ? 2 : 5);
        if (threads == 1) alone = own;
        const std::string where = fmt::format("{}/{}", path, threads == 1 ? "one" : "two");
        report.add(where + "/talus", "particle_steps_per_second", own, "1/s");
        for (const OtherCode& code : {lammps, liggghts}) {
            if (!code.is_installed()) {
                report.say(fmt::format("{} is not installed (Debian package {}): not compared", code.name, code.name));
                continue;
            }
            const auto other = other_rate(code, with, folder, count, asked, threads);
            if (!other) {
                report.say(fmt::format("{} failed on {}", code.name, where));
                continue;
            }
            report.add(where + "/" + code.name, "particle_steps_per_second", *other, "1/s");
            report.add(where, "ratio_to_" + code.name, own / *other, "");
            if (code.name == "lammps" && count >= 100000)
                judge_above(report, {where, "particle steps a second over LAMMPS'", "ratio_to_lammps_judged"},
                            own / *other, 1.5);
        }
    }
    set_thread_count(most);
    std::filesystem::remove_all(folder);
    return 1 / alone;
}

// A few grains that collide, slide and roll in free space: places after 2000 steps against LAMMPS'.
void compare_paths(int count, Report& report)
{
    std::string bodies;
    for (int k = 0; k < count; ++k) {
        const double turn = 2.4 * k, out = k == 0 ? 0 : ball * (0.6 + 0.12 * k);
        bodies += fmt::format(
            "[[bodies]]\nshape = \"sphere\"\nmaterial = \"glass\"\nradius = {}\nposition = [{}, {}, {}]\n"
            "velocity = [{}, {}, {}]\nspin = [{}, {}, {}]\n",
            ball * (0.4 + 0.02 * (k % 5)), out * std::cos(turn), out * std::sin(turn), 1.1 * ball * (k % 3),
            -0.3 * std::cos(turn), -0.3 * std::sin(turn), 0.05 * (k % 2), 10.0 * (k % 4), -7.0 * (k % 3), 5.0);
    }
    Simulation<3> simulation = simulation_of_text<3>(fmt::format(
        "[scene]\nname = \"a few grains\"\ndimension = 3\nmethod = \"dem\"\ndt = 0.01\nduration = 1\n"
        "[materials]\nglass = {{ density = 2500 }}\n[contact]\nfriction = {}\nrestitution = 0.5\n"
        "[quality]\nstart_overlap = 0.2\n[dem]\n{}dt = {}\nforce_dt = true\n{}[[drivers]]\ntype = \"gravity\"\n",
        law.friction, law.keys(), hooke_dt, bodies));
    const double room = 40 * ball;
    const OtherCase with{law, hooke_dt, Vec<3>::Constant(-room), Vec<3>::Constant(room), false};
    const std::filesystem::path folder = std::filesystem::temp_directory_path() / "talus-dem-paths";
    write_balls(simulation, with, folder);
    const std::vector<Vec<3>> others = places_after(lammps, with, folder, 0.1 * ball, 2000);
    simulation.step();
    double worst = 0;
    for (std::size_t i = 0; i < others.size() && i < simulation.bodies.size(); ++i) {
        worst = std::max(worst, (others[i] - simulation.bodies.position[i]).norm() / ball);
    }
    if (others.size() != simulation.bodies.size()) {
        report.say("LAMMPS did not answer: paths not compared");
        return;
    }
    judge_below(report, {fmt::format("3d/spheres/paths/{}", count), "places apart from LAMMPS', in diameters", "apart"},
                worst, 1e-9);
    std::filesystem::remove_all(folder);
}

} // namespace

void bench_dem(const Options& options, Report& report)
{
    if (lammps.is_installed()) {
        for (const int count : {2, 10}) compare_paths(count, report);
    }
    std::vector<double> sizes, costs;
    for (const int count : {10000, 100000, 1000000}) {
        if ((options.quick && count > 100000) || !options.wants(std::to_string(count))) continue;
        sizes.push_back(count);
        costs.push_back(count * measure_size(count, options, report));
    }
    if (sizes.size() > 1) {
        judge_below(report,
                    {"3d/spheres", "cost of a step grows with the number of grains to the power", "growth_exponent"},
                    growth_exponent(sizes, costs), 1.05);
    }
}

} // namespace talus::bench
