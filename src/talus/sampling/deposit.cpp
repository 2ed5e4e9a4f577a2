#include "talus/sampling/deposit.hpp"

#include "talus/sampling/drop_and_roll.hpp"
#include "talus/sampling/vectors.hpp"

#include <fmt/format.h>

#include <optional>

namespace talus {

namespace {

constexpr int tries = 4;             // of which the lowest place is taken
constexpr int tries_when_full = 100; // before the box is said to be full
constexpr double most_places = 1e9;
constexpr double rounding = 1e-9; // of a radius: a tower that just fits does fit

// The lowest of a few places at which a ball comes to rest below the top of the box.
template <int D>
std::optional<Vec<D>> lowest_rest(const DropAndRoll<D>& pile, const Bounds<D>& box, double radius, Random& random)
{
    std::optional<Vec<D>> lowest;
    for (int attempt = 0; attempt < tries || (!lowest && attempt < tries_when_full); ++attempt) {
        Vec<D> place = box.lower;
        for (int axis = 0; axis + 1 < D; ++axis) {
            place[axis] = random.uniform(box.lower[axis] + radius, box.upper[axis] - radius);
        }
        const std::optional<Vec<D>> found = pile.rest(place, radius);
        if (!found || (*found)[D - 1] > box.upper[D - 1] - radius * (1 - rounding)) continue;
        if (!lowest || (*found)[D - 1] < (*lowest)[D - 1]) lowest = found;
    }
    return lowest;
}

} // namespace

template <int D>
void deposit(const scene::Value& generator, const GrainSource<D>& source, Random& random, BodyTable<D>& bodies,
             ShapeTable<D>& shapes)
{
    const Bounds<D> box{vector_of<D>(generator.at("lower")), vector_of<D>(generator.at("upper"))};
    const double clearance = 1 + generator.at("gap").number(), largest = clearance * source.largest();
    const scene::Value& asked = generator.at("count");
    const Vec<D> size = box.upper - box.lower;
    if (size.minCoeff() < 2 * largest) {
        throw InputError({mistake(generator.at("upper"), fmt::format("the box is {:g} m wide, less than the largest "
                                                                     "grain: {:g} m or more",
                                                                     size.minCoeff(), 2 * largest))});
    }
    if (asked.is_text() && size.prod() / ball_volume<D>(largest) > most_places) {
        throw InputError({mistake(generator.at("upper"), fmt::format("the box holds more than {:g} grains of radius "
                                                                     "{:g} m: give their count",
                                                                     most_places, source.largest()))});
    }
    DropAndRoll<D> pile(box, largest);
    for (std::int64_t n = 0; asked.is_text() || n < asked.integer(); ++n) {
        const Grain grain = source.draw(n, random);
        const std::optional<Vec<D>> place = lowest_rest(pile, box, clearance * grain.radius, random);
        if (!place && asked.is_text()) return;
        if (!place) throw InputError({mistake(asked, fmt::format("the box is full after {} grains", n))});
        pile.add({*place, clearance * grain.radius});
        source.add(bodies, shapes, *place, grain, random);
    }
}

template void deposit(const scene::Value&, const GrainSource<2>&, Random&, BodyTable<2>&, ShapeTable<2>&);
template void deposit(const scene::Value&, const GrainSource<3>&, Random&, BodyTable<3>&, ShapeTable<3>&);

} // namespace talus
