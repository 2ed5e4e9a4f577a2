// What a run shows on the terminal: progress, warnings, how it ended.
#pragma once

#include "talus/io/track_sample.hpp"
#include "terminal/progress.hpp"
#include "terminal/signals.hpp"

#include <fmt/format.h>

template <int D>
class Terminal final : public talus::Observer<D> {
  public:
    explicit Terminal(bool quiet) : quiet_(quiet), progress_(quiet) {}

    void on_step(const talus::Run<D>& run, const talus::StepReport& report) override
    {
        const talus::Simulation<D>& simulation = run.simulation();
        const std::size_t grains =
            progress_.is_due() ? talus::Sample<D>{simulation.bodies, simulation.shapes}.grains() : 0;
        progress_.show({simulation.clock.step, run.plan().steps, simulation.clock.time(), simulation.bodies.size(),
                        grains, report.contacts, report.solve.sweeps, report.solve.residual,
                        run.first_reading("interpenetration")},
                       since_step_.lap());
    }
    void on_start(talus::Run<D>&) override { since_step_.lap(); }
    void on_warning(const std::string& line) override { say("warning: " + line); }
    void on_info(const std::string& line) override { say(line); }
    void on_end(const talus::Run<D>& run, const talus::RunEnd& end) override
    {
        progress_.finish();
        if (quiet_ && end.status != 1) return;
        const talus::Clock& clock = run.simulation().clock;
        fmt::print(stderr, "{}: {} (step {}, t = {:.4g} s, {})\n", end.outcome, end.reason, clock.step, clock.time(),
                   Progress::duration(run.tally().wall_seconds));
    }

  private:
    void say(const std::string& line)
    {
        progress_.finish();
        if (!quiet_) fmt::print(stderr, "{}\n", line);
    }

    bool quiet_;
    Progress progress_;
    talus::Stopwatch since_step_;
};

// The run shows itself on the terminal and ends by a signal.
template <int D>
void attach_terminal(talus::Run<D>& run, bool quiet)
{
    run.observe(std::make_unique<Terminal<D>>(quiet));
    run.stop_when(end_by_signal);
}

// The sample of a track, made as `talus prepare` does.
inline talus::io::SampleMaker sample_maker(const std::string& command_line, bool quiet)
{
    talus::io::SampleMaker maker{.command_line = command_line};
    if (!quiet) maker.say = [](const std::string& line) { fmt::print(stderr, "{}\n", line); };
    maker.attach = [quiet](talus::Run<3>& run) { attach_terminal(run, quiet); };
    maker.signal = signal_caught;
    return maker;
}
