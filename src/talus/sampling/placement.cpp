#include "talus/sampling/placement.hpp"

#include "talus/sampling/ball_cells.hpp"
#include "talus/sampling/vectors.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace talus {

template <int D>
void place_on_lattice(const scene::Value& generator, const GrainSource<D>& source, Random& random, BodyTable<D>& bodies,
                      ShapeTable<D>& shapes)
{
    const Vec<D> lower = vector_of<D>(generator.at("lower")), upper = vector_of<D>(generator.at("upper"));
    const double largest = source.largest();
    const bool automatic = generator.at("spacing").is_text();
    // 5 % of room by default: neighbours do not touch, and a jitter has something to work with
    const double spacing = automatic ? 2.1 * largest : generator.at("spacing").number();
    const double jitter = generator.at("jitter").number();
    if (spacing < 2 * largest) {
        throw InputError({mistake(generator.at("spacing"), fmt::format("grains of radius {} would overlap: at least {}",
                                                                       largest, 2 * largest))});
    }
    Eigen::Matrix<std::int64_t, D, 1> cells;
    std::int64_t room = 1;
    for (int axis = 0; axis < D; ++axis) {
        cells[axis] = std::int64_t(std::floor((upper[axis] - lower[axis]) / spacing * (1 + 1e-12)));
        room *= std::max<std::int64_t>(cells[axis], 0);
    }
    const std::int64_t count = generator.at("count").is_text() ? room : generator.at("count").integer();
    if (room == 0 || count > room) {
        throw InputError({mistake(generator.at("count").is_text() ? generator.at("upper") : generator.at("count"),
                                  fmt::format("the box holds {} grains at a spacing of {} m", room, spacing))});
    }
    for (std::int64_t n = 0; n < count; ++n) { // layer by layer: the last axis is the slowest
        Vec<D> position;
        std::int64_t rest = n;
        const Grain grain = source.draw(n, random);
        for (int axis = 0; axis < D; ++axis) {
            const double play = jitter * (spacing - 2 * grain.radius);
            position[axis] = lower[axis] + (double(rest % cells[axis]) + 0.5) * spacing + random.uniform(-play, play);
            rest /= cells[axis];
        }
        source.add(bodies, shapes, position, grain, random);
    }
}

namespace {

template <int D>
bool is_free(const BallCells<D>& occupied, const Vec<D>& position, double radius)
{
    bool free = true;
    occupied.visit_near(position, [&](const PlacedBall<D>& other) {
        const double apart = radius + other.radius;
        if ((position - other.position).squaredNorm() < apart * apart) free = false;
    });
    return free;
}

} // namespace

template <int D>
void place_at_random(const scene::Value& generator, const GrainSource<D>& source, Random& random, BodyTable<D>& bodies,
                     ShapeTable<D>& shapes, const IsAllowed<D>& is_allowed)
{
    const Vec<D> lower = vector_of<D>(generator.at("lower")), upper = vector_of<D>(generator.at("upper"));
    const std::int64_t count = generator.at("count").integer();
    std::vector<Grain> grains(count);
    for (std::int64_t n = 0; n < count; ++n) grains[n] = source.draw(n, random);
    // large ones first: they need the room most
    std::stable_sort(grains.begin(), grains.end(), [](const Grain& a, const Grain& b) { return a.radius > b.radius; });
    BallCells<D> occupied(2 * source.largest());
    constexpr int tries = 1000;
    for (std::int64_t n = 0; n < count; ++n) {
        const double radius = grains[n].radius;
        bool placed = false;
        for (int attempt = 0; attempt < tries && !placed; ++attempt) {
            Vec<D> position;
            for (int axis = 0; axis < D; ++axis) {
                position[axis] = random.uniform(lower[axis] + radius, upper[axis] - radius);
            }
            if (((upper - lower).array() < 2 * radius).any() || !is_free(occupied, position, radius)) continue;
            if (is_allowed && !is_allowed(position, radius)) continue;
            occupied.add({position, radius});
            source.add(bodies, shapes, position, grains[n], random);
            placed = true;
        }
        if (!placed) {
            throw InputError(
                {mistake(generator.at("count"), fmt::format("only {} grains found a free place in the box after {} "
                                                            "tries each: a larger box, fewer grains, or a lattice",
                                                            n, tries))});
        }
    }
}

#define TALUS_INSTANTIATE(D)                                                                                           \
    template void place_on_lattice(const scene::Value&, const GrainSource<D>&, Random&, BodyTable<D>&,                 \
                                   ShapeTable<D>&);                                                                    \
    template void place_at_random(const scene::Value&, const GrainSource<D>&, Random&, BodyTable<D>&, ShapeTable<D>&,  \
                                  const IsAllowed<D>&);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

} // namespace talus
