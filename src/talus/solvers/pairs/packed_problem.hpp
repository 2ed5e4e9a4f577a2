// A contact problem packed for speed: bodies in spatial order by part, the points of each pair together, pairs in
// batches of eight that share no movable body. Batches lie in groups: one per part, one per colour of the interface.
// Groups of parts may be swept at the same time; within a colour, batches may. How it is packed does not depend on the
// number of threads.
#pragma once

#include "talus/exec/grouping.hpp"
#include "talus/partition/partition.hpp"
#include "talus/solvers/pairs/pair_sweep.hpp"

#include <algorithm>
#include <atomic>
#include <limits>

namespace talus {

template <int D>
class PackedProblem {
  public:
    using Layout = PackedBody<D>;

    // Body velocities are the free ones, and give() adds the warm start that is in the rows' impulses; or it is the
    // problem that was packed last, and they go with the impulses already. Rows without an impulse that part faster
    // than `resting` [m/s] start frozen.
    enum class Velocities { free, with_impulses };
    void pack(const ContactProblem<D>& problem, const Partition& partition,
              const PairKernels<D>& kernels = pair_kernels<D>(), Velocities velocities = Velocities::free,
              double resting = std::numeric_limits<double>::infinity());
    // Impulses to the rows, velocities to the bodies.
    void unpack(ContactProblem<D>& problem) const;

    int parts() const { return parts_; }
    int colours() const { return int(group_begin_.size()) - 1 - parts_; }
    std::size_t rows() const { return rows_; }
    std::size_t padded_rows() const { return padded_rows_; }                               // empty lanes included
    std::size_t swept_rows() const { return swept_rows_.load(std::memory_order_relaxed); } // those that are not frozen
    std::span<const PairBatch> batches() const { return batches_; } // of the parts, then of the colours
    std::span<const PairBatch> part(int p) const { return group(p); }
    std::span<const PairBatch> colour(int c) const { return group(parts_ + c); }
    bool can_move(std::int32_t packed) const // a body of a batch
    {
        const double* field = bodies_.data() + std::size_t(packed) * Layout::stride;
        return std::any_of(field + Layout::inverse_mass, field + Layout::fields, [](double x) { return x != 0; });
    }
    bool has_heavy_bodies() const { return !heavy_.empty(); }

    // V + β (V − V_before) for the bodies of a part, and V_before ← V
    void extrapolate(int part, double beta);
    // The warm start to the bodies.
    void give(std::span<const PairBatch> batches)
    {
        kernels_->give(batches, bodies_.data(), points_.data(), rolling());
    }
    void forget(std::span<const PairBatch> batches); // their impulses, and takes them back from the bodies
    void sweep(std::span<const PairBatch> batches, double beta, int rounds, Visit visit = Visit::solve)
    {
        kernels_->sweep(batches, bodies_.data(), points_.data(), rolling(), beta, rounds, visit);
    }
    void residual(std::span<const PairBatch> batches, LaneSums& sums)
    {
        kernels_->residual(batches, bodies_.data(), points_.data(), rolling(), sums,
                           worst_.data() + (batches.data() - batches_.data()));
    }
    // After residual(): batches whose largest square was at most `quiet` for some looks are left alone from now on, the
    // others woken.
    void freeze(std::span<const PairBatch> batches, double quiet);
    // The state of a part (its bodies too) or of batches of the interface: kept, and brought back.
    void keep(int part);
    void keep(std::span<const PairBatch> batches);
    void restore(int part);
    void restore(std::span<const PairBatch> batches);
    // A heavy body is split into copies, one per part that touches it, each with its share of the mass (Tonge et al.
    // 2012); together they have moved by the mean of their changes since the last merge.
    void merge_heavy_bodies();

  private:
    struct PairOfBodies { // or a part of its points
        std::int32_t candidate, antagonist;
        std::int32_t place;  // of its first row in order_
        std::int32_t points; // how many
        bool rests;
        // pairs go together by the number of their points, and those that rest go together
        int kind() const { return 2 * (points - 1) + rests; }
    };
    struct HeavyBody {
        std::int32_t body;
        std::vector<std::int32_t> copies; // packed
        double velocity[Layout::moving];  // at the last merge
    };
    std::span<const PairBatch> group(int g) const
    {
        return std::span(batches_).subspan(group_begin_[std::size_t(g)],
                                           group_begin_[std::size_t(g) + 1] - group_begin_[std::size_t(g)]);
    }
    std::pair<std::ptrdiff_t, std::ptrdiff_t> fields_of_bodies(int part) const // first and last in bodies_
    {
        return {std::ptrdiff_t(body_begin_[std::size_t(part)]) * Layout::stride,
                std::ptrdiff_t(body_begin_[std::size_t(part) + 1]) * Layout::stride};
    }
    double* rolling() { return rolling_.empty() ? nullptr : rolling_.data(); }
    // f(now, previous, kept, count) for the impulses of each point of a batch, and for its moments
    template <class F>
    void for_impulses(const PairBatch& batch, F&& f);
    void set_frozen(PairBatch& batch, bool frozen);
    void find_resting(const ContactProblem<D>& problem, double velocity);
    void find_pairs(const ContactProblem<D>& problem);
    std::size_t row_number(std::int32_t place) const { return std::size_t(order_[std::size_t(place)]); }
    const ContactRow<D>& row_at(std::int32_t place, const ContactProblem<D>& problem) const
    {
        return problem.rows[row_number(place)];
    }
    void sort_bodies(const ContactProblem<D>& problem, const Partition& partition);
    void find_homes(const Partition& partition);
    void place_bodies(const ContactProblem<D>& problem, const Partition& partition);
    void write_bodies(const ContactProblem<D>& problem);
    void plan_part(int part);
    void plan_interface();
    void lay_out_batches(bool rolls);
    void fill(std::size_t batch, const ContactProblem<D>& problem, Velocities velocities);
    void fill_rolling(std::size_t block, int lane, const RollingRow<D>& row, Velocities velocities);
    bool is_split(const ContactRow<D>& row) const { return split_[row.candidate] > 1 || split_[row.antagonist] > 1; }
    ContactRow<D> row_between_copies(const ContactRow<D>& row, const ContactProblem<D>& problem) const;
    Vec<D> impulse_of(const ContactRow<D>& row, const double* field, const ContactProblem<D>& problem) const;
    void write_body(std::int32_t packed, const BodyRecord<D>& body, double split);
    std::int32_t packed_body(std::int32_t body, int part) const;

    struct PlannedBatch {
        std::int32_t points = 0, lanes = 0, kind = 0;
        std::int32_t place[wide_count]; // of the first row of each pair
    };

    static constexpr int looks_to_freeze = 4; // what comes from far away must have had the time to arrive

    const PairKernels<D>* kernels_ = nullptr;
    int parts_ = 1;
    std::size_t rows_ = 0, padded_rows_ = 0;
    LaneColumn bodies_, before_, points_; // before_: the bodies one sweep ago
    LaneColumn rolling_;                  // blocks of the points in their order; none without rolling friction
    LaneColumn kept_bodies_, kept_impulse_, kept_moment_;
    std::vector<PairBatch> batches_;
    std::atomic<std::size_t> swept_rows_ = 0;
    std::vector<double> worst_; // of each batch, at the last look
    std::vector<std::size_t> group_begin_;
    std::vector<std::int32_t> body_begin_; // packed bodies of each part
    std::vector<std::int32_t> order_;      // rows, those of a pair that rest after those that do not
    std::vector<std::int32_t> first_row_;  // of each lane of each batch, its place in order_, or −1
    std::vector<HeavyBody> heavy_;
    std::vector<double> split_; // copies of each body
    // scratch of pack(), kept to reuse its memory
    std::vector<std::uint8_t> rests_; // each row
    std::vector<PairOfBodies> pairs_;
    std::vector<std::vector<PairOfBodies>> found_pairs_; // by ranges of rows
    std::vector<std::int32_t> home_;                     // of each pair: its part, or `parts_` for the interface
    std::vector<std::uint32_t> pairs_of_body_;
    Grouped pairs_of_home_;
    std::vector<std::int32_t> path_;                       // bodies along the path that is local in space
    Grouped members_;                                      // of each part: places along that path
    std::vector<std::int32_t> place_;                      // of each body that has only one: packed
    std::vector<std::int32_t> special_;                    // of each body: its number among the special ones, or −1
    std::vector<std::vector<std::int32_t>> special_place_; // [part][special]: packed, or −1
    std::vector<std::uint8_t> moves_;
    std::vector<std::vector<PlannedBatch>> plan_; // by group
};

} // namespace talus
