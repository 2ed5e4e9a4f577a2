#include "talus/probes/gauge_schema.hpp"

#include "talus/probes/indicator.hpp"

namespace talus {

using namespace scene;

namespace {

Key indicators_key(bool of_body)
{
    Value::List shown;
    std::string doc = "what it measures; \"all\", or any of: ";
    for (const Indicator<3>& indicator : indicators<3>()) {
        if (indicator.is_of_body != of_body) continue;
        if (indicator.by_default) shown.push_back(Value(indicator.name));
        doc += indicator.name + " (" + indicator.help + "), ";
    }
    doc.resize(doc.size() - 2);
    return texts("indicators", doc).among(indicator_names(of_body)).entries(1).or_word("all").otherwise(Value(shown));
}

Variant region(Choice name, std::string doc, std::vector<Key> keys)
{
    if (name.word != "sample") {
        keys.push_back(
            text("attached_to", "name of a body that carries the gauge along, from where it is at the start"));
    }
    keys.push_back(indicators_key(false));
    return {std::move(name), std::move(doc), std::move(keys), {}, {}};
}

} // namespace

Key gauges_schema()
{
    const Key centre = vector("centre", "of the gauge").in("m").required();
    const Key radius = number("radius", "of the gauge").in("m").above(0).required();
    return tables("gauges", "Where indicators are measured: in a part of the sample, or on a body.",
                  {text("name", "heads its columns in series.csv").required(),
                   number("every", "time between two measurements; \"auto\": output.gauges_every")
                       .in("s")
                       .above(0)
                       .automatic()})
        .varying_by("type",
                    {region({"sample", 0, {}}, "all grains", {}),
                     region({"box", 0, {}}, "what lies in a box",
                            {vector("lower", "lower corner").in("m").required(),
                             vector("upper", "upper corner").in("m").required()}),
                     region({"disk", 2, "sphere"}, "what lies in a disk", {centre, radius}),
                     region({"sphere", 3, "disk"}, "what lies in a sphere", {centre, radius}),
                     region({"cylinder", 3, "box"}, "what lies in a cylinder",
                            {centre, vector("axis", "its direction").nonzero().otherwise(Value::numbers({0, 0, 1})),
                             radius, number("length", "along the axis").in("m").above(0).required()}),
                     {{"body", 0, {}},
                      "one body: its motion and what its contacts do to it",
                      {text("body", "its name, or that of a wall such as box.left").required(), indicators_key(true)},
                      {},
                      {}}})
        .otherwise(Value(Value::List{}));
}

} // namespace talus
