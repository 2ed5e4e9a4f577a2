#include "run_loop.hpp"

#include "base/error.hpp"
#include "base/version.hpp"
#include "exec/parallel.hpp"
#include "io/durable_file.hpp"
#include "io/problem_file.hpp"
#include "prediction.hpp"

#include <fmt/format.h>

#include <cmath>
#include <csignal>

using namespace talus;

namespace {

volatile std::sig_atomic_t caught = 0;

extern "C" void on_signal(int signal)
{
    caught = signal;
    std::signal(signal, SIG_DFL); // a second one ends the program at once
}

} // namespace

void catch_signals()
{
    std::signal(SIGINT, on_signal);
    std::signal(SIGTERM, on_signal);
    std::signal(SIGXFSZ, SIG_IGN); // a limit on the size of files is an error of the write, with its file's name
}
int signal_caught() { return caught; }

RunPlan plan_of(const scene::Value& scene)
{
    RunPlan plan;
    const double dt = scene.at("scene").at("dt").number();
    const double duration = scene.at("scene").at("duration").number();
    const scene::Value& output = scene.at("output");
    const auto steps = [&](const char* key, double automatic) {
        const double every = output.at(key).is_text() ? automatic : output.at(key).number();
        return std::max<std::int64_t>(1, std::llround(every / dt));
    };
    plan.frame_steps = steps("frames_every", duration / 100);
    plan.series_steps = steps("series_every", duration / 1000);
    constexpr std::int64_t least = 12; // steps: ten gauges then cost a few per cent of them
    const std::int64_t lines = output.at("series_every").is_text() ? (least - 1) / plan.series_steps + 1 : 1;
    plan.gauge_steps = steps("gauges_every", dt * double(lines * plan.series_steps));
    if (!output.at("checkpoint_every").is_text()) plan.checkpoint_seconds = output.at("checkpoint_every").number();
    plan.interpenetration_limit = scene.at("quality").at("interpenetration").number();
    if (scene.find("track")) plan.process = scene.at("quality").at("process").text();
    for (const double step : output.at("problem_steps").numbers()) plan.problem_steps.insert(std::llround(step));
    return plan;
}

template <int D>
RunLoop<D>::RunLoop(Simulation<D>& simulation, io::RunWriter<D>& writer, io::Log& log, const RunPlan& plan,
                    io::Tally tally)
    : simulation_(simulation), writer_(writer), log_(log), plan_(plan), tally_(std::move(tally)), progress_(plan.quiet)
{
}

template <int D>
void RunLoop<D>::warn(const std::string& line)
{
    progress_.finish();
    if (!plan_.quiet) fmt::print(stderr, "warning: {}\n", line);
    log_.warning(line);
    tally_.warnings.push_back(line);
}

template <int D>
int RunLoop<D>::run()
{
    try {
        keep_problems();
        if (writer_.frames() == 0) { // not a run that goes on, be it from its first checkpoint
            writer_.frame(simulation_);
            sample({});
            writer_.checkpoint(simulation_, tally_); // a run that is killed early can be resumed too
        } else {
            gauges_ = io::measure_gauges(simulation_); // the progress line wants them at once
        }
        while (simulation_.clock.step < plan_.steps && !signal_caught() && !simulation_.is_at_rest()) step();
        writer_.checkpoint(simulation_, tally_);
    } catch (const RunError& error) {
        return finish("failed", error.what(), 1);
    }
    if (const int signal = signal_caught()) {
        return finish("interrupted", fmt::format("signal {}: --resume goes on from here", signal), 128 + signal);
    }
    if (tally_.quality_exceeded) {
        return finish("quality", fmt::format("interpenetration went over {:g} %", 100 * plan_.interpenetration_limit),
                      3);
    }
    if (tally_.steps_over_tolerance > 0) {
        return finish("quality",
                      fmt::format("{} of {} solves did not reach their tolerance (worst residual {:.2e})",
                                  tally_.steps_over_tolerance, tally_.steps, tally_.residual_worst),
                      3);
    }
    if (simulation_.is_at_rest()) return finish("done", "at rest", 0);
    if (simulation_.rest) return finish("quality", "reached the end of its time without coming to rest", 3);
    return finish("done", "reached the end", 0);
}

template <int D>
void RunLoop<D>::keep_problems()
{
    if (plan_.problem_steps.empty()) return;
    const std::filesystem::path folder = writer_.folder() / "problems";
    io::make_directory(folder);
    simulation_.on_problem = [this, folder](const ContactProblem<D>& problem, const Partition& partition) {
        const std::int64_t step = simulation_.clock.step + 1; // the one that is being made
        if (!plan_.problem_steps.contains(step)) return;
        io::write_problem(folder / fmt::format("{:06}.h5", step), problem, partition);
    };
}

template <int D>
void RunLoop<D>::step()
{
    Stopwatch watch;
    const StepReport report = simulation_.step();
    tally_.add(report);
    if (report.non_finite >= 0) {
        throw RunError(fmt::format("body {} is no longer at a finite place or speed after step {}; the last checkpoint "
                                   "is sound",
                                   report.non_finite, simulation_.clock.step));
    }
    watch_motion(report);
    const bool is_line = simulation_.clock.step % plan_.series_steps == 0;
    const bool any_is_due = std::ranges::any_of(simulation_.gauges, [&](const auto& gauge) { return is_due(gauge); });
    if (is_line || any_is_due || is_last_step()) sample(report);
    if (is_line) judge_quality();
    if (simulation_.clock.step % plan_.frame_steps == 0 || is_last_step()) {
        writer_.frame(simulation_);
    }
    if (since_checkpoint_.seconds() > plan_.checkpoint_seconds) {
        writer_.checkpoint(simulation_, tally_);
        since_checkpoint_.lap();
    }
    const double seconds = watch.seconds();
    tally_.wall_seconds += seconds;
    progress_.show({simulation_.clock.step, plan_.steps, simulation_.clock.time(), simulation_.bodies.size(),
                    report.contacts, report.solve.sweeps, report.solve.residual, first_reading("interpenetration")},
                   seconds);
}

template <int D>
bool RunLoop<D>::is_last_step() const
{
    return simulation_.clock.step == plan_.steps || simulation_.is_at_rest();
}

template <int D>
bool RunLoop<D>::is_due(const Gauge<D>& gauge) const
{
    return simulation_.clock.step % (gauge.steps() > 0 ? gauge.steps() : plan_.gauge_steps) == 0 || is_last_step();
}

template <int D>
double RunLoop<D>::first_reading(std::string_view column) const
{
    for (const io::GaugeLine& line : gauges_) {
        if (line.reading.has(column)) return line.reading[column].value_or(0);
    }
    return 0;
}

template <int D>
void RunLoop<D>::sample(const StepReport& report)
{
    const auto lines = writer_.series(simulation_, report, [&](const Gauge<D>& gauge) { return is_due(gauge); });
    gauges_.resize(lines.size());
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (lines[i].reading.values().empty()) continue; // not due
        gauges_[i] = lines[i];
        const double interpenetration = lines[i].reading["interpenetration"].value_or(0);
        tally_.interpenetration_max = std::max(tally_.interpenetration_max, interpenetration);
        if (interpenetration <= plan_.interpenetration_limit || tally_.quality_exceeded) continue;
        tally_.quality_exceeded = true;
        warn(fmt::format("interpenetration {:.2f} % in gauge {} at t = {:.4g} s: the run is no longer controlled; a "
                         "smaller dt or a smaller solver tolerance helps",
                         100 * interpenetration, simulation_.gauges[i].name(), simulation_.clock.time()));
    }
}

template <int D>
void RunLoop<D>::judge_quality()
{
    ++tally_.lines;
    tally_.speed_sum += first_reading("mean_speed_mps");
    tally_.contacts_sum += first_reading("contacts");
    double interpenetration = 0;
    for (const io::GaugeLine& line : gauges_) {
        interpenetration = std::max(interpenetration, line.reading["interpenetration"].value_or(0));
    }
    ToleranceControl& tolerance = simulation_.tolerance;
    if (!tolerance.follow(interpenetration)) return;
    log_.info(fmt::format("interpenetration {:.3g} % at t = {:.4g} s: the solver's tolerance is {:.3g} now ({:.3g} was "
                          "asked)",
                          100 * interpenetration, simulation_.clock.time(), tolerance.present(), tolerance.asked));
}

template <int D>
io::QualitySummary RunLoop<D>::quality_of_run() const
{
    io::QualitySummary quality;
    const ToleranceControl& tolerance = simulation_.tolerance;
    if (tolerance.stop == Stop::residual) {
        quality.residual_asked = tolerance.asked;
        quality.residual_tightest = std::min(tolerance.tightest, tolerance.present());
    }
    quality.interpenetration_limit = plan_.interpenetration_limit;
    const Snapshot<D> snapshot = simulation_.snapshot();
    const double diameter = View<D>::of_sample(snapshot).mean_diameter(), dt = simulation_.clock.dt;
    const double lines = double(tally_.lines), sweeps = tally_.mean_sweeps();
    if (plan_.process && lines > 0 && diameter > 0 && sweeps > 0) {
        const EstimateTerms terms{*plan_.process, tally_.contacts_sum / lines, double(tally_.steps),
                                  dt * tally_.speed_sum / lines / diameter, sweeps};
        if (is_in_fitted_range(terms)) quality.estimate = terms;
    }
    if (tally_.interpenetration_max <= plan_.interpenetration_limit) return quality;
    quality.advice =
        fmt::format("interpenetration reached {:.3g} % and {:g} % is allowed: ", 100 * tally_.interpenetration_max,
                    100 * plan_.interpenetration_limit);
    if (quality.estimate) {
        const CostChoice choice =
            suggested_choice({dt, sweeps}, tally_.interpenetration_max, plan_.interpenetration_limit);
        quality.advice += fmt::format("by BALLAST eq. 10.3, with its constant from this run, dt = {:.3g} s or {:g} "
                                      "sweeps per step (now {:g} s, {:.0f})",
                                      choice.dt, choice.sweeps, dt, sweeps);
    } else {
        quality.advice += fmt::format("a smaller dt (now {:g} s) or a smaller solver.tolerance helps", dt);
    }
    return quality;
}

template <int D>
void RunLoop<D>::report_quality(const io::QualitySummary& quality)
{
    const auto say = [&](const std::string& line) {
        log_.info(line);
        if (!plan_.quiet) fmt::print(stderr, "{}\n", line);
    };
    std::string line = fmt::format("interpenetration {:.2g} % at most, {:g} % allowed",
                                   100 * tally_.interpenetration_max, 100 * quality.interpenetration_limit);
    if (quality.estimate) {
        const double estimate = estimated_interpenetration(*quality.estimate); // [%]
        line += fmt::format("; BALLAST eq. 10.3 gives {} for {} at H̄ = {:.2g}: it ranks choices of dt and sweeps "
                            "rather than predicts (on its own data ten times too large)",
                            estimate > 100 ? "over 100 %" : fmt::format("{:.2g} %", estimate),
                            quality.estimate->process, quality.estimate->normalised_step);
    }
    if (tally_.lines > 0) say(line);
    if (!quality.advice.empty()) say(quality.advice);
}

// the advice on dt, once: no grain moves more than a tenth of the smallest diameter in a step
template <int D>
void RunLoop<D>::watch_motion(const StepReport& report)
{
    if (warned_of_motion_ || simulation_.alert_distance || !(report.fastest > 0)) return;
    // two digits, as it is told: what they do not tell from dt is no advice
    const double advised = std::stod(fmt::format("{:.1e}", 0.1 * report.smallest / report.fastest));
    if (advised >= simulation_.clock.dt) return;
    warned_of_motion_ = true;
    warn(fmt::format("a body moved {:.3g} m in a step, more than a tenth of the smallest diameter ({:.3g} m), at t = "
                     "{:.4g} s: dt ≤ {:g} s keeps contacts in sight",
                     report.fastest * simulation_.clock.dt, report.smallest, simulation_.clock.time(), advised));
}

// what the energy ledger and the solves show, once at the end
template <int D>
void RunLoop<D>::warn_of_contacts()
{
    constexpr double share = 1e-3;
    const EnergyLedger& energy = simulation_.energy;
    const double turned_over = std::max(simulation_.kinetic_energy(), std::abs(energy.dissipated()));
    if (tally_.contact_gain > share * turned_over) {
        warn(fmt::format(
            "contacts gained {:.3g} J where {:.3g} J were turned over: a smaller solver.tolerance helps; with "
            "friction and tangential_restitution other than restitution the law itself allows it",
            tally_.contact_gain, turned_over));
    }
    if (tally_.left_out_max > 0) {
        warn(fmt::format("up to {} contacts in a step carried nothing: neither body can give way along the normal",
                         tally_.left_out_max));
    }
    if (tally_.solves_diverged > 0) {
        warn(fmt::format("in {} steps the solver diverged and no contact impulse was applied: a body wedged between "
                         "imposed motions has no solution",
                         tally_.solves_diverged));
    }
}

template <int D>
int RunLoop<D>::finish(const std::string& outcome, const std::string& reason, int status)
{
    progress_.finish();
    if (status != 1) warn_of_contacts();
    io::Summary summary;
    summary.outcome = outcome;
    summary.exit_reason = reason;
    summary.exit_status = status;
    summary.tally = tally_;
    summary.quality = quality_of_run();
    summary.simulated_time = simulation_.clock.time();
    summary.bodies = simulation_.bodies.size();
    summary.state_hash = simulation_.state_hash();
    summary.threads = thread_count();
    summary.version = version();
    summary.gauges = io::measure_gauges(simulation_);
    if (status != 1) report_quality(summary.quality);
    log_.info(fmt::format("{}: {}", outcome, reason));
    status == 1 ? writer_.give_up(summary) : writer_.finish(summary);
    if (!plan_.quiet || status == 1) {
        fmt::print(stderr, "{}: {} (step {}, t = {:.4g} s, {})\n", outcome, reason, simulation_.clock.step,
                   simulation_.clock.time(), Progress::duration(tally_.wall_seconds));
    }
    return status;
}

template class RunLoop<2>;
template class RunLoop<3>;
