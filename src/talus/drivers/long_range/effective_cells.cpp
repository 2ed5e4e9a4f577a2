// Effective particles (FORCES, forces of long range): square cells; exact for the bodies of a cell and its neighbours,
// and each other cell is one particle at its centre, as strong as all it holds. N × cells in all.
#include "talus/drivers/long_range/box_of_sources.hpp"
#include "talus/drivers/long_range/pull_kernels.hpp"
#include "talus/drivers/long_range/summation.hpp"
#include "talus/exec/parallel_sort.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace talus {

namespace {

constexpr double most_along = 1 << 20; // cells along an axis; those of a cloud that flies apart grow
constexpr std::size_t cells_at_a_time = 4;
template <int D>
const GroupList<D> no_groups;

template <int D>
class EffectiveCells final : public Summation<D> {
  public:
    explicit EffectiveCells(double edge) : wanted_edge_(edge) {}

    void sum(const Sources<D>& sources, double softening, Felt<D>& felt) override
    {
        felt.resize(sources.size());
        file(sources);
        parallel_chunks(
            cells_.size(),
            [&](std::size_t begin, std::size_t end) {
                PointList<D> points;
                std::vector<Pull<D>> found;
                for (std::size_t number = begin; number < end; ++number) {
                    look_around(number, points);
                    const Cell& own = cells_[number];
                    found.resize(own.end - own.begin);
                    feel(points, no_groups<D>, softening * softening,
                         Asking<D>{&place_[own.begin], found.size(), 0, found.data()});
                    for (std::size_t k = own.begin; k < own.end; ++k) {
                        felt.pull[keys_[k].source] = found[k - own.begin].pull;
                        felt.potential[keys_[k].source] = found[k - own.begin].potential;
                    }
                }
            },
            cells_at_a_time);
    }

  private:
    using Index = std::array<std::int64_t, D>;
    struct Cell {
        Index index;
        std::size_t begin, end; // in the order of cells
        Vec<D> centre;          // [m]
        double strength;
    };

    // N bodies feel M cells and, of 3^D N/M each, their neighbours: M = √(3^D N).
    double edge_for(const Vec<D>& extent, std::size_t count) const
    {
        const double longest = extent.maxCoeff();
        double edge = wanted_edge_;
        if (edge == 0) {
            const double volume = extent.cwiseMax(Vec<D>::Constant(1e-3 * longest)).prod();
            edge = std::pow(volume / std::sqrt(std::pow(3.0, D) * double(count)), 1.0 / D);
        }
        edge = std::max(edge, longest / most_along);
        return edge > 0 ? edge : 1;
    }

    void file(const Sources<D>& sources)
    {
        const SourceBox<D> box = box_of(sources);
        const std::size_t count = sources.size();
        const double edge = count > 0 ? edge_for(box.extent(), count) : 1;
        Vec<D> low;
        Index along;
        for (int axis = 0; axis < D && count > 0; ++axis) { // about the middle of the cloud: mirrored with it
            along[axis] = std::max<std::int64_t>(1, std::int64_t(std::ceil(box.extent()[axis] / edge)));
            low[axis] = box.centre()[axis] - 0.5 * edge * double(along[axis]);
        }
        const auto cell_at = [&](const Vec<D>& place) {
            Index index;
            for (int axis = 0; axis < D; ++axis) {
                index[axis] =
                    std::clamp<std::int64_t>(std::int64_t((place[axis] - low[axis]) / edge), 0, along[axis] - 1);
            }
            return index;
        };
        keys_.resize(count);
        parallel_for(count, [&](std::size_t k) {
            const Index index = cell_at(sources.place[k]);
            std::uint64_t code = 0;
            for (int axis = 0; axis < D; ++axis) code = code * std::uint64_t(along[axis]) + std::uint64_t(index[axis]);
            keys_[k] = {code, std::uint32_t(k)};
        });
        parallel_sort(keys_, scratch_, std::less<>());
        place_.resize(count);
        strength_.resize(count);
        cells_.clear();
        for (std::size_t k = 0; k < count; ++k) {
            place_[k] = sources.place[keys_[k].source];
            strength_[k] = sources.strength[keys_[k].source];
            if (k == 0 || keys_[k].code != keys_[k - 1].code) {
                Cell cell{cell_at(place_[k]), k, k, low, 0};
                for (int axis = 0; axis < D; ++axis) cell.centre[axis] += edge * (double(cell.index[axis]) + 0.5);
                cells_.push_back(cell);
            }
            cells_.back().end = k + 1;
            cells_.back().strength += strength_[k];
        }
    }

    // The points of the cell itself come first.
    void look_around(std::size_t number, PointList<D>& points) const
    {
        points.clear();
        add_points(cells_[number], points);
        for (std::size_t other = 0; other < cells_.size(); ++other) {
            if (other == number) continue;
            const Cell& cell = cells_[other];
            bool is_neighbour = true;
            for (int axis = 0; axis < D; ++axis) {
                is_neighbour &= std::abs(cell.index[axis] - cells_[number].index[axis]) <= 1;
            }
            if (is_neighbour) {
                add_points(cell, points);
            } else {
                points.add(point_at<D>(cell.centre, cell.strength));
            }
        }
        points.pad();
    }

    void add_points(const Cell& cell, PointList<D>& points) const
    {
        for (std::size_t k = cell.begin; k < cell.end; ++k) {
            points.add(point_at<D>(place_[k], strength_[k]));
        }
    }

    double wanted_edge_; // [m]
    std::vector<Cell> cells_;
    // by cell
    std::vector<SourceKey> keys_, scratch_;
    std::vector<Vec<D>> place_;
    std::vector<double> strength_;
};

} // namespace

template <int D>
std::unique_ptr<Summation<D>> effective_cells(double edge)
{
    return std::make_unique<EffectiveCells<D>>(edge);
}

template std::unique_ptr<Summation<2>> effective_cells(double);
template std::unique_ptr<Summation<3>> effective_cells(double);

} // namespace talus
