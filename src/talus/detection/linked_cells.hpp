// Linked cells (CELLS; MODEL §4): all grains are filed anew at every call, and each looks into the cells around its
// own.
#pragma once

#include "talus/detection/cell_file.hpp"
#include "talus/detection/pair_sorter.hpp"

namespace talus {

template <int D>
class LinkedCells : public Detector<D> {
  public:
    void find(const BallsAndWalls<D>& seen, std::vector<Pair>& pairs) override;

  private:
    CellFile<D> cells_;
    PairSorter sorter_;
    PairRows rows_;
};

// Pairs of balls that `cells` finds, one buffer per chunk and `more_buffers` empty ones behind.
template <int D>
std::vector<std::vector<Pair>>& collect_ball_pairs(const CellFile<D>& cells, PairSorter& sorter,
                                                   std::size_t more_buffers);

// Pairs of a wall and a ball that has moved at most `moved` since it was filed; appends, in no order.
template <int D>
void collect_wall_pairs(const CellFile<D>& cells, const BallsAndWalls<D>& seen, double moved, std::vector<Pair>& found);

} // namespace talus
