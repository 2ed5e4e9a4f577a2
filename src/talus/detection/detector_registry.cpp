#include "talus/base/error.hpp"
#include "talus/detection/all_pairs.hpp"
#include "talus/detection/automatic.hpp"
#include "talus/detection/delaunay.hpp"
#include "talus/detection/linked_cells.hpp"
#include "talus/detection/sweep_and_prune.hpp"
#include "talus/detection/verlet.hpp"

namespace talus {

namespace {

template <template <int> class Method, int D>
std::unique_ptr<Detector<D>> made(const DetectorOptions& options)
{
    if constexpr (std::is_constructible_v<Method<D>, const DetectorOptions&>) {
        return std::make_unique<Method<D>>(options);
    } else {
        return std::make_unique<Method<D>>();
    }
}

template <int D>
std::unique_ptr<Detector<D>> made_with_qhull(const DetectorOptions& options)
{
#ifdef TALUS_WITH_QHULL
    return made<Delaunay, D>(options);
#else
    throw InputError("detection by \"delaunay\" needs the library Qhull, and this build is without it; install "
                     "libqhull-dev and build again, or choose another method");
#endif
}

template <int D>
struct NamedDetector {
    const char* name;
    std::unique_ptr<Detector<D>> (*make)(const DetectorOptions&);
};

// The registry: one line per method.
template <int D>
constexpr NamedDetector<D> detectors[] = {
    {"auto", made<Automatic, D>},
    {"all_pairs", made<AllPairs, D>},
    {"linked_cells", made<LinkedCells, D>},
    {"verlet", made<VerletLists, D>},
    {"sweep_and_prune", made<SweepAndPrune, D>},
    {"delaunay", made_with_qhull<D>},
};

} // namespace

std::vector<std::string> detector_names()
{
    std::vector<std::string> names;
    for (const auto& detector : detectors<2>) names.emplace_back(detector.name);
    return names;
}

template <int D>
std::unique_ptr<Detector<D>> make_detector(const std::string& name, const DetectorOptions& options)
{
    for (const auto& detector : detectors<D>) {
        if (detector.name == name) return detector.make(options);
    }
    std::string known;
    for (const std::string& method : detector_names()) known += (known.empty() ? "" : ", ") + method;
    throw InputError("no detection method \"" + name + "\"; there are " + known);
}

template std::unique_ptr<Detector<2>> make_detector<2>(const std::string&, const DetectorOptions&);
template std::unique_ptr<Detector<3>> make_detector<3>(const std::string&, const DetectorOptions&);

} // namespace talus
