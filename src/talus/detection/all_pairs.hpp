// All N(N-1)/2 pairs: the reference the other methods are tested against.
#pragma once

#include "talus/detection/pair_sorter.hpp"

namespace talus {

template <int D>
class AllPairs : public Detector<D> {
  public:
    void find(const BallsAndWalls<D>& seen, std::vector<Pair>& pairs) override;

  private:
    PairSorter sorter_;
    PairRows rows_;
};

// Every grain against every wall; appends, in no order.
template <int D>
void test_every_wall(const BallsAndWalls<D>& seen, std::vector<Pair>& found);

} // namespace talus
