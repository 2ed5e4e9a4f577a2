#include "talus/detection/cell_file.hpp"

#include "talus/detection/bounding_balls.hpp"
#include "talus/exec/parallel.hpp"
#include "talus/exec/shared_counters.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace talus {

namespace {

constexpr std::uint32_t no_cell = std::numeric_limits<std::uint32_t>::max();
constexpr std::size_t most_classes = 24; // the last one takes all that is smaller
constexpr double far_cell = 0x1.0p40;    // beyond this many cells from the middle, all share the last one

std::int64_t volume(const auto& extents)
{
    std::int64_t product = 1;
    for (const std::int64_t extent : extents) product *= extent;
    return product;
}

// Steps `cell` to the next one of the box [low, high] along the axes from `first_axis` on; false after the last.
template <int D>
bool advance(std::array<std::int64_t, D>& cell, const std::array<std::int64_t, D>& low,
             const std::array<std::int64_t, D>& high, int first_axis)
{
    for (int axis = first_axis; axis < D; ++axis) {
        if (++cell[axis] <= high[axis]) return true;
        cell[axis] = low[axis];
    }
    return false;
}

} // namespace

// --- one grid

template <int D>
void CellFile<D>::SizeClass::include(const SizeClass& other)
{
    grains += other.grains;
    low = low.cwiseMin(other.low);
    high = high.cwiseMax(other.high);
    largest_radius = std::max(largest_radius, other.largest_radius);
}

template <int D>
auto CellFile<D>::Level::cell_of(const Vec<D>& point) const -> Cell
{
    Cell cell;
    const double inverse = 1 / size;
    for (int axis = 0; axis < D; ++axis) {
        const double coordinate = (point[axis] - origin[axis]) * inverse;
        // clamped coordinates keep neighbours neighbours; positive ones truncate to their floor
        cell[axis] = std::int64_t(std::min(std::max(coordinate, lowest), highest[axis]) + shift);
    }
    return cell;
}

template <int D>
std::size_t CellFile<D>::Level::index_of(const Cell& cell) const
{
    if (!hashed) {
        std::int64_t index = 0;
        for (int axis = 0; axis < D; ++axis) index += cell[axis] * stride[axis];
        return first_cell + std::size_t(index);
    }
    std::uint64_t mix = 0;
    for (int axis = 0; axis < D; ++axis) mix = (mix ^ std::uint64_t(cell[axis])) * 0x9E3779B97F4A7C15ull;
    return first_cell + ((mix ^ (mix >> 29)) & (cells - 1));
}

// Cells of the largest pair, or larger where the cloud is so thin that most of them would be empty.
template <int D>
void CellFile<D>::Level::lay_out(double reach)
{
    const Vec<D> extent = high - low;
    size = 2 * largest_radius + reach;
    if (!(size > 0)) size = std::max(extent.maxCoeff(), 1.0) / double(grains);
    const double most_cells = 4.0 * double(grains) + 512;
    enlarged = false;
    for (int attempt = 0;; ++attempt) {
        const double cells_across = extent.maxCoeff() / size;
        slack = size * (1e-9 + 8 * std::numeric_limits<double>::epsilon() * cells_across);
        double total = 1;
        for (int axis = 0; axis < D; ++axis) total *= std::floor(extent[axis] / (size + slack)) + 3;
        if (total <= most_cells) break;
        if (attempt == 256) { // not even finite: crowded for sure
            slack = 0;
            break;
        }
        size *= 1.2;
        enlarged = true;
    }
    size += slack;
    origin = low;
    lowest = 0;
    shift = 1;
    std::int64_t step = 1;
    for (int axis = 0; axis < D; ++axis) {
        const double across = std::min(std::floor(extent[axis] / size), 1e9);
        highest[axis] = slack > 0 ? across : 0;
        count[axis] = std::int64_t(highest[axis]) + 3;
        stride[axis] = step;
        step *= count[axis];
    }
    cells = std::size_t(step);
    hashed = false;
}

template <int D>
void CellFile<D>::Level::hash(const Vec<D>& centre_of_cloud)
{
    hashed = true;
    origin = centre_of_cloud;
    lowest = -far_cell;
    highest.setConstant(far_cell);
    shift = far_cell + 1;
    slack = 1e-3 * size; // coordinates about 2^40 are known to 2^-12
    size += slack;
    cells = std::bit_ceil(grains + 1);
}

// --- filing

template <int D>
std::size_t CellFile<D>::class_of(double radius) const
{
    const double ratio = (largest_ + 0.5 * reach_) / (radius + 0.5 * reach_);
    if (!(ratio >= 2)) return 0; // also where all radii are zero
    return ratio < 0x1.0p23 ? std::min(std::size_t(std::ilogb(ratio)), most_classes - 1) : most_classes - 1;
}

template <int D>
void CellFile<D>::survey(const BallsAndWalls<D>& seen)
{
    struct Range {
        double smallest = std::numeric_limits<double>::infinity(), largest = -1;
    };
    const std::size_t bodies = seen.centre.size();
    const Range radii = parallel_reduce(
        bodies, Range{},
        [&](std::size_t body) {
            return is_ball(seen, body) ? Range{seen.radius[body], seen.radius[body]} : Range{};
        },
        [](const Range& a, const Range& b) {
            return Range{std::min(a.smallest, b.smallest), std::max(a.largest, b.largest)};
        });
    largest_ = radii.largest;
    levels_.clear();
    level_of_class_.clear();
    if (radii.largest < 0) return;

    const std::size_t classes = class_of(radii.smallest) + 1;
    const std::size_t chunks = (bodies + parallel_chunk - 1) / parallel_chunk;
    std::vector<SizeClass> partial(chunks * classes);
    parallel_for(bodies, [&](std::size_t body) {
        if (!is_ball(seen, body)) return;
        const std::size_t size_class = classes == 1 ? 0 : class_of(seen.radius[body]);
        partial[body / parallel_chunk * classes + size_class].include(
            {1, seen.centre[body], seen.centre[body], seen.radius[body]});
    });
    std::vector<SizeClass> total(classes);
    for (std::size_t part = 0; part < partial.size(); ++part) total[part % classes].include(partial[part]);
    for (const SizeClass& size_class : total) {
        level_of_class_.push_back(std::uint32_t(levels_.size()));
        if (size_class.grains > 0) levels_.emplace_back(size_class);
    }
}

template <int D>
void CellFile<D>::count_cells(const BallsAndWalls<D>& seen)
{
    std::size_t cells = 0;
    for (Level& level : levels_) {
        level.first_cell = cells;
        cells += level.cells;
    }
    cell_.resize(seen.centre.size());
    start_.assign(cells + 1, 0);
    SharedCounters counters(start_, seen.centre.size());
    parallel_for(seen.centre.size(), [&](std::size_t body) {
        cell_[body] = no_cell;
        if (!is_ball(seen, body)) return;
        const Level& level = levels_[levels_.size() == 1 ? 0 : level_of_class_[class_of(seen.radius[body])]];
        const std::size_t cell = level.index_of(level.cell_of(seen.centre[body]));
        cell_[body] = std::uint32_t(cell);
        counters.count(cell);
    });
}

// Enlarged cells suit a thin cloud, not a dense heap with a few grains lost far away: those are hashed.
template <int D>
bool CellFile<D>::hash_crowded_levels(const BallsAndWalls<D>& seen)
{
    bool any = false;
    for (std::size_t l = 0; l < levels_.size(); ++l) {
        Level& level = levels_[l];
        if (!level.enlarged) continue;
        double mates = 0;
        for (std::size_t cell = level.first_cell; cell < level.first_cell + level.cells; ++cell) {
            mates += double(start_[cell]) * double(start_[cell]);
        }
        if (mates <= 12.0 * double(level.grains)) continue;

        std::array<std::vector<double>, D> sample; // its median is in the heap, not half-way to the lost grains
        const std::size_t stride = level.grains / 256 + 1;
        std::size_t met = 0;
        for (std::size_t body = 0; body < seen.centre.size(); ++body) {
            if (cell_[body] < level.first_cell || cell_[body] >= level.first_cell + level.cells) continue;
            if (met++ % stride != 0) continue;
            for (int axis = 0; axis < D; ++axis) sample[axis].push_back(seen.centre[body][axis]);
        }
        Vec<D> median;
        for (int axis = 0; axis < D; ++axis) {
            const auto middle = sample[axis].begin() + std::ptrdiff_t(sample[axis].size() / 2);
            std::nth_element(sample[axis].begin(), middle, sample[axis].end());
            median[axis] = *middle;
        }
        level.size = 2 * level.largest_radius + reach_;
        if (!(level.size > 0)) level.size = std::numeric_limits<double>::min() / std::numeric_limits<double>::epsilon();
        level.hash(median);
        any = true;
    }
    return any;
}

template <int D>
void CellFile<D>::file(const BallsAndWalls<D>& seen, double reach)
{
    reach_ = reach;
    survey(seen);
    for (Level& level : levels_) level.lay_out(reach);
    count_cells(seen);
    if (hash_crowded_levels(seen)) count_cells(seen);

    SharedCounters counters(start_, seen.centre.size());
    counters.scan();
    for (Level& level : levels_) {
        level.first_grain = level.first_cell == 0 ? 0 : start_[level.first_cell - 1];
        level.last_grain = level.first_grain + level.grains;
    }
    grain_.resize(start_.back());
    body_.resize(start_.back());
    parallel_for(seen.centre.size(), [&](std::size_t body) {
        const std::uint32_t later = cell_[std::min(body + prefetch_ahead, cell_.size() - 1)];
        if (later != no_cell) counters.prefetch(later);
        if (cell_[body] == no_cell) return;
        const std::uint32_t slot = counters.take(cell_[body]);
        grain_[slot] = {seen.centre[body], seen.radius[body]};
        body_[slot] = is_passive(seen, body) ? ~std::int32_t(body) : std::int32_t(body);
    });
}

// --- search

// Collects the grains within reach of one grain; without branches, since a hit is as likely as a miss.
template <int D>
class CellFile<D>::Hits {
  public:
    explicit Hits(const CellFile& file) : file_(file), hit_(256) {}
    void restart(const Grain& grain)
    {
        grain_ = grain;
        count_ = 0;
    }
    void scan(std::size_t begin, std::size_t end)
    {
        if (begin >= end) return;
        if (count_ + (end - begin) > hit_.size()) hit_.resize(2 * (count_ + (end - begin)));
        std::uint32_t* const hit = hit_.data();
        std::size_t count = count_;
        const Grain* const grains = file_.grain_.data();
        const Grain grain = grain_;
        const double reach = file_.reach_;
        for (std::size_t other = begin; other < end; ++other) {
            hit[count] = std::uint32_t(other);
            count += balls_within<D>(grain.centre, grain.radius, grains[other].centre, grains[other].radius, reach);
        }
        count_ = count;
    }
    // a slot of the hash table holds several cells: keeps only the hits in `cell`
    void scan_slot(const Level& level, const Cell& cell, std::size_t begin, std::size_t end)
    {
        const std::size_t before = count_;
        scan(begin, end);
        std::size_t kept = before;
        for (std::size_t k = before; k < count_; ++k) {
            if (level.cell_of(file_.grain_[hit_[k]].centre) == cell) hit_[kept++] = hit_[k];
        }
        count_ = kept;
    }
    void append(std::size_t grain, std::vector<Pair>& found) const
    {
        const std::int32_t me = file_.body_[grain];
        for (std::size_t k = 0; k < count_; ++k) {
            const std::int32_t other = file_.body_[hit_[k]];
            if ((me & other) < 0) continue; // both passive
            found.push_back(ordered(me < 0 ? ~me : me, other < 0 ? ~other : other));
        }
    }

  private:
    const CellFile& file_;
    Grain grain_{};
    std::vector<std::uint32_t> hit_;
    std::size_t count_ = 0;
};

// Half of the neighbour cells: those behind the grain's own in the order of the index, and its own from the grain on.
template <int D>
void CellFile<D>::search_own_level(const Level& level, std::size_t grain, Hits& hits) const
{
    const Cell own = level.cell_of(grain_[grain].centre);
    Cell low, high;
    for (int axis = 0; axis < D; ++axis) {
        low[axis] = own[axis] - 1;
        high[axis] = own[axis] + 1;
    }
    if (level.hashed) {
        hits.scan_slot(level, own, grain + 1, start_[level.index_of(own) + 1]);
        Cell cell = own;
        while (advance<D>(cell, low, high, 0)) { // starts at the own cell: visits what follows it
            const std::size_t slot = level.index_of(cell);
            hits.scan_slot(level, cell, start_[slot], start_[slot + 1]);
        }
        return;
    }
    const std::uint32_t* const start = start_.data() + level.index_of(own);
    hits.scan(grain + 1, start[2]); // three cells of a row lie side by side
    Cell cell = own;
    while (advance<D>(cell, low, high, 1)) {
        std::int64_t step = 0;
        for (int axis = 1; axis < D; ++axis) step += (cell[axis] - own[axis]) * level.stride[axis];
        hits.scan(start[step - 1], start[step + 2]);
    }
}

template <int D>
void CellFile<D>::search_larger_level(const Level& level, const Grain& grain, Hits& hits) const
{
    const double range = grain.radius + level.largest_radius + reach_ + level.slack;
    const Vec<D> from = grain.centre.array() - range, to = grain.centre.array() + range;
    for (int axis = 0; axis < D; ++axis) {
        if (to[axis] < level.low[axis] || from[axis] > level.high[axis]) return;
    }
    const Cell low = level.cell_of(from), high = level.cell_of(to);
    Cell cell = low;
    if (level.hashed) {
        do {
            const std::size_t slot = level.index_of(cell);
            hits.scan_slot(level, cell, start_[slot], start_[slot + 1]);
        } while (advance<D>(cell, low, high, 0));
        return;
    }
    do {
        const std::uint32_t* const start = start_.data() + level.index_of(cell);
        hits.scan(start[0], start[high[0] - low[0] + 1]);
    } while (advance<D>(cell, low, high, 1));
}

template <int D>
void CellFile<D>::collect_pairs(std::size_t begin, std::size_t end, std::vector<Pair>& found) const
{
    Hits hits(*this);
    for (std::size_t l = 0; l < levels_.size(); ++l) {
        const Level& level = levels_[l];
        const std::size_t last = std::min(end, level.last_grain);
        for (std::size_t grain = std::max(begin, level.first_grain); grain < last; ++grain) {
            hits.restart(grain_[grain]);
            search_own_level(level, grain, hits);
            for (std::size_t larger = 0; larger < l; ++larger) {
                search_larger_level(levels_[larger], grain_[grain], hits);
            }
            hits.append(grain, found);
        }
    }
}

// --- walls

template <int D>
void CellFile<D>::collect_near_wall(const WallBound<D>& wall, double allowance, std::vector<std::int32_t>& bodies) const
{
    for (const Level& level : levels_) {
        if (level.hashed) {
            for (std::size_t g = level.first_grain; g < level.last_grain; ++g) {
                bodies.push_back(body_[g] < 0 ? ~body_[g] : body_[g]);
            }
            continue;
        }
        Cell low, high;
        for (int axis = 0; axis < D; ++axis) {
            low[axis] = 1;
            high[axis] = level.count[axis] - 2;
        }
        collect_box(level, wall, level.largest_radius + allowance + level.slack, low, high, bodies);
    }
}

// cells from `low` to `high`, both included
template <int D>
void CellFile<D>::collect_box(const Level& level, const WallBound<D>& wall, double limit, const Cell& low,
                              const Cell& high, std::vector<std::int32_t>& bodies) const
{
    Vec<D> middle, half;
    Cell extent;
    int longest = 0;
    for (int axis = 0; axis < D; ++axis) {
        extent[axis] = high[axis] - low[axis] + 1;
        half[axis] = 0.5 * level.size * double(extent[axis]);
        middle[axis] = level.origin[axis] + level.size * double(low[axis] - 1) + half[axis];
        if (extent[axis] > extent[longest]) longest = axis;
    }
    if (wall.distance(middle) - half.norm() > limit) return;
    if (volume(extent) > (1 << D)) {
        Cell cut = high;
        cut[longest] = low[longest] + extent[longest] / 2 - 1;
        collect_box(level, wall, limit, low, cut, bodies);
        cut = low;
        cut[longest] = low[longest] + extent[longest] / 2;
        collect_box(level, wall, limit, cut, high, bodies);
        return;
    }
    Cell cell = low;
    do {
        const std::uint32_t* const start = start_.data() + level.index_of(cell);
        for (std::uint32_t g = start[0]; g < start[extent[0]]; ++g)
            bodies.push_back(body_[g] < 0 ? ~body_[g] : body_[g]);
    } while (advance<D>(cell, low, high, 1));
}

template class CellFile<2>;
template class CellFile<3>;

} // namespace talus
