// Grains filed in linked cells (CELLS): cell (k n + j) m + i, every neighbour of a grain is in its own cell or one next
// to it. Grains of very different sizes are filed by size class, one grid per factor of two in diameter, each grain
// once in the grid of its class; it then looks for partners in its own grid and in those of the larger classes.
// Instead of heads and links the grains of a cell lie side by side, sorted by counting: same search, fewer cache
// misses.
#pragma once

#include "talus/detection/detector.hpp"

#include <array>
#include <limits>

namespace talus {

template <int D>
class CellFile {
  public:
    // Files every ball such that all pairs closer than `reach` can be found.
    void file(const BallsAndWalls<D>& seen, double reach);
    std::size_t grains() const { return grain_.size(); }
    // Pairs of balls within the reach of the filing: those found from grains `begin` to `end` of the filing order;
    // all ranges together give each pair once.
    void collect_pairs(std::size_t begin, std::size_t end, std::vector<Pair>& found) const;
    // Bodies whose surface was, when filed, within `allowance` of the wall as it is now, and some more: the wall is
    // filed in the cells it crosses, found by halving the grid where the wall is near enough.
    void collect_near_wall(const WallBound<D>& wall, double allowance, std::vector<std::int32_t>& bodies) const;

  private:
    using Cell = std::array<std::int64_t, D>;
    struct Grain {
        Vec<D> centre;
        double radius;
    };
    struct SizeClass {
        std::size_t grains = 0;
        Vec<D> low = Vec<D>::Constant(std::numeric_limits<double>::infinity()); // corners of the box of the centres
        Vec<D> high = Vec<D>::Constant(-std::numeric_limits<double>::infinity());
        double largest_radius = 0; // [m]
        void include(const SizeClass& other);
    };
    struct Level : SizeClass { // its grid, with a rim of empty cells so that every cell has all its neighbours
        explicit Level(const SizeClass& size_class) : SizeClass(size_class) {}
        using SizeClass::grains, SizeClass::high, SizeClass::largest_radius, SizeClass::low;
        double size = 0;  // [m] edge of a cell
        double slack = 0; // [m] what rounding may move a centre against the cells
        Vec<D> origin = Vec<D>::Zero();
        Vec<D> highest = Vec<D>::Zero(); // cell coordinates are clamped to [lowest, highest]
        double lowest = 0;
        double shift = 1;           // added to make all coordinates positive
        Cell count{}, stride{};     // cells per axis, rim included; step of the index along each axis
        std::size_t first_cell = 0; // offset in start_
        std::size_t cells = 0;
        std::size_t first_grain = 0, last_grain = 0; // in filing order
        bool hashed = false;                         // far-spread clouds: cells are slots of a hash table
        bool enlarged = false;                       // cells larger than the largest pair, to keep their number small

        Cell cell_of(const Vec<D>& point) const;
        std::size_t index_of(const Cell& cell) const;
        void lay_out(double reach);
        void hash(const Vec<D>& centre_of_cloud);
    };
    class Hits;

    std::size_t class_of(double radius) const;
    void survey(const BallsAndWalls<D>& seen);
    void count_cells(const BallsAndWalls<D>& seen);
    bool hash_crowded_levels(const BallsAndWalls<D>& seen);
    void search_own_level(const Level& level, std::size_t grain, Hits& hits) const;
    void search_larger_level(const Level& level, const Grain& grain, Hits& hits) const;
    void collect_box(const Level& level, const WallBound<D>& wall, double limit, const Cell& low, const Cell& high,
                     std::vector<std::int32_t>& bodies) const;

    double reach_ = 0, largest_ = 0;
    std::vector<Level> levels_; // largest grains first
    std::vector<std::uint32_t> level_of_class_;
    std::vector<std::uint32_t> cell_;  // per body; no_cell where there is no ball
    std::vector<std::uint32_t> start_; // per cell: its first grain in filing order
    std::vector<Grain> grain_;         // in filing order
    std::vector<std::int32_t> body_;   // of each grain in filing order; ~body where it is passive
};

} // namespace talus
