#include "talus/base/error.hpp"
#include "talus/detection/all_pairs.hpp"
#include "talus/detection/automatic.hpp"
#include "talus/detection/delaunay.hpp"
#include "talus/detection/detector_kind.hpp"
#include "talus/detection/linked_cells.hpp"
#include "talus/detection/sweep_and_prune.hpp"
#include "talus/detection/verlet.hpp"

namespace talus {

namespace {

template <int D>
std::unique_ptr<Detector<D>> made_with_qhull(const DetectorOptions& options)
{
#ifdef TALUS_WITH_QHULL
    return made_detector<Delaunay, D>(options);
#else
    throw InputError("detection by \"delaunay\" needs the library Qhull, and this build is without it; install "
                     "libqhull-dev and build again, or choose another method");
#endif
}

scene::Key skin()
{
    return scene::number("skin", "how far beyond it Verlet lists reach, to last several steps")
        .in("m")
        .above(0)
        .automatic();
}

} // namespace

// One line per method.
std::vector<DetectorKind>& detector_kinds()
{
    static std::vector<DetectorKind> kinds = {
        detector_kind<Automatic>("auto", "all pairs up to 24 bodies, Verlet lists beyond", {skin()}),
        detector_kind<AllPairs>("all_pairs", "all pairs, the reference"),
        detector_kind<LinkedCells>("linked_cells", "grains filed in the cells of a grid"),
        detector_kind<VerletLists>("verlet", "lists of neighbours that last several steps", {skin()}),
        detector_kind<SweepAndPrune>("sweep_and_prune", "boxes sorted along the longest axis"),
        {"delaunay", "edges of a triangulation", {}, {made_with_qhull<2>, made_with_qhull<3>}},
    };
    return kinds;
}

std::vector<std::string> detector_names() { return scene::names_of(detector_kinds()); }

template <int D>
std::unique_ptr<Detector<D>> make_detector(const std::string& name, const DetectorOptions& options)
{
    const DetectorKind* kind = scene::find_kind(detector_kinds(), name);
    if (!kind) throw InputError("no detection method \"" + name + "\"; there is " + scene::listed(detector_names()));
    return kind->maker<D>()(options);
}

template std::unique_ptr<Detector<2>> make_detector<2>(const std::string&, const DetectorOptions&);
template std::unique_ptr<Detector<3>> make_detector<3>(const std::string&, const DetectorOptions&);

} // namespace talus
