// The exact stage of detection: the contact points of two bodies whatever their shapes (MODEL §4).
#pragma once

#include "talus/shapes/ball_contact.hpp"
#include "talus/shapes/manifold.hpp"
#include "talus/shapes/mesh_tree.hpp"

namespace talus {

// true where the exact stage knows the pair of kinds, in either order: all but two walls
bool can_collide(ShapeKind a, ShapeKind b);
// true where the second of the two is the candidate: grains are candidates against walls
bool second_is_candidate(ShapeKind first, ShapeKind second);

// What a pair remembers of the last step.
template <int D>
struct PairMemory {
    const Vec<D>* witness = nullptr; // a direction, from the candidate, that parted two convex bodies
    // contact points, all of this pair
    std::span<const std::uint64_t> features{};
    std::span<const Vec<D>> normals{};
};

template <int D>
struct ExactStage {
    const ShapeTable<D>& shapes;
    const ConvexBodies<D>& convex;
    double alert; // [m]
    int most_points = talus::most_points;

    struct Body {
        std::size_t index;
        Placed<D> placed;
    };
    // true where `direction`, from the candidate, shows that the two are further apart than the alert distance
    bool parts(const Body& candidate, const Body& antagonist, const Vec<D>& direction) const;
    // Appends the points with gap ≤ alert, by growing feature. `witness` receives a direction that parts two convex
    // bodies which are further apart.
    void collide(const Body& candidate, const Body& antagonist, const PairMemory<D>& memory, Vec<D>& witness,
                 std::vector<ContactPoint<D>>& points) const;
};

} // namespace talus
