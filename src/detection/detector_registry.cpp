#include "base/error.hpp"
#include "detection/all_pairs.hpp"
#include "detection/automatic.hpp"
#include "detection/delaunay.hpp"
#include "detection/linked_cells.hpp"
#include "detection/sweep_and_prune.hpp"
#include "detection/verlet.hpp"

namespace talus {

namespace {

template <int D>
std::unique_ptr<Detector<D>> make_delaunay()
{
#ifdef TALUS_WITH_QHULL
    return std::make_unique<Delaunay<D>>();
#else
    throw InputError("detection by \"delaunay\" needs the library Qhull, and this build is without it; install "
                     "libqhull-dev and build again, or choose another method");
#endif
}

} // namespace

std::vector<std::string> detector_names()
{
    return {"auto", "all_pairs", "linked_cells", "verlet", "sweep_and_prune", "delaunay"};
}

template <int D>
std::unique_ptr<Detector<D>> make_detector(const std::string& name, const DetectorOptions& options)
{
    if (name == "auto") return std::make_unique<Automatic<D>>(options);
    if (name == "all_pairs") return std::make_unique<AllPairs<D>>();
    if (name == "linked_cells") return std::make_unique<LinkedCells<D>>();
    if (name == "verlet") return std::make_unique<VerletLists<D>>(options);
    if (name == "sweep_and_prune") return std::make_unique<SweepAndPrune<D>>();
    if (name == "delaunay") return make_delaunay<D>();
    std::string known;
    for (const std::string& method : detector_names()) known += (known.empty() ? "" : ", ") + method;
    throw InputError("no detection method \"" + name + "\"; there are " + known);
}

template std::unique_ptr<Detector<2>> make_detector<2>(const std::string&, const DetectorOptions&);
template std::unique_ptr<Detector<3>> make_detector<3>(const std::string&, const DetectorOptions&);

} // namespace talus
