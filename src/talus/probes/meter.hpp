// A meter is told of every step and keeps what it needs of them: what frames are too rare to show. Its numbers go to
// series.csv, its results to summary.json; a checkpoint carries its memory. It reads and never writes.
#pragma once

#include "talus/drivers/driver.hpp"
#include "talus/probes/indicator.hpp"
#include "talus/scene/value.hpp"

namespace talus {

// A file NAME.csv of results.
struct MeterTable {
    std::string name;
    std::vector<std::string> columns;
    std::vector<std::vector<std::string>> rows;
};

template <int D>
class Meter {
  public:
    virtual ~Meter() = default;
    virtual std::string name() const = 0; // of its part of summary.json

    virtual void begin(const Snapshot<D>&) {}                     // before the first step
    virtual void watch(const Snapshot<D>&, const Clock& now) = 0; // after each

    virtual std::vector<std::string> columns() const { return {}; } // of series.csv
    virtual std::vector<Maybe> values() const { return {}; }        // now, one per column
    virtual scene::Value results() const { return scene::Value::table(); }
    virtual MeterTable table() const { return {}; }
    virtual std::vector<std::string> told() const { return {}; } // lines for the end of a run

    // A run of an earlier version goes on with it: it begins where that stopped.
    virtual bool may_begin_late() const { return false; }
    virtual std::vector<std::uint64_t> save() const = 0;
    // What save() gave; false where it cannot be that, and then nothing changes.
    virtual bool restore(std::span<const std::uint64_t>) = 0;
};

} // namespace talus
