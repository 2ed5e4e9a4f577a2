// Cells without an end: the plane (or space) is covered again and again by one table of cells, so that balls may fly
// anywhere. Whoever is near is in a cell next to one's own; a few who are far away may be there too.
#pragma once

#include "talus/events/flight.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace talus {

template <int D>
class FlightCells {
  public:
    using Cell = std::array<std::int32_t, D>; // its place, counted in cells from the origin

    // `size` [m] of a cell: not less than the largest diameter; the table has about as many cells as there are balls
    void reset(double size, const Vec<D>& extent, std::size_t balls);
    double size() const { return size_; }
    void empty() { std::ranges::fill(first_, -1); }

    Cell cell_at(const Vec<D>& place) const
    {
        Cell cell;
        for (int axis = 0; axis < D; ++axis)
            cell[axis] = std::int32_t(std::floor(std::clamp(place[axis] / size_, -farthest, farthest)));
        return cell;
    }
    std::uint32_t index(const Cell& cell) const
    {
        std::uint32_t index = 0;
        for (int axis = 0; axis < D; ++axis) index |= (std::uint32_t(cell[axis]) & mask_[axis]) << shift_[axis];
        return index;
    }
    // Cells that lie together have keys that do.
    std::uint64_t order_key(const Cell& cell) const;

    void insert(std::vector<Flight<D>>& balls, std::int32_t ball, const Cell& cell)
    {
        Flight<D>& one = balls[std::size_t(ball)];
        one.cell = std::int32_t(index(cell));
        one.previous = -1;
        one.next = first_[std::size_t(one.cell)];
        if (one.next >= 0) balls[std::size_t(one.next)].previous = ball;
        first_[std::size_t(one.cell)] = ball;
    }
    void remove(std::vector<Flight<D>>& balls, std::int32_t ball)
    {
        const Flight<D>& one = balls[std::size_t(ball)];
        (one.previous >= 0 ? balls[std::size_t(one.previous)].next : first_[std::size_t(one.cell)]) = one.next;
        if (one.next >= 0) balls[std::size_t(one.next)].previous = one.previous;
    }

    // visit(other) for all balls in the cell and those next to it; with `side` not 0 only those next to it on that side
    // along `axis`.
    template <class Visit>
    void visit_near(const std::vector<Flight<D>>& balls, const Cell& cell, int axis, int side, Visit&& visit) const
    {
        std::array<std::array<std::uint32_t, 3>, D> bits; // of the index, along each axis
        std::array<int, D> begin{}, end{};
        for (int k = 0; k < D; ++k) {
            const bool is_face = side != 0 && k == axis;
            begin[k] = is_face ? 1 + side : 0;
            end[k] = is_face ? begin[k] + 1 : 3;
            for (int n = 0; n < 3; ++n) bits[k][n] = (std::uint32_t(cell[k] + n - 1) & mask_[k]) << shift_[k];
        }
        const auto list = [&](std::uint32_t index) {
            for (std::int32_t other = first_[index]; other >= 0; other = balls[std::size_t(other)].next) visit(other);
        };
        for (int y = begin[1]; y < end[1]; ++y) {
            for (int x = begin[0]; x < end[0]; ++x) {
                if constexpr (D == 2) {
                    list(bits[0][x] | bits[1][y]);
                } else {
                    for (int z = begin[2]; z < end[2]; ++z) list(bits[0][x] | bits[1][y] | bits[2][z]);
                }
            }
        }
    }

    // Has the first balls of the cells around brought from memory; first what says who they are.
    void prefetch_lists(const Cell& cell) const
    {
        for_near(cell, [&](std::uint32_t index) { __builtin_prefetch(&first_[index]); });
    }
    void prefetch_near(const std::vector<Flight<D>>& balls, const Cell& cell) const
    {
        for_near(cell, [&](std::uint32_t index) {
            if (first_[index] >= 0) __builtin_prefetch(&balls[std::size_t(first_[index])]);
        });
    }

  private:
    template <class Visit>
    void for_near(const Cell& cell, Visit&& visit) const
    {
        Cell near;
        for (near[0] = cell[0] - 1; near[0] <= cell[0] + 1; ++near[0]) {
            for (near[1] = cell[1] - 1; near[1] <= cell[1] + 1; ++near[1]) {
                if constexpr (D == 2) {
                    visit(index(near));
                } else {
                    for (near[2] = cell[2] - 1; near[2] <= cell[2] + 1; ++near[2]) visit(index(near));
                }
            }
        }
    }

    static constexpr double farthest = 1e9; // [cells]
    double size_ = 1;                       // [m]
    std::array<std::uint32_t, D> mask_{};
    std::array<int, D> shift_{};
    std::vector<std::int32_t> first_; // ball in each cell; −1: none
};

} // namespace talus
