#include "talus/railway/track_parts.hpp"

#include <fmt/format.h>

namespace talus {

using scene::Value;

namespace {

constexpr double end_gauge = 0.3; // [m] length of the gauges at the ends of the sleeper, where there is room

Value corners(const Vec<3>& lower, const Vec<3>& upper)
{
    Value::List points;
    for (int k = 0; k < 8; ++k) {
        points.push_back(
            Value::numbers({(k & 1 ? upper : lower).x(), (k & 2 ? upper : lower).y(), (k & 4 ? upper : lower).z()}));
    }
    return Value(std::move(points));
}

Value vector(const Vec<3>& v) { return Value::numbers({v.x(), v.y(), v.z()}); }

Value body(const std::string& name, const Value& material, const Vec<3>& position, Value::List parts)
{
    Value entry = Value::table();
    entry.set("name", Value(name));
    entry.set("shape", Value("cluster"));
    entry.set("material", Value(material.text()));
    entry.set("position", vector(position));
    entry.set("parts", Value(std::move(parts)));
    return entry;
}

Value box_gauge(const std::string& name, const Vec<3>& lower, const Vec<3>& upper)
{
    Value entry = Value::table();
    entry.set("name", Value(name));
    entry.set("type", Value("box"));
    entry.set("lower", vector(lower));
    entry.set("upper", vector(upper));
    return entry;
}

Value body_gauge(const std::string& name, std::initializer_list<const char*> indicators)
{
    Value entry = Value::table();
    entry.set("name", Value(name));
    entry.set("type", Value("body"));
    entry.set("body", Value(name));
    Value::List list;
    for (const char* indicator : indicators) list.emplace_back(indicator);
    entry.set("indicators", Value(std::move(list)));
    return entry;
}

void add_single_sleeper(Value::List& gauges, const Track& track, const Vec<3>& centre)
{
    const Vec<3> half = 0.5 * track.sleeper_size;
    const double left = centre.y() - half.y(), right = centre.y() + half.y();
    const double under = centre.z() - half.z(), top = centre.z() + half.z();
    const double beside = std::min({2 * half.y(), left, track.length - right});
    const double room = std::min(end_gauge, 0.5 * track.width - half.x());
    const auto box = [&](const char* name, double x0, double x1, double y0, double y1, double z0, double z1) {
        gauges.push_back(box_gauge(name, {x0, y0, z0}, {x1, y1, z1}));
    };
    const double x0 = centre.x() - half.x(), x1 = centre.x() + half.x();
    box("below left", x0, x1, left - beside, left, 0, under);
    box("below", x0, x1, left, right, 0, under);
    box("below right", x0, x1, right, right + beside, 0, under);
    box("crib right", x0, x1, right, right + beside, under, top);
    box("crib left", x0, x1, left - beside, left, under, top);
    box("end right", x1, x1 + room, left, right, under, top);
    box("end left", x0 - room, x0, left, right, under, top);
}

// Below each, and between it and the next.
void add_row(Value::List& gauges, const Vec<3>& half, std::span<const Vec<3>> centres, std::size_t k)
{
    const Vec<3>& centre = centres[k];
    gauges.push_back(box_gauge(fmt::format("below {}", k + 1), {centre.x() - half.x(), centre.y() - half.y(), 0},
                               {centre.x() + half.x(), centre.y() + half.y(), centre.z() - half.z()}));
    if (k + 1 == centres.size()) return;
    const Vec<3>& next = centres[k + 1];
    const double under = 0.5 * (centre.z() + next.z()) - half.z();
    Value crib =
        box_gauge(fmt::format("crib {}-{}", k + 1, k + 2), {centre.x() - half.x(), centre.y() + half.y(), under},
                  {centre.x() + half.x(), next.y() - half.y(), under + 2 * half.z()});
    crib.set("indicators", Value(Value::List{Value("compacity")}));
    gauges.push_back(std::move(crib));
}

} // namespace

Value::List sleeper_bodies(const Track& track, const Value& given)
{
    const Value& sleepers = given.at("sleepers");
    const Vec<3> half = 0.5 * track.sleeper_size;
    constexpr double pad_height = 0.015, pad_width = 0.15; // [m] of a rail seat
    Value::List parts = {corners(-half, half)};
    for (const double seat : track.seats) {
        const Vec<3> lower{seat - 0.5 * std::min(rail_seat_length, track.sleeper_size.x()),
                           -0.5 * std::min(pad_width, track.sleeper_size.y()), half.z()};
        parts.push_back(corners(lower, {2 * seat - lower.x(), -lower.y(), half.z() + pad_height}));
    }
    Value::List bodies;
    for (const Sleeper& sleeper : track.sleepers) {
        Value entry = body(sleeper.name, sleepers.at("material"), sleeper.centre, parts);
        entry.set("motion", Value(Value::List{Value("x"), Value("y"), Value("z")}));
        if (!sleepers.at("mass").is_text()) entry.set("mass", Value(sleepers.at("mass").number()));
        bodies.push_back(std::move(entry));
    }
    return bodies;
}

Value::List tool_bodies(const Track& track, const Value& given, std::size_t sleeper, double level)
{
    const Value& tools = given.at("tools");
    const Vec<3> foot = track.foot, shaft = track.shaft;
    const Value::List parts = {
        corners({-0.5 * foot.x(), -0.5 * foot.y(), 0}, {0.5 * foot.x(), 0.5 * foot.y(), foot.z()}),
        corners({-0.5 * shaft.x(), -0.5 * shaft.y(), foot.z()},
                {0.5 * shaft.x(), 0.5 * shaft.y(), foot.z() + shaft.z()})};
    Value::List bodies;
    for (const ToolPlace& place : track.tool_places(sleeper)) {
        Value entry = body(tool_name(bodies.size()), tools.at("material"), {place.x, place.y, level}, parts);
        entry.set("motion", Value("fixed"));
        entry.set("mass", Value(tools.at("mass").number()));
        bodies.push_back(std::move(entry));
    }
    return bodies;
}

Value::List track_gauges(const Track& track, std::span<const Vec<3>> sleeper_centres)
{
    Value::List gauges;
    if (sleeper_centres.size() == 1) add_single_sleeper(gauges, track, sleeper_centres.front());
    const Vec<3> half = 0.5 * track.sleeper_size;
    for (std::size_t k = 0; k < sleeper_centres.size(); ++k) {
        if (sleeper_centres.size() > 1) add_row(gauges, half, sleeper_centres, k);
        gauges.push_back(body_gauge(track.sleepers[k].name, {"motion", "reaction"}));
    }
    const std::size_t tools = track.has_tools() ? track.tool_places(0).size() : 0;
    for (std::size_t k = 0; k < tools; ++k) gauges.push_back(body_gauge(tool_name(k), {"motion", "reaction"}));
    return gauges;
}

} // namespace talus
