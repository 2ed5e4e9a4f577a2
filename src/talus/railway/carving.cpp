#include "talus/railway/carving.hpp"

#include "talus/exec/parallel.hpp"
#include "talus/probes/sample.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace talus {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double margin = 1e-3;   // [m] around a sleeper: nothing touches it when it is put in
constexpr double on_floor = 2e-3; // [m] a grain whose lowest point is below rests on the floor
constexpr double above_all = 10;  // [m]

struct Extent {
    Vec<3> lower = Vec<3>::Constant(infinity), upper = Vec<3>::Constant(-infinity);
};

Extent extent_of(const BodyTable<3>& bodies, const ShapeTable<3>& shapes, std::size_t i)
{
    Extent extent;
    for (const Polytope<3>& part : convex_parts(shapes, bodies.shape[i])) {
        for (const Vec<3>& vertex : part.vertices) {
            const Vec<3> point = bodies.position[i] + bodies.orientation[i] * vertex;
            extent.lower = extent.lower.cwiseMin(point);
            extent.upper = extent.upper.cwiseMax(point);
        }
    }
    return extent;
}

bool meet(const Extent& a, const Vec<3>& lower, const Vec<3>& upper)
{
    return (a.lower.array() < upper.array()).all() && (a.upper.array() > lower.array()).all();
}

// Where the slope cuts the height at x; infinite where there is none.
double shoulder_level(const Track& track, const scene::Value& given, double x)
{
    double level = infinity;
    for (const scene::Value& side : given.at("shoulder").list()) {
        const double outward =
            (side.is_text("left") ? -x : x) - 0.5 * track.sleeper_size.x() - given.at("crest").number();
        if (outward <= 0) continue;
        const double top = track.sleepers.empty() ? track.height : track.below + track.sleeper_size.z();
        level = std::min(level, top - outward * given.at("slope").number());
    }
    return level;
}

} // namespace

std::vector<std::uint8_t> carved(const BodyTable<3>& bodies, const ShapeTable<3>& shapes, const Track& track,
                                 const scene::Value& given)
{
    std::vector<std::uint8_t> kept(bodies.size(), 1);
    const Vec<3> half = 0.5 * track.sleeper_size;
    parallel_for(bodies.size(), [&](std::size_t i) {
        if (!Sample<3>{bodies, shapes}.is_grain(i)) return;
        const Vec<3>& place = bodies.position[i];
        if (place.z() > shoulder_level(track, given, place.x())) kept[i] = 0;
        const Extent extent = extent_of(bodies, shapes, i);
        for (const Sleeper& sleeper : track.sleepers) { // and all that lies above it
            const Vec<3> lower = sleeper.centre - half - Vec<3>::Constant(margin);
            const Vec<3> upper{sleeper.centre.x() + half.x() + margin, sleeper.centre.y() + half.y() + margin,
                               above_all};
            if (!meet(extent, lower, upper)) continue;
            const Vec<3> middle = 0.5 * (lower + upper);
            const Polytope<3> hole = box<3>(upper - lower);
            const Polytope<3>& grain = convex_parts(shapes, bodies.shape[i]).front();
            if (intersection_volume<3>(grain, place, bodies.orientation[i], hole, middle, {}) > 0) kept[i] = 0;
        }
    });
    std::vector<std::size_t> grains;
    for (std::size_t i = 0; i < kept.size(); ++i) {
        if (kept[i] && Sample<3>{bodies, shapes}.is_grain(i)) grains.push_back(i);
    }
    std::ranges::sort(grains, {}, [&](std::size_t i) { return std::pair(bodies.position[i].z(), i); });
    for (std::size_t k = 0; k < grains.size(); ++k) {
        const bool too_many = track.grains && k >= std::size_t(*track.grains);
        const bool too_high = !track.grains && bodies.position[grains[k]].z() > track.height;
        if (too_many || too_high) kept[grains[k]] = 0;
    }
    return kept;
}

void fix_lowest_grains(BodyTable<3>& bodies, const ShapeTable<3>& shapes)
{
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        if (!Sample<3>{bodies, shapes}.is_grain(i) || extent_of(bodies, shapes, i).lower.z() > on_floor) continue;
        bodies.imposed[i] = all_imposed<3>;
        bodies.velocity[i].setZero();
        bodies.spin[i].setZero();
    }
}

double tool_level(const BodyTable<3>& bodies, const ShapeTable<3>& shapes, const Track& track,
                  std::span<const std::size_t> sleepers)
{
    const Vec<3> half{0.5 * std::max(track.foot.x(), track.shaft.x()), 0.5 * track.tool_thickness(), 0};
    double level = 0;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        if (!Sample<3>{bodies, shapes}.is_grain(i)) continue;
        const Extent extent = extent_of(bodies, shapes, i);
        if (extent.upper.z() <= level) continue;
        for (const std::size_t sleeper : sleepers) {
            for (const ToolPlace& tool : track.tool_places(sleeper)) {
                const Vec<3> lower{tool.x - half.x(), tool.y - half.y(), -above_all};
                const Vec<3> upper{tool.x + half.x(), tool.y + half.y(), above_all};
                if (meet(extent, lower, upper)) level = std::max(level, extent.upper.z());
            }
        }
    }
    return level + track.clearance;
}

void place_tools(BodyTable<3>& bodies, const ShapeTable<3>& shapes, std::span<const std::int32_t> tools,
                 const Track& track, std::size_t sleeper, double level)
{
    const std::vector<ToolPlace> places = track.tool_places(sleeper);
    for (std::size_t k = 0; k < tools.size(); ++k) {
        const std::size_t i = std::size_t(tools[k]);
        const Extent extent = extent_of(bodies, shapes, i);
        const Vec<3> now{0.5 * (extent.lower.x() + extent.upper.x()), 0.5 * (extent.lower.y() + extent.upper.y()),
                         extent.lower.z()};
        bodies.position[i] += Vec<3>(places[k].x, places[k].y, level) - now;
    }
}

} // namespace talus
