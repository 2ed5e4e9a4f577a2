// One kind of generator: its name and keys in a scene, and how it adds bodies to a simulation.
#pragma once

#include "talus/sampling/shape_files.hpp"
#include "talus/scene/kinds.hpp"

#include <cstdint>

namespace talus {

template <int D>
class Simulation;

// `generator` is one validated entry of [[generators]], `seed` that of its random numbers.
template <int D>
using GeneratorMaker = void (*)(Simulation<D>& simulation, const scene::Value& generator, std::uint64_t seed,
                                const ShapeFiles& files);

struct GeneratorKind : scene::NamedKind<GeneratorMaker> {
    // Bodies that it adds within so many seconds of a run; null: all are there at the start.
    double (*bodies_to_come)(const scene::Value& generator, double duration) = nullptr;
    // Which bodies have names of their own: NAME.left; null: all have the NAME of the generator. Takes any tree.
    std::vector<std::string> (*parts)(const scene::Value& generator, int dimension) = nullptr;
};

// The registry; a program may add to it.
std::vector<GeneratorKind>& generator_kinds();

// container.cpp
GeneratorKind container_generator();
// grain_generators.cpp
GeneratorKind lattice_generator();
GeneratorKind random_generator();
GeneratorKind deposit_generator();
GeneratorKind feeder_generator();
// file_generator.cpp
GeneratorKind file_generator();
// wkt_generator.cpp
GeneratorKind wkt_generator();

scene::Key generators_schema();
const GeneratorKind& kind_of_generator(const scene::Value& generator);

// `number` tells generators apart in the seed.
template <int D>
void add_generator(Simulation<D>& simulation, const scene::Value& generator, std::uint64_t seed, std::size_t number,
                   const ShapeFiles& files);

} // namespace talus
