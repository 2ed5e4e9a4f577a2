#include "talus/report/view/view_scene.hpp"

#include "talus/base/error.hpp"
#include "talus/io/files/json_writer.hpp"
#include "talus/io/scenes/scene_file.hpp"
#include "talus/laws/contact_law.hpp"
#include "talus/partition/partition_schema.hpp"
#include "talus/probes/gauge_reader.hpp"
#include "talus/report/pages/page_text.hpp"
#include "talus/simulation/scene_schema.hpp"
#include "talus/solvers/solver_schema.hpp"

#include <fmt/format.h>

namespace talus::report {

namespace {

template <int N>
std::string json_vector(const Eigen::Matrix<double, N, 1, Eigen::DontAlign>& v)
{
    std::string list;
    for (int k = 0; k < N; ++k) list += (k > 0 ? "," : "") + json_number(v[k], 9);
    return "[" + list + "]";
}

// The region in the frame of the body that carries it.
template <int D>
Region<D> own_region(const Gauge<D>& gauge)
{
    Region<D> region = *gauge.region();
    if (gauge.body() == BodyId::none) return region;
    const Rotation<D> back = gauge.start().orientation.inverse();
    region.centre = back * Vec<D>(region.centre - gauge.start().position);
    region.turn = back * region.turn;
    return region;
}

std::string json_turn(const Rotation<2>& turn)
{
    return json_vector<4>({std::cos(0.5 * turn.angle()), 0, 0, std::sin(0.5 * turn.angle())});
}
std::string json_turn(const Rotation<3>& turn)
{
    const Eigen::Quaterniond q = turn.quaternion();
    return json_vector<4>({q.w(), q.x(), q.y(), q.z()});
}

// A box as its corners; where it stands askew in the frame of its body, these are of the box around it, and its half
// sides and its turn say more.
template <int D>
std::string box_json(const Region<D>& region)
{
    const Bounds<D> bounds = region.bounds();
    std::string json = fmt::format(R"("type":"box","lower":{},"upper":{})", json_vector<D>(bounds.lower),
                                   json_vector<D>(bounds.upper));
    const bool is_askew = ((bounds.upper - bounds.lower).prod() > (1 + 1e-9) * region.volume());
    if (is_askew) {
        json += fmt::format(R"(,"centre":{},"half":{},"turn":{})", json_vector<D>(region.centre),
                            json_vector<D>(region.half), json_turn(region.turn));
    }
    return json;
}

template <int D>
std::string region_json(const Region<D>& region)
{
    if (region.kind == RegionKind::box) return box_json(region);
    std::string json =
        fmt::format(R"("centre":{},"radius":{})", json_vector<D>(region.centre), json_number(region.radius, 9));
    if (region.kind == RegionKind::ball) return json + fmt::format(R"(,"type":"{}")", D == 2 ? "disk" : "sphere");
    const Vec<D> axis = region.turn * Vec<D>(Vec<D>::Unit(D - 1));
    return json + fmt::format(R"(,"type":"cylinder","axis":{},"length":{})", json_vector<D>(axis),
                              json_number(2 * region.half[D - 1], 9));
}

template <int D>
std::string gauge_json(const Gauge<D>& gauge, const ShownBodies& shown)
{
    const std::int32_t body = gauge.body() == BodyId::none ? -1 : shown.place(std::int32_t(gauge.body()));
    std::string json = fmt::format(R"({{"name":{},"body":{},"turns":{},)", io::json_quoted(gauge.name()),
                                   body < 0 ? "null" : std::to_string(body), body >= 0 ? "true" : "false");
    if (gauge.region()) {
        json += region_json(own_region(gauge));
    } else {
        json += fmt::format(R"("type":"{}")", gauge.is_of_body() ? "body" : "sample");
    }
    return json + "}";
}

} // namespace

scene::Value checked_scene(const std::filesystem::path& folder)
{
    scene::Value root = io::read_scene(folder / "scene.toml");
    std::vector<Mistake> mistakes = check_scene(root, IdleKeys::allow);
    if (!mistakes.empty()) throw InputError(std::move(mistakes));
    return root;
}

template <int D>
std::string gauges_json(const scene::Value& scene, const io::Frame<D>& first, const ShownBodies& shown)
{
    const FindBody find = [&](const scene::Value& name) {
        const auto group = std::ranges::find(first.groups, name.text(), &BodyGroup::name);
        const bool is_one = group != first.groups.end() && group->count == 1 && group->first >= 0 &&
                            std::size_t(group->first) < first.bodies.size();
        if (!is_one) throw InputError({mistake(name, "names no body of the first frame")});
        return BodyId(group->first);
    };
    const double dt = scene.at("scene").at("dt").number();
    std::string list;
    for (const scene::Value& entry : scene.at("gauges").list()) {
        list += (list.empty() ? "" : ",") + gauge_json(read_gauge<D>(entry, first.bodies, find, dt), shown);
    }
    return "[" + list + "]";
}

template <int D>
std::optional<PartitionOptions> division_of(const scene::Value& scene)
{
    const MaterialTable materials(scene.at("materials"), scene.at("contact"));
    const auto solver = make_solver<D>(solver_options(scene.at("solver")), materials.has_rolling_friction());
    if (!solver->uses_partition()) return {};
    return partition_options(scene.at("partition"));
}

template <int D>
Partition parts_of(const io::Frame<D>& frame, const PartitionOptions& options)
{
    return Partitioner<D>(options).assign(frame.bodies, frame.shapes, frame.contacts);
}

#define TALUS_INSTANTIATE(D)                                                                                           \
    template std::string gauges_json(const scene::Value&, const io::Frame<D>&, const ShownBodies&);                    \
    template std::optional<PartitionOptions> division_of<D>(const scene::Value&);                                      \
    template Partition parts_of(const io::Frame<D>&, const PartitionOptions&);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

} // namespace talus::report
