#include "talus/simulation/run.hpp"

#include "talus/base/error.hpp"
#include "talus/base/stopwatch.hpp"
#include "talus/simulation/assembly.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

namespace talus {

std::int64_t step_count(const scene::Value& scene)
{
    const double steps = scene.at("scene").at("duration").number() / scene.at("scene").at("dt").number();
    return std::int64_t(std::ceil(steps * (1 - 1e-12) - 1e-9)); // a duration of n·dt is n steps, whatever the round-off
}

RunPlan plan_of(const scene::Value& scene)
{
    RunPlan plan;
    plan.steps = step_count(scene);
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
    plan.rest = rest_criteria(scene);
    if (scene.find("track")) plan.process = scene.at("quality").at("process").text();
    for (const double step : output.at("problem_steps").numbers()) plan.problem_steps.insert(std::llround(step));
    return plan;
}

template <int D>
Run<D>::Run(Simulation<D> simulation, RunPlan plan, Begin begin, Tally tally)
    : simulation_(std::move(simulation)), plan_(std::move(plan)), begin_(begin), tally_(std::move(tally))
{
}

template <int D>
Run<D>::Run(RunSetup<D> setup) : Run(std::move(setup.simulation), std::move(setup.plan))
{
    scene_ = std::move(setup.scene);
}

template <int D>
void Run<D>::warn(const std::string& line)
{
    tally_.warnings.push_back(line);
    tell([&](Observer<D>& observer) { observer.on_warning(line); });
}

template <int D>
RunEnd Run<D>::advance()
{
    return *advance_to_step(plan_.steps);
}

template <int D>
RunEnd Run<D>::advance(UntilRest)
{
    if (!simulation_.rest) simulation_.rest = plan_.rest;
    return advance();
}

template <int D>
std::optional<RunEnd> Run<D>::advance_to(double time)
{
    return advance_to_step(std::llround(time / simulation_.clock.dt));
}

template <int D>
RunEnd Run<D>::finish(const std::string& reason)
{
    stop_when([this, reason] { return missed_quality().value_or(RunEnd{"done", reason, 0}); });
    return advance();
}

template <int D>
std::int64_t Run<D>::steps_in(double time) const
{
    return std::max<std::int64_t>(1, std::llround(time / simulation_.clock.dt));
}

template <int D>
std::optional<RunEnd> Run<D>::advance_to_step(std::int64_t last)
{
    if (end_) return end_;
    RunEnd end;
    std::optional<RunEnd> stopped;
    try {
        if (!has_started_) start();
        const auto is_stopped = [&] {
            if (stop_ && !stopped) stopped = stop_();
            return stopped.has_value();
        };
        while (!is_last_step() && simulation_.clock.step < last && !is_stopped()) step();
        if (!is_last_step() && !stopped) return {};
        tell([&](Observer<D>& observer) { observer.on_stop(*this); });
        end = is_stopped() ? *stopped : verdict();
    } catch (const RunError& error) {
        end = {"failed", error.what(), 1};
    }
    if (end.status != 1) {
        warn_of_contacts();
        tell_quality();
    }
    end_ = end;
    tell([&](Observer<D>& observer) { observer.on_end(*this, end); });
    return end_;
}

template <int D>
void Run<D>::start()
{
    has_started_ = true;
    if (!scene_.is_null()) {
        for (const std::string& line : warnings(simulation_, scene_)) warn(line);
    }
    tell([&](Observer<D>& observer) { observer.on_start(*this); });
    if (is_fresh()) {
        add_line({});
    } else {
        gauges_ = measure_gauges(simulation_); // whoever shows them wants them at once
    }
}

// at the end, however it came
template <int D>
std::optional<RunEnd> Run<D>::missed_quality() const
{
    if (tally_.quality_exceeded) {
        return RunEnd{"quality", fmt::format("interpenetration went over {:g} %", 100 * plan_.interpenetration_limit),
                      3};
    }
    if (tally_.steps_over_tolerance > 0) {
        return RunEnd{"quality",
                      fmt::format("{} of {} solves did not reach their tolerance (worst residual {:.2e})",
                                  tally_.steps_over_tolerance, tally_.steps, tally_.residual_worst),
                      3};
    }
    return {};
}

template <int D>
RunEnd Run<D>::verdict() const
{
    if (const auto missed = missed_quality()) return *missed;
    if (simulation_.is_at_rest()) return {"done", "at rest", 0};
    if (simulation_.rest) return {"quality", "reached the end of its time without coming to rest", 3};
    return {"done", "reached the end", 0};
}

template <int D>
void Run<D>::step()
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
    watch_engine();
    watch_departures();
    const bool is_line = simulation_.clock.step % plan_.series_steps == 0;
    const bool any_is_due = std::ranges::any_of(simulation_.gauges, [&](const auto& gauge) { return is_due(gauge); });
    if (is_line || any_is_due || is_last_step()) add_line(report);
    if (is_line) judge_quality();
    tell([&](Observer<D>& observer) { observer.on_step(*this, report); });
    tally_.wall_seconds += watch.seconds();
}

template <int D>
bool Run<D>::is_last_step() const
{
    return simulation_.clock.step >= plan_.steps || simulation_.is_at_rest();
}

template <int D>
bool Run<D>::is_due(const Gauge<D>& gauge) const
{
    return simulation_.clock.step % (gauge.steps() > 0 ? gauge.steps() : plan_.gauge_steps) == 0 || is_last_step();
}

template <int D>
double Run<D>::first_reading(std::string_view column) const
{
    for (const GaugeLine& line : gauges_) {
        if (line.reading.has(column)) return line.reading[column].value_or(0);
    }
    return 0;
}

template <int D>
const Reading& Run<D>::reading(std::string_view gauge) const
{
    for (const GaugeLine& line : gauges_) {
        if (line.gauge == gauge) return line.reading;
    }
    throw InputError(fmt::format("there is no gauge \"{}\"", gauge));
}

template <int D>
Reading Run<D>::measure(std::string_view gauge) const
{
    for (const Gauge<D>& known : simulation_.gauges) {
        if (known.name() == gauge) return known.measure(simulation_.snapshot());
    }
    throw InputError(fmt::format("there is no gauge \"{}\"", gauge));
}

template <int D>
void Run<D>::add_line(const StepReport& report)
{
    const auto lines = measure_gauges<D>(simulation_, [&](const Gauge<D>& gauge) { return is_due(gauge); });
    tell([&](Observer<D>& observer) { observer.on_line(*this, report, lines); });
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
void Run<D>::judge_quality()
{
    ++tally_.lines;
    tally_.speed_sum += first_reading("mean_speed_mps");
    tally_.contacts_sum += first_reading("contacts");
    double interpenetration = 0;
    for (const GaugeLine& line : gauges_) {
        interpenetration = std::max(interpenetration, line.reading["interpenetration"].value_or(0));
    }
    const std::string changed = simulation_.engine->adapt(interpenetration);
    if (changed.empty()) return;
    const std::string line = fmt::format("interpenetration {:.3g} % at t = {:.4g} s: {}", 100 * interpenetration,
                                         simulation_.clock.time(), changed);
    tell([&](Observer<D>& observer) { observer.on_tolerance(line); });
}

template <int D>
QualitySummary Run<D>::quality() const
{
    QualitySummary quality;
    quality.residual = simulation_.engine->residual();
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
void Run<D>::tell_quality()
{
    const QualitySummary quality = this->quality();
    const auto say = [&](const std::string& text) { tell([&](Observer<D>& observer) { observer.on_info(text); }); };
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
    for (const auto& meter : simulation_.meters) {
        for (const std::string& told : meter->told()) say(told);
    }
}

// the advice on dt, once
template <int D>
void Run<D>::watch_motion(const StepReport& report)
{
    if (warned_of_motion_) return;
    // two digits, as it is told: what they do not tell from dt is no advice
    const double advised = std::stod(fmt::format("{:.1e}", report.safe_dt));
    if (advised >= simulation_.clock.dt) return;
    warned_of_motion_ = true;
    warn(fmt::format("a body moved {:.3g} m in a step, more than a tenth of the smallest diameter ({:.3g} m), at t = "
                     "{:.4g} s: dt ≤ {:g} s keeps contacts in sight",
                     report.fastest * simulation_.clock.dt, report.smallest, simulation_.clock.time(), advised));
}

// Bodies with a name that a driver or a gauge refers to.
template <int D>
void Run<D>::watch_departures()
{
    for (; departures_seen_ < simulation_.left.size(); ++departures_seen_) {
        const BodyId body = simulation_.left[departures_seen_].body;
        const double time = simulation_.left[departures_seen_].time;
        std::vector<std::string> missed;
        for (const Gauge<D>& gauge : simulation_.gauges) {
            if (gauge.body() == body)
                missed.push_back(fmt::format("gauge {} has no values from then on", gauge.name()));
        }
        const bool is_driven = std::ranges::any_of(simulation_.drivers, [&](const auto& driver) {
            return std::ranges::find(driver->acts_on(), body) != driver->acts_on().end();
        });
        if (is_driven) missed.push_back("what drives it acts on nothing from then on");
        const auto group = std::ranges::find_if(simulation_.groups, [&](const auto& one) { return one.has(body); });
        if (missed.empty() || group == simulation_.groups.end()) continue;
        const std::string name =
            group->count == 1 ? group->name : fmt::format("{} of {}", std::int32_t(body), group->name);
        warn(fmt::format("body {} left the run at t = {:.4g} s: {}", name, time, fmt::join(missed, "; ")));
    }
}

// a method that answers by another, once
template <int D>
void Run<D>::watch_engine()
{
    if (warned_of_engine_) return;
    const std::string remark = simulation_.engine->remark();
    if (remark.empty()) return;
    warned_of_engine_ = true;
    warn(remark);
}

// what the energy ledger and the solves show, once at the end
template <int D>
void Run<D>::warn_of_contacts()
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

template class Run<2>;
template class Run<3>;

} // namespace talus
