// The sum by a tree: neighbours that share a cell look at the tree together. A cell is taken as a whole where its
// radius is less than angle × its distance from their box; what is nearer is opened, down to single sources. The
// expansion about the centre of |strength| goes to second order: what is left out is of third order in the angle.
#include "talus/drivers/long_range/source_tree.hpp"
#include "talus/drivers/long_range/summation.hpp"
#include "talus/exec/shared_ranges.hpp"
#include "talus/exec/team.hpp"

#include <cmath>

namespace talus {

namespace {

constexpr std::uint32_t most_together = 48; // that look at the tree together
constexpr double evenness = 0.2;            // of angle³: beyond that moments of a cell count beside what is left out
constexpr std::size_t few_groups = 8;       // groups that are not worth waking other threads

template <int D>
class TreeOfCells final : public Summation<D> {
  public:
    explicit TreeOfCells(double angle) : angle_(angle), even_share_(evenness * std::pow(angle, 3)) {}

    void sum(const Sources<D>& sources, double softening, Felt<D>& felt) override
    {
        felt.resize(sources.size());
        tree_.build(sources, softening);
        const std::vector<SourceGroup<D>> groups = tree_.groups_of_at_most(most_together);
        const int threads = groups.size() <= few_groups ? 1 : thread_count();
        SharedRanges ranges(groups.size(), threads);
        Team::run(threads, [&](int thread, Barrier&) {
            Seen seen;
            while (const std::optional<std::size_t> number = ranges.next(thread)) {
                gather(groups[*number], softening * softening, seen, felt);
            }
        });
    }

  private:
    // of one group; kept to reuse its memory
    struct Seen {
        PointList<D> points;
        GroupList<D> groups;
        std::vector<std::uint32_t> open;
        std::vector<Pull<D>> felt;
        std::size_t first = 0; // number among the points of the group's own first source
    };

    void gather(const SourceGroup<D>& own, double softening2, Seen& seen, Felt<D>& felt) const
    {
        look_around(own, seen);
        const std::size_t count = own.end - own.begin;
        seen.felt.resize(count);
        feel(seen.points, seen.groups, softening2,
             Asking<D>{&tree_.places()[own.begin], count, seen.first, seen.felt.data()});
        for (std::size_t k = 0; k < count; ++k) {
            const std::uint32_t source = tree_.source(own.begin + k);
            felt.pull[source] = seen.felt[k].pull;
            felt.potential[source] = seen.felt[k].potential;
        }
    }

    // In the order of the curve, so that the group's own sources follow each other.
    void look_around(const SourceGroup<D>& own, Seen& seen) const
    {
        const std::span<const TreeCell<D>> cells = tree_.cells();
        seen.points.clear();
        seen.groups.clear();
        seen.open.assign(1, 0);
        while (!seen.open.empty()) {
            const TreeCell<D>& cell = cells[seen.open.back()];
            seen.open.pop_back();
            const double distance = own.box.distance(cell.centre);
            if (cell.radius < angle_ * distance) {
                cell.is_even(distance, even_share_) ? seen.points.add(point_at<D>(cell.centre, cell.strength))
                                                    : add_group(cell, seen.groups);
            } else if (cell.count == 0) {
                add_sources(cell, own, seen);
            } else {
                for (std::uint32_t child = cell.count; child-- > 0;) seen.open.push_back(cell.first_child + child);
            }
        }
        seen.points.pad();
        seen.groups.pad();
    }

    void add_sources(const TreeCell<D>& cell, const SourceGroup<D>& own, Seen& seen) const
    {
        if (cell.begin == own.begin) seen.first = seen.points.size();
        for (std::uint32_t k = cell.begin; k < cell.end; ++k) {
            seen.points.add(point_at<D>(tree_.places()[k], tree_.strengths()[k]));
        }
    }

    static void add_group(const TreeCell<D>& cell, GroupList<D>& groups)
    {
        std::array<double, 1 + 2 * D + pairs_of_axes<D>> row;
        std::size_t k = 0;
        for (int axis = 0; axis < D; ++axis) row[k++] = cell.centre[axis];
        row[k++] = cell.strength;
        for (int axis = 0; axis < D; ++axis) row[k++] = cell.dipole[axis];
        for (const double moment : cell.spread) row[k++] = moment;
        groups.add(row);
    }

    double angle_, even_share_;
    SourceTree<D> tree_;
};

} // namespace

template <int D>
std::unique_ptr<Summation<D>> tree_of_cells(double angle)
{
    return std::make_unique<TreeOfCells<D>>(angle);
}

template std::unique_ptr<Summation<2>> tree_of_cells(double);
template std::unique_ptr<Summation<3>> tree_of_cells(double);

} // namespace talus
