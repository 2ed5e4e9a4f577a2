#include "benchmarks/measures.hpp"

#include "probes/internal_moment.hpp"

#include <stdexcept>

namespace talus::bench {

template <int D>
std::size_t body_named(const Simulation<D>& simulation, const std::string& name)
{
    for (const BodyGroup& group : simulation.groups) {
        if (group.name == name) return std::size_t(group.first);
    }
    throw std::logic_error("the scene has no body \"" + name + "\"");
}

template <int D>
std::vector<Mat<D>> stress_in(const Simulation<D>& simulation, std::span<const Region<D>> regions)
{
    const Sample<D> sample{simulation.bodies, simulation.shapes};
    const std::vector<Mat<D>> moments = internal_moments(sample, simulation.contacts, simulation.clock.dt);
    std::vector<Mat<D>> stress;
    for (const Region<D>& region : regions) {
        Mat<D> sum = Mat<D>::Zero();
        for (std::size_t i = 0; i < moments.size(); ++i) {
            if (!sample.is_grain(i)) continue;
            const double inside = volume_within(region, sample, i);
            if (inside > 0) sum += inside / sample.volume(i) * moments[i];
        }
        stress.push_back(sum / region.volume());
    }
    return stress;
}

template <int D>
Mat<D> stress_in(const Simulation<D>& simulation, const Region<D>& region)
{
    return stress_in<D>(simulation, std::span(&region, 1)).front();
}

#define TALUS_INSTANTIATE(D)                                                                                           \
    template std::size_t body_named(const Simulation<D>&, const std::string&);                                         \
    template Mat<D> stress_in(const Simulation<D>&, const Region<D>&);                                                 \
    template std::vector<Mat<D>> stress_in(const Simulation<D>&, std::span<const Region<D>>);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

} // namespace talus::bench
