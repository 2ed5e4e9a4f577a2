// Janssen's silo (V16): σ(z) = σ_∞ (1 − e^{−z/λ}) with σ_∞ = ρ g λ and λ = D/(4 μ K). A square tube of side D, scene
// silo/janssen; its floor sinks, so that the friction of the walls is mobilised everywhere and points up. The mean
// vertical stress of slices is averaged over instants of the second half of the run.
#include "benchmarks/bench_silo.hpp"

#include "benchmarks/bench_scene.hpp"
#include "benchmarks/claims.hpp"
#include "benchmarks/figures.hpp"
#include "benchmarks/measures.hpp"
#include "talus/base/stopwatch.hpp"

#include <fmt/format.h>

#include <cmath>

namespace talus::bench {

namespace {

constexpr double gravity = 9.81, side = 0.1, wall_friction = 0.5; // as in the scene
constexpr double slice = 0.02;                                    // [m] two grains high
constexpr double end_effect = 0.5 * side;                         // [m] above the floor that carries what is left

struct Profile {
    std::vector<double> depth, stress; // [m] below the surface, [Pa] pressure along the vertical
    double density = 0;                // [kg/m³] of the bulk
};

// Slices are numbered from the surface down, which is where the mass says: the upper grains lie at random.
class Slices {
  public:
    explicit Slices(const Simulation<3>& simulation) : simulation_(simulation)
    {
        for (std::size_t i = 0; i < simulation.bodies.size(); ++i) {
            if (!simulation.bodies.is_passive(i)) mass_ += simulation.bodies.mass[i];
        }
    }

    void add_instant()
    {
        const double floor = simulation_.bodies.position[body_named(simulation_, "silo.bottom")][2];
        const double density = density_between(floor + end_effect, floor + 3 * end_effect);
        const double surface = floor + mass_ / (density * side * side);
        std::vector<Region<3>> regions;
        for (double top = surface - slice; top - slice > floor + end_effect; top -= slice) {
            regions.push_back(Region<3>::box({0, 0, top - slice}, {side, side, top}));
        }
        const std::vector<Mat<3>> stress = stress_in<3>(simulation_, regions);
        if (instants_ == 0) sum_.assign(stress.size(), 0);
        sum_.resize(std::min(sum_.size(), stress.size()));
        for (std::size_t k = 0; k < sum_.size(); ++k) sum_[k] -= stress[k](2, 2);
        density_ += density;
        ++instants_;
    }
    Profile mean() const
    {
        Profile profile;
        for (std::size_t k = 0; k < sum_.size(); ++k) {
            profile.depth.push_back((double(k) + 1.5) * slice);
            profile.stress.push_back(sum_[k] / instants_);
        }
        profile.density = density_ / instants_;
        return profile;
    }

  private:
    double density_between(double lower, double upper) const
    {
        const Region<3> box = Region<3>::box({0, 0, lower}, {side, side, upper});
        const Sample<3> sample{simulation_.bodies, simulation_.shapes};
        double mass = 0;
        for (std::size_t i = 0; i < simulation_.bodies.size(); ++i) {
            if (!sample.is_grain(i)) continue;
            mass += simulation_.bodies.mass[i] * volume_within(box, sample, i) / sample.volume(i);
        }
        return mass / box.volume();
    }

    const Simulation<3>& simulation_;
    double mass_ = 0, density_ = 0;
    std::vector<double> sum_;
    int instants_ = 0;
};

struct Janssen {
    double saturation = 0, length = 0, r_squared = -1; // σ_∞ [Pa], λ [m]
};

// For each λ the best σ_∞ is linear; the best λ of a fine list.
Janssen fit(const Profile& profile)
{
    double mean = 0, total = 0;
    for (const double stress : profile.stress) mean += stress / double(profile.stress.size());
    for (const double stress : profile.stress) total += (stress - mean) * (stress - mean);
    Janssen best;
    for (double length = 0.1 * side; length < 10 * side; length *= 1.001) {
        double product = 0, square = 0, rest = 0;
        const auto shape = [&](double depth) { return 1 - std::exp(-depth / length); };
        for (std::size_t k = 0; k < profile.depth.size(); ++k) {
            product += shape(profile.depth[k]) * profile.stress[k];
            square += shape(profile.depth[k]) * shape(profile.depth[k]);
        }
        for (std::size_t k = 0; k < profile.depth.size(); ++k) {
            rest += std::pow(profile.stress[k] - product / square * shape(profile.depth[k]), 2);
        }
        if (1 - rest / total > best.r_squared) best = {product / square, length, 1 - rest / total};
    }
    return best;
}

report::Chart chart_of(const Profile& profile, const Janssen& janssen)
{
    report::Curve law{"Janssen", {}, {}, false, -1}, weight{"hydrostatic", {}, {}, false, -1};
    const double deepest = profile.depth.back();
    for (double z = 0; z <= deepest; z += 0.01 * deepest) {
        law.x.push_back(z);
        law.y.push_back(janssen.saturation * (1 - std::exp(-z / janssen.length)));
        if (z > 0.5 * deepest) continue; // it leaves the rest no room
        weight.x.push_back(z);
        weight.y.push_back(profile.density * gravity * z);
    }
    report::Curve measured{"internal moments", profile.depth, profile.stress, true, -1};
    return {"vertical stress in a silo", "depth [m]", "pressure [Pa]", false, false, {law, weight, measured}};
}

} // namespace

void bench_silo(const Options& options, Report& report)
{
    std::vector<std::string> sets = sets_of_method(options, smooth_column);
    if (options.quick) sets.push_back("generators[1].count=2600");
    const double duration = options.quick ? 0.5 : 1.5;
    Stopwatch watch;
    Run<3> run(setup_of<3>("janssen", sets));
    Slices slices(run.simulation());
    run.observe([&](const State<3>& state) {
        if (state.clock.time() > 0.5 * duration && state.clock.step % 20 == 0) slices.add_instant();
    });
    run.advance_to(duration);
    const Profile profile = slices.mean();
    const Janssen janssen = fit(profile);
    report.say("  depth [m]  stress [Pa]  Janssen   hydrostatic");
    for (std::size_t k = 0; k < profile.depth.size(); ++k) {
        const double z = profile.depth[k];
        report.say(fmt::format("  {:9.3f} {:12.1f} {:8.1f} {:13.1f}", z, profile.stress[k],
                               janssen.saturation * (1 - std::exp(-z / janssen.length)),
                               profile.density * gravity * z));
    }
    write_figure(options, "janssen", chart_of(profile, janssen));
    const std::string path = path_of_method(options, "3d/spheres");
    report.add(path, "length", janssen.length, "m");
    report.add(path, "bulk_density", profile.density, "kg/m3");
    judge_above(report, {path, "V16 R² of Janssen's law", "r_squared"}, janssen.r_squared, 0.98);
    const double expected = profile.density * gravity * janssen.length;
    judge(report, {path, "V16 σ_∞ against ρ g λ", "saturation", "Pa"}, janssen.saturation, expected, 0.1 * expected);
    judge_between(report, {path, "V16 K = D/(4 μ λ)", "k"}, side / (4 * wall_friction * janssen.length), 0.3, 1);
    report.add(path, "seconds", watch.seconds(), "s");
}

} // namespace talus::bench
