// Sources in a tree of cells (Barnes and Hut, Nature 324 (1986) 446), laid out flat: sorted along Morton's curve, a
// cell is a range of them, its children follow each other, and parents come before children. Each cell knows its
// moments about the centre of the |strengths| it holds, to second order, so that charges of both signs do no harm.
#pragma once

#include "talus/drivers/long_range/box_of_sources.hpp"
#include "talus/drivers/long_range/pull_kernels.hpp"

#include <span>

namespace talus {

template <int D>
struct TreeCell {
    std::uint32_t begin = 0, end = 0;              // sources, in the order of the tree
    std::uint32_t first_child = 0, count = 0;      // of children; 0: a leaf
    Vec<D> centre = Vec<D>::Zero();                // [m] of |strength|
    double radius = 0;                             // [m] no source is farther from the centre
    double size = 0;                               // Σ |s|
    double strength = 0;                           // s
    Vec<D> dipole = Vec<D>::Zero();                // p
    std::array<double, pairs_of_axes<D>> spread{}; // S, upper triangle by rows
    SourceBox<D> box;
    // Forces of p and S at distance d are at most about first/d and second/d² of those that the |strengths| make.
    double first = 0, second = 0; // [m], [m²]

    // p and S make less than `share` of the force there.
    bool is_even(double distance, double share) const { return (first + second / distance) < share * distance; }
};

// Sources that follow each other.
template <int D>
struct SourceGroup {
    std::uint32_t begin, end;
    SourceBox<D> box;
};

template <int D>
class SourceTree {
  public:
    static constexpr std::uint32_t leaf_size = 24;

    void build(const Sources<D>& sources, double softening);

    std::span<const TreeCell<D>> cells() const { return cells_; }
    // in the order of the tree
    std::uint32_t source(std::size_t place) const { return keys_[place].source; }
    std::span<const Vec<D>> places() const { return place_; }
    std::span<const double> strengths() const { return strength_; }

    // All sources in groups of neighbours, in order: a cell of at most so many, or some of its children side by side.
    std::vector<SourceGroup<D>> groups_of_at_most(std::uint32_t most) const;

  private:
    void sort(const Sources<D>& sources);
    void divide();
    void measure_leaf(TreeCell<D>& cell) const;
    void measure_parent(TreeCell<D>& cell) const;
    void measure_evenness(TreeCell<D>& cell) const;

    std::vector<SourceKey> keys_, scratch_;
    std::vector<Vec<D>> place_;
    std::vector<double> strength_;
    std::vector<TreeCell<D>> cells_;
    double softening_ = 0;                 // [m]
    std::vector<std::size_t> generations_; // where each begins in the list of cells, and the end
};

} // namespace talus
