// What the fast solver does with a list of batches, compiled for each instruction set and chosen when the program
// starts; the bits are the same for all of them.
#pragma once

#include "talus/solvers/pairs/pair_batch.hpp"

#include <span>

namespace talus {

struct LaneSums {
    alignas(64) double sum[wide_count] = {}, largest[wide_count] = {};
};

// What a visit does at a contact: solve its law; or one projected step, which leaves less behind where the contacts of
// a jammed region pass a load to and fro.
enum class Visit { solve, project };

// `rolling` is null where there is no rolling friction.
template <int D>
struct PairKernels {
    // What the impulses of the points have changed since `previous`, to the bodies.
    void (*give)(std::span<const PairBatch> batches, double* bodies, const double* points, const double* rolling);
    // Each batch in order: extrapolate its impulses by r + β (r − r_before), as the bodies already are, then visit its
    // points `rounds` times. Frozen batches are left alone.
    void (*sweep)(std::span<const PairBatch> batches, double* bodies, double* points, double* rolling, double beta,
                  int rounds, Visit visit);
    // Squares of the scaled natural map: their sum and their largest per lane, added to `sums`; the largest of each
    // batch in `worst`.
    void (*residual)(std::span<const PairBatch> batches, const double* bodies, const double* points,
                     const double* rolling, LaneSums& sums, double* worst);
    const char* name; // of the instruction set
};

// Those of this machine, the widest first; and the widest, or the one that the environment's TALUS_SIMD names.
template <int D>
std::span<const PairKernels<D>> supported_pair_kernels();
template <int D>
const PairKernels<D>& pair_kernels();

} // namespace talus
