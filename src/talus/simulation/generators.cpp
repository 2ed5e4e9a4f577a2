#include "talus/simulation/generator_kind.hpp"
#include "talus/simulation/simulation.hpp"

namespace talus {

// One line per kind.
std::vector<GeneratorKind>& generator_kinds()
{
    static std::vector<GeneratorKind> kinds = {
        container_generator(), lattice_generator(), random_generator(), deposit_generator(),
        feeder_generator(),    file_generator(),    wkt_generator(),
    };
    return kinds;
}

scene::Key generators_schema()
{
    using namespace scene;
    return tables("generators",
                  "Bodies made by the number. Polygons and polyhedra are placed by the ball that holds them.",
                  {text("name", "of the group; a container NAME has the walls NAME.left, NAME.right, NAME.bottom, "
                                "NAME.top and in 3D NAME.front, NAME.back"),
                   text("material", "one of [materials]").required()})
        .varying_by("type", variants_of(generator_kinds()))
        .otherwise(Value(Value::List{}));
}

const GeneratorKind& kind_of_generator(const scene::Value& generator)
{
    return *scene::find_kind(generator_kinds(), generator.at("type").text()); // the schema has seen to it
}

template <int D>
void add_generator(Simulation<D>& simulation, const scene::Value& generator, std::uint64_t seed, std::size_t number,
                   const ShapeFiles& files)
{
    const GeneratorKind& kind = kind_of_generator(generator);
    const std::size_t first = simulation.bodies.size();
    kind.maker<D>()(simulation, generator, seed * 1000003ull + number, files);
    const scene::Value* name = generator.find("name");
    if (!name || kind.parts || kind.bodies_to_come) return;
    simulation.groups.push_back({name->text(), std::int32_t(first), std::int32_t(simulation.bodies.size() - first)});
}

#define TALUS_INSTANTIATE(D)                                                                                           \
    template void add_generator(Simulation<D>&, const scene::Value&, std::uint64_t, std::size_t, const ShapeFiles&);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

} // namespace talus
