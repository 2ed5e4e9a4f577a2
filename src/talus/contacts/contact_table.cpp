#include "talus/contacts/contact_table.hpp"

#include "talus/exec/erase_rows.hpp"
#include "talus/exec/parallel.hpp"

namespace talus {

namespace {

constexpr std::size_t pairs_per_chunk = 1024;
constexpr std::size_t near_ahead = 1; // further ahead is slower: too many fetches at once
constexpr double match_radius = 0.05; // of the mean radius

template <int D>
bool has_convex_sets(const ShapeTable<D>& shapes)
{
    return !shapes.polytopes.empty() || !shapes.segments.empty() || !shapes.meshes.empty();
}

} // namespace

template <int D>
void ContactTable<D>::remember()
{
    old_identity_.resize(size());
    parallel_for(size(), [&](std::size_t k) { old_identity_[k] = identity(k); });
    std::swap(static_cast<Columns&>(*this), old_);
    old_pairs_.swap(pairs_);
    old_witness_.swap(witness_);
}

// What a pair remembers, as a walk beside the tables of the last step, which are sorted as the pairs are.
template <int D>
class ContactTable<D>::Recall {
  public:
    Recall(const ContactTable& table, const Pair& first)
        : table_(table), pair_(std::lower_bound(table.old_pairs_.begin(), table.old_pairs_.end(), first)),
          row_(std::lower_bound(table.old_identity_.begin(), table.old_identity_.end(), start_of(first)))
    {
    }
    PairMemory<D> of(const Pair& pair)
    {
        PairMemory<D> memory;
        while (pair_ != table_.old_pairs_.end() && *pair_ < pair) ++pair_;
        if (pair_ != table_.old_pairs_.end() && *pair_ == pair && !table_.old_witness_.empty()) {
            const Vec<D>& before = table_.old_witness_[std::size_t(pair_ - table_.old_pairs_.begin())];
            if (before.squaredNorm() > 0) memory.witness = &before;
        }
        const auto end = table_.old_identity_.end();
        while (row_ != end && *row_ < start_of(pair)) ++row_;
        const std::size_t first = std::size_t(row_ - table_.old_identity_.begin());
        while (row_ != end && row_->low == pair.first && row_->high == pair.second) ++row_;
        const std::size_t rows = std::size_t(row_ - table_.old_identity_.begin()) - first;
        memory.features = std::span(table_.old_.feature).subspan(first, rows);
        memory.normals = std::span(table_.old_.normal).subspan(first, rows);
        return memory;
    }

  private:
    static Identity start_of(const Pair& pair) { return {pair.first, pair.second, 0}; }
    const ContactTable& table_;
    std::vector<Pair>::const_iterator pair_;
    typename std::vector<Identity>::const_iterator row_;
};

// Two passes: most pairs are parted by the direction that parted them before; what is left needs all of the shapes,
// which are fetched ahead.
template <int D>
void ContactTable<D>::collide(std::size_t begin, std::size_t end, const BodyTable<D>& bodies, ExactStage<D> stage,
                              std::span<const double> reach, Chunk& chunk)
{
    const double most = stage.alert;
    const auto look_up_to = [&](std::int32_t i, std::int32_t j) {
        if (!reach.empty()) stage.alert = std::min(most, reach[i] + reach[j]);
    };
    const bool has_memory = !witness_.empty();
    Recall recall(*this, pairs_[begin]);
    const auto body = [&](std::int32_t i) -> typename ExactStage<D>::Body {
        return {std::size_t(i), {stage.shapes[bodies.shape[i]], bodies.position[i], bodies.orientation[i]}};
    };
    std::vector<Near>& near = chunk.near;
    near.clear();
    chunk.points.clear();
    chunk.bodies.clear();
    for (std::size_t k = begin; k < end; ++k) {
        std::int32_t c = pairs_[k].first, a = pairs_[k].second;
        const ShapeKind first = stage.shapes[bodies.shape[c]].kind, second = stage.shapes[bodies.shape[a]].kind;
        if (first == ShapeKind::ball && second == ShapeKind::ball) { // they have nothing to remember
            if (has_memory) witness_[k].setZero();
            near.push_back({k, c, a, {}});
            continue;
        }
        if (second_is_candidate(first, second)) std::swap(c, a);
        PairMemory<D> memory;
        if (has_memory) {
            look_up_to(c, a);
            memory = recall.of(pairs_[k]);
            const bool parted = memory.witness && stage.parts(body(c), body(a), *memory.witness);
            witness_[k] = parted ? *memory.witness : Vec<D>(Vec<D>::Zero());
            if (parted) continue;
        }
        near.push_back({k, c, a, memory});
    }
    Vec<D> unused;
    for (std::size_t n = 0; n < near.size(); ++n) {
        if (has_memory && n + near_ahead < near.size()) {
            convex_.prefetch(std::size_t(near[n + near_ahead].candidate));
            convex_.prefetch(std::size_t(near[n + near_ahead].antagonist));
        }
        look_up_to(near[n].candidate, near[n].antagonist);
        stage.collide(body(near[n].candidate), body(near[n].antagonist), near[n].memory,
                      has_memory ? witness_[near[n].pair] : unused, chunk.points);
        chunk.bodies.resize(chunk.points.size(), {near[n].candidate, near[n].antagonist});
    }
}

template <int D>
void ContactTable<D>::gather()
{
    std::vector<std::size_t> start;
    for (const Chunk& chunk : chunks_) start.push_back(chunk.points.size());
    resize(exclusive_scan(start));
    parallel_chunks(
        chunks_.size(),
        [&](std::size_t begin, std::size_t end) {
            for (std::size_t n = begin; n < end; ++n) {
                for (std::size_t i = 0; i < chunks_[n].points.size(); ++i) {
                    const std::size_t k = start[n] + i;
                    const ContactPoint<D>& contact = chunks_[n].points[i];
                    std::tie(candidate[k], antagonist[k]) = chunks_[n].bodies[i];
                    feature[k] = contact.feature;
                    points[k] = contact.points;
                    point[k] = contact.point;
                    normal[k] = contact.normal;
                    gap[k] = contact.gap;
                }
            }
        },
        4);
}

template <int D>
void ContactTable<D>::detect(const BodyTable<D>& bodies, const ShapeTable<D>& shapes, Detector<D>& detector,
                             double alert, std::span<const double> reach)
{
    remember();
    convex_.place(shapes, bodies.shape, bodies.position, bodies.orientation);
    near_.find(bodies, shapes, convex_, detector, alert, pairs_);
    match_distance_ = match_radius * near_.mean_radius();
    witness_.resize(has_convex_sets(shapes) ? pairs_.size() : 0);
    const ExactStage<D> stage{shapes, convex_, alert, most_points};
    chunks_.resize((pairs_.size() + pairs_per_chunk - 1) / pairs_per_chunk);
    parallel_chunks(
        pairs_.size(),
        [&](std::size_t begin, std::size_t end) {
            collide(begin, end, bodies, stage, reach, chunks_[begin / pairs_per_chunk]);
        },
        pairs_per_chunk);
    gather();
}

template <int D>
void ContactTable<D>::resize(std::size_t count)
{
    candidate.resize(count);
    antagonist.resize(count);
    feature.resize(count);
    points.resize(count);
    point.resize(count);
    normal.resize(count);
    gap.resize(count);
}

template <int D>
std::size_t ContactTable<D>::last_row_of(std::size_t row) const
{
    const Identity pair = identity(row);
    std::size_t k = row + 1;
    while (k < size() && identity(k).low == pair.low && identity(k).high == pair.high) ++k;
    return k;
}

// By feature; where a point has changed its feature (a corner slips over an edge), by the nearest old point of the same
// pair that no other point claims.
template <int D>
void ContactTable<D>::find_heirs()
{
    heir_of_.resize(size());
    // both tables are sorted by identity: walk them side by side, each chunk from its own start
    parallel_chunks(size(), [&](std::size_t begin, std::size_t end) {
        const auto is_earlier_pair = [](const Identity& a, const Identity& b) {
            return a.low < b.low || (a.low == b.low && a.high < b.high);
        };
        const auto same_pair = [](const Identity& a, const Identity& b) { return a.low == b.low && a.high == b.high; };
        // pairs belong to the chunk that holds their first row
        while (begin > 0 && begin < end && same_pair(identity(begin), identity(begin - 1))) ++begin;
        if (begin == end) return;
        auto old = std::lower_bound(old_identity_.begin(), old_identity_.end(),
                                    Identity{identity(begin).low, identity(begin).high, 0});
        std::vector<std::uint8_t> claimed;
        for (std::size_t k = begin; k < end;) {
            const Identity pair = identity(k);
            const std::size_t last = last_row_of(k);
            while (old != old_identity_.end() && is_earlier_pair(*old, pair)) ++old;
            const std::size_t first_old = std::size_t(old - old_identity_.begin());
            while (old != old_identity_.end() && same_pair(*old, pair)) ++old;
            const std::size_t last_old = std::size_t(old - old_identity_.begin());
            if (last == k + 1 && last_old - first_old <= 1) { // two balls, most often
                heir_of_[k] = -1;
                if (first_old < last_old && (old_identity_[first_old].feature == feature[k] ||
                                             (old_.point[first_old] - point[k]).norm() < match_distance_))
                    heir_of_[k] = std::int32_t(first_old);
                ++k;
                continue;
            }
            claimed.assign(last_old - first_old, 0);
            const auto take = [&](std::size_t row, std::size_t before) {
                heir_of_[row] = std::int32_t(before);
                claimed[before - first_old] = 1;
            };
            for (std::size_t row = k, before = first_old; row < last; ++row) {
                heir_of_[row] = -1;
                while (before < last_old && old_identity_[before].feature < feature[row]) ++before;
                if (before < last_old && old_identity_[before].feature == feature[row]) take(row, before);
            }
            for (std::size_t row = k; row < last && last_old > first_old; ++row) {
                if (heir_of_[row] >= 0) continue;
                double nearest = match_distance_;
                std::size_t found = last_old;
                for (std::size_t before = first_old; before < last_old; ++before) {
                    const double distance = (old_.point[before] - point[row]).norm();
                    if (claimed[before - first_old] || !(distance < nearest)) continue;
                    nearest = distance;
                    found = before;
                }
                if (found < last_old) take(row, found);
            }
            k = last;
        }
    });
}

template <int D>
void ContactTable<D>::inherit()
{
    find_heirs();
    for_columns<Columns>({Role::history}, [&]<class T>(const Column<Columns, T>& column) {
        std::vector<T>& now = this->*column.data;
        const std::vector<T>& before = old_.*column.data;
        now.resize(column.is_optional && before.empty() ? 0 : size());
        parallel_for(now.size(), [&](std::size_t k) {
            now[k] = heir_of_[k] >= 0 ? before[std::size_t(heir_of_[k])] : zero_of<T>();
        });
    });
}

template <int D>
void ContactTable<D>::forget()
{
    clear_columns<Columns>(*this, {Role::history});
}

template <int D>
void ContactTable<D>::take(Columns contacts)
{
    static_cast<Columns&>(*this) = std::move(contacts);
    pairs_.clear();
    witness_.clear();
}

template <int D>
void ContactTable<D>::follow(std::span<const std::int32_t> place)
{
    std::vector<std::uint8_t> kept(size());
    parallel_for(size(), [&](std::size_t k) {
        candidate[k] = place[std::size_t(candidate[k])];
        antagonist[k] = place[std::size_t(antagonist[k])];
        kept[k] = candidate[k] >= 0 && antagonist[k] >= 0;
    });
    erase_rows<Columns>(*this, rows_not_kept(kept));
    pairs_.clear(); // what they remember is only a short cut
    witness_.clear();
}

template class ContactTable<2>;
template class ContactTable<3>;

} // namespace talus
