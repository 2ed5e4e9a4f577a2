// Bodies and contacts put together by hand, and what a gauge says of them.
#pragma once

#include "probes/gauge.hpp"

namespace talus {

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
    GaugeValues<D> measure(const Gauge<D>& gauge) const { return gauge.measure(bodies, shapes, contacts); }
    GaugeValues<D> measure() const { return measure(Gauge<D>::sample("all")); }
};

} // namespace talus
