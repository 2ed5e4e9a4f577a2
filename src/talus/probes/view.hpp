// What a gauge sees of a moment: its region, or its body, and the grains and contacts in it. Lists are made when they
// are first asked for, in the order of the tables, so that sums do not depend on the number of threads.
#pragma once

#include "talus/probes/region.hpp"
#include "talus/probes/snapshot.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace talus {

// Where a body was when the run began.
template <int D>
struct BodyStart {
    Vec<D> position = Vec<D>::Zero();
    Rotation<D> orientation;
};

template <int D>
class View {
  public:
    struct Part {
        std::int32_t grain;
        double volume; // of it in the region
        double share;  // of its own volume
    };

    // All grains: the region is their bounding box, cut back to half-space walls whose normal is along an axis.
    static View of_sample(const Snapshot<D>& snapshot);
    static View of_region(const Snapshot<D>& snapshot, const Region<D>& region)
    {
        return View(snapshot, region, false);
    }
    static View of_body(const Snapshot<D>& snapshot, std::int32_t body, const BodyStart<D>& start);

    const Snapshot<D>& snapshot;
    const Region<D> region;
    const bool is_whole;      // every grain belongs to the gauge, wherever its centre is
    const std::int32_t body;  // −1: the gauge looks at a region
    const BodyStart<D> start; // of that body
    const double volume;      // [m³], [m²] in 2D

    const Sample<D>& sample() const { return snapshot.sample; }
    const ContactTable<D>& contacts() const { return snapshot.contacts; }

    const std::vector<std::int32_t>& grains() const; // with their centre in the region
    const std::vector<Part>& parts() const;          // grains that reach into it, cut at its surface
    double mean_diameter() const;                    // [m] of these grains' bounding balls; 0 without grains
    const std::vector<std::int32_t>& rows() const;   // contacts of grains, with their point in it

  private:
    View(const Snapshot<D>& snapshot, const Region<D>& region, bool is_whole, std::int32_t body = -1,
         const BodyStart<D>& start = {});

    mutable std::optional<std::vector<std::int32_t>> grains_, rows_;
    mutable std::optional<std::vector<Part>> parts_;
};

} // namespace talus
