// The published benchmark of open-source DEM codes (Dosta et al., Computer Physics Communications 296 (2024) 109066):
// an impact, a silo and a drum, beside what the codes found; scenes/benchmark/data/README.md says whence that comes.
// Beds of our own settle soft (E/100), then at E/10, then as they are: a step of 1/10 in E sets little energy free.
// Long cases take twice the published step, a fifteenth of the shortest contact; the impact on the given bed is run
// with both, to show what that changes.
#include "benchmarks/bench_dosta.hpp"

#include "benchmarks/bench_scene.hpp"
#include "benchmarks/claims.hpp"
#include "benchmarks/figures.hpp"
#include "benchmarks/kept_run.hpp"
#include "benchmarks/measures.hpp"
#include "talus/io/scenes/scene_file.hpp"
#include "talus/simulation/scene_schema.hpp"

#include <fmt/format.h>

#include <cmath>

namespace talus::bench {

namespace fs = std::filesystem;

namespace {

using Sets = std::vector<std::string>;

constexpr double start_height = 0.06, floor_height = -0.0902431; // [m] of the ball, of the box
constexpr double box_area = 0.098 * 0.060;                       // [m²]
constexpr double orifice_height = -0.0554222;                    // [m]
constexpr double plate_leaves = 0.021;                           // [s] of the discharge

// A scene of the benchmark that is changed before it is checked.
class CaseScene {
  public:
    explicit CaseScene(const std::string& name)
        : root_(io::read_scene(scenes_folder() / "benchmark" / (name + ".toml")))
    {
    }

    // Bodies come from the last frame of that run; with those of the scene, or without.
    CaseScene& begin_with(const fs::path& run)
    {
        root_.set("generators", scene::Value(scene::Value::List{}));
        root_.set(
            "start",
            io::parse_scene(fmt::format("[start]\nrun = \"{}\"\n", fs::absolute(run).string()), "bench").at("start"));
        return *this;
    }
    CaseScene& without(const std::string& section)
    {
        root_.set(section, scene::Value(scene::Value::List{}));
        return *this;
    }
    CaseScene& with_driver(const std::string& toml)
    {
        root_.at("drivers").list().push_back(io::parse_scene("[[drivers]]\n" + toml, "bench").at("drivers").list()[0]);
        return *this;
    }
    CaseScene& with_generator(std::size_t place, const std::string& toml)
    {
        root_.at("generators").list()[place] =
            io::parse_scene("[[generators]]\n" + toml, "bench").at("generators").list()[0];
        return *this;
    }
    scene::Value checked(const Sets& sets)
    {
        io::apply_overrides(root_, sets);
        std::vector<Mistake> mistakes = check_scene(root_);
        if (!mistakes.empty()) throw InputError(std::move(mistakes));
        return root_;
    }

  private:
    scene::Value root_;
};

// How long a stage is, and that it leaves few frames: a piece of a run must be cheap to carry.
Sets lasting(double duration, double clock_dt)
{
    return {fmt::format("scene.duration={}", duration), fmt::format("scene.dt={}", clock_dt),
            fmt::format("output.frames_every={}", duration), fmt::format("output.series_every={}", duration / 20),
            "output.checkpoint_every=60 s"};
}

// Moduli divided by `share`; steps grow as its root.
Sets softened(double share, double dem_dt)
{
    return {fmt::format("materials.M1.young={}", 1e9 / share), fmt::format("materials.steel.young={}", 210e9 / share),
            fmt::format("dem.dt={}", dem_dt), "dem.force_dt=true"};
}

// [s] published, of the impact, the silo and the drum
constexpr double impact_dt = 5e-7, silo_dt = 1.5e-6, drum_dt = 8e-7;
Sets twice(double dt) { return {fmt::format("dem.dt={}", 2 * dt), "dem.force_dt=true"}; }

Sets operator+(Sets sets, const Sets& more)
{
    sets.insert(sets.end(), more.begin(), more.end());
    return sets;
}

// What the codes found, for a plot beside ours.
std::vector<report::Curve> published(const std::string& file, const std::map<std::string, std::string>& names)
{
    const Table table = read_table(scenes_folder() / "benchmark/data" / file);
    std::vector<report::Curve> curves;
    for (const auto& [name, column] : names) {
        curves.push_back({name, table.times, table.columns.at(column), true, -1});
    }
    return curves;
}

struct Study {
    const Options& options;
    Report& report;

    fs::path folder(const std::string& name) const
    {
        const fs::path all = options.quick ? "out/bench-dosta-quick" : "out/bench-dosta";
        fs::create_directories(all);
        return all / name;
    }
    // Ours, and those of others as far as ours goes.
    void draw(const std::string& name, const std::string& title, const std::string& quantity, const Table& kept,
              const std::string& column, std::vector<report::Curve> others) const
    {
        for (report::Curve& curve : others) {
            const std::size_t within =
                std::size_t(std::ranges::upper_bound(curve.x, kept.times.back() + 1e-9) - curve.x.begin());
            curve.x.resize(within);
            curve.y.resize(within);
        }
        others.insert(others.begin(), {"Talus", kept.times, kept.columns.at(column), false, -1});
        write_figure(options, "dosta-" + name, {title, "time [s]", quantity, false, false, std::move(others)});
    }
    double time(double full, double quick) const { return options.quick ? quick : full; }

    KeptRun run(const std::string& name, const scene::Value& scene, const KeptColumns& columns) const
    {
        const KeptRun kept = keep_run(folder(name), scene, columns);
        if (kept.particle_steps_per_second > 0) {
            report.add(name, "particle_steps_per_second", kept.particle_steps_per_second, "1/s");
        }
        return kept;
    }
};

// Unit checks: as printed by those who recomputed them, to the last digit.
void check_units(Report& report)
{
    const auto advance = [](Simulation<3>& simulation, int count) {
        for (int k = 0; k < count; ++k) simulation.step();
    };
    {
        Simulation<3> simulation = simulation_of<3>("bounce-m1-on-steel");
        advance(simulation, 121);
        const std::string path = "bounce-m1-on-steel";
        judge(report, {path, "height after 121 steps", "z", "m"}, simulation.bodies.position[0][2], 1.0072402e-3,
              5e-11);
        judge(report, {path, "velocity after 121 steps", "vz", "m/s"}, simulation.bodies.velocity[0][2], 0.401075,
              5e-7);
    }
    Simulation<3> simulation = simulation_of<3>("slide-steel-on-m1");
    advance(simulation, 10001);
    const std::string path = "slide-steel-on-m1";
    const Vec<3>& place = simulation.bodies.position[0];
    judge(report, {path, "way after 10001 steps", "x", "m"}, place[0], 5.00201149e-5, 5e-14);
    judge(report, {path, "height after 10001 steps", "z", "m"}, place[2], 9.99977169e-4, 5e-13);
    judge(report, {path, "velocity after 10001 steps", "vx", "m/s"}, simulation.bodies.velocity[0][0], 0.02000311,
          5e-9);
    judge(report, {path, "spin after 10001 steps", "omega_y", "rad/s"}, simulation.bodies.spin[0][1], 12.4983, 5e-5);
    report.say(fmt::format("  digits: x = {:.9g}, z = {:.9g}, vx = {:.8g}, omega_y = {:.6g}", place[0], place[2],
                           simulation.bodies.velocity[0][0], simulation.bodies.spin[0][1]));
}

// The ball: its height and its way down.
KeptColumns ball_columns(const scene::Value& scene)
{
    return {{"z_m", "displacement_m"}, scene.at("scene").at("dt").number() * 2, [](const Simulation<3>& simulation) {
                const double height = simulation.bodies.position[body_named(simulation, "ball")][2];
                return std::vector<double>{height, height - start_height};
            }};
}

struct Impact {
    double lowest = 0, at_end = 0; // [m] displacement of the ball
};

Impact fall(const Study& study, const std::string& name, CaseScene scene, const Sets& step,
            std::vector<report::Curve> others)
{
    const scene::Value checked = scene.checked(lasting(study.time(0.1, 1e-3), 1e-4) + step);
    const KeptRun kept = study.run(name, checked, ball_columns(checked));
    const std::vector<double>& way = kept.columns.at("displacement_m");
    const Impact impact{std::ranges::min(way), way.back()};
    study.report.add(name, "lowest", impact.lowest, "m");
    study.report.add(name, "at_end", impact.at_end, "m");
    study.draw(name, "displacement of the ball", "displacement [m]", kept, "displacement_m", std::move(others));
    return impact;
}

std::vector<report::Curve> given_bed()
{
    return published("impact_rerun.csv", {{"LIGGGHTS", "25k_LIGGGHTS_disp_m"}, {"MUSEN", "25k_MUSEN_disp_m"}});
}
std::vector<report::Curve> deep_bed()
{
    return published("impact_rerun.csv", {{"LIGGGHTS", "100k_LIGGGHTS_disp_m"}, {"MUSEN", "100k_MUSEN_disp_m"}});
}

void impact_on_given_bed(const Study& study)
{
    const Impact impact = fall(study, "impact25k", CaseScene("impact-25k"), {}, given_bed());
    fall(study, "impact25k-twice", CaseScene("impact-25k"), twice(impact_dt), given_bed());
    study.report.say("  seven codes over ten beds: lowest -0.1383 to -0.1389, sd 0.0002; on this bed LIGGGHTS -0.1389, "
                     "MUSEN -0.1380, at the end -0.0128 and -0.0220 (chaotic)");
    if (study.options.quick) return;
    judge(study.report, {"impact25k", "lowest displacement against the codes", "lowest_claim", "m"}, impact.lowest,
          -0.1385, 0.001);
}

// Solid fraction of a bed, whose height is twice that of its centre above the floor.
KeptColumns bed_columns()
{
    return {{"grains", "solid_fraction", "fastest_mps"}, 2e-3, [](const Simulation<3>& simulation) {
                double grains = 0, height = 0, fastest = 0;
                for (std::size_t i = 0; i < simulation.bodies.size(); ++i) {
                    if (simulation.bodies.is_passive(i)) continue;
                    grains += 1;
                    height += simulation.bodies.position[i][2] - floor_height;
                    fastest = std::max(fastest, simulation.bodies.velocity[i].norm());
                }
                const double volume = grains * ball_volume<3>(1e-3);
                return std::vector<double>{grains, volume / (2 * height / grains * box_area), fastest};
            }};
}

struct Bed {
    std::string name;
    int grains, seed;
    double friction;       // between grains while they settle: less of it is denser
    double high;           // [m] of the rain
    double soft;           // [s] that it settles for
    double rolling = 0;    // [m] lever of rolling friction while they settle
    double sinks = 0;      // [m/s] no faster, in a fluid that is gone afterwards; 0: in nothing
    bool is_loose = false; // held by its friction while it settles: the true one acts from the start of the impact
};

// A bed that rained and settled; the folder of its last state.
fs::path settle(const Study& study, const Bed& bed)
{
    const Sets loosely = {fmt::format("contact.friction={}", bed.friction), fmt::format("scene.seed={}", bed.seed),
                          fmt::format("contact.rolling_friction={}", bed.rolling)};
    const std::string rain = fmt::format("name = \"bed\"\ntype = \"random\"\nradius = 1e-3\nmaterial = \"M1\"\n"
                                         "count = {}\nlower = [-0.049, -0.030, {}]\nupper = [0.049, 0.030, {}]\n",
                                         bed.grains, floor_height, floor_height + bed.high);
    const auto stage = [&](const std::string& of, CaseScene scene, const Sets& sets) {
        const KeptRun kept =
            study.run(bed.name + "-" + of, scene.without("bodies").without("gauges").checked(sets), bed_columns());
        study.report.add(bed.name + "-" + of, "solid_fraction", kept.columns.at("solid_fraction").back(), "");
        study.report.add(bed.name + "-" + of, "fastest", kept.columns.at("fastest_mps").back(), "m/s");
        return study.folder(bed.name + "-" + of);
    };
    CaseScene raining("impact-25k");
    raining.with_generator(1, rain);
    if (bed.sinks > 0) {
        const double weight = 2500 * ball_volume<3>(1e-3) * 9.81; // [N]
        raining.with_driver(fmt::format("type = \"drag\"\ncoefficient = {}\n", weight / bed.sinks));
    }
    const fs::path soft =
        stage("soft", raining,
              lasting(study.time(bed.soft, 4e-3), 1e-4) + softened(100, bed.sinks > 0 ? 1e-5 : 5e-6) + loosely);
    const fs::path firm = stage("firm", CaseScene("impact-25k").begin_with(soft),
                                lasting(study.time(0.03, 2e-3), 3e-5) + softened(10, 1.5e-6) + loosely);
    if (bed.is_loose) return firm;
    return stage("true", CaseScene("impact-25k").begin_with(firm),
                 lasting(study.time(0.02, 1e-3), 1e-4) + twice(impact_dt));
}

void impact_on_own_beds(const Study& study)
{
    double mean = 0, lowest = 0;
    const int beds = study.options.quick ? 1 : 3;
    bool all = true;
    for (int seed = 1; seed <= beds; ++seed) {
        const std::string name = fmt::format("beds-{}", seed);
        if (!study.options.wants(name)) {
            all = false;
            continue;
        }
        const fs::path bed = settle(study, {name, study.options.quick ? 2500 : 25000, seed, 0.15, 0.09, 0.25});
        const Impact impact = fall(study, name + "-impact", CaseScene("impact-25k").begin_with(bed), twice(impact_dt),
                                   published("impact25k_codes.csv", {{"LIGGGHTS", "LIGGGHTS_mean_m"},
                                                                     {"MercuryDPM", "MercuryDPM_mean_m"},
                                                                     {"MFiX", "MFiX_mean_m"},
                                                                     {"MUSEN", "MUSEN_mean_m"}}));
        mean += impact.at_end / beds;
        lowest += impact.lowest / beds;
    }
    if (study.options.quick || !all) return;
    study.report.say("  codes over ten beds at 0.1 s: -0.0441 to -0.0530 (Yade -0.0668), sd over beds 0.0098");
    judge(study.report, {"beds", "mean displacement at 0.1 s on three beds", "mean_at_end", "m"}, mean, -0.049, 0.010);
    judge(study.report, {"beds", "mean lowest displacement on three beds", "mean_lowest", "m"}, lowest, -0.1385, 0.001);
}

// The bed of the codes was loose: 132.2 mm of it, solid fraction 0.54.
void impact_on_deep_bed(const Study& study)
{
    const fs::path bed = settle(study, {.name = "impact100k-bed",
                                        .grains = study.options.quick ? 10000 : 100000,
                                        .seed = 1,
                                        .friction = 1,
                                        .high = study.time(0.28, 0.1),
                                        .soft = 1.2,
                                        .rolling = 5e-5,
                                        .sinks = 0.15,
                                        .is_loose = true});
    const Impact impact =
        fall(study, "impact100k", CaseScene("impact-25k").begin_with(bed), twice(impact_dt), deep_bed());
    study.report.say("  at 0.1 s: LIGGGHTS -0.0908, MUSEN -0.0905 on the original bed, solid fraction about 0.54");
    if (study.options.quick) return;
    judge(study.report, {"impact100k", "displacement at 0.1 s", "at_end_claim", "m"}, impact.at_end, -0.0907, 0.003);
}

KeptColumns silo_columns()
{
    return {{"above_orifice", "fastest_mps"}, 6e-3, [](const Simulation<3>& simulation) {
                double above = 0, fastest = 0;
                for (std::size_t i = 0; i < simulation.bodies.size(); ++i) {
                    if (simulation.bodies.is_passive(i)) continue;
                    above += simulation.bodies.position[i][2] > orifice_height;
                    fastest = std::max(fastest, simulation.bodies.velocity[i].norm());
                }
                return std::vector<double>{above, fastest};
            }};
}

// The plate goes: grains that leave in a second [1/s], between 0.5 and 1 s.
double discharge(const Study& study, const std::string& name, const fs::path& bed, const Sets& step)
{
    KeptRun kept = study.run(name,
                             CaseScene("silo-large")
                                 .without("bodies")
                                 .begin_with(bed)
                                 .checked(lasting(study.time(1.0245, 3e-3), 1.5e-3) + step +
                                          Sets{fmt::format("drivers[1].from={}", plate_leaves)}),
                             silo_columns());
    if (study.options.quick) return 0;
    std::vector<double> times, counts;
    for (std::size_t k = 0; k < kept.times.size(); ++k) {
        const double open = kept.times[k] - plate_leaves;
        if (open < 0.5 || open > 1) continue;
        times.push_back(open);
        counts.push_back(kept.columns.at("above_orifice")[k]);
    }
    const double rate = -fitted_line(times, counts).slope;
    study.report.add(name, "rate", rate, "1/s");
    for (double& time : kept.times) time -= plate_leaves;
    study.draw(name, "grains in the silo", "grains above the orifice", kept, "above_orifice",
               published("silo_rerun.csv", {{"LIGGGHTS", "large_M1_LIGGGHTS_N"}, {"MUSEN", "large_M1_MUSEN_N"}}));
    return rate;
}

void silo(const Study& study)
{
    const Sets closed = {"drivers[1].from=1000"};
    study.run("silo-soft",
              CaseScene("silo-large").checked(lasting(study.time(0.6, 6e-3), 1.5e-4) + softened(100, 1.5e-5) + closed),
              silo_columns());
    study.run("silo-firm",
              CaseScene("silo-large")
                  .without("bodies")
                  .begin_with(study.folder("silo-soft"))
                  .checked(lasting(study.time(0.03, 3e-3), 1.5e-4) + softened(10, 5e-6) + closed),
              silo_columns());
    const double rate = discharge(study, "silo", study.folder("silo-firm"), twice(silo_dt));
    study.report.say("  LIGGGHTS 25050, MUSEN 24620, a GPU code 24950 grains per second between 0.5 and 1 s");
    if (study.options.quick) return;
    judge_between(study.report, {"silo", "grains per second, 0.5 to 1 s", "rate_claim", "1/s"}, rate, 0.97 * 24600,
                  1.03 * 25050);
}

KeptColumns drum_columns()
{
    return {{"z1_m1", "z1_m2", "z2_m1", "z2_m2"}, 4e-3, [](const Simulation<3>& simulation) {
                std::vector<double> counts(4, 0);
                const std::int32_t large = simulation.materials.index("M2");
                for (std::size_t i = 0; i < simulation.bodies.size(); ++i) {
                    if (simulation.bodies.is_passive(i)) continue;
                    const Vec<3>& place = simulation.bodies.position[i];
                    const std::size_t kind = simulation.bodies.material[i] == large;
                    counts[kind] += place[0] > 0 && place[2] > 0;
                    counts[2 + kind] += place[0] < 0 && place[2] < 0;
                }
                return counts;
            }};
}

struct Peak {
    double time, height;
};

// Of the parabola through what lies within `width` of the highest value.
Peak peak_of(const std::vector<double>& times, const std::vector<double>& values, double width)
{
    const std::size_t top = std::size_t(std::ranges::max_element(values) - values.begin());
    Mat<3> normal = Mat<3>::Zero();
    Vec<3> right = Vec<3>::Zero();
    for (std::size_t k = 0; k < times.size(); ++k) {
        const double t = times[k] - times[top];
        if (std::abs(t) > width) continue;
        const Vec<3> powers(1, t, t * t);
        normal += powers * powers.transpose();
        right += values[k] * powers;
    }
    const Vec<3> fit = normal.ldlt().solve(right);
    const double t = -fit[1] / (2 * fit[2]);
    return {times[top] + t, fit[0] + 0.5 * fit[1] * t};
}

Peak report_peak(const Study& study, const std::string& name, const KeptRun& kept)
{
    const Peak peak = peak_of(kept.times, kept.columns.at("z2_m1"), 0.06);
    study.report.add(name, "peak_time", peak.time, "s");
    study.report.add(name, "peak_count", peak.height, "");
    study.draw(name, "small grains low at the left of the drum", "M1 with x < 0, z < 0", kept, "z2_m1",
               published("drum_rerun.csv", {{"LIGGGHTS", "LIGGGHTS_z2_m1_N"}, {"MUSEN", "MUSEN_z2_m1_N"}}));
    return peak;
}

void drum(const Study& study)
{
    const KeptRun kept = study.run(
        "drum", CaseScene("drum").checked(lasting(study.time(0.688, 1.6e-3), 80e-6) + twice(drum_dt)), drum_columns());
    study.report.say("  first peak of M1 with x < 0, z < 0: LIGGGHTS 23250 at 0.637 s, MUSEN 23412 at 0.634 s");
    if (study.options.quick) return;
    const Peak peak = report_peak(study, "drum", kept);
    judge(study.report, {"drum", "time of the first peak", "peak_time_claim", "s"}, peak.time, 0.635, 0.03 * 0.635);
    judge(study.report, {"drum", "M1 in zone 2 at the first peak", "peak_count_claim", ""}, peak.height, 23300,
          0.03 * 23300);
}

// The same cases by contact dynamics: bodies that do not give way, and steps by the motion.
Sets rigid(double dt) { return {"scene.method=nscd", fmt::format("scene.dt={}", dt)}; }

void by_contact_dynamics(const Study& study)
{
    const auto has_bed = [&](const std::string& name, const std::string& bed) {
        if (!study.options.wants(name)) return false;
        const bool is_there = fs::exists(study.folder(bed));
        if (!is_there) study.report.say(fmt::format("  {} begins with {}, which is not there: not run", name, bed));
        return is_there;
    };
    if (study.options.wants("nscd-impact25k")) {
        fall(study, "nscd-impact25k", CaseScene("impact-25k"), rigid(4e-5), given_bed());
    }
    if (study.options.wants("nscd-drum")) {
        const KeptRun kept =
            study.run("nscd-drum", CaseScene("drum").checked(lasting(study.time(0.688, 4e-3), 80e-6) + rigid(2e-4)),
                      drum_columns());
        if (!study.options.quick) report_peak(study, "nscd-drum", kept);
    }
    if (has_bed("nscd-impact100k", "impact100k-bed-firm")) {
        fall(study, "nscd-impact100k", CaseScene("impact-25k").begin_with(study.folder("impact100k-bed-firm")),
             rigid(4e-5), deep_bed());
    }
    if (has_bed("nscd-silo", "silo-firm")) discharge(study, "nscd-silo", study.folder("silo-firm"), rigid(1.5e-4));
}

} // namespace

void bench_dosta(const Options& options, Report& report)
{
    check_units(report);
    const Study study{options, report};
    if (options.wants("impact25k")) impact_on_given_bed(study);
    impact_on_own_beds(study);
    if (options.wants("impact100k")) impact_on_deep_bed(study);
    if (options.wants("silo")) silo(study);
    if (options.wants("drum")) drum(study);
    by_contact_dynamics(study);
}

} // namespace talus::bench
