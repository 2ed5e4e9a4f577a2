#include "talus/drivers/feeder.hpp"

#include "talus/exec/parallel.hpp"
#include "talus/sampling/vectors.hpp"

#include <fmt/format.h>

#include <bit>

namespace talus {

template <int D>
Feeder<D>::Feeder(const scene::Value& generator, GrainSource<D> source, std::uint64_t seed)
    : source_(std::move(source)), lower_(vector_of<D>(generator.at("lower"))),
      upper_(vector_of<D>(generator.at("upper"))), rate_(generator.at("rate").number()),
      start_(generator.at("start").number()), count_(generator.at("count").integer()), random_(seed)
{
    if (const double room = (upper_ - lower_).minCoeff(); room < 2 * source_.largest()) {
        throw InputError({mistake(generator.at("upper"), fmt::format("the box is {:g} m wide, less than the largest "
                                                                     "grain: {:g} m or more",
                                                                     room, 2 * source_.largest()))});
    }
    next_ = source_.draw(0, random_);
}

template <int D>
void Feeder<D>::apply(BodyTable<D>& bodies, ShapeTable<D>& shapes, const Clock& clock)
{
    const double since = clock.time() - start_ + 0.5 * clock.dt;
    if (since < 0) return;
    const std::int64_t due = std::min(count_, std::int64_t(since * rate_) + 1);
    while (fed_ < due && place(bodies, shapes)) ++fed_;
}

template <int D>
bool Feeder<D>::place(BodyTable<D>& bodies, ShapeTable<D>& shapes)
{
    constexpr int tries = 20;
    for (int attempt = 0; attempt < tries; ++attempt) {
        Vec<D> position;
        for (int axis = 0; axis < D; ++axis) {
            position[axis] = random_.uniform(lower_[axis] + next_.radius, upper_[axis] - next_.radius);
        }
        const bool taken = parallel_reduce(
            bodies.size(), false,
            [&](std::size_t i) {
                const double radius = bounding_radius(shapes, bodies.shape[i]);
                if (!std::isfinite(radius)) { // a wall, which may have moved into the box
                    return wall_distance(shapes, bodies.shape[i], bodies.position[i], bodies.orientation[i], position) <
                           next_.radius;
                }
                const double apart = radius + next_.radius;
                return (bodies.position[i] - position).squaredNorm() < apart * apart;
            },
            [](bool a, bool b) { return a || b; });
        if (taken) continue;
        source_.add(bodies, shapes, position, next_, random_);
        next_ = source_.draw(fed_ + 1, random_);
        return true;
    }
    return false;
}

template <int D>
std::vector<std::uint64_t> Feeder<D>::save() const
{
    const Random::State& state = random_.state();
    return {std::uint64_t(fed_),
            std::bit_cast<std::uint64_t>(next_.radius),
            std::uint64_t(next_.shape),
            std::uint64_t(source_.first_shape()),
            state[0],
            state[1],
            state[2],
            state[3]};
}

template <int D>
void Feeder<D>::restore(std::span<const std::uint64_t> words)
{
    if (words.size() != 8) throw InputError("the state of a feeder is that of another version of Talus");
    fed_ = std::int64_t(words[0]);
    next_ = {std::bit_cast<double>(words[1]), std::int32_t(words[2])};
    source_.restore(std::int32_t(words[3]));
    random_.restore({words[4], words[5], words[6], words[7]});
}

template class Feeder<2>;
template class Feeder<3>;

} // namespace talus
