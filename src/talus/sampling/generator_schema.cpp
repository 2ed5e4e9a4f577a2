#include "talus/sampling/generator_schema.hpp"

#include "talus/sampling/random_grain.hpp"

namespace talus {

using namespace scene;

namespace {

constexpr double most_grains = 1e9;
constexpr double most_shapes = 1e6;

std::vector<Key> region()
{
    return {vector("lower", "lower corner").in("m").required(), vector("upper", "upper corner").in("m").required()};
}

std::vector<Key> grains(std::vector<Key> own)
{
    std::vector<Key> keys = region();
    const std::vector<Key> common = {
        choice("shape", "of the grains", {})
            .among(std::vector<Choice>{{"disk", 2, "sphere"},
                                       {"sphere", 3, "disk"},
                                       {"polygon", 2, "polyhedron"},
                                       {"polyhedron", 3, "polygon"}})
            .otherwise(Value("disk"), Value("sphere")),
        number_or_pair("radius", "disks and spheres: of every grain, or the smallest and the largest; required")
            .in("m")
            .above(0),
        text("library", "polygons and polyhedra: file or folder of grains (`talus grains`) that are taken at random, "
                        "as they are; its path from the scene's folder"),
        number_or_pair("size", "polygons and polyhedra without a library: sieve size of every grain, or the smallest "
                               "and the largest")
            .in("m")
            .above(0),
        cumulative("sieve", "instead of size: share of the mass that passes each mesh, straight over log(size)")
            .in("m")
            .above(0),
        choice("distribution", "of radii or sizes between the two: by number (the default), or by volume of solid",
               {"uniform", "volume"}),
        number_or_pair("vertices", "of a random grain; default 5 to 10 in 2D, 10 to 16 in 3D")
            .at_least(3)
            .at_most(most_grain_vertices),
        number_or_pair("elongation", "of a random grain, width over length; default 0.6 to 1")
            .at_least(flattest_grain)
            .at_most(1),
        number_or_pair("flatness", "of a random grain in 3D, thickness over width; default 0.6 to 1")
            .at_least(flattest_grain)
            .at_most(1),
        number("angularity", "of a random grain, from 0 (rounded) to 1 (sharp); default 0.5").at_least(0).at_most(1),
        integer("variety", "different random grains, shared by all; default \"auto\": as many as grains, at most 1000")
            .at_least(1)
            .at_most(most_shapes)
            .or_word("auto"),
        vector("velocity", "at the start").in("m/s").otherwise_zero(),
        rotation("spin", "at the start").in("rad/s").otherwise_zero(),
    };
    keys.insert(keys.end(), common.begin(), common.end());
    keys.insert(keys.end(), own.begin(), own.end());
    return keys;
}

Key as_many_as_fit()
{
    return integer("count", "grains; \"auto\": as many as fit").at_least(1).at_most(most_grains).automatic();
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
    return tables("generators",
                  "Bodies made by the number. Polygons and polyhedra are placed by the ball that holds them.",
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
              grains({number("spacing", "between centres; \"auto\": as close as the largest grain allows")
                          .in("m")
                          .above(0)
                          .automatic(),
                      number("jitter", "random shift, as a fraction of the free room")
                          .at_least(0)
                          .below(0.5)
                          .otherwise_zero(),
                      as_many_as_fit()}),
              {},
              {}},
             {{"random", 0, {}},
              "grains at random places without overlap",
              grains({integer("count", "grains").at_least(1).at_most(most_grains).required()}),
              {},
              {}},
             {{"deposit", 0, {}},
              "grains that drop one by one and roll down on those before until they rest: a loose pile in the box, "
              "layer by layer, by geometry alone",
              grains({number("gap", "clearance between grains, as a fraction of the diameter")
                          .at_least(0)
                          .at_most(10)
                          .otherwise_zero(),
                      as_many_as_fit()}),
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
