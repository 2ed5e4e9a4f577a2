// What one place feels of a list of points, and of a list of far groups of them, eight at a time.
#pragma once

#include "talus/math/space.hpp"
#include "talus/math/wide.hpp"

#include <algorithm>
#include <array>

namespace talus {

template <int D>
struct Pull {
    Vec<D> pull = Vec<D>::Zero();
    double potential = 0;
    Pull operator+(const Pull& other) const { return {pull + other.pull, potential + other.potential}; }
};

// Columns that grow at their ends and are read eight at a time: what fills the last eight up has no effect.
template <int Columns>
class WideList {
  public:
    static constexpr double far_away = 1e150; // [m] its square is finite, 1/ρ³ is 0
    std::size_t size() const { return size_; }
    void clear() { size_ = 0; }
    void add(const std::array<double, Columns>& row)
    {
        reserve(size_ + 1);
        for (int k = 0; k < Columns; ++k) column_[std::size_t(k)][size_] = row[std::size_t(k)];
        ++size_;
    }
    void pad()
    {
        reserve(size_ + wide_count);
        for (std::size_t at = size_; at % wide_count != 0; ++at) {
            for (int k = 0; k < Columns; ++k) column_[std::size_t(k)][at] = k == 0 ? far_away : 0;
        }
    }
    const double* operator[](int column) const { return column_[std::size_t(column)].data(); }

  private:
    void reserve(std::size_t size)
    {
        if (size <= column_[0].size()) return;
        for (LaneColumn& column : column_) column.resize(std::max<std::size_t>(64, 2 * size));
    }
    std::array<LaneColumn, Columns> column_;
    std::size_t size_ = 0;
};

// place, strength
template <int D>
using PointList = WideList<D + 1>;
template <int D>
std::array<double, D + 1> point_at(const Vec<D>& place, double strength)
{
    std::array<double, D + 1> point;
    for (int axis = 0; axis < D; ++axis) point[std::size_t(axis)] = place[axis];
    point[D] = strength;
    return point;
}

// A group about its centre y₀: place, strength s, dipole p = Σ s (y − y₀), and the upper triangle of S = Σ s (y − y₀)
// (y − y₀)ᵀ by rows. With r = x − y₀:
//   potential = s/ρ + p·r/ρ³ + ½ (3 r·S r/ρ⁵ − tr S/ρ³)
template <int D>
inline constexpr int pairs_of_axes = D*(D + 1) / 2;
template <int D>
using GroupList = WideList<1 + 2 * D + pairs_of_axes<D>>;

TALUS_INLINE double sum_of_lanes(const Wide& a)
{
    const Lanes four = a.low + a.high;
    return (four[0] + four[1]) + (four[2] + four[3]);
}
TALUS_INLINE void set_lane(Wide& wide, std::size_t lane, double value)
{
    // not (… ? low : high)[lane]: without optimisation g++ 12 writes to a copy
    if (lane < std::size_t(lane_count)) {
        wide.low[lane] = value;
    } else {
        wide.high[lane - lane_count] = value;
    }
}

template <int D>
struct WidePull {
    WideVec<D> pull{};
    Wide potential{};
    TALUS_INLINE Pull<D> sum() const
    {
        Pull<D> all;
        for (int axis = 0; axis < D; ++axis) all.pull[axis] = sum_of_lanes(pull[axis]);
        all.potential = sum_of_lanes(potential);
        return all;
    }
};

// Of eight points; the one in lane `self` stands at the place itself and is left out.
template <int D, bool LeavesOut>
TALUS_INLINE void add_points(WidePull<D>& felt, const PointList<D>& points, std::size_t k, const Vec<D>& place,
                             double softening2, std::size_t self = 0)
{
    WideVec<D> r;
    Wide square = broadcast(softening2), strength = load(points[D] + k);
    for (int axis = 0; axis < D; ++axis) {
        r[axis] = place[axis] - load(points[axis] + k);
        square = square + r[axis] * r[axis];
    }
    if constexpr (LeavesOut) {
        set_lane(square, self, 1);
        set_lane(strength, self, 0);
    }
    const Wide inverse = 1.0 / sqrt(square), own = strength * inverse, share = own * (inverse * inverse);
    felt.potential = felt.potential + own;
    for (int axis = 0; axis < D; ++axis) felt.pull[axis] = felt.pull[axis] + share * r[axis];
}

// Of all points but number `self`, which is one of them. Two loops, not one with a condition: in such loops g++ 12 may
// make a mask of one lane for AVX-512.
template <int D>
TALUS_INLINE Pull<D> pull_of_points_kernel(const PointList<D>& points, const Vec<D>& place, std::size_t self,
                                           double softening2)
{
    WidePull<D> felt;
    const std::size_t own = self / wide_count * wide_count;
    for (std::size_t k = 0; k < own; k += wide_count) add_points<D, false>(felt, points, k, place, softening2);
    add_points<D, true>(felt, points, own, place, softening2, self % wide_count);
    for (std::size_t k = own + wide_count; k < points.size(); k += wide_count) {
        add_points<D, false>(felt, points, k, place, softening2);
    }
    return felt.sum();
}

template <int D>
TALUS_INLINE Pull<D> pull_of_groups_kernel(const GroupList<D>& groups, const Vec<D>& place, double softening2)
{
    WidePull<D> felt;
    for (std::size_t k = 0; k < groups.size(); k += wide_count) {
        WideVec<D> r, dipole, turned{}; // S r
        Wide square = broadcast(softening2), trace{};
        for (int axis = 0; axis < D; ++axis) {
            r[axis] = place[axis] - load(groups[axis] + k);
            dipole[axis] = load(groups[D + 1 + axis] + k);
            square = square + r[axis] * r[axis];
        }
        for (int a = 0, column = 2 * D + 1; a < D; ++a) {
            const Wide own = load(groups[column++] + k);
            trace = trace + own;
            turned[a] = turned[a] + own * r[a];
            for (int b = a + 1; b < D; ++b) {
                const Wide shared = load(groups[column++] + k);
                turned[a] = turned[a] + shared * r[b];
                turned[b] = turned[b] + shared * r[a];
            }
        }
        const Wide inverse = 1.0 / sqrt(square), inverse2 = inverse * inverse, inverse3 = inverse * inverse2,
                   inverse5 = inverse3 * inverse2;
        const Wide strength = load(groups[D] + k), along = dot(dipole, r), twice = dot(turned, r);
        felt.potential =
            felt.potential + (strength * inverse + (along - 0.5 * trace) * inverse3 + (1.5 * twice) * inverse5);
        // what stands before r, and the rest
        const Wide radial =
            strength * inverse3 + (3.0 * along - 1.5 * trace) * inverse5 + (7.5 * twice) * (inverse5 * inverse2);
        for (int axis = 0; axis < D; ++axis) {
            felt.pull[axis] =
                felt.pull[axis] + (radial * r[axis] - (dipole[axis] * inverse3 + (3.0 * turned[axis]) * inverse5));
        }
    }
    return felt.sum();
}

// What the bodies of a cell feel: their places, which are numbers first, first + 1, … among the points.
template <int D>
struct Asking {
    const Vec<D>* place;
    std::size_t count;
    std::size_t first;
    Pull<D>* felt;
};
void feel(const PointList<2>& points, const GroupList<2>& groups, double softening2, const Asking<2>& asking);
void feel(const PointList<3>& points, const GroupList<3>& groups, double softening2, const Asking<3>& asking);

} // namespace talus
