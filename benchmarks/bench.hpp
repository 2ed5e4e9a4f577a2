// Benchmarks: what `talus bench` runs. A group measures one subject at several sizes and adds rows to the report.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace talus::bench {

inline const std::string default_method = "nscd";

struct Options {
    bool quick = false;                  // a minute: smaller sizes, fewer repeats
    std::string problems;                // folder of recorded contact problems
    std::string figures;                 // folder for the figures of verification studies; empty: none
    std::string only;                    // of the cases of a long study those whose name holds this; empty: all
    std::string method = default_method; // scene.method of the groups that leave it open

    bool wants(std::string_view name) const { return name.find(only) != std::string_view::npos; }
};

struct Row {
    std::string group;  // "detection"
    std::string name;   // a path: "3d/mono/linked_cells/100000"
    std::string metric; // "ms_per_step", "growth_exponent", ...
    double value;
    std::string unit;
};

// Collects rows; prints each as it arrives, so that a long benchmark shows progress.
class Report {
  public:
    explicit Report(std::string group) : group_(std::move(group)) {}
    void add(const std::string& name, const std::string& metric, double value, const std::string& unit);
    void say(const std::string& line); // a remark between rows
    const std::vector<Row>& rows() const { return rows_; }

  private:
    std::string group_;
    std::vector<Row> rows_;
};

struct Group {
    std::string name;
    std::string about;
    std::function<void(const Options&, Report&)> run;
    bool is_made_of_others = false; // left out where all groups are run
    bool takes_method = false;      // computes its scenes by Options::method
};

// The registry: one line per group.
std::vector<Group> groups();

// y = slope x + offset by least squares.
struct Line {
    double slope, offset;
};
Line fitted_line(const std::vector<double>& x, const std::vector<double>& y);

// Least-squares slope of log(value) against log(size).
double growth_exponent(const std::vector<double>& sizes, const std::vector<double>& values);

} // namespace talus::bench
