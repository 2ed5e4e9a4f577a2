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

template <int D>
TALUS_INLINE void give_batches(std::span<const PairBatch> batches, double* bodies, const double* points)
{
    using Layout = PackedPoint<D>;
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
        c.write(bodies, batch.candidate);
        a.write(bodies, batch.antagonist);
    }
}

template <int D, Visit kind>
TALUS_INLINE void sweep_batches(std::span<const PairBatch> batches, double* bodies, double* points, double beta,
                                int rounds)
{
    using Layout = PackedPoint<D>;
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
        for (double* point = first; point != last; point += Layout::stride) {
            const WideVec<D> r = load_fields<D>(point + Layout::impulse * wide_count);
            const WideVec<D> before = load_fields<D>(point + Layout::previous * wide_count);
            store_fields<D>(point + Layout::previous * wide_count, r);
            WideVec<D> y;
            for (int i = 0; i < D; ++i) y[i] = r[i] + beta * (r[i] - before[i]);
            // the impulses of the pair's other points are extrapolated already in the bodies, and here when visited
            carried = larger(carried, visit<D, kind>(point, separation, c, a, y, first_accuracy));
        }
        if (batch.points > 1 && any(carried > 0)) { // else all of them stand apart
            for (int round = 1; round < rounds; ++round) {
                for (double* point = first; point != last; point += Layout::stride) {
                    visit<D, kind>(point, separation, c, a, load_fields<D>(point + Layout::impulse * wide_count), fine);
                }
            }
        }
        c.write(bodies, batch.candidate);
        a.write(bodies, batch.antagonist);
    }
}

template <int D>
TALUS_INLINE void judge_batches(std::span<const PairBatch> batches, const double* bodies, const double* points,
                                LaneSums& sums, double* worst)
{
    using Layout = PackedPoint<D>;
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
            const Wide squared =
                law_at<D>(point).residual_squared(load_fields<D>(point + Layout::impulse * wide_count), v);
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
        target static void give(std::span<const PairBatch> batches, double* bodies, const double* points)              \
        {                                                                                                              \
            give_batches<D>(batches, bodies, points);                                                                  \
        }                                                                                                              \
        target static void sweep(std::span<const PairBatch> batches, double* bodies, double* points, double beta,      \
                                 int rounds, Visit visit)                                                              \
        {                                                                                                              \
            if (visit == Visit::solve) sweep_batches<D, Visit::solve>(batches, bodies, points, beta, rounds);          \
            if (visit == Visit::project) sweep_batches<D, Visit::project>(batches, bodies, points, beta, rounds);      \
        }                                                                                                              \
        target static void residual(std::span<const PairBatch> batches, const double* bodies, const double* points,    \
                                    LaneSums& sums, double* worst)                                                     \
        {                                                                                                              \
            judge_batches<D>(batches, bodies, points, sums, worst);                                                    \
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

template std::span<const PairKernels<2>> supported_pair_kernels<2>();
template std::span<const PairKernels<3>> supported_pair_kernels<3>();
template const PairKernels<2>& pair_kernels<2>();
template const PairKernels<3>& pair_kernels<3>();

} // namespace talus
