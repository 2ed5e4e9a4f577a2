// Candidates from the regular (weighted Delaunay) triangulation of the centres, the lower hull of the points
// (x, |x|² - R²) by Qhull, with R = radius + reach/2 (MODEL §4; CROWD §2.3).
// Its edges alone miss pairs whose contact point lies inside a third ball. They are completed as follows: the segment
// between two overlapping balls i and j crosses power cells of balls that contain it; up to the contact point those
// balls all overlap i, behind it j, and cells crossed in a row are joined by an edge. So i and j reach, each walking
// along edges through balls that overlap it, one ball in common. This finds every pair at any overlap.
#pragma once

#include "talus/detection/linked_cells.hpp"

namespace talus {

template <int D>
class Delaunay : public Detector<D> {
  public:
    void find(const BallsAndWalls<D>& seen, std::vector<Pair>& pairs) override;
    std::string remark() const override { return remark_; }

  private:
    struct Ball {
        Vec<D> centre; // from the middle of the cloud, in units of its extent: Qhull's tolerances are absolute
        double radius; // R above, with a margin for what Qhull's rounding may change
        std::int32_t body;
    };
    bool gather(const BallsAndWalls<D>& seen);
    bool triangulate();
    void join_edges();
    std::int32_t owner_of_centre(std::int32_t ball, std::int32_t start) const;
    void walk();
    void answer_by_cells(const BallsAndWalls<D>& seen, std::vector<Pair>& pairs, const std::string& why);

    std::vector<Ball> ball_;
    PairSorter sorter_;
    PairRows edges_;      // each once
    PairRows neighbours_; // both ways
    PairRows visitors_;   // per ball: those that reach it on their walk
    PairRows rows_;
    LinkedCells<D> cells_;
    std::string remark_;
};

} // namespace talus
