// How dense the sample is around each grain: a field, where a gauge gives one number.
#pragma once

#include "talus/probes/sample.hpp"

#include <vector>

namespace talus {

// Per body: solid volume within a ball of `radius` [m] about the centre of a grain, over what walls and led bodies
// leave of that ball. Every grain counts as a ball of its own volume, so that shares of it have a closed form; at a
// free surface half of the ball is empty. Not a number for what is no grain.
template <int D>
std::vector<double> local_compacity(const Sample<D>& sample, double radius);

} // namespace talus
