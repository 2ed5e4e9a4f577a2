// The default: all pairs for a handful of bodies, Verlet lists on linked cells otherwise; the lists adapt their skin,
// and do without one where the motion is fast.
#pragma once

#include "talus/detection/all_pairs.hpp"
#include "talus/detection/verlet.hpp"

namespace talus {

template <int D>
class Automatic : public Detector<D> {
  public:
    explicit Automatic(const DetectorOptions& options = {}) : lists_(options) {}
    void find(const BallsAndWalls<D>& seen, std::vector<Pair>& pairs) override
    {
        if (seen.centre.size() <= few_bodies) return handful_.find(seen, pairs);
        lists_.find(seen, pairs);
    }

  private:
    static constexpr std::size_t few_bodies = 24; // where the two take about the same time
    AllPairs<D> handful_;
    VerletLists<D> lists_;
};

} // namespace talus
