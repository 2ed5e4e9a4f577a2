// Sweep and prune: the balls' boxes projected on the axis along which the bodies spread most; boxes that overlap there
// are tested on the other axes. Bodies move little between calls, so the sorted order is kept and repaired.
#pragma once

#include "talus/detection/pair_sorter.hpp"

namespace talus {

template <int D>
class SweepAndPrune : public Detector<D> {
  public:
    void find(const BallsAndWalls<D>& seen, std::vector<Pair>& pairs) override;

  private:
    struct End { // lower end of a body's interval; infinity where it has no ball
        double low;
        std::int32_t body;
        friend auto operator<=>(const End&, const End&) = default;
    };
    struct Ball {
        Vec<D> centre;
        double radius;
    };
    void choose_axis(const BallsAndWalls<D>& seen);
    void sort_ends(const BallsAndWalls<D>& seen);

    int axis_ = -1;
    std::vector<End> end_;   // sorted
    std::vector<Ball> ball_; // in the order of the ends
    PairSorter sorter_;
    PairRows rows_;
};

} // namespace talus
