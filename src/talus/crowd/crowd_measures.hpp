// What a crowd is measured by at every step: who left when and where, who crossed a line, who was pressed how hard.
// The contact force on a person is the sum of the magnitudes of their contact impulses over h, its mean over 0.1 s the
// figure that is kept. Helbing, Farkas and Vicsek (Nature 407, 2000) count somebody as injured where the sum of the
// forces over the circumference exceeds 1600 N/m.
#pragma once

#include "talus/crowd/obstacles.hpp"
#include "talus/probes/meter.hpp"

#include <array>
#include <memory>

namespace talus {

inline constexpr int force_window_parts = 10;    // the mean moves on by a tenth of
inline constexpr double force_window_time = 0.1; // [s]

// What is known of a person, by their number.
struct PersonRecord {
    static constexpr double never = std::numeric_limits<double>::quiet_NaN();
    double came = never, left = never;               // [s]; never came: it is no person
    double exit = -1;                                // its place among [[exits]], −1: none
    double contact_time = 0;                         // [s] of the steps in which something pushed
    double largest_force = 0, largest_at = 0;        // [N] mean over 0.1 s, [s]
    double crushed_at = never;                       // [s]
    Vec<2> place = Vec<2>::Zero();                   // [m] where they were last seen
    std::array<double, force_window_parts> window{}; // [N s] of the last parts of 0.1 s

    bool is_person() const { return came == came; }
    bool is_inside() const { return is_person() && !(left == left); }
    bool is_crushed() const { return crushed_at == crushed_at; }
    static auto numbers(auto& record)
    {
        return std::tie(record.came, record.left, record.exit, record.contact_time, record.largest_force,
                        record.largest_at, record.crushed_at, record.place.x(), record.place.y());
    }
};

struct NamedLine {
    std::string name;
    Vec<2> from, to;  // [m]
    double reach = 0; // [m] of an exit
    double width() const { return (to - from).norm(); }
};
struct Crossing {
    double time;     // [s] end of the step
    double person;   // number
    double is_ahead; // 1: to the right of from → to, 0: back
};

class CrowdMeasures final : public Meter<2> {
  public:
    CrowdMeasures(std::vector<NamedLine> exits, std::vector<NamedLine> lines, double crush_pressure);

    std::string name() const override { return "crowd"; }
    void begin(const Snapshot<2>& start) override;
    void watch(const Snapshot<2>& now, const Clock& clock) override;
    std::vector<std::string> columns() const override;
    std::vector<Maybe> values() const override;
    scene::Value results() const override;
    MeterTable table() const override;
    std::vector<std::string> told() const override;
    std::vector<std::uint64_t> save() const override;
    bool restore(std::span<const std::uint64_t> words) override;

    const std::vector<PersonRecord>& persons() const { return persons_; } // by number
    const std::vector<std::vector<Crossing>>& crossings() const { return crossings_; }
    double force_now() const { return force_now_; } // [N] the largest of the means over 0.1 s

  private:
    PersonRecord& meet(const Snapshot<2>& now, std::size_t i, double time);
    void update(const Snapshot<2>& now, const Clock& clock, double start);
    void add_crossings(const Snapshot<2>& now, std::size_t i, double time);
    void part(const Snapshot<2>& now, double time);
    double exit_at(const Vec<2>& place) const;
    std::int64_t count(bool (*is_counted)(const PersonRecord&)) const;
    std::vector<double> leaving_times() const; // [s] sorted
    std::vector<double> leaving_times(std::size_t exit) const;
    scene::Value line_results(std::size_t line) const;
    scene::Value::List most_pressed() const;

    std::vector<NamedLine> exits_, lines_;
    double crush_pressure_; // [N/m]
    double time_ = 0, force_now_ = 0;
    std::vector<PersonRecord> persons_;
    std::vector<std::vector<Crossing>> crossings_; // of each line
    std::vector<std::uint8_t> is_here_;            // by number; scratch
};

// From [[exits]], [[lines]] and [crowd] of a validated scene.
std::unique_ptr<Meter<2>> make_crowd_measures(const scene::Value& scene);

// Mean flow [1/s] of somebody after somebody: (N − 1) over the time from the first to the last; nothing below two.
Maybe mean_flow(std::span<const double> times);

} // namespace talus
