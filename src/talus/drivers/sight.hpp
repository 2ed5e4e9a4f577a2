// Who is near whom, for drivers that see their neighbours.
#pragma once

#include "talus/contacts/near_pairs.hpp"
#include "talus/drivers/driver.hpp"

#include <memory>
#include <vector>

namespace talus {

template <int D>
class Sight {
  public:
    // Shows the drivers that see what lies as far as any of them sees.
    void show(std::span<const std::unique_ptr<Driver<D>>> drivers, const BodyTable<D>& bodies,
              const ShapeTable<D>& shapes);

  private:
    std::unique_ptr<Detector<D>> detector_; // of its own: lists it keeps are for this distance
    NearPairs<D> near_;
    ConvexBodies<D> convex_;
    std::vector<Pair> pairs_;
};

} // namespace talus
