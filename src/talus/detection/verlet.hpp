// Verlet lists (CELLS; MODEL §4): pairs within reach + skin are found once by linked cells and then only filtered,
// until some grain has moved half the skin. The skin follows the motion: a thick one lives long but is long to filter.
// Motion too fast for any skin goes through the cells directly. Walls may move as they like: they are tested anew at
// every call against the cells of the list, which know how far their grains have moved at most.
#pragma once

#include "talus/detection/cell_file.hpp"
#include "talus/detection/pair_sorter.hpp"

namespace talus {

template <int D>
class VerletLists : public Detector<D> {
  public:
    explicit VerletLists(const DetectorOptions& options = {}) : chosen_skin_(options.skin) {}
    void find(const BallsAndWalls<D>& seen, std::vector<Pair>& pairs) override;
    double skin() const { return skin_; }              // [m] of the present list
    std::size_t rebuilds() const { return rebuilds_; } // so far

  private:
    struct Change {         // since the list was built
        bool bodies = true; // other bodies, radii or reach
        double moved = 0;   // [m] largest displacement
    };
    Change compare(const BallsAndWalls<D>& seen) const;
    void learn(const Change& change);
    double choose_skin(const BallsAndWalls<D>& seen) const;
    void build(const BallsAndWalls<D>& seen);
    void filter(const BallsAndWalls<D>& seen, double moved, std::vector<Pair>& pairs);

    double chosen_skin_;                             // [m] by the user; 0: by the motion
    double skin_ = 0;                                // [m]
    double margin_ = 0;                              // [m] displacement up to which the list is complete
    double pace_ = -1;                               // [m] per call, of the fastest grain; < 0: not known yet
    double steady_calls_ = 1e9;                      // calls between changes of the bodies
    std::size_t calls_ = 0, calls_since_change_ = 0; // on this list; with the same bodies
    std::size_t rebuilds_ = 0;

    CellFile<D> cells_; // as filed when the list was built
    PairSorter sorter_;
    PairRows list_;
    std::vector<Vec<D>> centre_; // when the list was built, with all below
    std::vector<double> radius_;
    std::vector<std::uint8_t> passive_;
    double reach_ = -1;

    std::vector<std::uint8_t> within_; // per listed pair, at this call
    std::vector<Pair> wall_pairs_;
};

} // namespace talus
