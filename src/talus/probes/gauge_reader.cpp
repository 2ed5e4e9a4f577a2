#include "talus/probes/gauge_reader.hpp"

#include "talus/sampling/vectors.hpp"

#include <cmath>

namespace talus {

namespace {

template <int D>
Gauge<D> placed_gauge(const scene::Value& entry, const BodyTable<D>& bodies, const FindBody& find_body)
{
    const std::string& name = entry.at("name").text();
    const std::string& type = entry.at("type").text();
    if (type == "sample") return Gauge<D>::sample(name);
    if (type == "body") return Gauge<D>::on_body(name, find_body(entry.at("body")), bodies);
    if (type == "box") return Gauge<D>::box(name, vector_of<D>(entry.at("lower")), vector_of<D>(entry.at("upper")));
    const Vec<D> centre = vector_of<D>(entry.at("centre"));
    const double radius = entry.at("radius").number();
    if (type != "cylinder") return Gauge<D>::in(name, Region<D>::ball(centre, radius));
    const Vec<D> axis = vector_of<D>(entry.at("axis"));
    return Gauge<D>::in(name, Region<D>::cylinder(centre, axis.normalized(), radius, entry.at("length").number()));
}

} // namespace

template <int D>
Gauge<D> read_gauge(const scene::Value& entry, const BodyTable<D>& bodies, const FindBody& find_body, double dt)
{
    Gauge<D> gauge = placed_gauge(entry, bodies, find_body);
    if (const scene::Value* carrier = entry.find("attached_to")) gauge.carried_by(find_body(*carrier), bodies);
    const scene::Value& shown = entry.at("indicators");
    std::vector<std::string> names;
    if (shown.is_text()) {
        names = indicator_names(entry.at("type").is_text("body"));
    } else {
        for (const scene::Value& name : shown.list()) names.push_back(name.text());
    }
    gauge.showing(names);
    const scene::Value& every = entry.at("every");
    if (!every.is_text()) gauge.every(std::max<std::int64_t>(1, std::llround(every.number() / dt)));
    return gauge;
}

template Gauge<2> read_gauge(const scene::Value&, const BodyTable<2>&, const FindBody&, double);
template Gauge<3> read_gauge(const scene::Value&, const BodyTable<3>&, const FindBody&, double);

} // namespace talus
