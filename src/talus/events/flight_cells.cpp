#include "talus/events/flight_cells.hpp"

#include <algorithm>
#include <bit>

namespace talus {

template <int D>
void FlightCells<D>::reset(double size, const Vec<D>& extent, std::size_t balls)
{
    size_ = size;
    // powers of two; at least four, so that the three cells along an axis are different ones
    const double most = std::max(64.0, 4.0 * double(balls));
    std::array<double, D> wanted;
    double all = 1;
    for (int axis = 0; axis < D; ++axis) {
        wanted[axis] = std::clamp(std::ceil(extent[axis] / size) + 1, 4.0, 1048576.0);
        all *= wanted[axis];
    }
    const double shrink = all > most ? std::pow(most / all, 1.0 / D) : 1.0;
    int bits = 0;
    for (int axis = 0; axis < D; ++axis) {
        const std::uint32_t count = std::bit_ceil(std::uint32_t(std::max(4.0, wanted[axis] * shrink)));
        mask_[axis] = count - 1;
        shift_[axis] = bits;
        bits += std::countr_zero(count);
    }
    first_.assign(std::size_t(1) << bits, -1);
}

template <int D>
std::uint64_t FlightCells<D>::order_key(const Cell& cell) const
{
    std::uint64_t key = 0;
    for (int bit = 0; bit < 20; ++bit) { // Morton's order
        for (int axis = 0; axis < D; ++axis) {
            const std::uint64_t set = ((std::uint32_t(cell[axis]) & mask_[axis]) >> bit) & 1u;
            key |= set << (D * bit + axis);
        }
    }
    return key;
}

template class FlightCells<2>;
template class FlightCells<3>;

} // namespace talus
