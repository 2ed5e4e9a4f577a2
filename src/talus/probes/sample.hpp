// What a gauge looks at: bodies with their shapes, and which of them are grains.
#pragma once

#include "talus/bodies/body_table.hpp"
#include "talus/shapes/convex_parts.hpp"
#include "talus/shapes/intersection.hpp"

#include <cstddef>
#include <span>

namespace talus {

// Grains are balls, polytopes and clusters that nothing holds or leads. A ball may be kept from turning; what else is
// kept from it, as a sleeper by its rails, is no grain.
template <int D>
bool is_grain(const BodyTable<D>& bodies, const ShapeTable<D>& shapes, std::size_t i)
{
    constexpr FreedomMask places = (1u << D) - 1;
    const ShapeKind kind = shapes[bodies.shape[i]].kind;
    if (kind == ShapeKind::ball) return (bodies.imposed[i] & places) == 0;
    return bodies.imposed[i] == 0 && (kind == ShapeKind::polytope || kind == ShapeKind::cluster);
}

template <int D>
struct Sample {
    const BodyTable<D>& bodies;
    const ShapeTable<D>& shapes;

    const Shape<D>& shape(std::size_t i) const { return shapes[bodies.shape[i]]; }
    bool is_grain(std::size_t i) const { return talus::is_grain(bodies, shapes, i); }
    std::size_t grains() const
    {
        std::size_t count = 0;
        for (std::size_t i = 0; i < bodies.size(); ++i) count += is_grain(i);
        return count;
    }
    std::span<const Polytope<D>> parts(std::size_t i) const { return convex_parts(shapes, bodies.shape[i]); }
    double volume(std::size_t i) const // of a grain
    {
        if (shape(i).kind == ShapeKind::ball) return mass_properties(shapes, bodies.shape[i]).volume;
        double sum = 0;
        for (const Polytope<D>& part : parts(i)) sum += volume_inside<D>(placed(part, i), {});
        return sum;
    }
    PlacedPolytope<D> placed(const Polytope<D>& part, std::size_t i) const
    {
        return {part, bodies.position[i], bodies.orientation[i]};
    }
};

} // namespace talus
