#include "talus/smooth/packed_bodies.hpp"

#include <algorithm>
#include <numeric>

namespace talus {

namespace {

using FourNumbers = Lanes __attribute__((may_alias));

// 21 bits with two zeros between each and the next
std::uint64_t spread(std::uint64_t x)
{
    x &= 0x1fffff;
    x = (x | x << 32) & 0x1f00000000ffff;
    x = (x | x << 16) & 0x1f0000ff0000ff;
    x = (x | x << 8) & 0x100f00f00f00f00f;
    x = (x | x << 4) & 0x10c30c30c30c30c3;
    x = (x | x << 2) & 0x1249249249249249;
    return x;
}

// Movable balls along Morton's curve through cells of about a diameter, then the others.
template <int D>
std::vector<std::int32_t> order_in_space(const BodyTable<D>& bodies, const ShapeTable<D>& shapes)
{
    struct Key {
        std::uint64_t code;
        std::int32_t body;
        bool operator<(const Key& other) const { return std::tie(code, body) < std::tie(other.code, other.body); }
    };
    constexpr double most = 1 << 20;
    double radius = 0, count = 0;
    Vec<D> low = Vec<D>::Constant(std::numeric_limits<double>::infinity()), high = -low;
    std::vector<Key> keys(bodies.size());
    const auto is_ball = [&](std::size_t i) {
        return shapes[bodies.shape[i]].kind == ShapeKind::ball && !bodies.is_passive(i) &&
               bodies.position[i].allFinite();
    };
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        if (!is_ball(i)) continue;
        radius += shapes[bodies.shape[i]].radius;
        ++count;
        low = low.cwiseMin(bodies.position[i]);
        high = high.cwiseMax(bodies.position[i]);
    }
    double cell = count > 0 ? 2 * radius / count : 1;
    if (count > 0) cell = std::max(cell, (high - low).maxCoeff() / most);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        keys[i] = {std::numeric_limits<std::uint64_t>::max(), std::int32_t(i)};
        if (!is_ball(i)) continue;
        keys[i].code = 0;
        for (int axis = 0; axis < D; ++axis) {
            keys[i].code |= spread(std::uint64_t((bodies.position[i][axis] - low[axis]) / cell)) << axis;
        }
    }
    std::sort(keys.begin(), keys.end());
    std::vector<std::int32_t> order;
    for (const Key& key : keys) order.push_back(key.body);
    return order;
}

} // namespace

template <int D>
void PackedBodies<D>::pack(const BodyTable<D>& bodies, const ShapeTable<D>& shapes, std::span<const std::int32_t> order)
{
    const std::size_t count = bodies.size();
    body =
        order.size() == count ? std::vector<std::int32_t>(order.begin(), order.end()) : order_in_space(bodies, shapes);
    place_of.resize(count);
    material.resize(count);
    others.clear();
    rotors.clear();
    guided.clear();
    for (LaneColumn* column : {&motion.place, &motion.velocity, &motion.acceleration, &motion.angle, &motion.spin,
                               &motion.turning, &inverse, &force, &torque, &load, &load_torque}) {
        column->assign(record_size * count, 0);
    }
    balls = 0;
    for (std::size_t p = 0; p < count; ++p) {
        const std::size_t i = std::size_t(body[p]);
        const Shape<D>& shape = shapes[bodies.shape[i]];
        const bool is_ball = shape.kind == ShapeKind::ball;
        place_of[i] = std::int32_t(p);
        material[p] = bodies.material[i];
        if (is_ball && !bodies.is_passive(i) && balls == p) ++balls;
        if (is_ball) motion.place[record_size * p + 3] = shape.radius;
        motion.spin[record_size * p + 3] = bodies.is_passive(i) ? 0 : 1 / bodies.mass[i];
        put(inverse, p, inverse_mass(bodies, i));
        if (bodies.imposed[i] != 0) guided.push_back(std::int32_t(p));
        const bool turns_as_one = is_isotropic(bodies.inertia[i]) && (bodies.imposed[i] >> D) == 0;
        const bool turns_never = (bodies.imposed[i] >> D) == (all_imposed<D> >> D);
        if (turns_as_one) inverse[record_size * p + 3] = 1 / bodies.inertia[i][0];
        if (turns_as_one || turns_never) continue;
        rotors.push_back(std::int32_t(p));
        inverse[record_size * p + 3] = 1;
    }
    for (std::size_t i = 0; i < count; ++i) {
        if (shapes[bodies.shape[i]].kind != ShapeKind::ball) others.push_back(place_of[i]);
    }
    load_motion(bodies);
}

template <int D>
void PackedBodies<D>::load_motion(const BodyTable<D>& bodies)
{
    parallel_for(size(), [&](std::size_t p) {
        const std::size_t i = std::size_t(body[p]);
        put(motion.place, p, bodies.position[i]);
        put(motion.velocity, p, bodies.velocity[i]);
        put_turn(motion.spin, p, bodies.spin[i]);
        put(motion.acceleration, p, bodies.reaction[i]);
        put_turn(motion.turning, p, bodies.reaction_torque[i]);
    });
}

template <int D>
void PackedBodies<D>::load_guided(const BodyTable<D>& bodies)
{
    for (const std::int32_t p : guided) {
        const std::size_t i = std::size_t(body[std::size_t(p)]);
        put(motion.velocity, std::size_t(p), bodies.velocity[i]);
        put_turn(motion.spin, std::size_t(p), bodies.spin[i]);
    }
}

template <int D>
void PackedBodies<D>::load_loads(const BodyTable<D>& bodies)
{
    parallel_for(size(), [&](std::size_t p) {
        const std::size_t i = std::size_t(body[p]);
        put(load, p, bodies.force[i]);
        put_turn(load_torque, p, bodies.torque[i]);
    });
}

template <int D>
void PackedBodies<D>::store_motion(BodyTable<D>& bodies) const
{
    parallel_for(size(), [&](std::size_t p) {
        const std::size_t i = std::size_t(body[p]);
        bodies.position[i] = vector_in<D>(motion.place, p);
        bodies.velocity[i] = vector_in<D>(motion.velocity, p);
        bodies.spin[i] = turn_in<D>(motion.spin, p);
    });
}

template <int D>
void PackedBodies<D>::store_orientation(BodyTable<D>& bodies)
{
    parallel_for(size(), [&](std::size_t p) {
        const std::size_t i = std::size_t(body[p]);
        bodies.orientation[i] = bodies.orientation[i].turned(turn_in<D>(motion.angle, p));
        put_turn(motion.angle, p, Ang<D>(Ang<D>::Zero()));
    });
}

template <int D>
void PackedBodies<D>::accelerate(const BodyTable<D>& bodies, std::size_t begin, std::size_t end)
{
    // the fourth number of forces and torques is 0, and stays so
    const auto four = [](auto& column, std::size_t i) { return reinterpret_cast<FourNumbers*>(column.data() + i); };
    if (uniform) {
        const Lanes gravity{(*uniform)[0], (*uniform)[1], (*uniform)[2], 0};
        for (std::size_t i = record_size * begin; i < record_size * end; i += record_size) {
            const Lanes inverse_of = *four(inverse, i);
            const Lanes pulled = inverse_of > 0.0 ? gravity : Lanes{};
            *four(motion.acceleration, i) = inverse_of * *four(motion.acceleration, i) + pulled;
            *four(motion.turning, i) = inverse_of[3] * *four(motion.turning, i);
        }
    } else {
        for (std::size_t i = record_size * begin; i < record_size * end; i += record_size) {
            const Lanes inverse_of = *four(inverse, i);
            *four(motion.acceleration, i) = inverse_of * (*four(motion.acceleration, i) + *four(load, i));
            *four(motion.turning, i) = inverse_of[3] * (*four(motion.turning, i) + *four(load_torque, i));
        }
    }
    if (!rotors.empty()) accelerate_rotors(bodies, begin, end); // theirs are still torques
}

// Euler's equations: dω/dt = I⁻¹ (torque − ω × I ω), I in the world as the body is turned now.
template <int D>
void PackedBodies<D>::accelerate_rotors(const BodyTable<D>& bodies, std::size_t begin, std::size_t end)
{
    const auto first = std::lower_bound(rotors.begin(), rotors.end(), std::int32_t(begin));
    for (auto rotor = first; rotor != rotors.end() && *rotor < std::int32_t(end); ++rotor) {
        const std::size_t p = std::size_t(*rotor), i = std::size_t(body[p]);
        const Ang<D> spin = turn_in<D>(motion.spin, p);
        const Rotation<D> now = bodies.orientation[i].turned(turn_in<D>(motion.angle, p));
        const Ang<D> momentum = inertia_in_world(now, bodies.inertia[i]) * spin;
        const Ang<D> acting = turn_in<D>(motion.turning, p) + gyroscopic_torque(spin, momentum);
        put_turn(motion.turning, p, Ang<D>(inverse_inertia(bodies, i, now) * acting));
    }
}

template class PackedBodies<2>;
template class PackedBodies<3>;

} // namespace talus
