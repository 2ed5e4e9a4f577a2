#include "drivers/feeder.hpp"

#include "exec/parallel.hpp"
#include "sampling/vectors.hpp"

#include <fmt/format.h>

#include <bit>

namespace talus {

template <int D>
Feeder<D>::Feeder(const scene::Value& generator, GrainSource<D> source, std::uint64_t seed)
    : source_(std::move(source)), lower_(vector_of<D>(generator.at("lower"))),
      upper_(vector_of<D>(generator.at("upper"))), rate_(generator.at("rate").number()),
      start_(generator.at("start").number()), count_(generator.at("count").integer()), random_(seed)
{
    if (const double room = (upper_ - lower_).minCoeff(); room < 2 * source_.radii().largest()) {
        throw InputError({problem(generator.at("upper"), fmt::format("the box is {:g} m wide, less than the largest "
                                                                     "grain: {:g} m or more",
                                                                     room, 2 * source_.radii().largest()))});
    }
    next_radius_ = source_.radii().draw(random_);
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
            position[axis] = random_.uniform(lower_[axis] + next_radius_, upper_[axis] - next_radius_);
        }
        const bool taken = parallel_reduce(
            bodies.size(), false,
            [&](std::size_t i) {
                const double radius = bounding_radius(shapes, bodies.shape[i]);
                if (!std::isfinite(radius)) return false; // walls around the box are the scene's affair
                const double apart = radius + next_radius_;
                return (bodies.position[i] - position).squaredNorm() < apart * apart;
            },
            [](bool a, bool b) { return a || b; });
        if (taken) continue;
        source_.add(bodies, shapes, position, next_radius_);
        next_radius_ = source_.radii().draw(random_);
        return true;
    }
    return false;
}

template <int D>
std::vector<std::uint64_t> Feeder<D>::save() const
{
    const Random::State& state = random_.state();
    return {std::uint64_t(fed_), std::bit_cast<std::uint64_t>(next_radius_), state[0], state[1], state[2], state[3]};
}

template <int D>
void Feeder<D>::restore(std::span<const std::uint64_t> words)
{
    fed_ = std::int64_t(words[0]);
    next_radius_ = std::bit_cast<double>(words[1]);
    random_.restore({words[2], words[3], words[4], words[5]});
}

template class Feeder<2>;
template class Feeder<3>;

} // namespace talus
