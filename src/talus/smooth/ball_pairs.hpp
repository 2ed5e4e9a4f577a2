// Forces on balls that can move, from each other and from walls that nothing moves: the loop in which a smooth method
// spends its time. A pair is near or it is not; those that touch are taken eight at a time.
// Balls are divided into parts of neighbours. A pair belongs to the part of its first ball; what its second ball gets
// in another part is left in an outbox, from where that part takes it when all are done: no thread writes where another
// does, and sums are in the same order for any number of threads.
#pragma once

#include "talus/laws/smooth/smooth_laws.hpp"
#include "talus/math/lanes.hpp"
#include "talus/smooth/smooth_row.hpp"

#include <memory>
#include <vector>

namespace talus {

// What the balls of one part send to those of another in a step.
struct Bundle {
    std::uint32_t to;           // part
    std::uint32_t begin, count; // in the outbox; there is room for every pair
};

// Pairs of one part whose surfaces are within the skin, sorted. The second of a pair is another ball, or a wall that
// nothing moves.
class BallPairs {
  public:
    static constexpr std::int32_t here = -1, nobody = -2;
    std::vector<std::int32_t> first, second; // places in the pack, first < second
    std::vector<std::int32_t> bundle;        // for the second's share; or it is of this part, or nothing moves it
    std::vector<Bundle> bundles;             // by part
    LaneColumn outbox;                       // force on the first ball and torque on the second, four numbers each
    std::vector<std::int32_t> addressee;     // the second ball of each letter in the outbox
    LaneColumn slip, roll;                   // [m], [rad] four numbers a pair; none where no law has them

    std::size_t size() const { return size_; }
    void reserve(std::size_t pairs);
    // Pairs in order.
    void add(std::int32_t i, std::int32_t j) { add(i, j, here); }
    void add_wall(std::int32_t i, std::int32_t wall) { add(i, wall, nobody); }
    // ... whose second ball is of another part
    void add_posted(std::int32_t i, std::int32_t j, std::uint32_t part);
    // When all pairs are there: no history yet.
    void seal(const SmoothLaws& laws);
    // When last looked at, its history means something.
    bool touches(std::size_t pair) const { return touching_[pair / wide_count] >> (pair % wide_count) & 1; }
    void set_touching(std::size_t pair) { touching_[pair / wide_count] |= std::uint8_t(1u << (pair % wide_count)); }
    // Of pairs that no longer touch the history is forgotten: bits of eight pairs. Returns the energy it held [J].
    double touch(std::size_t eight, std::uint8_t bits);

    // Of a pair of `from`, which is the same pair.
    void take_history(std::size_t pair, const BallPairs& from, std::size_t row);

  private:
    void add(std::int32_t i, std::int32_t j, std::int32_t where);

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
    bool needs_radius;  // for a law
};

// Pairs of balls and walls that are near, with what their shapes say: normal and overlap, four numbers each.
struct NearWalls {
    std::vector<std::uint32_t> pair;
    LaneColumn contact; // to whole eights of pairs
};

// Adds forces of pairs, part by part, on one thread.
class BallForces {
  public:
    BallForces(const BallView& view, const SmoothLaws& laws);
    ~BallForces();

    // Rows are appended to `rows` where there is such a list.
    ContactEnergy add(BallPairs& pairs, std::vector<SmoothRow>* rows);
    ContactEnergy add_on_walls(BallPairs& pairs, const NearWalls& near, std::vector<SmoothRow>* rows);

  private:
    class Batches;
    std::unique_ptr<Batches> batches_;
};

} // namespace talus
