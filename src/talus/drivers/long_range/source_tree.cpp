#include "talus/drivers/long_range/source_tree.hpp"

#include "talus/exec/parallel_sort.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>

namespace talus {

namespace {

constexpr std::size_t cells_per_chunk = 64;

// The children of a cell are ranges of equal digits where its first and its last code first differ.
template <int D>
class Splitter {
  public:
    Splitter(std::span<const SourceKey> keys, std::uint32_t begin, std::uint32_t end)
        : keys_(keys), begin_(begin), end_(end)
    {
        const std::uint64_t different = keys[begin].code ^ keys[end - 1].code;
        shift_ = different == 0 ? -1 : (63 - std::countl_zero(different)) / D * D;
    }
    bool can_split() const { return shift_ >= 0 && end_ - begin_ > SourceTree<D>::leaf_size; }

    template <class Use> // use(begin, end) of each child
    void for_children(Use&& use) const
    {
        for (std::uint32_t first = begin_; first < end_;) {
            const std::uint64_t digit = keys_[first].code >> shift_;
            const auto past = std::partition_point(keys_.begin() + first, keys_.begin() + end_,
                                                   [&](const SourceKey& key) { return key.code >> shift_ <= digit; });
            const auto last = std::uint32_t(past - keys_.begin());
            use(first, last);
            first = last;
        }
    }

  private:
    std::span<const SourceKey> keys_;
    std::uint32_t begin_, end_;
    int shift_;
};

template <int D>
void add_products(std::array<double, pairs_of_axes<D>>& spread, double factor, const Vec<D>& u, const Vec<D>& v)
{
    for (int a = 0, k = 0; a < D; ++a) {
        for (int b = a; b < D; ++b, ++k) spread[std::size_t(k)] += factor * (u[a] * v[b]);
    }
}

} // namespace

template <int D>
void SourceTree<D>::sort(const Sources<D>& sources)
{
    const SourceBox<D> box = box_of(sources);
    // a cube about the middle of the cloud: mirrored with it
    const double edge = box.extent().maxCoeff() * (1 + 1e-9);
    const Vec<D> low = box.centre() - Vec<D>::Constant(0.5 * edge);
    const double cells = double(std::uint64_t(1) << morton_levels), scale = edge > 0 ? cells / edge : 0;
    keys_.resize(sources.size());
    parallel_for(sources.size(), [&](std::size_t k) {
        std::array<std::uint64_t, D> cell;
        for (int axis = 0; axis < D; ++axis) {
            const double along = (sources.place[k][axis] - low[axis]) * scale;
            cell[std::size_t(axis)] = std::uint64_t(std::clamp(along, 0.0, cells - 1));
        }
        keys_[k] = {morton_code<D>(cell), std::uint32_t(k)};
    });
    parallel_sort(keys_, scratch_, std::less<>());
    place_.resize(sources.size());
    strength_.resize(sources.size());
    parallel_for(sources.size(), [&](std::size_t k) {
        place_[k] = sources.place[keys_[k].source];
        strength_[k] = sources.strength[keys_[k].source];
    });
}

// Generation by generation: cells count their children, and then each writes its own.
template <int D>
void SourceTree<D>::divide()
{
    cells_.clear();
    generations_ = {0};
    if (keys_.empty()) return;
    cells_.emplace_back();
    cells_[0].end = std::uint32_t(keys_.size());
    std::vector<std::uint32_t> places;
    for (std::size_t begin = 0; begin < cells_.size();) {
        const std::size_t count = cells_.size() - begin;
        generations_.push_back(cells_.size());
        const auto for_split_cells = [&](auto&& use) {
            parallel_chunks(
                count,
                [&](std::size_t first, std::size_t last) {
                    for (std::size_t k = first; k < last; ++k) {
                        const TreeCell<D>& cell = cells_[begin + k];
                        const Splitter<D> splitter(keys_, cell.begin, cell.end);
                        if (splitter.can_split()) use(k, splitter);
                    }
                },
                cells_per_chunk);
        };
        places.assign(count, 0);
        for_split_cells([&](std::size_t k, const Splitter<D>& splitter) {
            splitter.for_children([&](std::uint32_t, std::uint32_t) { ++places[k]; });
            cells_[begin + k].count = places[k];
        });
        const std::uint32_t added = exclusive_scan(places);
        const std::size_t next = begin + count;
        cells_.resize(next + added);
        for_split_cells([&](std::size_t k, const Splitter<D>& splitter) {
            std::uint32_t child = std::uint32_t(next) + places[k];
            cells_[begin + k].first_child = child;
            splitter.for_children([&](std::uint32_t first, std::uint32_t last) {
                cells_[child].begin = first;
                cells_[child].end = last;
                ++child;
            });
        });
        begin = next;
    }
}

template <int D>
void SourceTree<D>::measure_leaf(TreeCell<D>& cell) const
{
    Vec<D> weighted = Vec<D>::Zero(), middle = Vec<D>::Zero();
    for (std::uint32_t k = cell.begin; k < cell.end; ++k) {
        cell.size += std::abs(strength_[k]);
        cell.strength += strength_[k];
        weighted += std::abs(strength_[k]) * place_[k];
        middle += place_[k];
        cell.box = cell.box.with({place_[k], place_[k]});
    }
    cell.centre = cell.size > 0 ? Vec<D>(weighted / cell.size) : Vec<D>(middle / double(cell.end - cell.begin));
    for (std::uint32_t k = cell.begin; k < cell.end; ++k) {
        const Vec<D> lever = place_[k] - cell.centre;
        cell.dipole += strength_[k] * lever;
        add_products<D>(cell.spread, strength_[k], lever, lever);
        cell.radius = std::max(cell.radius, lever.norm());
    }
}

template <int D>
void SourceTree<D>::measure_parent(TreeCell<D>& cell) const
{
    const std::span<const TreeCell<D>> children(&cells_[cell.first_child], cell.count);
    Vec<D> weighted = Vec<D>::Zero(), middle = Vec<D>::Zero();
    for (const TreeCell<D>& child : children) {
        cell.size += child.size;
        cell.strength += child.strength;
        weighted += child.size * child.centre;
        middle += child.centre;
        cell.box = cell.box.with(child.box);
    }
    cell.centre = cell.size > 0 ? Vec<D>(weighted / cell.size) : Vec<D>(middle / double(cell.count));
    for (const TreeCell<D>& child : children) {
        const Vec<D> lever = child.centre - cell.centre;
        cell.dipole += child.dipole + child.strength * lever;
        for (std::size_t k = 0; k < child.spread.size(); ++k) cell.spread[k] += child.spread[k];
        add_products<D>(cell.spread, 1, child.dipole, lever);
        add_products<D>(cell.spread, 1, lever, child.dipole);
        add_products<D>(cell.spread, child.strength, lever, lever);
        cell.radius = std::max(cell.radius, lever.norm() + child.radius);
    }
    cell.radius = std::min(cell.radius, cell.box.farthest(cell.centre));
}

// In space the part of S that is the same in all directions makes no force, but where it is softened.
template <int D>
void SourceTree<D>::measure_evenness(TreeCell<D>& cell) const
{
    if (cell.size == 0) return;
    double trace = 0, square = 0;
    for (int a = 0, k = 0; a < D; ++a) {
        for (int b = a; b < D; ++b, ++k) {
            const double moment = cell.spread[std::size_t(k)];
            if (a == b) trace += moment;
            square += (a == b ? 1 : 2) * moment * moment;
        }
    }
    const double uneven = std::sqrt(std::max(0.0, square - trace * trace / 3)); // of its part without trace, in space
    cell.first = 2 * cell.dipole.norm() / cell.size;
    cell.second = (3 * uneven + (softening_ > 0 ? 3 * std::abs(trace) : 0)) / cell.size;
}

template <int D>
void SourceTree<D>::build(const Sources<D>& sources, double softening)
{
    softening_ = softening;
    sort(sources);
    divide();
    for (std::size_t generation = generations_.size(); generation-- > 1;) {
        const std::size_t begin = generations_[generation - 1];
        parallel_chunks(
            generations_[generation] - begin,
            [&](std::size_t first, std::size_t last) {
                for (std::size_t k = begin + first; k < begin + last; ++k) {
                    cells_[k].count > 0 ? measure_parent(cells_[k]) : measure_leaf(cells_[k]);
                    measure_evenness(cells_[k]);
                }
            },
            cells_per_chunk);
    }
}

// Children that are too many together are divided where their codes first differ, by a plane: a mirrored cloud has
// mirrored groups.
template <int D>
std::vector<SourceGroup<D>> SourceTree<D>::groups_of_at_most(std::uint32_t most) const
{
    struct Siblings {
        std::uint32_t first, count;
    };
    std::vector<SourceGroup<D>> groups;
    std::vector<Siblings> open;
    if (!cells_.empty()) open.push_back({0, 1});
    while (!open.empty()) {
        const auto [first, count] = open.back();
        open.pop_back();
        const std::uint32_t begin = cells_[first].begin, end = cells_[first + count - 1].end;
        if (end - begin <= most || (count == 1 && cells_[first].count == 0)) {
            SourceGroup<D> group{begin, end, {}};
            for (std::uint32_t k = first; k < first + count; ++k) group.box = group.box.with(cells_[k].box);
            groups.push_back(group);
        } else if (count == 1) {
            open.push_back({cells_[first].first_child, cells_[first].count});
        } else {
            const int plane = 63 - std::countl_zero(keys_[begin].code ^ keys_[end - 1].code);
            std::uint32_t below = 0;
            while ((keys_[cells_[first + below].begin].code >> plane & 1) == 0) ++below;
            open.push_back({first + below, count - below});
            open.push_back({first, below});
        }
    }
    return groups;
}

template class SourceTree<2>;
template class SourceTree<3>;

} // namespace talus
