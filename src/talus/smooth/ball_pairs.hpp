// Forces between balls that can move: the loop in which a smooth method spends its time. A pair is near or it is not;
// those that touch are taken eight at a time.
// Balls are divided into parts of neighbours. A pair belongs to the part of its first ball; what its second ball gets
// in another part is left in an outbox, from where that part takes it when all are done: no thread writes where another
// does, and sums are in the same order for any number of threads.
#pragma once

#include "talus/laws/smooth/smooth_laws.hpp"
#include "talus/math/lanes.hpp"
#include "talus/smooth/smooth_row.hpp"

#include <vector>

namespace talus {

// Pairs of one part whose surfaces are within the skin, sorted.
class BallPairs {
  public:
    std::vector<std::int32_t> first, second; // places in the pack, first < second
    std::vector<std::int32_t> post;          // where in the outbox the second's share goes; −1: it is of this part
    LaneColumn slip, roll;                   // [m], [rad] four numbers a pair; none where no law has them
    LaneColumn outbox;                       // force on the first ball and torque on the second, four numbers each

    std::size_t size() const { return size_; }
    void add(std::int32_t i, std::int32_t j, bool is_posted);
    // When all pairs are there: no history yet.
    void seal(const SmoothLaws& laws);
    // When last looked at, its history means something.
    bool touches(std::size_t pair) const { return touching_[pair / wide_count] >> (pair % wide_count) & 1; }
    void set_touching(std::size_t pair) { touching_[pair / wide_count] |= std::uint8_t(1u << (pair % wide_count)); }
    // Of pairs that no longer touch the history is forgotten: bits of eight pairs. Returns the energy it held [J].
    double touch(std::size_t eight, std::uint8_t bits);

  private:
    std::size_t size_ = 0; // the columns have some more, to whole eights
    std::vector<std::uint8_t> touching_;
};

// What the loop sees of the bodies: columns of four numbers a body.
struct BallView {
    const double *place, *velocity, *spin;
    double *force, *torque;
    const std::int32_t* material;
    bool lever_is_radius;
    double time;        // [s] since the step began
    bool keeps_history; // the step ends here
};

// Adds the forces of these pairs; rows are appended to `rows` where there is such a list.
ContactEnergy add_ball_forces(const BallView& view, const SmoothLaws& laws, BallPairs& pairs,
                              std::vector<SmoothRow>* rows);

} // namespace talus
