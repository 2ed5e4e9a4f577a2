#include "talus/solvers/pairs/pair_kernels.hpp"

namespace talus {

template std::span<const PairKernels<2>> supported_pair_kernels<2>();
template const PairKernels<2>& pair_kernels<2>();

} // namespace talus
