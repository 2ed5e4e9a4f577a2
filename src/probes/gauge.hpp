// A gauge looks at a part of the sample (all of it, or a box fixed in space) and says how dense, how connected and how
// interpenetrated it is (MODEL §5, BALLAST ch. 6). It reads and never writes.
//
// A grain is a body that something can move and that has a volume of its own: no wall, no segment, no fixed body.
// Volumes and speeds are those of the present positions; who touches whom, with which impulse and, for polygons and
// polyhedra, how deep is the contact table's.
#pragma once

#include "bodies/body_table.hpp"
#include "contacts/contact_table.hpp"
#include "shapes/shape_table.hpp"

#include <cstddef>
#include <optional>
#include <string>

namespace talus {

// Empty where it would be a division by zero: no grain in the gauge, or no volume.
template <int D>
struct GaugeValues {
    double volume = 0;                    // [m³], [m²] in 2D, of the gauge
    double solid_volume = 0;              // of the grains, cut exactly at its faces; overlaps count in both grains
    std::optional<double> solid_fraction; // compacity: solid_volume / volume
    std::optional<double> coordination; // bodies (walls too) that a grain exchanges a force with, mean over the grains
    std::optional<double> coordination_without_rattlers;
    std::optional<double> neighbours;       // bodies that touch a grain (gap ≤ 0) or exchange a force with it, mean
    std::optional<double> interpenetration; // V_pen / volume, V_pen the sum over pairs of their common volume
    std::optional<double> overlap_ratio;    // Y = V_pen / solid_volume
    double overlap_volume = 0;              // V_pen
    double max_overlap = 0;                 // [m] deepest penetration of a pair
    std::size_t grains = 0;                 // with their centre in the gauge
    std::size_t contacts = 0;               // points in the gauge, open ones within the alert distance included
    std::size_t active_contacts = 0;        // those that transmit a force
    std::size_t simple_pairs = 0;           // pairs that touch in a manifold of one point: a vertex or crossed edges,
    std::size_t double_pairs = 0;           // of two: an edge on a face,
    std::size_t triple_pairs = 0;           // of three or more: faces on each other
    std::optional<double> mean_speed;       // [m/s] of the centres
    double max_speed = 0;                   // [m/s]
};

// Pairs are counted in a box by their contact point, a pair with several points once, by the first. Coordination
// without rattlers leaves out, again and again, grains with fewer than D + 1 force-transmitting neighbours (what
// balance without friction needs) among those that are left.
template <int D>
class Gauge {
  public:
    // Its volume is the bounding box of the grains, cut back to half-space walls whose normal is along an axis.
    static Gauge sample(std::string name);
    static Gauge box(std::string name, const Vec<D>& lower, const Vec<D>& upper);

    // A contact transmits a force where its normal impulse exceeds this share of the largest one.
    Gauge& with_force_threshold(double share);

    const std::string& name() const { return name_; }
    GaugeValues<D> measure(const BodyTable<D>& bodies, const ShapeTable<D>& shapes,
                           const ContactTable<D>& contacts) const;

  private:
    explicit Gauge(std::string name) : name_(std::move(name)) {}

    std::string name_;
    std::optional<Bounds<D>> box_; // empty: the whole sample
    double force_threshold_ = 1e-12;
};

} // namespace talus
