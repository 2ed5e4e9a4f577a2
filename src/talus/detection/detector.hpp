// Candidate pairs: the first of the two stages of detection (CELLS; CROWD §2.3). Every method returns a superset of the
// pairs whose bounding balls (or a ball and a wall) are closer than `reach`; the exact stage decides afterwards.
#pragma once

#include "talus/math/space.hpp"
#include "talus/scene/value.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace talus {

struct Pair {
    std::int32_t first, second; // first < second
    friend auto operator<=>(const Pair&, const Pair&) = default;
};

// A body without a bounding ball worth the name: a half-space, a bowl, a drum. `distance` is the distance of a point
// to the solid (negative inside), never more than the true one. It changes no faster than the point moves, and may be
// called from several threads at once.
template <int D>
struct WallBound {
    std::int32_t body;
    std::function<double(const Vec<D>&)> distance;
};

// What the methods see of the bodies.
template <int D>
struct BallsAndWalls {
    std::span<const Vec<D>> centre;        // bounding balls of all bodies, by body index
    std::span<const double> radius;        // < 0 for bodies that are walls: they are in `walls` instead
    std::span<const std::uint8_t> passive; // 1 where nothing can move the body: pairs of two such are not wanted
    std::span<const WallBound<D>> walls;
    double reach; // [m] pairs within this distance are wanted
};

template <int D>
class Detector {
  public:
    virtual ~Detector() = default;
    // Pairs sorted by (first, second), each once; the same for any number of threads.
    virtual void find(const BallsAndWalls<D>& seen, std::vector<Pair>& pairs) = 0;
    // What the user should know about the last answer; empty where there is nothing to say.
    virtual std::string remark() const { return {}; }
};

struct DetectorOptions {
    double skin = 0;    // [m] of Verlet lists; 0: chosen from the motion
    scene::Value given; // [detection] of the scene, for a method with keys of its own; null without a scene
};

// By its name in the registry (detector_kind.hpp).
template <int D>
std::unique_ptr<Detector<D>> make_detector(const std::string& name, const DetectorOptions& options = {});
std::vector<std::string> detector_names();

} // namespace talus
