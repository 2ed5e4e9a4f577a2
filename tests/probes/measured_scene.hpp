// Bodies and contacts put together by hand, and what a gauge says of them.
#pragma once

#include "talus/probes/gauge.hpp"

namespace talus {

// The default indicators of a gauge, as fields.
template <int D>
struct GaugeValues {
    explicit GaugeValues(const Reading& r)
        : compacity(r["compacity"]), coordination(r["coordination"]),
          coordination_without_rattlers(r["coordination_without_rattlers"]), neighbours(r["neighbours"]),
          interpenetration(r["interpenetration"]), overlap_ratio(r["overlap_ratio"]), mean_speed(r["mean_speed_mps"]),
          max_speed(r["max_speed_mps"]), overlap_volume(r[std::string("overlap_volume_") + volume_unit<D>]),
          max_overlap(r["max_overlap_m"]), volume(r.at(std::string("volume_") + volume_unit<D>)),
          solid_volume(r.at(std::string("solid_volume_") + volume_unit<D>)), grains(std::size_t(r.at("grains"))),
          contacts(std::size_t(r.at("contacts"))), active_contacts(std::size_t(r.at("active_contacts"))),
          simple_pairs(std::size_t(r.at("simple_pairs"))), double_pairs(std::size_t(r.at("double_pairs"))),
          triple_pairs(std::size_t(r.at("triple_pairs")))
    {
    }
    Maybe compacity, coordination, coordination_without_rattlers, neighbours, interpenetration, overlap_ratio,
        mean_speed, max_speed, overlap_volume, max_overlap;
    double volume, solid_volume;
    std::size_t grains, contacts, active_contacts, simple_pairs, double_pairs, triple_pairs;
};

template <int D>
struct Scene {
    BodyTable<D> bodies;
    ShapeTable<D> shapes;
    ContactTable<D> contacts;

    std::int32_t add(std::int32_t shape, const Vec<D>& position, FreedomMask imposed = 0,
                     const Rotation<D>& orientation = {})
    {
        Body<D> body;
        body.position = position;
        body.orientation = orientation;
        body.mass = 1;
        body.shape = shape;
        body.imposed = imposed;
        return bodies.add(body);
    }
    std::int32_t add_ball(double radius, const Vec<D>& position) { return add(shapes.add_ball(radius), position); }
    std::int32_t add_fixed(std::int32_t shape, const Vec<D>& position = Vec<D>::Zero())
    {
        return add(shape, position, all_imposed<D>);
    }

    // a contact whose impulse is along its normal
    void touch(std::int32_t candidate, std::int32_t antagonist, double impulse, double gap = 0,
               std::uint64_t feature = 0, std::uint8_t points = 1)
    {
        contacts.candidate.push_back(candidate);
        contacts.antagonist.push_back(antagonist);
        contacts.feature.push_back(feature);
        contacts.points.push_back(points);
        contacts.point.push_back(0.5 * (bodies.position[candidate] + bodies.position[antagonist]));
        contacts.normal.push_back(Vec<D>::Unit(0));
        contacts.gap.push_back(gap);
        contacts.impulse.push_back(impulse * Vec<D>::Unit(0));
    }
    Reading read(const Gauge<D>& gauge, double force_threshold = 1e-12) const
    {
        return gauge.measure(Snapshot<D>(bodies, shapes, contacts, 1.0, force_threshold));
    }
    GaugeValues<D> measure(const Gauge<D>& gauge, double force_threshold = 1e-12) const
    {
        return GaugeValues<D>(read(gauge, force_threshold));
    }
    GaugeValues<D> measure() const { return measure(Gauge<D>::sample("all")); }
};

} // namespace talus
