// Grains and contact forces put together by hand.
#pragma once

#include "talus/contacts/contact_table.hpp"
#include "talus/probes/sample.hpp"

namespace talus {

template <int D>
struct ForcesScene {
    BodyTable<D> bodies;
    ShapeTable<D> shapes;
    ContactTable<D> contacts;
    double dt = 1e-3; // [s]

    Sample<D> sample() const { return {bodies, shapes}; }
    std::int32_t add(std::int32_t shape, const Vec<D>& position, FreedomMask imposed = 0)
    {
        Body<D> body;
        body.position = position;
        body.mass = 1;
        body.shape = shape;
        body.imposed = imposed;
        return bodies.add(body);
    }
    std::int32_t add_ball(double radius, const Vec<D>& position) { return add(shapes.add_ball(radius), position); }
    // a force [N] on the candidate
    void push(std::int32_t candidate, std::int32_t antagonist, const Vec<D>& point, const Vec<D>& force)
    {
        contacts.candidate.push_back(candidate);
        contacts.antagonist.push_back(antagonist);
        contacts.feature.push_back(0);
        contacts.points.push_back(1);
        contacts.point.push_back(point);
        contacts.normal.push_back(Vec<D>::Unit(0));
        contacts.gap.push_back(0);
        contacts.impulse.push_back(dt * force);
    }
};

} // namespace talus
