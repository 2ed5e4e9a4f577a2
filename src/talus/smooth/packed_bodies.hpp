// Bodies as smooth methods work on them: neighbours in space are neighbours in memory, four numbers to a vector. Balls
// that can move come first, along a curve that fills space; then all others.
#pragma once

#include "talus/bodies/body_table.hpp"
#include "talus/integrators/motion.hpp"
#include "talus/shapes/shape_table.hpp"

#include <optional>

namespace talus {

template <int D>
class PackedBodies {
  public:
    Motion motion;
    std::vector<std::int32_t> body;     // at each place of the pack
    std::vector<std::int32_t> place_of; // of each body
    std::vector<std::int32_t> material;
    std::size_t balls = 0;            // that can move: the first so many
    LaneColumn inverse;               // 1/mass along each axis, 1/inertia; 0 where motion is imposed
    LaneColumn force, torque;         // [N], [N m] of the contacts
    std::optional<Vec<3>> uniform;    // [m/s²] what all loads amount to, where it is the same for all
    LaneColumn load, load_torque;     // [N], [N m] of drivers
    std::vector<std::int32_t> others; // places of bodies that are no balls, by body
    std::vector<std::int32_t> rotors; // places of bodies whose inertia is not one number
    std::vector<std::int32_t> guided; // places of bodies that drivers move in part or altogether

    std::size_t size() const { return body.size(); }
    // Bodies whose forces one thread finds at a time: what they need stays in its second cache. Larger parts write each
    // other less; smaller ones share out few bodies better.
    std::size_t part_size() const { return size() > 65536 ? 2048 : 1024; }
    std::size_t parts() const { return (size() + part_size() - 1) / part_size(); }
    Vec<3> vector(const LaneColumn& column, std::size_t place) const
    {
        return {column[record_size * place], column[record_size * place + 1], column[record_size * place + 2]};
    }

    // A new order, from where bodies are; a given one where `order` has one entry a body.
    void pack(const BodyTable<D>& bodies, const ShapeTable<D>& shapes, std::span<const std::int32_t> order = {});
    // State of the bodies into the pack, and back. Orientations turn by the angles, which become 0.
    void load_motion(const BodyTable<D>& bodies);
    void load_guided(const BodyTable<D>& bodies); // velocities that drivers impose
    void load_loads(const BodyTable<D>& bodies);
    void store_motion(BodyTable<D>& bodies) const;
    void store_orientation(BodyTable<D>& bodies);
    // Of bodies in [begin, end): from the forces and torques that stand in the place of their accelerations, and loads.
    void accelerate(const BodyTable<D>& bodies, std::size_t begin, std::size_t end);

  private:
    void accelerate_rotors(const BodyTable<D>& bodies, std::size_t begin, std::size_t end);
};

// two numbers or three in the first of four
inline void put(LaneColumn& column, std::size_t place, const Vec<2>& v)
{
    column[record_size * place] = v[0];
    column[record_size * place + 1] = v[1];
}
inline void put(LaneColumn& column, std::size_t place, const Vec<3>& v)
{
    for (int axis = 0; axis < 3; ++axis) column[record_size * place + std::size_t(axis)] = v[axis];
}
inline void put_turn(LaneColumn& column, std::size_t place, const Ang<2>& turn)
{
    column[record_size * place + 2] = turn[0];
}
inline void put_turn(LaneColumn& column, std::size_t place, const Ang<3>& turn) { put(column, place, turn); }
template <int D>
Vec<D> vector_in(const LaneColumn& column, std::size_t place)
{
    Vec<D> v;
    for (int axis = 0; axis < D; ++axis) v[axis] = column[record_size * place + std::size_t(axis)];
    return v;
}
template <int D>
Ang<D> turn_in(const LaneColumn& column, std::size_t place)
{
    Ang<D> turn;
    for (int axis = 0; axis < angular<D>; ++axis)
        turn[axis] = column[record_size * place + std::size_t(3 - angular<D> + axis)];
    return turn;
}
inline Vec<3> in_space(const Vec<2>& v) { return {v[0], v[1], 0}; }
inline const Vec<3>& in_space(const Vec<3>& v) { return v; }

} // namespace talus
