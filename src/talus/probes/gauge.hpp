// A gauge looks at a part of the sample (all of it, or a region fixed in space or carried by a body) or at one body,
// and measures its indicators there (MODEL §5, BALLAST ch. 6). It reads and never writes.
//
// A grain is a body that moves freely and has a volume of its own: no wall, no segment, nothing fixed or led, no
// sleeper. Volumes and speeds are those of the present positions; who touches whom, with which impulse and, for
// polygons and polyhedra, how deep is the contact table's.
#pragma once

#include "talus/probes/indicator.hpp"

#include <optional>
#include <string>
#include <vector>

namespace talus {

// What a gauge measured: one value per column.
class Reading {
  public:
    Reading() = default;
    Reading(std::vector<std::string> columns, std::vector<Maybe> values)
        : columns_(std::move(columns)), values_(std::move(values))
    {
    }
    const std::vector<std::string>& columns() const { return columns_; }
    const std::vector<Maybe>& values() const { return values_; }
    bool has(std::string_view column) const;
    Maybe operator[](std::string_view column) const; // empty where the gauge has no such column
    double at(std::string_view column) const;        // std::out_of_range where there is no value

  private:
    std::vector<std::string> columns_;
    std::vector<Maybe> values_;
};

template <int D>
class Gauge {
  public:
    static Gauge sample(std::string name);
    static Gauge box(std::string name, const Vec<D>& lower, const Vec<D>& upper); // fixed in space
    static Gauge in(std::string name, const Region<D>& region);
    static Gauge on_body(std::string name, BodyId body, const BodyTable<D>& at_start);

    // The region moves and turns with this body, from where it is at the start.
    Gauge& carried_by(BodyId body, const BodyTable<D>& at_start);
    Gauge& showing(const std::vector<std::string>& indicators); // by name; the default ones without it
    Gauge& every(std::int64_t steps);                           // its own cadence; 0: that of the series

    const std::string& name() const { return name_; }
    std::int64_t steps() const { return steps_; }
    const std::optional<Region<D>>& region() const { return region_; } // at the start; none: all of it, or a body
    bool is_of_body() const { return is_of_body_; }
    BodyId body() const { return body_; } // that it looks at, or that carries it
    const BodyStart<D>& start() const { return start_; }
    std::vector<std::string> columns() const;
    // The body it looks at, or that carries it, has left: there is nothing to look at.
    bool is_lost(const Snapshot<D>& snapshot) const;
    View<D> look(const Snapshot<D>& snapshot) const;    // not where it is lost
    Reading measure(const Snapshot<D>& snapshot) const; // no values where it is lost
    // All that the indicators know of one moment, chosen or not.
    std::vector<Distribution> distributions(const Snapshot<D>& snapshot) const;

    // What makes its values empty or doubtful at this moment, in words; nothing where all is well.
    std::vector<std::string> doubts(const Snapshot<D>& snapshot) const;

  private:
    explicit Gauge(std::string name) : name_(std::move(name)) {}

    std::string name_;
    std::optional<Region<D>> region_; // where it is at the start; none: the whole sample, or a body
    bool is_of_body_ = false;
    BodyId body_ = BodyId::none; // that it looks at, or that carries it
    BodyStart<D> start_;
    std::vector<const Indicator<D>*> shown_;
    std::int64_t steps_ = 0;
};

} // namespace talus
