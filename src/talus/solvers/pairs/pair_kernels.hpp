// The kernels of pair_sweep.hpp, for the two files that compile them, one for each dimension: the compiler needs half a
// minute for both.
#pragma once

#include "talus/solvers/pairs/pair_sweep.hpp"

#include <cstdlib>
#include <string_view>
#include <vector>

namespace talus {

namespace {

// How well sliding is solved in a visit: the first of several need not be as good. At the solution both are exact
// enough, for Newton starts from the last impulse.
constexpr double rough = 1e-2, fine = 1e-8;

// Share of the way to what the visit finds that a contact goes: with all of it the points of faces that share a load
// hop between answers and never settle. A contact that parts goes all the way: a share of a share of its impulse would
// be left after every visit, and count as a force.
constexpr double relaxation = 0.8;

TALUS_INLINE void fetch_bodies(const PairBatch& batch, const double* bodies, int stride)
{
    for (int lane = 0; lane < wide_count; ++lane) {
        for (int line = 0; line < stride; line += wide_count) {
            __builtin_prefetch(bodies + std::size_t(batch.candidate[lane]) * stride + line, 1);
            __builtin_prefetch(bodies + std::size_t(batch.antagonist[lane]) * stride + line, 1);
        }
    }
}

// One visit of eight points: the velocity there, the law, the change of impulse to both bodies. Returns the normal
// impulses.
template <int D, Visit kind>
TALUS_INLINE Wide visit(double* point, const WideVec<D>& separation, WideBody<D>& c, WideBody<D>& a,
                        const WideVec<D>& y, double accuracy)
{
    using Layout = PackedPoint<D>;
    const WideFrame<D> frame(point);
    const WideVec<D> lever = load_fields<D>(point + Layout::lever * wide_count), other = lever + separation;
    const WideVec<D> v = frame.to_local(c.velocity_at(lever) - a.velocity_at(other)) +
                         load_fields<D>(point + Layout::offset * wide_count);
    const CoulombLaw<Wide, D> law = law_at<D>(point);
    const WideVec<D> to = kind == Visit::solve ? law.solve(y, v, accuracy) : law.project(y, v), from = law.in_cone(y);
    const auto carries = to[0] > 0;
    WideVec<D> r;
    for (int i = 0; i < D; ++i) r[i] = select(carries, from[i] + relaxation * (to[i] - from[i]), to[i]);
    const WideVec<D> change = frame.to_world(r - y);
    c.template take<1>(change, lever);
    a.template take<-1>(change, other);
    store_fields<D>(point + Layout::impulse * wide_count, r);
    return r[0];
}

// The rolling friction of eight points, from the moments y, when their normal impulses are known.
template <int D>
TALUS_INLINE void roll(double* rolling, const Wide& normal, WideBody<D>& c, WideBody<D>& a,
                       const WideVec<angular<D>>& y)
{
    using Layout = PackedRolling<D>;
    const Wide limit = load(rolling + Layout::friction * wide_count) * normal;
    const Wide compliance = compliance_bound(c.inverse_inertia() + a.inverse_inertia());
    const WideVec<angular<D>> m = projected_moment(y, c.spin() - a.spin(), compliance, limit), change = m - y;
    c.template turn<1>(change);
    a.template turn<-1>(change);
    store_fields<angular<D>>(rolling + Layout::moment * wide_count, m);
}

template <int N>
TALUS_INLINE WideVec<N> extrapolated(double* now, double* previous, double beta)
{
    const WideVec<N> r = load_fields<N>(now), before = load_fields<N>(previous);
    store_fields<N>(previous, r);
    WideVec<N> y;
    for (int i = 0; i < N; ++i) y[i] = r[i] + beta * (r[i] - before[i]);
    return y;
}

template <int D, bool rolls>
TALUS_INLINE void give_batches(std::span<const PairBatch> batches, double* bodies, const double* points,
                               const double* rolling)
{
    using Layout = PackedPoint<D>;
    using Rolling = PackedRolling<D>;
    for (const PairBatch& batch : batches) {
        WideBody<D> c, a;
        c.read(bodies, batch.candidate);
        a.read(bodies, batch.antagonist);
        const WideVec<D> separation = load_fields<D>(points + batch.data);
        const double* point = points + batch.data + D * wide_count;
        for (int k = 0; k < batch.points; ++k, point += Layout::stride) {
            const WideVec<D> lever = load_fields<D>(point + Layout::lever * wide_count);
            const WideVec<D> impulse =
                WideFrame<D>(point).to_world(load_fields<D>(point + Layout::impulse * wide_count) -
                                             load_fields<D>(point + Layout::previous * wide_count));
            c.template take<1>(impulse, lever);
            a.template take<-1>(impulse, lever + separation);
        }
        for (int k = 0; rolls && k < batch.points; ++k) {
            const double* at = rolling + (batch.first + std::size_t(k)) * Rolling::stride;
            const auto moment = load_fields<angular<D>>(at + Rolling::moment * wide_count) -
                                load_fields<angular<D>>(at + Rolling::previous * wide_count);
            c.template turn<1>(moment);
            a.template turn<-1>(moment);
        }
        c.write(bodies, batch.candidate);
        a.write(bodies, batch.antagonist);
    }
}

template <int D, Visit kind, bool rolls>
TALUS_INLINE void sweep_batches(std::span<const PairBatch> batches, double* bodies, double* points, double* rolling,
                                double beta, int rounds)
{
    using Layout = PackedPoint<D>;
    using Rolling = PackedRolling<D>;
    for (std::size_t b = 0; b < batches.size(); ++b) {
        const PairBatch& batch = batches[b];
        if (b + 1 < batches.size() && !batches[b + 1].frozen)
            fetch_bodies(batches[b + 1], bodies, PackedBody<D>::stride);
        if (batch.frozen) continue;
        WideBody<D> c, a;
        c.read(bodies, batch.candidate);
        a.read(bodies, batch.antagonist);
        const WideVec<D> separation = load_fields<D>(points + batch.data);
        double* first = points + batch.data + D * wide_count;
        double* last = first + batch.points * Layout::stride;
        const double first_accuracy = batch.points > 1 && rounds > 1 ? rough : fine;
        Wide carried = broadcast(0);
        double* at = rolls ? rolling + batch.first * Rolling::stride : nullptr; // of the point
        for (double* point = first; point != last; point += Layout::stride) {
            // the impulses of the pair's other points are extrapolated already in the bodies, and here when visited
            const WideVec<D> y =
                extrapolated<D>(point + Layout::impulse * wide_count, point + Layout::previous * wide_count, beta);
            const Wide normal = visit<D, kind>(point, separation, c, a, y, first_accuracy);
            carried = larger(carried, normal);
            if constexpr (rolls) {
                roll<D>(at, normal, c, a,
                        extrapolated<angular<D>>(at + Rolling::moment * wide_count, at + Rolling::previous * wide_count,
                                                 beta));
                at += Rolling::stride;
            }
        }
        if (batch.points > 1 && any(carried > 0)) { // else all of them stand apart
            for (int round = 1; round < rounds; ++round) {
                if (rolls) at = rolling + batch.first * Rolling::stride;
                for (double* point = first; point != last; point += Layout::stride) {
                    const Wide normal = visit<D, kind>(point, separation, c, a,
                                                       load_fields<D>(point + Layout::impulse * wide_count), fine);
                    if constexpr (rolls) {
                        roll<D>(at, normal, c, a, load_fields<angular<D>>(at + Rolling::moment * wide_count));
                        at += Rolling::stride;
                    }
                }
            }
        }
        c.write(bodies, batch.candidate);
        a.write(bodies, batch.antagonist);
    }
}

template <int D, bool rolls>
TALUS_INLINE void judge_batches(std::span<const PairBatch> batches, const double* bodies, const double* points,
                                const double* rolling, LaneSums& sums, double* worst)
{
    using Layout = PackedPoint<D>;
    using Rolling = PackedRolling<D>;
    Wide sum = load(sums.sum), largest = load(sums.largest);
    for (std::size_t b = 0; b < batches.size(); ++b) {
        const PairBatch& batch = batches[b];
        if (b + 1 < batches.size()) fetch_bodies(batches[b + 1], bodies, PackedBody<D>::stride);
        WideBody<D> c, a;
        c.read(bodies, batch.candidate);
        a.read(bodies, batch.antagonist);
        const WideVec<D> separation = load_fields<D>(points + batch.data);
        const double* point = points + batch.data + D * wide_count;
        Wide here = broadcast(0);
        for (int k = 0; k < batch.points; ++k, point += Layout::stride) {
            const WideVec<D> lever = load_fields<D>(point + Layout::lever * wide_count);
            const WideVec<D> v =
                WideFrame<D>(point).to_local(c.velocity_at(lever) - a.velocity_at(lever + separation)) +
                load_fields<D>(point + Layout::offset * wide_count);
            const WideVec<D> r = load_fields<D>(point + Layout::impulse * wide_count);
            Wide squared = law_at<D>(point).residual_squared(r, v);
            if constexpr (rolls) { // brought to a velocity by the lever of the candidate
                const double* at = rolling + (batch.first + std::size_t(k)) * Rolling::stride;
                const auto m = load_fields<angular<D>>(at + Rolling::moment * wide_count);
                const Wide limit = load(at + Rolling::friction * wide_count) * r[0];
                const Wide mean = mean_compliance(c.inverse_inertia() + a.inverse_inertia());
                squared = squared + rolling_map_squared(m, c.spin() - a.spin(), mean, limit) * dot(lever, lever);
            }
            sum = sum + squared;
            here = larger(here, squared);
        }
        worst[b] = largest_lane(here);
        largest = larger(largest, here);
    }
    store(sums.sum, sum);
    store(sums.largest, largest);
}

// The three of them for one instruction set.
#define TALUS_KERNELS(name, target)                                                                                    \
    template <int D>                                                                                                   \
    struct name {                                                                                                      \
        target static void give(std::span<const PairBatch> batches, double* bodies, const double* points,              \
                                const double* rolling)                                                                 \
        {                                                                                                              \
            if (rolling) return give_batches<D, true>(batches, bodies, points, rolling);                               \
            give_batches<D, false>(batches, bodies, points, rolling);                                                  \
        }                                                                                                              \
        target static void sweep(std::span<const PairBatch> batches, double* bodies, double* points, double* rolling,  \
                                 double beta, int rounds, Visit visit)                                                 \
        {                                                                                                              \
            constexpr Visit solve = Visit::solve, project = Visit::project;                                            \
            if (rolling && visit == solve)                                                                             \
                sweep_batches<D, solve, true>(batches, bodies, points, rolling, beta, rounds);                         \
            if (rolling && visit == project)                                                                           \
                sweep_batches<D, project, true>(batches, bodies, points, rolling, beta, rounds);                       \
            if (!rolling && visit == solve)                                                                            \
                sweep_batches<D, solve, false>(batches, bodies, points, rolling, beta, rounds);                        \
            if (!rolling && visit == project)                                                                          \
                sweep_batches<D, project, false>(batches, bodies, points, rolling, beta, rounds);                      \
        }                                                                                                              \
        target static void residual(std::span<const PairBatch> batches, const double* bodies, const double* points,    \
                                    const double* rolling, LaneSums& sums, double* worst)                              \
        {                                                                                                              \
            if (rolling) return judge_batches<D, true>(batches, bodies, points, rolling, sums, worst);                 \
            judge_batches<D, false>(batches, bodies, points, rolling, sums, worst);                                    \
        }                                                                                                              \
    };
TALUS_KERNELS(Plain, )
#if defined(__x86_64__) && defined(__GNUC__)
TALUS_KERNELS(Avx2, __attribute__((target("avx2"))))
TALUS_KERNELS(Avx512, __attribute__((target("avx512f,avx512dq,avx512vl"))))
#endif

template <template <int> class Set, int D>
PairKernels<D> kernels(const char* name)
{
    return {Set<D>::give, Set<D>::sweep, Set<D>::residual, name};
}

template <int D>
std::vector<PairKernels<D>> find_supported()
{
    std::vector<PairKernels<D>> supported;
#if defined(__x86_64__) && defined(__GNUC__)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")) {
        supported.push_back(kernels<Avx512, D>("avx512"));
    }
    if (__builtin_cpu_supports("avx2")) supported.push_back(kernels<Avx2, D>("avx2"));
#endif
    supported.push_back(kernels<Plain, D>("plain"));
    return supported;
}

} // namespace

template <int D>
std::span<const PairKernels<D>> supported_pair_kernels()
{
    static const std::vector<PairKernels<D>> supported = find_supported<D>();
    return supported;
}

template <int D>
const PairKernels<D>& pair_kernels()
{
    static const char* const wanted = std::getenv("TALUS_SIMD");
    for (const PairKernels<D>& set : supported_pair_kernels<D>()) {
        if (wanted && std::string_view(wanted) == set.name) return set;
    }
    return supported_pair_kernels<D>().front();
}

} // namespace talus
