#include "talus/report/view/view_frame.hpp"

#include "talus/base/error.hpp"
#include "talus/probes/snapshot.hpp"
#include "talus/report/crowd/crowd_packet.hpp"
#include "talus/report/drawing/colouring.hpp"
#include "talus/report/pages/page_text.hpp"
#include "talus/report/view/view_packet.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace talus::report {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double steps = 65535; // of a quantised coordinate
constexpr double finest = 500;  // of a radius: what no eye can tell apart

Vec<3> turn_in_space(const Ang<2>& v) { return {0, 0, v[0]}; }
Vec<3> turn_in_space(const Ang<3>& v) { return v; }
Eigen::Vector4d quaternion_of(const Rotation<2>& r)
{
    return {std::cos(0.5 * r.angle()), 0, 0, std::sin(0.5 * r.angle())};
}
Eigen::Vector4d quaternion_of(const Rotation<3>& r)
{
    const Eigen::Quaterniond q = r.quaternion();
    return {q.w(), q.x(), q.y(), q.z()};
}

std::int16_t unit_step(double value) // of a number from −1 to 1
{
    return std::int16_t(std::lround(32767 * std::clamp(std::isnan(value) ? 0.0 : value, -1.0, 1.0)));
}

struct Extent {
    Vec<3> lower = Vec<3>::Constant(infinity), upper = -lower;
    void reach(const Vec<3>& point)
    {
        lower = lower.cwiseMin(point);
        upper = upper.cwiseMax(point);
    }
    bool is_empty() const { return !(lower.array() <= upper.array()).all(); }
};

std::string json_place(const Vec<3>& v)
{
    return fmt::format("[{},{},{}]", json_number(v[0], 17), json_number(v[1], 17), json_number(v[2], 17));
}

// Places, as the packet's facts lower and upper and an array of 16 bits each way, or as they are.
void add_places(Packet& packet, const char* name, const std::vector<Vec<3>>& places, double smallest_radius)
{
    Extent box;
    bool all_finite = true;
    for (const Vec<3>& place : places) {
        all_finite = all_finite && place.allFinite();
        if (place.allFinite()) box.reach(place);
    }
    if (box.is_empty()) box.lower = box.upper = Vec<3>::Zero();
    packet.fact("lower", json_place(box.lower));
    packet.fact("upper", json_place(box.upper));
    const Vec<3> size = box.upper - box.lower;
    if (!all_finite || size.maxCoeff() / steps > smallest_radius / finest) {
        std::vector<float> plain;
        for (const Vec<3>& place : places)
            plain.insert(plain.end(), {float(place[0]), float(place[1]), float(place[2])});
        packet.array(name, plain, 3);
        return;
    }
    std::vector<std::uint16_t> quantised;
    for (const Vec<3>& place : places) {
        for (int k = 0; k < 3; ++k) {
            const double part = size[k] > 0 ? (place[k] - box.lower[k]) / size[k] : 0;
            quantised.push_back(std::uint16_t(std::lround(steps * std::clamp(part, 0.0, 1.0))));
        }
    }
    packet.array(name, quantised, 3);
}

template <int D>
double smallest_radius(const io::Frame<D>& frame)
{
    double smallest = infinity;
    for (const std::int32_t shape : frame.bodies.shape) {
        const double radius = bounding_radius(frame.shapes, shape);
        if (radius > 0) smallest = std::min(smallest, radius);
    }
    return smallest;
}

// Where bodies are; walls without an end apart, since they may lie far from everything and would cost precision.
template <int D>
void add_positions(Packet& packet, const io::Frame<D>& frame, const ShownBodies& shown)
{
    const BodyTable<D>& bodies = frame.bodies;
    const std::size_t count = shown.count(bodies.size());
    const auto is_half_space = [&](std::size_t i) {
        return frame.shapes[bodies.shape[i]].kind == ShapeKind::half_space;
    };
    std::vector<Vec<3>> places;
    std::vector<std::int32_t> walls;
    std::vector<float> wall_places;
    Vec<3> some_place = Vec<3>::Zero(); // that of a body with an end
    for (std::size_t k = 0; k < count; ++k) {
        const Vec<3> place = in_space(bodies.position[shown.body(k)]);
        places.push_back(place);
        if (!is_half_space(shown.body(k))) {
            some_place = place;
            continue;
        }
        walls.push_back(std::int32_t(k));
        wall_places.insert(wall_places.end(), {float(place[0]), float(place[1]), float(place[2])});
    }
    for (const std::int32_t wall : walls) places[std::size_t(wall)] = some_place;
    add_places(packet, "position", places, smallest_radius(frame));
    packet.array("wall_body", walls);
    packet.array("wall_position", wall_places, 3);
}

constexpr std::uint8_t all_imposed_mark = 1, led_mark = 2;

struct BodyColumns {
    std::vector<std::int16_t> orientation;
    std::vector<Half> velocity, spin;
    std::vector<float> load;
    std::vector<std::uint8_t> coordination, imposed;
};

template <int D>
BodyColumns columns_of(const io::Frame<D>& frame, const ShownBodies& shown)
{
    const BodyTable<D>& bodies = frame.bodies;
    const Snapshot<D> snapshot(bodies, frame.shapes, frame.contacts, frame.clock.dt);
    const std::vector<double>& load = snapshot.loads();
    const std::vector<std::int32_t>& pushing = snapshot.neighbours().pushing();
    BodyColumns columns;
    for (std::size_t k = 0; k < shown.count(bodies.size()); ++k) {
        const std::size_t i = shown.body(k);
        const Eigen::Vector4d turn = quaternion_of(bodies.orientation[i]);
        const Vec<3> velocity = in_space(bodies.velocity[i]), spin = turn_in_space(bodies.spin[i]);
        for (int c = 0; c < 4; ++c) columns.orientation.push_back(unit_step(turn[c]));
        for (int c = 0; c < 3; ++c) columns.velocity.push_back(to_half(velocity[c]));
        for (int c = 0; c < 3; ++c) columns.spin.push_back(to_half(spin[c]));
        columns.load.push_back(float(load[i]));
        columns.coordination.push_back(std::uint8_t(std::min(pushing[i], 255)));
        columns.imposed.push_back(bodies.is_passive(i) ? all_imposed_mark : moves_freely(frame, i) ? 0 : led_mark);
    }
    return columns;
}

constexpr std::uint16_t owned_by_nobody = 65535;

} // namespace

template <int D>
void check_contacts(const io::Frame<D>& frame)
{
    const auto bodies = std::int64_t(frame.bodies.size());
    const auto is_there = [bodies](std::int32_t body) { return body >= 0 && body < bodies; };
    if (std::ranges::all_of(frame.contacts.candidate, is_there) &&
        std::ranges::all_of(frame.contacts.antagonist, is_there)) {
        return;
    }
    throw InputError(fmt::format("frame {} has a contact of a body that is not there", frame.index));
}

template <int D>
std::vector<std::uint8_t> spread(io::Frame<D>& frame, const BodyTable<D>& known)
{
    if (frame.bodies.number.empty()) return {};
    const std::vector<std::int32_t> rows = io::rows_of(frame.bodies, known);
    if (std::ranges::find(rows, -1) != rows.end()) {
        throw InputError(fmt::format("frame {} has a body that run.h5 does not know", frame.index));
    }
    const std::size_t count = known.shape.size();
    const Vec<D> somewhere = frame.bodies.position.empty() ? Vec<D>(Vec<D>::Zero()) : frame.bodies.position.front();
    BodyTable<D> all;
    for_columns<BodyTable<D>>({Role::state}, [&]<class Owner, class T>(const talus::Column<Owner, T>& column) {
        if (column.is_optional) return;
        std::vector<T>& data = all.*column.data;
        data.assign(count, zero_of<T>());
        for (std::size_t i = 0; i < rows.size(); ++i) data[std::size_t(rows[i])] = (frame.bodies.*column.data)[i];
    });
    std::vector<std::uint8_t> gone(count, 1);
    for (const std::int32_t row : rows) gone[std::size_t(row)] = 0;
    for (std::size_t i = 0; i < count; ++i) {
        if (gone[i]) all.position[i] = somewhere; // within the picture, so that it costs no precision
    }
    for (auto* side : {&frame.contacts.candidate, &frame.contacts.antagonist}) {
        for (std::int32_t& body : *side)
            body = body >= 0 && std::size_t(body) < rows.size() ? rows[std::size_t(body)] : -1;
    }
    frame.bodies = std::move(all);
    return gone;
}

template <int D>
std::string frame_packet(const io::Frame<D>& frame, const ShownBodies& shown, const Partition* partition,
                         const std::vector<std::uint8_t>& gone, const CrowdLook* crowd)
{
    Packet packet;
    packet.fact("index", std::to_string(frame.index));
    packet.fact("time", json_number(frame.clock.time(), 17));
    packet.fact("step", std::to_string(frame.clock.step));
    packet.fact("dt", json_number(frame.clock.dt, 17));
    packet.fact("bodies", std::to_string(shown.count(frame.bodies.size())));
    packet.fact("contacts", std::to_string(frame.contacts.size()));
    add_positions(packet, frame, shown);
    const BodyColumns columns = columns_of(frame, shown);
    packet.array("orientation", columns.orientation, 4);
    packet.array("velocity", columns.velocity, 3);
    packet.array("spin", columns.spin, 3);
    packet.array("load", columns.load);
    packet.array("coordination", columns.coordination);
    packet.array("imposed", columns.imposed);
    if (!gone.empty()) {
        std::vector<std::uint8_t> flags;
        for (std::size_t k = 0; k < shown.count(frame.bodies.size()); ++k) flags.push_back(gone[shown.body(k)]);
        packet.array("gone", flags);
    }
    if (crowd) add_crowd(packet, *crowd, shown);
    if (partition) {
        packet.fact("parts", std::to_string(partition->parts));
        std::vector<std::uint16_t> part;
        for (std::size_t k = 0; k < shown.count(frame.bodies.size()); ++k) {
            const std::int32_t owner = partition->part.empty() ? 0 : partition->part[shown.body(k)];
            part.push_back(owner < 0 ? owned_by_nobody : std::uint16_t(std::min(owner, 65534)));
        }
        packet.array("part", part);
    }
    return packet.bytes();
}

template <int D>
std::string contacts_packet(const io::Frame<D>& frame, const ShownBodies& shown)
{
    const ContactTable<D>& contacts = frame.contacts;
    const Snapshot<D> snapshot(frame.bodies, frame.shapes, contacts, frame.clock.dt);
    std::vector<std::int32_t> candidate, antagonist;
    std::vector<Vec<3>> point;
    std::vector<std::int16_t> normal;
    std::vector<float> gap, normal_force, tangential_force;
    std::vector<std::uint8_t> points;
    for (std::size_t k = 0; k < contacts.size(); ++k) {
        const std::int32_t c = shown.place(contacts.candidate[k]), a = shown.place(contacts.antagonist[k]);
        if (c < 0 || a < 0 || !snapshot.neighbours().touches_at(k)) continue;
        candidate.push_back(c);
        antagonist.push_back(a);
        point.push_back(in_space(contacts.point[k]));
        const Vec<3> direction = in_space(contacts.normal[k]);
        for (int axis = 0; axis < 3; ++axis) normal.push_back(unit_step(direction[axis]));
        gap.push_back(float(contacts.gap[k]));
        const double along = snapshot.normal_force(k);
        normal_force.push_back(float(along));
        tangential_force.push_back(float((snapshot.force(k) - along * contacts.normal[k]).norm()));
        points.push_back(contacts.points[k]);
    }
    Packet packet;
    packet.fact("index", std::to_string(frame.index));
    packet.fact("contacts", std::to_string(candidate.size()));
    packet.array("candidate", candidate);
    packet.array("antagonist", antagonist);
    add_places(packet, "point", point, smallest_radius(frame));
    packet.array("normal", normal, 3);
    packet.array("gap", gap);
    packet.array("normal_force", normal_force);
    packet.array("tangential_force", tangential_force);
    packet.array("points", points);
    return packet.bytes();
}

#define TALUS_INSTANTIATE(D)                                                                                           \
    template void check_contacts(const io::Frame<D>&);                                                                 \
    template std::vector<std::uint8_t> spread(io::Frame<D>&, const BodyTable<D>&);                                     \
    template std::string frame_packet(const io::Frame<D>&, const ShownBodies&, const Partition*,                       \
                                      const std::vector<std::uint8_t>&, const CrowdLook*);                             \
    template std::string contacts_packet(const io::Frame<D>&, const ShownBodies&);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

} // namespace talus::report
