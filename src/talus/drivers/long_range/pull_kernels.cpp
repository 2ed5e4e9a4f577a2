#include "talus/drivers/long_range/pull_kernels.hpp"

namespace talus {

namespace {

template <int D>
TALUS_INLINE void feel_kernel(const PointList<D>& points, const GroupList<D>& groups, double softening2,
                              const Asking<D>& asking)
{
    for (std::size_t k = 0; k < asking.count; ++k) {
        asking.felt[k] = pull_of_points_kernel<D>(points, asking.place[k], asking.first + k, softening2) +
                         pull_of_groups_kernel<D>(groups, asking.place[k], softening2);
    }
}

} // namespace

TALUS_WIDE void feel(const PointList<2>& points, const GroupList<2>& groups, double softening2, const Asking<2>& asking)
{
    feel_kernel<2>(points, groups, softening2, asking);
}
TALUS_WIDE void feel(const PointList<3>& points, const GroupList<3>& groups, double softening2, const Asking<3>& asking)
{
    feel_kernel<3>(points, groups, softening2, asking);
}

} // namespace talus
