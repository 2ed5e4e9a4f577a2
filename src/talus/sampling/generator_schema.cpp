#include "talus/sampling/generator_schema.hpp"

#include "talus/sampling/random_grain.hpp"

namespace talus {

using namespace scene;

namespace {

constexpr double most_shapes = 1e6;

} // namespace

std::vector<Key> region_keys()
{
    return {vector("lower", "lower corner").in("m").required(), vector("upper", "upper corner").in("m").required()};
}

std::vector<Key> grain_keys(std::vector<Key> own)
{
    std::vector<Key> keys = region_keys();
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
        number("velocity_deviation", "each component of the velocity is drawn from a normal distribution of this "
                                     "standard deviation around it: the grains of a gas")
            .in("m/s")
            .at_least(0)
            .otherwise_zero(),
        rotation("spin", "at the start").in("rad/s").otherwise_zero(),
    };
    keys.insert(keys.end(), common.begin(), common.end());
    keys.insert(keys.end(), own.begin(), own.end());
    return keys;
}

} // namespace talus
