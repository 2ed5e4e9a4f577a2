// What the operations did to a track, as an engineer asks for it: how far sleepers were lifted, sank and are carried,
// how dense the ballast is where, what the tools took, how hard the track is to push. Forces of single steps are
// impacts and say nothing: those of tools are means over a period of the vibration.
#pragma once

#include "talus/probes/gauge.hpp"
#include "talus/probes/meter.hpp"
#include "talus/railway/operation.hpp"
#include "talus/railway/operations.hpp"

#include <map>

namespace talus {

// Of the tools, in a period of the vibration.
struct PeriodForces {
    double time = 0;                           // [s] when it ended
    double mean = 0, largest = 0, highest = 0; // [N] mean of all; of the tool with most; most in an eighth of a period
    static auto members(auto& p) { return std::tie(p.time, p.mean, p.largest, p.highest); }
};

// A stretch of an operation.
struct PhaseSpan {
    double operation = 0, sleeper = 0; // their places among those of the scene and of the track
    std::string name;
    double from = 0, until = 0; // [s]
    static auto members(auto& p) { return std::tie(p.operation, p.sleeper, p.name, p.from, p.until); }
};

// Of a tool in all phases of one name.
struct ToolWork {
    double time = 0, impulse = 0; // [s], [N s] the magnitudes of the means over periods, times their lengths
    Maybe largest;                // [N] of these means; nothing where no period ended in the phase
    double energy = 0;            // [J] given to the ballast
    static auto members(auto& w) { return std::tie(w.time, w.impulse, w.largest, w.energy); }
};

struct TrackStage {
    double time = 0;                // [s]
    std::vector<double> levels;     // [m] of the undersides of the sleepers
    std::vector<Maybe> compacities; // by place
    std::vector<Maybe> surfaces;    // [m] of the cribs: mean height of the centres of the highest grains
    static auto members(auto& s) { return std::tie(s.time, s.levels, s.compacities, s.surfaces); }
};

// What carries a sleeper [N], upward; as last seen while no operation acted on it, where there was such a time.
struct Support {
    double below = 0, left = 0, sides = 0; // from below, the part of it at smaller y; from everywhere else
    std::vector<double> strips;            // from below, along the sleeper
    bool was_free = false;                 // no operation acted on it then
    static auto members(auto& s) { return std::tie(s.below, s.left, s.sides, s.strips, s.was_free); }
};

// Of a sleeper in an operation.
struct Sinking {
    double before = 0, lowest = 0, after = 0; // [m] levels
    bool has_begun = false;
    static auto members(auto& s) { return std::tie(s.before, s.lowest, s.after, s.has_begun); }
};

// Reaction of the ballast against the way of a sleeper: of a push along x, else downward. Means over pieces of the
// operation; the sums are of the piece under way.
struct ForceCurve {
    std::vector<double> way, force;              // [m], [N]
    double now = 0;                              // [m]
    double way_sum = 0, force_sum = 0, time = 0; // [m s], [N s], [s]
    static auto members(auto& c) { return std::tie(c.way, c.force, c.now, c.way_sum, c.force_sum, c.time); }
};

struct Lift {
    double asked = 0, before = 0; // [m], [m] level
    bool is_asked = false;
    static auto members(auto& l) { return std::tie(l.asked, l.before, l.is_asked); }
};

class TrackResult final : public Meter<3> {
  public:
    // What the run is of.
    struct Part { // an operation
        std::string type;
        OperationTime time;
        const Operation* operation; // a driver of the same run
        double frequency;           // [Hz]
    };
    struct Place {
        std::string name;
        Region<3> region;
    };
    struct Subject {
        Track track;
        std::vector<Part> parts;
        std::vector<Place> places; // whose compacity is told
        std::vector<BodyId> sleepers, tools;
        double end;        // [s]
        double weight = 0; // [N] of a sleeper
    };
    explicit TrackResult(Subject subject);

    std::string name() const override { return "track"; }
    bool may_begin_late() const override { return true; }
    void begin(const Snapshot<3>& start) override;
    void watch(const Snapshot<3>& now, const Clock& clock) override;
    scene::Value results() const override;
    std::vector<std::string> told() const override;
    std::vector<std::uint64_t> save() const override;
    bool restore(std::span<const std::uint64_t> words) override;

  private:
    // All that a checkpoint carries.
    struct Seen {
        double time = 0, diameter = 0;  // [s], [m] mean of the grains
        std::vector<TrackStage> stages; // at the start, and as each later operation began
        TrackStage latest;
        std::vector<double> grain_starts; // [m] x, y, z by number; not finite: no grain
        double moved = 0, grains = 0;     // grains that moved farther than half a diameter; all of them
        std::vector<PhaseSpan> phases;
        std::vector<double> sleepers, tools;               // [m] x, y, z after the last step
        std::vector<Lift> lifts;                           // by sleeper, as last asked
        std::vector<Sinking> sinkings;                     // by operation and sleeper
        std::vector<ForceCurve> curves;                    // by operation and sleeper
        std::map<std::string, std::vector<ToolWork>> work; // by phase and tool
        std::vector<PeriodForces> periods;
        // the period under way, and its eighth
        std::string period_phase;
        std::vector<double> period_impulse, part_impulse;          // [N s] x, y, z of each tool
        double period_time = 0, part_time = 0, period_highest = 0; // [s], [s], [N]
        std::vector<Support> support, support_sums;
        double support_time = 0; // [s] of the sums
        static auto members(auto& s)
        {
            return std::tie(s.time, s.diameter, s.stages, s.latest, s.grain_starts, s.moved, s.grains, s.phases,
                            s.sleepers, s.tools, s.lifts, s.sinkings, s.curves, s.work, s.periods, s.period_phase,
                            s.period_impulse, s.part_impulse, s.period_time, s.part_time, s.period_highest, s.support,
                            s.support_sums, s.support_time);
        }
    };

    TrackStage look(const Snapshot<3>& now) const;
    void count_moved(const Snapshot<3>& now);
    void follow_phases(const BodyTable<3>& bodies, const Clock& clock);
    void follow_tools(const Snapshot<3>& now, const Clock& clock);
    void close_part();
    void close_period(double period);
    void follow_sleepers(const Snapshot<3>& now, const Clock& clock);
    void follow_push(std::size_t part, std::size_t sleeper, const Vec<3>& load, const Vec<3>& moved, double dt);
    void add_support(const Snapshot<3>& now, std::size_t sleeper, std::size_t body, double dt);
    const PhaseSpan* working_phase(std::size_t& part) const; // of the tools now
    bool names(std::size_t part, std::size_t sleeper) const;
    bool is_free(std::size_t sleeper, const Clock& clock) const; // no operation acts on it
    std::size_t pair_of(std::size_t part, std::size_t sleeper) const
    {
        return part * subject_.sleepers.size() + sleeper;
    }

    Maybe foot_share(const Support& support) const;
    bool hangs(std::size_t sleeper) const;   // the ballast on this sleeper
    std::vector<double> cycle_times() const; // [s]
    std::string basis() const;
    scene::Value sleeper_results(std::size_t sleeper) const;
    scene::Value operation_results(std::size_t part) const;
    scene::Value::List curve_results(bool of_pushes) const;
    scene::Value::List place_results() const;
    scene::Value::List crib_results() const;
    scene::Value::List tool_results() const;
    scene::Value force_results() const;
    std::vector<std::string> verdict() const;
    void tell_compacity(std::vector<std::string>& said) const;
    void tell_sleeper(std::size_t sleeper, std::vector<std::string>& said) const;
    void tell_tools(std::vector<std::string>& said) const;
    std::vector<std::string> warnings() const;

    Subject subject_;
    std::vector<Place> cribs_;
    Seen seen_;
};

// Of a validated scene; none without sleepers or operations. `drivers` are those of the run, `find` gives its bodies.
std::unique_ptr<Meter<3>> make_track_result(const scene::Value& scene,
                                            std::span<const std::unique_ptr<Driver<3>>> drivers,
                                            std::span<const Gauge<3>> gauges, const BodyTable<3>& bodies,
                                            const BodyFinder& find);

} // namespace talus
