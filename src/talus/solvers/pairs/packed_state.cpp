// What happens to a packed problem between sweeps: momentum, freezing, the best state kept, heavy bodies merged.
#include "talus/solvers/pairs/packed_problem.hpp"

#include <algorithm>

namespace talus {

template <int D>
void PackedProblem<D>::set_frozen(PairBatch& batch, bool frozen)
{
    const std::size_t rows = std::size_t(batch.points * batch.lanes);
    if (frozen && !batch.frozen) swept_rows_.fetch_sub(rows, std::memory_order_relaxed);
    if (!frozen && batch.frozen) swept_rows_.fetch_add(rows, std::memory_order_relaxed);
    batch.frozen = frozen;
}

template <int D>
void PackedProblem<D>::extrapolate(int part, double beta)
{
    for (std::int32_t i = body_begin_[std::size_t(part)]; i < body_begin_[std::size_t(part) + 1]; ++i) {
        double* now = bodies_.data() + std::size_t(i) * Layout::stride;
        double* before = before_.data() + std::size_t(i) * Layout::stride;
        const Wide v = load(now); // what is not velocity in this line is the same in both
        store(now, v + beta * (v - load(before)));
        store(before, v);
    }
}

template <int D>
template <class F>
void PackedProblem<D>::for_impulses(const PairBatch& batch, F&& f)
{
    using Point = PackedPoint<D>;
    using Rolling = PackedRolling<D>;
    constexpr int impulse = D * wide_count, moment = angular<D> * wide_count;
    double* point = points_.data() + batch.data + D * wide_count;
    double* kept = kept_impulse_.data() + batch.first * impulse;
    for (int k = 0; k < batch.points; ++k, point += Point::stride, kept += impulse) {
        f(point + Point::impulse * wide_count, point + Point::previous * wide_count, kept, impulse);
    }
    if (rolling_.empty()) return;
    double* block = rolling_.data() + batch.first * Rolling::stride;
    kept = kept_moment_.data() + batch.first * moment;
    for (int k = 0; k < batch.points; ++k, block += Rolling::stride, kept += moment) {
        f(block + Rolling::moment * wide_count, block + Rolling::previous * wide_count, kept, moment);
    }
}

template <int D>
void PackedProblem<D>::forget(std::span<const PairBatch> batches)
{
    for (const PairBatch& batch : batches) {
        for_impulses(batch, [](double* now, double* previous, double*, int count) {
            std::copy_n(now, count, previous);
            std::fill_n(now, count, 0.0);
        });
    }
    give(batches);
}

// A batch that is left alone must not move by momentum: its impulses become those of a sweep ago too, in the bodies of
// a sweep ago as well.
template <int D>
void PackedProblem<D>::freeze(std::span<const PairBatch> batches, double quiet)
{
    const std::size_t first = std::size_t(batches.data() - batches_.data());
    for (std::size_t b = first; b < first + batches.size(); ++b) {
        PairBatch& batch = batches_[b];
        batch.quiet = worst_[b] <= quiet ? batch.quiet + 1 : 0;
        const bool freezes = batch.quiet >= looks_to_freeze;
        if (freezes && !batch.frozen) {
            kernels_->give({&batch, 1}, before_.data(), points_.data(), rolling());
            for_impulses(batch,
                         [](double* now, double* previous, double*, int count) { std::copy_n(now, count, previous); });
        }
        set_frozen(batch, freezes);
    }
}

template <int D>
void PackedProblem<D>::keep(std::span<const PairBatch> batches)
{
    for (const PairBatch& batch : batches) {
        for_impulses(batch, [](double* now, double*, double* kept, int count) { std::copy_n(now, count, kept); });
    }
}

template <int D>
void PackedProblem<D>::keep(int part)
{
    keep(this->part(part));
    const auto [first, last] = fields_of_bodies(part);
    std::copy(bodies_.begin() + first, bodies_.begin() + last, kept_bodies_.begin() + first);
}

// Without momentum: the impulses of a sweep ago are the same. Nothing is frozen.
template <int D>
void PackedProblem<D>::restore(std::span<const PairBatch> batches)
{
    const std::size_t first = std::size_t(batches.data() - batches_.data());
    for (std::size_t b = first; b < first + batches.size(); ++b) {
        PairBatch& batch = batches_[b];
        for_impulses(batch, [](double* now, double* previous, double* kept, int count) {
            std::copy_n(kept, count, now);
            std::copy_n(kept, count, previous);
        });
        batch.quiet = 0;
        set_frozen(batch, false);
    }
}

template <int D>
void PackedProblem<D>::restore(int part)
{
    restore(this->part(part));
    const auto [first, last] = fields_of_bodies(part);
    std::copy(kept_bodies_.begin() + first, kept_bodies_.begin() + last, bodies_.begin() + first);
    std::copy(kept_bodies_.begin() + first, kept_bodies_.begin() + last, before_.begin() + first);
}

template <int D>
void PackedProblem<D>::merge_heavy_bodies()
{
    for (HeavyBody& heavy : heavy_) {
        for (int f = 0; f < Layout::moving; ++f) {
            double change = 0;
            for (const std::int32_t copy : heavy.copies) {
                change += bodies_[std::size_t(copy) * Layout::stride + std::size_t(f)] - heavy.velocity[f];
            }
            heavy.velocity[f] += change / double(heavy.copies.size());
            for (const std::int32_t copy : heavy.copies) {
                bodies_[std::size_t(copy) * Layout::stride + std::size_t(f)] = heavy.velocity[f];
            }
        }
    }
}

#define TALUS_BETWEEN_SWEEPS(D)                                                                                        \
    template void PackedProblem<D>::set_frozen(PairBatch&, bool);                                                      \
    template void PackedProblem<D>::extrapolate(int, double);                                                          \
    template void PackedProblem<D>::forget(std::span<const PairBatch>);                                                \
    template void PackedProblem<D>::freeze(std::span<const PairBatch>, double);                                        \
    template void PackedProblem<D>::keep(int);                                                                         \
    template void PackedProblem<D>::keep(std::span<const PairBatch>);                                                  \
    template void PackedProblem<D>::restore(int);                                                                      \
    template void PackedProblem<D>::restore(std::span<const PairBatch>);                                               \
    template void PackedProblem<D>::merge_heavy_bodies();
TALUS_BETWEEN_SWEEPS(2)
TALUS_BETWEEN_SWEEPS(3)
#undef TALUS_BETWEEN_SWEEPS

} // namespace talus
