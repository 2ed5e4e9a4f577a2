// Balls of about one size, filed in square cells: those near a ball lie in a few rows of cells, side by side, as
// columns that are read in order. For sums over neighbours that need no list of pairs. The order of filing hangs on
// places and indices alone, neither on threads nor on what was before: such sums have the same bits after a run is
// resumed.
#pragma once

#include "talus/math/space.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace talus {

template <int D>
class BallGrid {
  public:
    // Balls of radius ≥ 0 at finite places, by index; all of them within `reach` [m] of another, surface to surface,
    // are in its rows.
    void file(std::span<const Vec<D>> centre, std::span<const double> radius, double reach);

    std::size_t size() const { return body_.size(); }
    std::int32_t body(std::size_t ball) const { return body_[ball]; } // its index; balls are counted as they are filed
    // With a few numbers behind the last one, of no meaning: rows may be read four at a time.
    std::span<const double> coordinate(int axis) const { return coordinate_[std::size_t(axis)]; }
    std::span<const double> radius() const { return radius_; }
    const Vec<D>& low() const { return low_; } // [m] corners of the box of all centres
    const Vec<D>& high() const { return high_; }
    double largest_radius() const { return largest_; }

    // use(begin, end) for each row of cells around that of a ball: it is in one of them itself.
    template <class Use>
    void for_rows_near(std::size_t ball, Use&& use) const
    {
        Cell own;
        for (int axis = 0; axis < D; ++axis) own[axis] = cell_along(axis, coordinate_[std::size_t(axis)][ball]);
        const auto first = std::int64_t(index_of(own)) - rim;
        for (int row = 0; row < rows; ++row) {
            std::int64_t step = 0;
            for (int axis = 1, rest = row; axis < D; ++axis, rest /= across) {
                step += (rest % across - rim) * stride_[std::size_t(axis)];
            }
            const std::uint32_t* const start = start_.data() + (first + step);
            if (start[0] < start[across]) use(std::size_t(start[0]), std::size_t(start[across]));
        }
    }

  private:
    using Cell = std::array<std::int64_t, D>;
    static constexpr std::size_t wide_read = 3; // numbers behind the last ball
    static constexpr int rim = 2; // cells that a pair may be apart: two small ones hold fewer strangers than one large
    static constexpr int across = 2 * rim + 1, rows = D == 2 ? across : across * across;
    void survey(std::span<const Vec<D>> centre, std::span<const double> radius);
    void lay_out(double reach);
    // there is a rim of empty cells on each side
    std::int64_t cell_along(int axis, double coordinate) const
    {
        return std::int64_t((coordinate - low_[axis]) * inverse_edge_) + rim;
    }
    std::size_t index_of(const Cell& cell) const
    {
        std::int64_t index = 0;
        for (int axis = 0; axis < D; ++axis) index += cell[axis] * stride_[axis];
        return std::size_t(index);
    }

    Vec<D> low_ = Vec<D>::Zero(), high_ = Vec<D>::Zero();
    double largest_ = 0, inverse_edge_ = 1;
    std::size_t balls_ = 0;
    std::array<std::int64_t, D> stride_{};
    std::array<std::vector<double>, D> coordinate_;
    std::vector<double> radius_;
    std::vector<std::int32_t> body_;
    std::vector<std::uint32_t> start_; // per cell: its first ball
    std::vector<std::uint32_t> cell_;  // per index; scratch, kept to reuse its memory
};

} // namespace talus
