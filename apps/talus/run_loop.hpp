// The loop around the steps: what is written when, what is shown, what ends a run.
#pragma once

#include "io/indicators.hpp"
#include "io/log.hpp"
#include "io/run_folder.hpp"
#include "progress.hpp"

#include <optional>
#include <set>

struct RunPlan {
    std::int64_t steps = 0;          // the run ends when this many are done
    std::int64_t frame_steps = 1;    // between two frames
    std::int64_t series_steps = 1;   // between two lines of series.csv
    std::int64_t gauge_steps = 1;    // between two measurements of gauges without a cadence of their own
    double checkpoint_seconds = 600; // of wall-clock time between two checkpoints
    double interpenetration_limit = 0.02;
    std::optional<std::string> process;   // of a track: whose constant the estimate of eq. 10.3 takes
    std::set<std::int64_t> problem_steps; // whose contact problem is kept
    bool quiet = false;
};

RunPlan plan_of(const talus::scene::Value& scene);

// Steps to the end of the plan, a signal or trouble; returns the exit status.
template <int D>
class RunLoop {
  public:
    RunLoop(talus::Simulation<D>& simulation, talus::io::RunWriter<D>& writer, talus::io::Log& log, const RunPlan& plan,
            talus::io::Tally tally);
    int run();

  private:
    void step();
    void keep_problems(); // of the steps that the plan names, as problems/NNNNNN.h5
    bool is_last_step() const;
    bool is_due(const talus::Gauge<D>& gauge) const;
    double first_reading(std::string_view column) const; // of the first gauge that has it; 0 where there is none
    void sample(const talus::StepReport& report);        // a line of the series and the quality it shows
    void judge_quality(); // at the lines of the series only, so that a resumed run agrees
    talus::io::QualitySummary quality_of_run() const;
    void report_quality(const talus::io::QualitySummary& quality);
    void watch_motion(const talus::StepReport& report);
    void warn_of_contacts();
    int finish(const std::string& outcome, const std::string& reason, int status);
    void warn(const std::string& line);

    talus::Simulation<D>& simulation_;
    talus::io::RunWriter<D>& writer_;
    talus::io::Log& log_;
    RunPlan plan_;
    talus::io::Tally tally_;
    Progress progress_;
    talus::Stopwatch since_checkpoint_;
    std::vector<talus::io::GaugeLine> gauges_; // as last measured
    bool warned_of_motion_ = false;
};

// SIGINT and SIGTERM ask the loop to end after the step; the signal that came, or 0.
void catch_signals();
int signal_caught();
