#include "talus/drivers/feeder.hpp"

#include "talus/exec/parallel.hpp"
#include "talus/sampling/vectors.hpp"

#include <fmt/format.h>

#include <bit>

namespace talus {

namespace {

// true where a ball at this place would touch the body; by the ball that holds it, but for walls between two points
template <int D>
bool is_in_the_way(const BodyTable<D>& bodies, const ShapeTable<D>& shapes, std::size_t i, const Vec<D>& place,
                   double radius)
{
    const Shape<D>& shape = shapes[bodies.shape[i]];
    const double reach = bounding_radius(shapes, bodies.shape[i]);
    if (!std::isfinite(reach)) { // a wall, which may have moved into the box
        return wall_distance(shapes, bodies.shape[i], bodies.position[i], bodies.orientation[i], place) < radius;
    }
    Vec<D> gap = place - bodies.position[i];
    if (gap.squaredNorm() >= (reach + radius) * (reach + radius)) return false;
    if (shape.kind != ShapeKind::segment) return true;
    const Vec<D> half = bodies.orientation[i] * shapes.segments[shape.detail].half;
    gap -= std::clamp(gap.dot(half) / half.squaredNorm(), -1.0, 1.0) * half;
    return gap.squaredNorm() < (shape.radius + radius) * (shape.radius + radius);
}

} // namespace

template <int D>
Feeder<D>::Feeder(const scene::Value& generator, GrainSource<D> source, std::uint64_t seed)
    : name_(generator.find("name") ? generator.at("name").text() : ""), source_(std::move(source)),
      lower_(vector_of<D>(generator.at("lower"))), upper_(vector_of<D>(generator.at("upper"))),
      rate_(generator.at("rate").number()), start_(generator.at("start").number()),
      count_(generator.at("count").integer()), random_(seed)
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
            [&](std::size_t i) { return is_in_the_way(bodies, shapes, i, position, next_.radius); },
            [](bool a, bool b) { return a || b; });
        if (taken) continue;
        numbers_.push_back(bodies.come());
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
    std::vector<std::uint64_t> words = {std::uint64_t(fed_),
                                        std::bit_cast<std::uint64_t>(next_.radius),
                                        std::uint64_t(next_.shape),
                                        std::uint64_t(source_.first_shape()),
                                        state[0],
                                        state[1],
                                        state[2],
                                        state[3]};
    words.insert(words.end(), numbers_.begin(), numbers_.end());
    return words;
}

template <int D>
void Feeder<D>::restore(std::span<const std::uint64_t> words)
{
    // runs of an earlier version did not say whom it fed
    if (words.size() != 8 && (words.size() < 8 || words.size() != 8 + words[0]))
        throw InputError("the state of a feeder is that of another version of Talus");
    fed_ = std::int64_t(words[0]);
    next_ = {std::bit_cast<double>(words[1]), std::int32_t(words[2])};
    source_.restore(std::int32_t(words[3]));
    random_.restore({words[4], words[5], words[6], words[7]});
    numbers_.assign(words.begin() + 8, words.end());
}

template class Feeder<2>;
template class Feeder<3>;

} // namespace talus
