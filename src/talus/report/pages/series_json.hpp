// Columns of a series for a page: long ones are shown by fewer lines, without losing a peak.
#pragma once

#include "talus/io/runs/provenance.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace talus::report {

using Column = std::vector<std::optional<double>>;

// Lines are taken together in bunches of equal length, each shown by the least and the largest value of its column in
// the order they came in; the first and the last line stay as they are. Fed one value after the other.
class ThinnedColumn {
  public:
    ThinnedColumn(std::size_t values, std::size_t kept); // so many will come; so many may stay, 4 at least
    void add(const std::optional<double>& value);
    const Column& kept() const { return kept_; }

  private:
    void close_bunch();

    std::size_t values_, bunches_ = 0; // no bunches: all of them stay
    std::size_t count_ = 0, bunch_ = 0, bunch_end_ = 0;
    struct Extreme {
        std::size_t at;
        double value;
    };
    std::optional<Extreme> least_, largest_; // of the bunch
    Column kept_;
};

Column thinned(const Column& column, std::size_t lines);

// "[1,2.5,null]"
std::string json_list(const Column& column, int digits);

// {"version", "build", "seed", ...}
std::string provenance_json(const io::Provenance& origin);

} // namespace talus::report
