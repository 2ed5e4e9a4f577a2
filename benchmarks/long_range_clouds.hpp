// Clouds of sources for forces of long range, and how far two fields are apart: for tests and benchmarks.
#pragma once

#include "talus/base/random.hpp"
#include "talus/drivers/long_range/summation.hpp"

#include <cmath>

namespace talus {

// In a cube of 1 m; `both_signs`: half of the charges are negative.
template <int D>
Sources<D> random_cloud(std::size_t count, bool both_signs, std::uint64_t seed)
{
    Random random(seed);
    Sources<D> cloud;
    for (std::size_t k = 0; k < count; ++k) {
        Vec<D> place;
        for (int axis = 0; axis < D; ++axis) place[axis] = random.uniform(-0.5, 0.5);
        cloud.place.push_back(place);
        cloud.strength.push_back(random.uniform(0.5, 1.5) * (both_signs && k % 2 == 1 ? -1 : 1));
    }
    return cloud;
}

template <int D>
Felt<D> felt_by(std::unique_ptr<Summation<D>> summation, const Sources<D>& sources, double softening = 0)
{
    Felt<D> felt;
    summation->sum(sources, softening, felt);
    return felt;
}

// rms of the difference over the rms of `exact`, in the force that each source feels
template <int D>
double force_error(const Sources<D>& sources, const Felt<D>& felt, const Felt<D>& exact)
{
    double difference = 0, all = 0;
    for (std::size_t k = 0; k < sources.size(); ++k) {
        const double square = sources.strength[k] * sources.strength[k];
        difference += square * (felt.pull[k] - exact.pull[k]).squaredNorm();
        all += square * exact.pull[k].squaredNorm();
    }
    return std::sqrt(difference / all);
}

template <int D>
double energy_of(const Sources<D>& sources, const Felt<D>& felt)
{
    double sum = 0;
    for (std::size_t k = 0; k < sources.size(); ++k) sum += 0.5 * sources.strength[k] * felt.potential[k];
    return sum;
}

} // namespace talus
