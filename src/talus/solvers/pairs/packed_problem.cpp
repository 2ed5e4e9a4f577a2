#include "talus/solvers/pairs/packed_problem.hpp"

#include "talus/exec/shared_counters.hpp"
#include "talus/solvers/row_compliance.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <numeric>

namespace talus {

namespace {

constexpr std::uint32_t heavy_pairs = 64; // a movable body with more is split among the parts
constexpr int most_batch_points = 8;      // of a pair in one batch; a pair with more has several

void store_inertia(double* field, const SymmetricAng<2>& m) { field[0] = m.xx; }
void store_inertia(double* field, const SymmetricAng<3>& m)
{
    const double terms[] = {m.xx, m.yy, m.zz, m.xy, m.xz, m.yz};
    std::copy(std::begin(terms), std::end(terms), field);
}

// The packed second tangent is n × t, in 2D the tangent is n turned by a right angle: −1 where the row's is opposite.
double handedness(const Mat<2>& frame) { return frame.determinant() < 0 ? -1.0 : 1.0; }
double handedness(const Mat<3>& frame) { return frame.col(0).cross(frame.col(1)).dot(frame.col(2)) < 0 ? -1.0 : 1.0; }

// Numbers 0 … 127, the smallest that neither of two bodies has taken.
struct Taken {
    std::uint64_t low = 0, high = 0;
    friend Taken operator|(const Taken& a, const Taken& b) { return {a.low | b.low, a.high | b.high}; }
    int first_free() const { return ~low ? std::countr_one(low) : 64 + std::countr_one(high); }
    void take(int number) { (number < 64 ? low : high) |= std::uint64_t(1) << (number % 64); }
};

} // namespace

// A row that carries nothing and parts fast enough is looked at, not swept.
template <int D>
void PackedProblem<D>::find_resting(const ContactProblem<D>& problem, double velocity)
{
    rests_.assign(rows_, false);
    if (!(velocity < std::numeric_limits<double>::infinity())) return;
    parallel_for(rows_, [&](std::size_t k) {
        const ContactRow<D>& row = problem.rows[k];
        if (row.impulse[0] > 0) return;
        const Vec<D> v = relative_velocity(row, problem.bodies[row.candidate], problem.bodies[row.antagonist]);
        rests_[k] = row.offset[0] + v.dot(row.frame.col(0)) > velocity;
    });
}

// Each range of rows finds the pairs that begin in it. A pair's rows keep their places, those that rest after the
// others.
template <int D>
void PackedProblem<D>::find_pairs(const ContactProblem<D>& problem)
{
    const auto same_pair = [&](std::size_t k, std::size_t l) {
        return problem.rows[k].candidate == problem.rows[l].candidate &&
               problem.rows[k].antagonist == problem.rows[l].antagonist;
    };
    order_.resize(rows_);
    found_pairs_.resize((rows_ + parallel_chunk - 1) / parallel_chunk);
    parallel_chunks(rows_, [&](std::size_t first, std::size_t last) {
        std::vector<PairOfBodies>& found = found_pairs_[first / parallel_chunk];
        found.clear();
        while (first > 0 && first < last && same_pair(first - 1, first)) ++first; // it began in the range before
        for (std::size_t begin = first, end; begin < last; begin = end) {
            end = begin + 1;
            while (end < rows_ && same_pair(begin, end)) ++end;
            std::size_t place = begin;
            for (const bool rests : {false, true}) {
                int points = most_batch_points;
                for (std::size_t k = begin; k < end; ++k) {
                    if (bool(rests_[k]) != rests) continue;
                    if (points == most_batch_points) {
                        const ContactRow<D>& row = problem.rows[k];
                        found.push_back({row.candidate, row.antagonist, std::int32_t(place), 0, rests});
                        points = 0;
                    }
                    order_[place++] = std::int32_t(k);
                    found.back().points = ++points;
                }
            }
        }
    });
    pairs_.clear();
    for (const std::vector<PairOfBodies>& found : found_pairs_) pairs_.insert(pairs_.end(), found.begin(), found.end());
}

// Bodies that several parts may hold: those that cannot move, and heavy ones.
template <int D>
void PackedProblem<D>::sort_bodies(const ContactProblem<D>& problem, const Partition& partition)
{
    const std::size_t count = problem.bodies.size();
    moves_.resize(count);
    parallel_for(count, [&](std::size_t i) { moves_[i] = is_movable(problem.bodies[i]); });
    special_.assign(count, -1);
    heavy_.clear();
    pairs_of_body_.assign(count, 0);
    SharedCounters pairs(pairs_of_body_, pairs_.size());
    parallel_for(pairs_.size(), [&](std::size_t p) {
        pairs.count(std::size_t(pairs_[p].candidate));
        pairs.count(std::size_t(pairs_[p].antagonist));
    });
    std::int32_t special = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const bool heavy = moves_[i] && parts_ > 1 && pairs_of_body_[i] > heavy_pairs;
        const bool belongs_to_nobody = !partition.part.empty() && partition.part[i] < 0;
        if (!moves_[i] || heavy || belongs_to_nobody) special_[i] = special++;
        if (moves_[i] && special_[i] >= 0) heavy_.push_back({std::int32_t(i), {}, {}});
    }
    special_place_.assign(std::size_t(parts_), std::vector<std::int32_t>(std::size_t(special), -1));
}

// A pair lives in the part of its bodies; between two parts it belongs to the interface.
template <int D>
void PackedProblem<D>::find_homes(const Partition& partition)
{
    const auto part_of = [&](std::int32_t body) {
        return special_[body] >= 0 ? -1 : partition.part.empty() ? 0 : partition.part[body];
    };
    home_.resize(pairs_.size());
    parallel_for(pairs_.size(), [&](std::size_t p) {
        const int c = part_of(pairs_[p].candidate), a = part_of(pairs_[p].antagonist);
        home_[p] = c < 0 ? std::max(a, 0) : a < 0 || a == c ? c : parts_;
        for (const std::int32_t body : {pairs_[p].candidate, pairs_[p].antagonist}) {
            if (special_[body] < 0) continue;
            const std::atomic_ref place(special_place_[std::size_t(home_[p])][std::size_t(special_[body])]);
            if (place.load(std::memory_order_relaxed) < 0) place.store(0, std::memory_order_relaxed); // wanted here
        }
    });
    group_items(pairs_of_home_, pairs_.size(), std::size_t(parts_) + 1, [&](std::size_t p) { return home_[p]; });
}

template <int D>
void PackedProblem<D>::write_body(std::int32_t packed, const BodyRecord<D>& body, double split)
{
    double* field = bodies_.data() + std::size_t(packed) * Layout::stride;
    for (int i = 0; i < D; ++i) {
        field[Layout::velocity + i] = body.velocity[i];
        field[Layout::inverse_mass + i] = split * body.inverse_mass[i];
    }
    for (int i = 0; i < angular<D>; ++i) field[Layout::spin + i] = body.spin[i];
    store_inertia(field + Layout::inverse_inertia, body.inverse_inertia);
    for (int i = 0; i < Layout::inertia_terms; ++i) field[Layout::inverse_inertia + i] *= split;
}

// Each part's bodies side by side along the path that is local in space, then its copies of special ones, then one at
// rest for empty lanes.
template <int D>
void PackedProblem<D>::place_bodies(const ContactProblem<D>& problem, const Partition& partition)
{
    const std::size_t count = problem.bodies.size();
    path_.resize(count);
    parallel_for(count, [&](std::size_t i) {
        path_[partition.rank.empty() ? i : std::size_t(partition.rank[i])] = std::int32_t(i);
    });
    group_items(members_, count, std::size_t(parts_), [&](std::size_t i) {
        const std::int32_t body = path_[i];
        return special_[body] >= 0 ? -1 : partition.part.empty() ? 0 : partition.part[body];
    });
    std::vector<int> copies(special_place_.empty() ? 0 : special_place_[0].size(), 0);
    for (const auto& places : special_place_) {
        for (std::size_t s = 0; s < places.size(); ++s) copies[s] += places[s] >= 0;
    }
    place_.assign(count, -1);
    body_begin_.assign(std::size_t(parts_) + 1, 0);
    std::int32_t next = 0;
    for (int p = 0; p < parts_; ++p) {
        body_begin_[std::size_t(p)] = next;
        const std::span<const std::int32_t> members = members_.of(std::size_t(p));
        parallel_for(members.size(), [&](std::size_t k) { place_[path_[members[k]]] = next + std::int32_t(k); });
        next += std::int32_t(members.size());
        for (std::int32_t& place : special_place_[std::size_t(p)]) {
            if (place >= 0) place = next++;
        }
        ++next; // at rest
    }
    body_begin_.back() = next;
    std::erase_if(heavy_, [&](const HeavyBody& heavy) { return copies[std::size_t(special_[heavy.body])] == 0; });
    split_.assign(count, 1);
    for (HeavyBody& heavy : heavy_) {
        split_[heavy.body] = copies[std::size_t(special_[heavy.body])];
        for (const auto& places : special_place_) {
            const std::int32_t place = places[std::size_t(special_[heavy.body])];
            if (place >= 0) heavy.copies.push_back(place);
        }
    }
    bodies_.assign(std::size_t(next) * Layout::stride, 0.0);
}

template <int D>
void PackedProblem<D>::write_bodies(const ContactProblem<D>& problem)
{
    parallel_for(problem.bodies.size(), [&](std::size_t i) {
        if (place_[i] >= 0) write_body(place_[i], problem.bodies[i], 1);
        if (special_[i] < 0) return;
        for (const auto& places : special_place_) {
            const std::int32_t place = places[std::size_t(special_[i])];
            if (place >= 0) write_body(place, problem.bodies[i], split_[i]);
        }
    });
    before_ = bodies_;
    for (HeavyBody& heavy : heavy_) {
        const double* field = bodies_.data() + std::size_t(heavy.copies[0]) * Layout::stride;
        std::copy_n(field, Layout::moving, heavy.velocity);
    }
}

template <int D>
std::int32_t PackedProblem<D>::packed_body(std::int32_t body, int part) const
{
    return place_[body] >= 0 ? place_[body] : special_place_[std::size_t(part)][std::size_t(special_[body])];
}

// Pairs of a part along its path, each put into the first open batch of its kind that holds neither of its bodies. Up
// to 64 batches are open at a time, so that what is in a batch stays close in space.
template <int D>
void PackedProblem<D>::plan_part(int part)
{
    std::vector<PlannedBatch>& plan = plan_[std::size_t(part)];
    plan.clear();
    const std::span<const std::int32_t> members = pairs_of_home_.of(std::size_t(part));
    const std::int32_t first = body_begin_[std::size_t(part)], last = body_begin_[std::size_t(part) + 1];

    // by the lower of the two packed bodies: a counting sort keeps the order of equals
    std::vector<std::int32_t> begin(std::size_t(last - first) + 1, 0), order(members.size());
    const auto key = [&](std::int32_t p) {
        const std::int32_t c = place_[pairs_[p].candidate], a = place_[pairs_[p].antagonist];
        return std::size_t(c < 0 ? std::max(a, first) - first : (a < 0 ? c : std::min(c, a)) - first);
    };
    for (const std::int32_t p : members) ++begin[key(p)];
    exclusive_scan(begin);
    for (const std::int32_t p : members) order[std::size_t(begin[key(p)]++)] = p;

    constexpr int slots = 64;
    std::array<PlannedBatch, slots> open{};
    std::array<std::array<std::int32_t, 2 * wide_count>, slots>
        bodies;                                                 // in each open batch, less the first of the part
    std::array<std::uint64_t, 2 * most_batch_points> of_kind{}; // open batches by the kind of their pairs
    std::uint64_t used = 0;
    std::vector<std::uint64_t> holds(std::size_t(last - first), 0); // open batches that hold a body
    int oldest = 0;
    const auto close = [&](int slot) {
        PlannedBatch& batch = open[std::size_t(slot)];
        for (int i = 0; i < 2 * batch.lanes; ++i) {
            const std::int32_t body = bodies[std::size_t(slot)][std::size_t(i)];
            if (body >= 0) holds[std::size_t(body)] &= ~(std::uint64_t(1) << slot);
        }
        of_kind[std::size_t(batch.kind)] &= ~(std::uint64_t(1) << slot);
        used &= ~(std::uint64_t(1) << slot);
        plan.push_back(batch);
        batch = {};
    };
    for (const std::int32_t p : order) {
        std::int32_t local[2] = {-1, -1};
        std::uint64_t conflict = 0;
        for (const int side : {0, 1}) {
            const std::int32_t body = side == 0 ? pairs_[p].candidate : pairs_[p].antagonist;
            if (!moves_[body]) continue;
            local[side] = packed_body(body, part) - first;
            conflict |= holds[std::size_t(local[side])];
        }
        const int kind = pairs_[p].kind();
        const std::uint64_t fits = of_kind[std::size_t(kind)] & ~conflict;
        int slot;
        if (fits) {
            slot = std::countr_zero(fits);
        } else {
            if (~used == 0) {
                close(oldest);
                slot = oldest;
                oldest = (oldest + 1) % slots;
            } else {
                slot = std::countr_one(used);
            }
            used |= std::uint64_t(1) << slot;
            of_kind[std::size_t(kind)] |= std::uint64_t(1) << slot;
            open[std::size_t(slot)].points = pairs_[p].points;
            open[std::size_t(slot)].kind = kind;
        }
        PlannedBatch& batch = open[std::size_t(slot)];
        for (const int side : {0, 1}) {
            bodies[std::size_t(slot)][std::size_t(2 * batch.lanes + side)] = local[side];
            if (local[side] >= 0) holds[std::size_t(local[side])] |= std::uint64_t(1) << slot;
        }
        batch.place[batch.lanes++] = pairs_[p].place;
        if (batch.lanes == wide_count) close(slot);
    }
    for (int slot = 0; slot < slots; ++slot) {
        if (open[std::size_t(slot)].lanes > 0) close(slot);
    }
}

// Colours of the interface: no two pairs of a colour share a body.
template <int D>
void PackedProblem<D>::plan_interface()
{
    std::vector<Taken> taken(place_.size());
    std::vector<std::array<PlannedBatch, 2 * most_batch_points>> open; // by colour and kind
    for (const std::int32_t p : pairs_of_home_.of(std::size_t(parts_))) {
        const PairOfBodies& pair = pairs_[p];
        // light bodies have few pairs: there is always a number left
        const int colour = (taken[pair.candidate] | taken[pair.antagonist]).first_free();
        taken[pair.candidate].take(colour);
        taken[pair.antagonist].take(colour);
        if (std::size_t(colour) >= open.size()) {
            open.resize(std::size_t(colour) + 1);
            if (plan_.size() <= std::size_t(parts_ + colour)) plan_.resize(std::size_t(parts_ + colour) + 1);
            plan_[std::size_t(parts_ + colour)].clear();
        }
        PlannedBatch& batch = open[std::size_t(colour)][std::size_t(pair.kind())];
        batch.points = pair.points;
        batch.kind = pair.kind();
        batch.place[batch.lanes++] = pair.place;
        if (batch.lanes < wide_count) continue;
        plan_[std::size_t(parts_ + colour)].push_back(batch);
        batch = {};
    }
    for (std::size_t colour = 0; colour < open.size(); ++colour) {
        for (const PlannedBatch& batch : open[colour]) {
            if (batch.lanes > 0) plan_[std::size_t(parts_) + colour].push_back(batch);
        }
    }
    plan_.resize(std::size_t(parts_) + open.size());
}

template <int D>
void PackedProblem<D>::lay_out_batches(bool rolls)
{
    group_begin_.assign(plan_.size() + 1, 0);
    for (std::size_t g = 0; g < plan_.size(); ++g) group_begin_[g + 1] = group_begin_[g] + plan_[g].size();
    batches_.assign(group_begin_.back(), {});
    worst_.assign(batches_.size(), 0.0);
    first_row_.resize(batches_.size() * wide_count);
    std::size_t data = 0, blocks = 0;
    for (std::size_t g = 0; g < plan_.size(); ++g) {
        for (std::size_t b = 0; b < plan_[g].size(); ++b) {
            const PlannedBatch& planned = plan_[g][b];
            PairBatch& batch = batches_[group_begin_[g] + b];
            batch.points = planned.points;
            batch.lanes = planned.lanes;
            batch.frozen = planned.kind % 2 == 1;
            batch.quiet = batch.frozen ? looks_to_freeze : 0;
            batch.data = data;
            batch.first = blocks;
            data += std::size_t(D * wide_count + planned.points * PackedPoint<D>::stride);
            blocks += std::size_t(planned.points);
            for (int lane = 0; lane < wide_count; ++lane) {
                first_row_[(group_begin_[g] + b) * wide_count + std::size_t(lane)] =
                    lane < planned.lanes ? planned.place[lane] : -1;
            }
        }
    }
    swept_rows_ = 0;
    for (const PairBatch& batch : batches_) swept_rows_ += batch.frozen ? 0 : std::size_t(batch.points * batch.lanes);
    points_.resize(data);
    kept_impulse_.resize(blocks * std::size_t(D * wide_count));
    rolling_.assign(rolls ? blocks * std::size_t(PackedRolling<D>::stride) : 0, 0.0);
    kept_moment_.resize(rolls ? blocks * std::size_t(angular<D> * wide_count) : 0);
    kept_bodies_.resize(bodies_.size());
    padded_rows_ = blocks * wide_count;
}

// A row as the copies of its heavy bodies feel it: another W_αα, and other tangents that diagonalise it.
template <int D>
ContactRow<D> PackedProblem<D>::row_between_copies(const ContactRow<D>& row, const ContactProblem<D>& problem) const
{
    const auto share = [&](std::int32_t index) {
        BodyRecord<D> body = problem.bodies[index];
        body.inverse_mass *= split_[index];
        body.inverse_inertia = body.inverse_inertia.scaled(split_[index]);
        return body;
    };
    ContactRow<D> turned = row;
    const Mat<D> delassus = local_delassus(row, share(row.candidate), share(row.antagonist));
    turned.block = diagonalise(turned.frame, delassus, row.block.friction);
    const Mat<D> turn = turned.frame.transpose() * row.frame;
    turned.impulse = turn * row.impulse;
    turned.offset = turn * row.offset;
    turned.offset[0] = row.offset[0];
    return turned;
}

template <int D>
void PackedProblem<D>::fill(std::size_t b, const ContactProblem<D>& problem, Velocities velocities)
{
    using Point = PackedPoint<D>;
    PairBatch& batch = batches_[b];
    const int group = int(std::upper_bound(group_begin_.begin(), group_begin_.end(), b) - group_begin_.begin()) - 1;
    const int part = std::min(group, parts_ - 1); // where special bodies are; an interface has none
    double* separation = points_.data() + batch.data;
    double* first = separation + D * wide_count;
    std::fill(separation, first + batch.points * Point::stride, 0.0);
    for (int lane = 0; lane < wide_count; ++lane) {
        const std::int32_t place = first_row_[b * wide_count + std::size_t(lane)];
        const std::int32_t at_rest = body_begin_[std::size_t(part) + 1] - 1;
        batch.candidate[lane] = place < 0 ? at_rest : packed_body(row_at(place, problem).candidate, part);
        batch.antagonist[lane] = place < 0 ? at_rest : packed_body(row_at(place, problem).antagonist, part);
        if (place < 0) continue;
        const ContactRow<D>& head = row_at(place, problem);
        for (int i = 0; i < D; ++i) {
            separation[i * wide_count + lane] = head.antagonist_lever[i] - head.candidate_lever[i];
        }
        for (int k = 0; k < batch.points; ++k) {
            const ContactRow<D>& given = row_at(place + k, problem);
            const ContactRow<D> row = is_split(given) ? row_between_copies(given, problem) : given;
            double* field = first + k * Point::stride + lane;
            const auto put = [&](int at, double value) { field[at * wide_count] = value; };
            const double side = handedness(row.frame); // of the last tangent
            for (int i = 0; i < D; ++i) {
                const double sign = i == D - 1 ? side : 1.0;
                put(Point::normal + i, row.frame(i, 0));
                if (D == 3) put(Point::tangent + i, row.frame(i, 1));
                put(Point::lever + i, row.candidate_lever[i]);
                put(Point::offset + i, sign * row.offset[i]);
                put(Point::impulse + i, sign * row.impulse[i]);
                if (velocities == Velocities::with_impulses) put(Point::previous + i, sign * row.impulse[i]);
            }
            const LocalBlock<D>& block = row.block;
            put(Point::inverse_normal, block.inverse_normal);
            put(Point::friction, block.friction);
            for (int i = 0; i < D - 1; ++i) {
                const double sign = i == D - 2 ? side : 1.0;
                put(Point::coupling + i, sign * block.coupling[i]);
                put(Point::schur + i, block.schur[i]);
                put(Point::inverse_schur + i, block.inverse_schur[i]);
            }
            if (rolling_.empty()) continue;
            fill_rolling(batch.first + std::size_t(k), lane, problem.rolling[row_number(place + k)], velocities);
        }
    }
}

// Its compliance follows from the bodies, copies with a share of a mass included.
template <int D>
void PackedProblem<D>::fill_rolling(std::size_t block, int lane, const RollingRow<D>& row, Velocities velocities)
{
    using Rolling = PackedRolling<D>;
    double* field = rolling_.data() + block * Rolling::stride + lane;
    field[Rolling::friction * wide_count] = row.rolling_friction;
    for (int i = 0; i < angular<D>; ++i) {
        field[(Rolling::moment + i) * wide_count] = row.impulse[i];
        if (velocities == Velocities::with_impulses) field[(Rolling::previous + i) * wide_count] = row.impulse[i];
    }
}

template <int D>
void PackedProblem<D>::pack(const ContactProblem<D>& problem, const Partition& partition, const PairKernels<D>& kernels,
                            Velocities velocities, double resting)
{
    kernels_ = &kernels;
    parts_ = partition.parts;
    rows_ = problem.rows.size();
    find_resting(problem, resting);
    find_pairs(problem);
    if (velocities == Velocities::free) sort_bodies(problem, partition);
    find_homes(partition);
    if (velocities == Velocities::free) place_bodies(problem, partition);
    write_bodies(problem);
    plan_.resize(std::max(plan_.size(), std::size_t(parts_)));
    parallel_chunks(
        std::size_t(parts_), [&](std::size_t p, std::size_t) { plan_part(int(p)); }, 1);
    plan_interface();
    lay_out_batches(!problem.rolling.empty());
    parallel_chunks(
        batches_.size(),
        [&](std::size_t begin, std::size_t end) {
            for (std::size_t b = begin; b < end; ++b) fill(b, problem, velocities);
        },
        64);
}

template <int D>
Vec<D> PackedProblem<D>::impulse_of(const ContactRow<D>& row, const double* field,
                                    const ContactProblem<D>& problem) const
{
    Vec<D> r;
    for (int i = 0; i < D; ++i) r[i] = field[(PackedPoint<D>::impulse + i) * wide_count];
    if (!is_split(row)) {
        r[D - 1] *= handedness(row.frame);
        return r;
    }
    const Mat<D> frame = row_between_copies(row, problem).frame;
    r[D - 1] *= handedness(frame);
    Vec<D> turned = row.frame.transpose() * (frame * r);
    turned[0] = r[0];
    return turned;
}

template <int D>
void PackedProblem<D>::unpack(ContactProblem<D>& problem) const
{
    using Point = PackedPoint<D>;
    using Rolling = PackedRolling<D>;
    parallel_chunks(
        batches_.size(),
        [&](std::size_t begin, std::size_t end) {
            for (std::size_t b = begin; b < end; ++b) {
                const double* first = points_.data() + batches_[b].data + D * wide_count;
                for (int lane = 0; lane < wide_count; ++lane) {
                    const std::int32_t place = first_row_[b * wide_count + std::size_t(lane)];
                    for (int k = 0; place >= 0 && k < batches_[b].points; ++k) {
                        const std::size_t number = row_number(place + k);
                        ContactRow<D>& row = problem.rows[number];
                        row.impulse = impulse_of(row, first + k * Point::stride + lane, problem);
                        const std::size_t block = (batches_[b].first + std::size_t(k)) * Rolling::stride;
                        for (int i = 0; !rolling_.empty() && i < angular<D>; ++i) {
                            problem.rolling[number].impulse[i] =
                                rolling_[block + std::size_t((Rolling::moment + i) * wide_count + lane)];
                        }
                    }
                }
            }
        },
        64);
    const auto read = [&](BodyRecord<D>& body, std::int32_t packed) {
        const double* field = bodies_.data() + std::size_t(packed) * Layout::stride;
        for (int i = 0; i < D; ++i) body.velocity[i] = field[Layout::velocity + i];
        for (int i = 0; i < angular<D>; ++i) body.spin[i] = field[Layout::spin + i];
    };
    parallel_for(problem.bodies.size(), [&](std::size_t i) {
        if (place_[i] >= 0) read(problem.bodies[i], place_[i]);
    });
    for (const HeavyBody& heavy : heavy_) read(problem.bodies[heavy.body], heavy.copies[0]);
}

template class PackedProblem<2>;
template class PackedProblem<3>;

} // namespace talus
