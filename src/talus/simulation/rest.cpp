#include "talus/simulation/rest.hpp"

#include "talus/exec/parallel.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace talus {

RestCriteria rest_criteria(const scene::Value& scene)
{
    const scene::Value& rest = scene.at("rest");
    return {rest.at("kinetic").number(), rest.at("unbalance").number(), rest.at("hold").number()};
}

template <int D>
RestMeasure measure_rest(const BodyTable<D>& bodies, const ShapeTable<D>& shapes, const ContactTable<D>& contacts,
                         double dt)
{
    struct FreeBodies { // rods as well as grains
        double count = 0, energy = 0, resultant = 0, diameter = 0;
    };
    const FreeBodies free = parallel_reduce(
        bodies.size(), FreeBodies{},
        [&](std::size_t i) -> FreeBodies {
            const double radius = bounding_radius(shapes, bodies.shape[i]);
            if (bodies.imposed[i] != 0 || !std::isfinite(radius)) return {};
            return {1, kinetic_energy(bodies, i), (bodies.force[i] + bodies.reaction[i]).squaredNorm(), 2 * radius};
        },
        [](const FreeBodies& a, const FreeBodies& b) -> FreeBodies {
            return {a.count + b.count, std::max(a.energy, b.energy), a.resultant + b.resultant,
                    a.diameter + b.diameter};
        });
    struct Forces {
        double count = 0, square = 0;
    };
    const Forces forces = parallel_reduce(
        contacts.size(), Forces{},
        [&](std::size_t k) -> Forces {
            const double square = (contacts.impulse[k] / dt).squaredNorm();
            return {square > 0 ? 1.0 : 0.0, square};
        },
        [](const Forces& a, const Forces& b) -> Forces {
            return {a.count + b.count, a.square + b.square};
        });
    constexpr double never = std::numeric_limits<double>::infinity();
    if (forces.count == 0 || free.count == 0) return {never, never};
    const double force = std::sqrt(forces.square / forces.count);
    return {free.energy / (force * free.diameter / free.count), std::sqrt(free.resultant / free.count) / force};
}

template RestMeasure measure_rest(const BodyTable<2>&, const ShapeTable<2>&, const ContactTable<2>&, double);
template RestMeasure measure_rest(const BodyTable<3>&, const ShapeTable<3>&, const ContactTable<3>&, double);

} // namespace talus
