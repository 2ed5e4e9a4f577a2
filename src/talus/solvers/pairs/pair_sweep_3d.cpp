#include "talus/solvers/pairs/pair_kernels.hpp"

namespace talus {

template std::span<const PairKernels<3>> supported_pair_kernels<3>();
template const PairKernels<3>& pair_kernels<3>();

} // namespace talus
