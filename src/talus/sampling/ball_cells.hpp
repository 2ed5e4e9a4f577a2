// Balls that have their place, filed by cells, to find those near a point.
#pragma once

#include "talus/math/space.hpp"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace talus {

template <int D>
struct PlacedBall {
    Vec<D> position;
    double radius;
};

template <int D>
class BallCells {
  public:
    explicit BallCells(double cell) : cell_(cell) {}

    void add(const PlacedBall<D>& ball) { balls_[key(cell_of(ball.position))].push_back(ball); }

    // Every ball whose centre is within a cell's width of the position, and some more.
    template <class Visit>
    void visit_near(const Vec<D>& position, Visit&& visit) const
    {
        const Cell centre = cell_of(position);
        constexpr int around = D == 2 ? 9 : 27;
        for (int n = 0; n < around; ++n) {
            Cell cell = centre;
            for (int axis = 0, rest = n; axis < D; ++axis, rest /= 3) cell[axis] += rest % 3 - 1;
            if (const auto found = balls_.find(key(cell)); found != balls_.end()) {
                for (const PlacedBall<D>& ball : found->second) visit(ball);
            }
        }
    }

  private:
    using Cell = Eigen::Matrix<std::int64_t, D, 1>;
    Cell cell_of(const Vec<D>& position) const
    {
        return (position / cell_).array().floor().template cast<std::int64_t>();
    }
    static std::uint64_t key(const Cell& cell)
    {
        std::uint64_t key = 0;
        for (int axis = 0; axis < D; ++axis) key = key * 0x1000003ull + std::uint64_t(cell[axis]);
        return key;
    }
    double cell_;
    std::unordered_map<std::uint64_t, std::vector<PlacedBall<D>>> balls_;
};

} // namespace talus
