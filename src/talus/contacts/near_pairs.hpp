// Pairs of bodies that are near each other: the detector's, and those of large bodies, which it takes for walls.
#pragma once

#include "talus/bodies/body_table.hpp"
#include "talus/detection/detector.hpp"
#include "talus/shapes/convex.hpp"

#include <vector>

namespace talus {

template <int D>
class NearPairs {
  public:
    // Pairs whose bounding balls (or a ball and a wall) are closer than `reach` [m], sorted. `convex` has the bodies
    // where they are now. Two bodies that nothing can move are no pair.
    void find(const BodyTable<D>& bodies, const ShapeTable<D>& shapes, const ConvexBodies<D>& convex,
              Detector<D>& detector, double reach, std::vector<Pair>& pairs);
    // [m] of the bounding balls of grains, when find() was called; infinite without grains
    double mean_radius() const { return mean_radius_; }

  private:
    void add_pairs_of_large_bodies(const BodyTable<D>& bodies, const ShapeTable<D>& shapes, double reach,
                                   std::vector<Pair>& pairs) const;

    double mean_radius_ = 0;
    // scratch, kept to reuse its memory
    std::vector<WallBound<D>> walls_;
    std::vector<double> radius_;
    std::vector<std::uint8_t> passive_, is_wall_;
};

} // namespace talus
