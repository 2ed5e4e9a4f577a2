#include "talus/report/crowd/crowd_scene.hpp"

#include "talus/base/error.hpp"
#include "talus/crowd/rings.hpp"
#include "talus/report/view/view_scene.hpp"
#include "talus/sampling/vectors.hpp"

#include <algorithm>
#include <limits>

namespace talus::report {

namespace {

double distance_to(const Vec<2>& point, const Vec<2>& from, const Vec<2>& to)
{
    const Vec<2> along = to - from;
    const double square = along.squaredNorm();
    const double where = square > 0 ? std::clamp((point - from).dot(along) / square, 0.0, 1.0) : 0;
    return (point - from - where * along).norm();
}

} // namespace

double distance_between(const Vec<2>& a, const Vec<2>& b, const Vec<2>& c, const Vec<2>& d)
{
    if (segments_meet(a, b, c, d)) return 0;
    return std::min({distance_to(a, c, d), distance_to(b, c, d), distance_to(c, a, b), distance_to(d, a, b)});
}

std::int32_t CrowdScene::exit_near(const Vec<2>& from, const Vec<2>& to, double time) const
{
    std::int32_t best = -1;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t e = 0; e < exits.size(); ++e) {
        const double distance = distance_between(from, to, exits[e].from, exits[e].to);
        if (!exits[e].is_open(time) || distance >= least) continue;
        least = distance;
        best = std::int32_t(e);
    }
    return best;
}

std::optional<CrowdScene> crowd_scene(const scene::Value& scene)
{
    const scene::Value& method = scene.at("scene").at("method");
    const bool is_crowd = std::ranges::any_of(std::array{"crowd-dem", "nsm1", "nsm2"},
                                              [&](const char* name) { return method.is_text(name); });
    if (!is_crowd || scene.at("scene").at("dimension").integer() != 2) return {};
    CrowdScene crowd;
    for (const scene::Value& exit : scene.at("exits").list()) {
        const scene::Value& closes = exit.at("closes");
        crowd.exits.push_back({exit.at("name").text(), vector_of<2>(exit.at("from")), vector_of<2>(exit.at("to")),
                               exit.at("opens").number(),
                               closes.is_number() ? closes.number() : std::numeric_limits<double>::infinity()});
    }
    return crowd;
}

std::optional<CrowdScene> crowd_scene(const std::filesystem::path& run_folder)
{
    try {
        return crowd_scene(checked_scene(run_folder));
    } catch (const InputError&) {
        return {};
    }
}

} // namespace talus::report
