#include "talus/crowd/ground.hpp"

#include "talus/base/error.hpp"
#include "talus/exec/parallel.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace talus {

namespace {

constexpr int block_side = 16;              // cells: they share one list of obstacles nearby
constexpr double most_cells = 2e8;          // of a ground
constexpr int most_hops = 40;               // on the way out
constexpr double past_border = 1 + 1e-9;    // not onto it
constexpr double longest_way_out_times = 3; // of the clearance, by hops

void check_grid(const GroundGrid& grid)
{
    const Vec<2> size = grid.extent.upper - grid.extent.lower;
    if (!(grid.cell > 0) || !(size.x() > 0) || !(size.y() > 0) || !size.allFinite()) {
        throw InputError(fmt::format("a ground of {:g} × {:g} m in cells of {:g} m: all three must be > 0 and finite",
                                     size.x(), size.y(), grid.cell));
    }
    if (grid.cell > grid.clearance) {
        throw InputError(fmt::format("cells of {:g} m are too coarse for people of radius {:g} m: at most this radius",
                                     grid.cell, grid.clearance));
    }
    const double count = std::ceil(size.x() / grid.cell) * std::ceil(size.y() / grid.cell);
    if (count <= most_cells) return;
    throw InputError(fmt::format("a ground of {:g} × {:g} m in cells of {:g} m has {:.3g} cells: at most {:g}",
                                 size.x(), size.y(), grid.cell, count, most_cells));
}

// The cells of one block; others do not write there.
class BlockOfCells {
  public:
    BlockOfCells(Ground& ground, const Obstacles& obstacles, std::vector<double>& distance, int block_x, int block_y)
        : ground_(ground), obstacles_(obstacles), distance_(distance), first_i_(block_x * block_side),
          first_j_(block_y * block_side)
    {
        const double half = 0.5 * block_side * ground.cell;
        const Vec<2> middle = ground.lower + ground.cell * Vec<2>(first_i_, first_j_) + Vec<2>(half, half);
        const double reach = std::sqrt(2.0) * half + (longest_way_out_times + 1) * ground.clearance;
        for (std::size_t k = 0; k < obstacles.size(); ++k) {
            if (obstacles.approach(k, middle).distance < reach) near_.push_back(std::int32_t(k));
        }
    }

    void fill()
    {
        for (int j = first_j_; j < std::min(first_j_ + block_side, ground_.ny); ++j) {
            for (int i = first_i_; i < std::min(first_i_ + block_side, ground_.nx); ++i) {
                const std::size_t c = ground_.index(i, j);
                const Approach wall = obstacles_.nearest(near_, ground_.centre(i, j));
                distance_[c] = wall.distance;
                ground_.blocked[c] = wall.distance < ground_.clearance;
                if (ground_.blocked[c]) ground_.way_out[c] = way_out(ground_.centre(i, j), wall);
            }
        }
    }

  private:
    // Straight away from the nearest obstacle, again and again, each time by no more than the distance to it: no wall
    // is crossed. Zero where that leads nowhere.
    Vec<2> way_out(const Vec<2>& from, Approach wall) const
    {
        Vec<2> point = from;
        for (int hop = 0; hop < most_hops; ++hop) {
            const double missing = past_border * (ground_.clearance - wall.distance);
            const double length =
                wall.distance > 0 ? std::min(missing, wall.distance) : 0.1 * ground_.cell - wall.distance;
            point += length * wall.outward;
            if ((point - from).norm() > longest_way_out_times * ground_.clearance) break;
            wall = obstacles_.nearest(near_, point);
            if (wall.distance >= ground_.clearance) return point - from;
        }
        return Vec<2>::Zero();
    }

    Ground& ground_;
    const Obstacles& obstacles_;
    std::vector<double>& distance_; // [m] of each cell to the nearest obstacle
    int first_i_, first_j_;
    std::vector<std::int32_t> near_;
};

// The free cell nearest to the end of the way out; −1: none within two cells.
std::int32_t free_cell_near(const Ground& ground, const Vec<2>& point)
{
    const int column = ground.column(point.x()), row = ground.row(point.y());
    std::int32_t best = -1;
    double least = std::numeric_limits<double>::infinity();
    for (int j = std::max(row - 2, 0); j <= std::min(row + 2, ground.ny - 1); ++j) {
        for (int i = std::max(column - 2, 0); i <= std::min(column + 2, ground.nx - 1); ++i) {
            const std::size_t c = ground.index(i, j);
            const double square = (ground.centre(i, j) - point).squaredNorm();
            if (ground.blocked[c] || square >= least) continue;
            least = square;
            best = std::int32_t(c);
        }
    }
    return best;
}

// Deep in a solid, and where no way out was found: that of a neighbour, in the order of the steps between them. No step
// leads out of a solid, or through a thin wall: it would stand nearer to one of the two cells than half of the step.
void spread_refuges(Ground& ground, const std::vector<double>& distance)
{
    std::vector<std::int32_t> front, next;
    for (std::size_t c = 0; c < ground.size(); ++c) {
        if (ground.refuge[c] >= 0) front.push_back(std::int32_t(c));
    }
    for (; !front.empty(); front.swap(next)) {
        next.clear();
        for (const std::int32_t c : front) {
            const int i = c % ground.nx, j = c / ground.nx;
            for (const auto& [di, dj] : {std::pair(-1, 0), std::pair(1, 0), std::pair(0, -1), std::pair(0, 1)}) {
                if (i + di < 0 || i + di >= ground.nx || j + dj < 0 || j + dj >= ground.ny) continue;
                const std::size_t other = ground.index(i + di, j + dj);
                const bool is_open = distance[c] >= 0 && distance[c] + distance[other] > ground.cell;
                if (ground.refuge[other] >= 0 || (distance[other] >= 0 && !is_open)) continue;
                ground.refuge[other] = ground.refuge[c];
                ground.way_out[other] = ground.centre(std::size_t(ground.refuge[c])) - ground.centre(other);
                next.push_back(std::int32_t(other));
            }
        }
    }
}

int whole_cells(double length, double cell)
{
    return std::max(1, int(std::ceil(length / cell - 1e-9))); // 10 m in cells of 0.1 m are 100 of them
}

} // namespace

bool Ground::is_free(const Vec<2>& point) const
{
    const double shift = 1e-6 * cell;
    for (const double x : {point.x() - shift, point.x() + shift}) {
        for (const double y : {point.y() - shift, point.y() + shift}) {
            if (blocked[cell_at({x, y})]) return false;
        }
    }
    return true;
}
bool Ground::holds(const Vec<2>& point) const
{
    const Vec<2> place = point - lower;
    return place.x() >= 0 && place.y() >= 0 && place.x() <= nx * cell && place.y() <= ny * cell;
}

Ground make_ground(const Obstacles& obstacles, const GroundGrid& grid)
{
    check_grid(grid);
    const Vec<2> size = grid.extent.upper - grid.extent.lower;
    Ground ground;
    ground.lower = grid.extent.lower;
    ground.cell = grid.cell;
    ground.clearance = grid.clearance;
    ground.nx = whole_cells(size.x(), grid.cell);
    ground.ny = whole_cells(size.y(), grid.cell);
    const std::size_t count = std::size_t(ground.nx) * std::size_t(ground.ny);
    ground.blocked.assign(count, 0);
    ground.way_out.assign(count, Vec<2>::Zero());
    ground.refuge.assign(count, -1);
    std::vector<double> distance(count);

    const int blocks_x = (ground.nx + block_side - 1) / block_side,
              blocks_y = (ground.ny + block_side - 1) / block_side;
    parallel_chunks(
        std::size_t(blocks_x) * std::size_t(blocks_y),
        [&](std::size_t begin, std::size_t end) {
            for (std::size_t b = begin; b < end; ++b) {
                BlockOfCells(ground, obstacles, distance, int(b) % blocks_x, int(b) / blocks_x).fill();
            }
        },
        8);
    parallel_for(count, [&](std::size_t c) {
        if (!ground.blocked[c]) {
            ground.refuge[c] = std::int32_t(c);
        } else if (!ground.way_out[c].isZero(0)) {
            ground.refuge[c] = free_cell_near(ground, ground.centre(c) + ground.way_out[c]);
        }
    });
    spread_refuges(ground, distance);
    return ground;
}

Ground make_ground(const BodyTable<2>& bodies, const ShapeTable<2>& shapes, const GroundGrid& grid)
{
    return make_ground(obstacles_of(bodies, shapes, fixed_bodies(bodies)), grid);
}

Bounds<2> extent_of(const BodyTable<2>& bodies, const ShapeTable<2>& shapes, double margin)
{
    constexpr double far = std::numeric_limits<double>::infinity();
    Bounds<2> extent{Vec<2>::Constant(far), Vec<2>::Constant(-far)};
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const ShapeKind kind = shapes[bodies.shape[i]].kind;
        if (kind == ShapeKind::half_space) continue;
        Vec<2> reach = Vec<2>::Constant(shapes[bodies.shape[i]].radius);
        if (kind == ShapeKind::segment) {
            reach += (bodies.orientation[i] * shapes.segments[shapes[bodies.shape[i]].detail].half).cwiseAbs();
        }
        extent.lower = extent.lower.cwiseMin(bodies.position[i] - reach);
        extent.upper = extent.upper.cwiseMax(bodies.position[i] + reach);
    }
    extent.lower.array() -= margin;
    extent.upper.array() += margin;
    return extent;
}

} // namespace talus
