// Whether a sample has come to rest, judged by what it does and not by the clock: the kinetic energy of each grain is
// small against the work of a contact force over a grain's size, and the forces on the grains balance.
#pragma once

#include "talus/contacts/contact_table.hpp"
#include "talus/scene/value.hpp"

namespace talus {

struct RestCriteria {
    double kinetic = 1e-6;   // largest kinetic energy of a grain over (rms contact force × mean diameter)
    double unbalance = 0.05; // rms resultant on a grain over rms contact force
    double hold = 0;         // [s] how long both must stay below before the sample counts as at rest
};

// As [rest] of a checked scene says.
RestCriteria rest_criteria(const scene::Value& scene);

struct RestMeasure {
    double kinetic = 0, unbalance = 0; // as in the criteria; infinite without a contact force
    bool is_below(const RestCriteria& criteria) const
    {
        return kinetic <= criteria.kinetic && unbalance <= criteria.unbalance;
    }
};

// After a step of length dt: loads and reactions of it are in `bodies`.
template <int D>
RestMeasure measure_rest(const BodyTable<D>& bodies, const ShapeTable<D>& shapes, const ContactTable<D>& contacts,
                         double dt);

} // namespace talus
