// How forces of long range are summed up: one by one, cells as one particle each where they are far (FORCES), or a tree
// of cells. Each body gathers what it feels, in an order that hangs on places alone: the same bits for any number of
// threads.
#pragma once

#include "talus/drivers/long_range/sources.hpp"
#include "talus/scene/schema.hpp"

#include <memory>

namespace talus {

template <int D>
class Summation {
  public:
    virtual ~Summation() = default;
    virtual void sum(const Sources<D>& sources, double softening, Felt<D>& felt) = 0;
};

template <int D>
std::unique_ptr<Summation<D>> direct_sum();
// `edge` [m] of the cells; 0: such that near and far cost about the same
template <int D>
std::unique_ptr<Summation<D>> effective_cells(double edge);
// `angle`: a cell is one particle where its radius is less than this times its distance
template <int D>
std::unique_ptr<Summation<D>> tree_of_cells(double angle);

inline constexpr double usual_opening_angle = 0.6;

// The keys of a driver that sums, and the summation they ask for; keys that another algorithm has are refused.
std::vector<scene::Key> summation_keys();
template <int D>
std::unique_ptr<Summation<D>> read_summation(const scene::Value& driver);

} // namespace talus
