// Balls against walls that nothing moves but a driver: planes, drums, bowls, rods and balls that are held. A ball has
// one contact with each, from a formula, so that it needs no feature to keep its history.
#pragma once

#include "talus/shapes/shape_table.hpp"
#include "talus/smooth/ball_pairs.hpp"
#include "talus/smooth/packed_bodies.hpp"

#include <span>
#include <vector>

namespace talus {

template <int D>
class Walls {
  public:
    // true for two places of the pack that are such a pair
    static bool takes(const PackedBodies<D>& pack, const BodyTable<D>& bodies, const ShapeTable<D>& shapes,
                      std::int32_t ball, std::int32_t other);
    // Where those that are second in these pairs are now.
    void choose(std::span<const BallPairs> parts, const PackedBodies<D>& pack);
    void place(const PackedBodies<D>& pack, const BodyTable<D>& bodies, const ShapeTable<D>& shapes);
    // Pairs within `range`; the energy that the others held is freed [J].
    void find_near(const BallView& view, const ShapeTable<D>& shapes, double range, BallPairs& pairs, NearWalls& near,
                   double& freed) const;

  private:
    struct Wall {
        const Shape<D>* shape = nullptr;
        Vec<D> position;
        Rotation<D> orientation;
    };
    std::size_t balls_ = 0;
    std::vector<std::int32_t> chosen_; // places in the pack
    std::vector<Wall> walls_;          // of each place behind the balls
};

} // namespace talus
