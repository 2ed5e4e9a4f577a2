#include "benchmarks/measures.hpp"

#include "talus/probes/stress.hpp"

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
    const Snapshot<D> snapshot = simulation.snapshot();
    std::vector<Mat<D>> stress;
    for (const Region<D>& region : regions) {
        const std::optional<Mat<D>> mean = mean_stress(View<D>::of_region(snapshot, region));
        stress.push_back(mean.value_or(Mat<D>::Zero()));
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
