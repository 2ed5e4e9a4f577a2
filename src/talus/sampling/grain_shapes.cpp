#include "talus/sampling/grain_shapes.hpp"

#include "talus/sampling/library_grain.hpp"

#include <algorithm>

namespace talus {

namespace {

constexpr std::int64_t most_variety = 1000; // that "auto" takes: enough for no two neighbours to look alike

Interval interval_of(const scene::Value& value)
{
    if (!value.is_list()) return {value.number(), value.number()};
    return {value.list()[0].number(), value.list()[1].number()};
}

template <int D>
GrainRecipe recipe_of(const scene::Value& generator)
{
    const Interval vertices = interval_of(generator.at("vertices"));
    const scene::Value* flatness = generator.find("flatness"); // none in 2D
    return {int(vertices.low), int(vertices.high), interval_of(generator.at("elongation")),
            flatness ? interval_of(*flatness) : Interval{1, 1}, generator.at("angularity").number()};
}

std::int64_t variety_of(const scene::Value& generator)
{
    if (!generator.at("variety").is_text()) return generator.at("variety").integer();
    const scene::Value& count = generator.at("count");
    return count.is_text() ? most_variety : std::min(count.integer(), most_variety);
}

template <int D>
std::vector<Polytope<D>> library_grains(const scene::Value& path, const ShapeFiles& files)
{
    std::vector<Polytope<D>> grains;
    std::vector<Mistake> mistakes;
    for (const NamedMesh& object : files.read(path)) {
        try {
            const Polytope<D> grain = library_grain<D>(object);
            grains.push_back(centred(grain, mass_properties(grain)));
        } catch (const InputError& error) {
            mistakes.push_back(mistake(path, error.what()));
        }
    }
    if (!mistakes.empty()) throw InputError(std::move(mistakes));
    return grains;
}

} // namespace

bool has_corners(const scene::Value& generator)
{
    const scene::Value* shape = generator.find("shape");
    return shape && (shape->is_text("polygon") || shape->is_text("polyhedron"));
}

template <int D>
SizeDistribution<D> sizes_of(const scene::Value& generator)
{
    if (const scene::Value* sieve = generator.find("sieve")) {
        std::vector<SievePoint> curve;
        for (const scene::Value& point : sieve->list()) {
            curve.push_back({point.list()[0].number(), point.list()[1].number()});
        }
        return SizeDistribution<D>::sieved(curve);
    }
    const Interval sizes = interval_of(generator.at(has_corners(generator) ? "size" : "radius"));
    return generator.at("distribution").is_text("volume") ? SizeDistribution<D>::by_volume(sizes.low, sizes.high)
                                                          : SizeDistribution<D>::uniform(sizes.low, sizes.high);
}

template <int D>
std::vector<double> random_sizes(const SizeDistribution<D>& sizes, std::int64_t count, Random& random)
{
    std::vector<double> size(count); // one from each of `count` equal parts of the distribution
    for (std::int64_t k = 0; k < count; ++k) size[k] = sizes.quantile((double(k) + random.uniform()) / double(count));
    for (std::int64_t k = count - 1; k > 0; --k)
        std::swap(size[k], size[std::int64_t(random.uniform() * double(k + 1))]);
    return size;
}

template <int D>
std::vector<Polytope<D>> random_grains(const GrainRecipe& recipe, const SizeDistribution<D>& sizes, std::int64_t count,
                                       Random& random)
{
    std::vector<Polytope<D>> grains;
    for (const double d : random_sizes<D>(sizes, count, random)) grains.push_back(random_grain<D>(recipe, d, random));
    return grains;
}

template <int D>
std::vector<Polytope<D>> grain_shapes(const scene::Value& generator, const ShapeFiles& files, Random& random)
{
    if (const scene::Value* library = generator.find("library")) return library_grains<D>(*library, files);
    try {
        return random_grains<D>(recipe_of<D>(generator), sizes_of<D>(generator), variety_of(generator), random);
    } catch (const InputError& error) {
        throw InputError({mistake(generator.at("vertices"), error.what())});
    }
}

#define TALUS_INSTANTIATE(D)                                                                                           \
    template SizeDistribution<D> sizes_of(const scene::Value&);                                                        \
    template std::vector<double> random_sizes(const SizeDistribution<D>&, std::int64_t, Random&);                      \
    template std::vector<Polytope<D>> random_grains(const GrainRecipe&, const SizeDistribution<D>&, std::int64_t,      \
                                                    Random&);                                                          \
    template std::vector<Polytope<D>> grain_shapes(const scene::Value&, const ShapeFiles&, Random&);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

} // namespace talus
