#include "talus/io/runs/measured.hpp"

#include "talus/probes/profile.hpp"

namespace talus::io {

template <int D>
std::vector<MeasuredGauge> measure_everything(const Simulation<D>& simulation)
{
    const Snapshot<D> snapshot = simulation.snapshot();
    std::vector<MeasuredGauge> gauges;
    for (const Gauge<D>& gauge : simulation.gauges) {
        gauges.push_back({gauge.name(), gauge.measure(snapshot), gauge.distributions(snapshot)});
    }
    gauges.push_back({"profiles", {}, profiles(snapshot)});
    return gauges;
}

namespace {

std::string_view kind_name(Distribution::Kind kind)
{
    switch (kind) {
    case Distribution::Kind::line:
        return "line";
    case Distribution::Kind::bars:
        return "bars";
    case Distribution::Kind::rose:
        return "rose";
    }
    return "";
}

void write(JsonWriter& json, const Distribution& distribution)
{
    const auto numbers = [&](const char* name, const std::vector<double>& list) {
        json.key(name);
        json.open('[');
        for (const double number : list) {
            json.item();
            json.value(number);
        }
        json.close(']');
    };
    json.item();
    json.open('{');
    json.entry("name", std::string_view(distribution.name));
    json.entry("title", std::string_view(distribution.title));
    json.entry("x_label", std::string_view(distribution.x_label));
    json.entry("y_label", std::string_view(distribution.y_label));
    json.entry("kind", kind_name(distribution.kind));
    numbers("x", distribution.x);
    numbers("y", distribution.y);
    json.close('}');
}

} // namespace

std::string to_json(const std::vector<MeasuredGauge>& gauges, double time)
{
    JsonWriter json;
    json.open('{');
    json.entry("time_s", time);
    json.key("gauges");
    json.open('[');
    for (const MeasuredGauge& gauge : gauges) {
        json.item();
        json.open('{');
        json.entry("name", std::string_view(gauge.name));
        json.key("indicators");
        json.open('{');
        write_reading(json, gauge.reading);
        json.close('}');
        json.key("distributions");
        json.open('[');
        for (const Distribution& distribution : gauge.distributions) write(json, distribution);
        json.close(']');
        json.close('}');
    }
    json.close(']');
    json.close('}');
    return json.take();
}

template std::vector<MeasuredGauge> measure_everything(const Simulation<2>&);
template std::vector<MeasuredGauge> measure_everything(const Simulation<3>&);

} // namespace talus::io
