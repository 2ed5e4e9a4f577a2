#include "talus/smooth/wall_contacts.hpp"

#include "talus/shapes/ball_contact.hpp"

#include <algorithm>

namespace talus {

template <int D>
bool Walls<D>::takes(const PackedBodies<D>& pack, const BodyTable<D>& bodies, const ShapeTable<D>& shapes,
                     std::int32_t ball, std::int32_t other)
{
    if (std::size_t(ball) >= pack.balls || std::size_t(other) < pack.balls) return false;
    const std::size_t body = std::size_t(pack.body[std::size_t(other)]);
    return bodies.is_passive(body) && has_ball_formula(shapes[bodies.shape[body]].kind);
}

template <int D>
void Walls<D>::choose(std::span<const BallPairs> parts, const PackedBodies<D>& pack)
{
    chosen_.clear();
    for (const BallPairs& part : parts) {
        chosen_.insert(chosen_.end(), part.second.begin(), part.second.end());
        std::sort(chosen_.begin(), chosen_.end());
        chosen_.erase(std::unique(chosen_.begin(), chosen_.end()), chosen_.end());
    }
    balls_ = pack.balls;
    walls_.assign(pack.size() - balls_, {});
}

template <int D>
void Walls<D>::place(const PackedBodies<D>& pack, const BodyTable<D>& bodies, const ShapeTable<D>& shapes)
{
    for (const std::int32_t place : chosen_) {
        const std::size_t p = std::size_t(place), body = std::size_t(pack.body[p]);
        walls_[p - balls_] = {&shapes[bodies.shape[body]], vector_in<D>(pack.motion.place, p),
                              bodies.orientation[body].turned(turn_in<D>(pack.motion.angle, p))};
    }
}

template <int D>
void Walls<D>::find_near(const BallView& view, const ShapeTable<D>& shapes, double range, BallPairs& pairs,
                         NearWalls& near, double& freed) const
{
    near.pair.clear();
    near.contact.clear();
    const std::size_t size = pairs.size();
    for (std::size_t begin = 0, eight = 0; begin < size; begin += wide_count, ++eight) {
        unsigned bits = 0;
        for (std::size_t pair = begin; pair < std::min(size, begin + wide_count); ++pair) {
            const double* const ball = view.place + record_size * std::size_t(pairs.first[pair]);
            const Wall& wall = walls_[std::size_t(pairs.second[pair]) - balls_];
            const Vec<D> centre = Eigen::Map<const Vec<D>>(ball);
            const ContactPoint<D> contact =
                ball_contact<D>(shapes, centre, ball[3], {*wall.shape, wall.position, wall.orientation});
            if (!(contact.gap <= range)) continue;
            bits |= 1u << (pair - begin);
            near.pair.push_back(std::uint32_t(pair));
            const Vec<3> normal = in_space(contact.normal);
            for (const double number : {normal[0], normal[1], normal[2], -contact.gap}) near.contact.push_back(number);
        }
        if (view.keeps_history) freed += pairs.touch(eight, std::uint8_t(bits));
    }
    // to whole eights
    while (near.contact.size() % (record_size * wide_count) != 0) {
        near.contact.push_back(near.contact[near.contact.size() - record_size]);
    }
}

template class Walls<2>;
template class Walls<3>;

} // namespace talus
