// A run: steps to the end of a plan, to rest, or until it is told to stop. Gauges are read at their cadence, and the
// solver's tolerance follows what they show. Who writes, draws or shows is an Observer and changes nothing, so a run
// computes the same whoever looks on.
#pragma once

#include "talus/scene/value.hpp"
#include "talus/simulation/gauge_lines.hpp"
#include "talus/simulation/tally.hpp"

#include <concepts>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace talus {

struct RunPlan {
    std::int64_t steps = 0;          // the run ends when this many are done
    std::int64_t frame_steps = 1;    // between two frames
    std::int64_t series_steps = 1;   // between two lines of the series
    std::int64_t gauge_steps = 1;    // between two measurements of gauges without a cadence of their own
    double checkpoint_seconds = 600; // of wall-clock time between two checkpoints
    double interpenetration_limit = 0.02;
    RestCriteria rest;                    // of a run that is advanced until rest
    std::optional<std::string> process;   // of a track: whose constant the estimate of eq. 10.3 takes
    std::set<std::int64_t> problem_steps; // whose contact problem is kept
};

// Steps of scene.duration.
std::int64_t step_count(const scene::Value& scene);
RunPlan plan_of(const scene::Value& scene);

// How a run ended, as summary.json says it.
struct RunEnd {
    std::string outcome; // "done", "quality", "interrupted", "failed"
    std::string reason;
    int status = 0; // of the command
};

// What was asked of a run beside what the tally shows it to have kept.
struct QualitySummary {
    std::optional<ResidualAsked> residual; // none where solves do not go by it
    double interpenetration_limit = 0;
    std::optional<EstimateTerms> estimate; // none without grains that moved
    std::string advice;                    // where the limit was exceeded
};

// What a run is made of.
template <int D>
struct RunSetup {
    Simulation<D> simulation;
    RunPlan plan;
    scene::Value scene; // checked, with every default
};

template <int D>
class Run;

// Is told of a run, between its steps. A RunError that it throws (a full disk) ends the run as failed.
template <int D>
class Observer {
  public:
    virtual ~Observer() = default;
    virtual void on_start(Run<D>&) {}                                                                // before its steps
    virtual void on_line(const Run<D>&, const StepReport&, std::span<const GaugeLine> /*gauges*/) {} // of the series
    virtual void on_step(const Run<D>&, const StepReport&) {}
    virtual void on_stop(const Run<D>&) {} // no more steps, none of which failed
    virtual void on_warning(const std::string&) {}
    virtual void on_info(const std::string&) {}
    virtual void on_tolerance(const std::string&) {} // of the solver: it has changed
    virtual void on_end(const Run<D>&, const RunEnd&) {}
};

// Is shown the state after every so many steps.
template <int D, class Look>
class Onlooker final : public Observer<D> {
  public:
    Onlooker(Look look, std::int64_t steps) : look_(std::move(look)), steps_(steps) {}
    void on_step(const Run<D>& run, const StepReport&) override
    {
        if (run.state().clock.step % steps_ == 0) look_(run.state());
    }

  private:
    Look look_;
    std::int64_t steps_;
};

struct UntilRest {};
inline constexpr UntilRest until_rest;

template <int D>
class Run {
  public:
    enum class Begin { fresh, resumed };

    Run(Simulation<D> simulation, RunPlan plan, Begin begin = Begin::fresh, Tally tally = {});
    Run(RunSetup<D> setup); // advice on the scene becomes the run's first warnings

    // In the order in which they are told.
    void observe(std::unique_ptr<Observer<D>> observer) { observers_.push_back(std::move(observer)); }
    // look(const State<D>&) after every step, or every so many seconds of simulated time.
    template <std::invocable<const State<D>&> Look>
    void observe(Look look, double every = 0)
    {
        observe(std::make_unique<Onlooker<D, Look>>(std::move(look), steps_in(every)));
    }
    // Asked before each step; an answer ends the run.
    void stop_when(std::function<std::optional<RunEnd>()> stop) { stop_ = std::move(stop); }

    // To the end. A run ends once: then its observers are told, and it makes no more steps.
    RunEnd advance();
    RunEnd advance(UntilRest); // ... or until it is at rest, by the criteria of the scene
    // To this time [s]; none where the run has not ended.
    std::optional<RunEnd> advance_to(double time);
    RunEnd finish(const std::string& reason); // here

    const State<D>& state() const { return simulation_; }
    double time() const { return simulation_.clock.time(); } // [s]
    const Simulation<D>& simulation() const { return simulation_; }
    Simulation<D>& simulation() { return simulation_; }
    const scene::Value& scene() const { return scene_; } // null where the run was not set up from one
    const RunPlan& plan() const { return plan_; }
    const Tally& tally() const { return tally_; }
    bool is_fresh() const { return begin_ == Begin::fresh; }
    bool is_last_step() const;
    std::span<const GaugeLine> readings() const { return gauges_; } // as last measured
    double first_reading(std::string_view column) const;            // of the first gauge that has it, or 0
    const Reading& reading(std::string_view gauge) const;           // InputError where there is none
    Reading measure(std::string_view gauge) const;                  // now, whatever its cadence
    QualitySummary quality() const;

    // Seen, and kept in the summary.
    void warn(const std::string& line);

  private:
    std::int64_t steps_in(double time) const; // at least one
    std::optional<RunEnd> advance_to_step(std::int64_t last);
    void start();
    void step();
    bool is_due(const Gauge<D>& gauge) const;
    void add_line(const StepReport& report); // a line of the series and the quality it shows
    void judge_quality();                    // at the lines of the series only, so that a resumed run agrees
    void watch_motion(const StepReport& report);
    void watch_engine();
    void watch_departures();
    void warn_of_contacts();
    void tell_quality();
    std::optional<RunEnd> missed_quality() const;
    RunEnd verdict() const;
    template <class Tell>
    void tell(Tell&& told)
    {
        for (const auto& observer : observers_) told(*observer);
    }

    Simulation<D> simulation_;
    RunPlan plan_;
    scene::Value scene_;
    Begin begin_;
    Tally tally_;
    std::vector<std::unique_ptr<Observer<D>>> observers_;
    std::function<std::optional<RunEnd>()> stop_;
    std::vector<GaugeLine> gauges_;
    std::optional<RunEnd> end_;
    bool has_started_ = false;
    bool warned_of_motion_ = false, warned_of_engine_ = false;
    std::size_t departures_seen_ = 0;
};

} // namespace talus
