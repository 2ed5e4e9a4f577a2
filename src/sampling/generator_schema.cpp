#include "sampling/generator_schema.hpp"

namespace talus {

using namespace scene;

namespace {

constexpr double most_grains = 1e9;

std::vector<Key> region()
{
    return {vector("lower", "lower corner").in("m").required(), vector("upper", "upper corner").in("m").required()};
}

std::vector<Key> grains(std::vector<Key> own)
{
    std::vector<Key> keys = region();
    const std::vector<Key> common = {
        choice("shape", "of the grains", {})
            .among(std::vector<Choice>{{"disk", 2, "sphere"}, {"sphere", 3, "disk"}})
            .otherwise(Value("disk"), Value("sphere")),
        number_or_pair("radius", "of every grain, or the smallest and the largest").in("m").above(0).required(),
        choice("distribution", "of radii between the two: by number, or by volume of solid", {"uniform", "volume"})
            .otherwise(Value("uniform")),
        vector("velocity", "at the start").in("m/s").otherwise_zero(),
        rotation("spin", "at the start").in("rad/s").otherwise_zero(),
    };
    keys.insert(keys.end(), common.begin(), common.end());
    keys.insert(keys.end(), own.begin(), own.end());
    return keys;
}

} // namespace

Key generators_schema()
{
    std::vector<Key> container = region();
    container.push_back(texts("open", "sides without a wall")
                            .among(std::vector<Choice>{{"left", 0, {}},
                                                       {"right", 0, {}},
                                                       {"bottom", 0, {}},
                                                       {"top", 0, {}},
                                                       {"front", 3, {}},
                                                       {"back", 3, {}}})
                            .otherwise(Value(Value::List{})));
    return tables("generators", "Bodies made by the number.",
                  {text("name", "of the group; a container NAME has the walls NAME.left, NAME.right, NAME.bottom, "
                                "NAME.top and in 3D NAME.front, NAME.back"),
                   text("material", "one of [materials]").required()})
        .varying_by(
            "type",
            {{{"container", 0, {}},
              "fixed half-spaces around a box: left and right across x, bottom and top across the last axis, front and "
              "back across y in 3D",
              std::move(container),
              {},
              {}},
             {{"lattice", 0, {}},
              "grains on a regular lattice",
              grains(
                  {number("spacing", "between centres; \"auto\": as close as the largest grain allows")
                       .in("m")
                       .above(0)
                       .automatic(),
                   number("jitter", "random shift, as a fraction of the free room")
                       .at_least(0)
                       .below(0.5)
                       .otherwise_zero(),
                   integer("count", "grains; \"auto\": as many as fit").at_least(1).at_most(most_grains).automatic()}),
              {},
              {}},
             {{"random", 0, {}},
              "grains at random places without overlap",
              grains({integer("count", "grains").at_least(1).at_most(most_grains).required()}),
              {},
              {}},
             {{"feeder", 0, {}},
              "grains that appear during the run, at random places of the box that are free",
              grains({number("rate", "grains per second").in("1/s").above(0).required(),
                      integer("count", "grains in all").at_least(1).at_most(most_grains).required(),
                      number("start", "when the first appears").in("s").at_least(0).otherwise_zero()}),
              {},
              {}}})
        .otherwise(Value(Value::List{}));
}

} // namespace talus
