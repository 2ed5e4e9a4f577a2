// Walls that balls hit, and when. A wall moves without turning: pieces of constant velocity with harmonic vibrations on
// top. The next contact is searched from the left by steps that cannot pass it: a gap g with g'' ≥ −M stays open for
// s = (g' + √(g'² + 2 M g))/M. Near a contact this is Newton's method, far from it no contact is jumped over.
#pragma once

#include "talus/events/event_queue.hpp"
#include "talus/events/flight.hpp"
#include "talus/shapes/shape_table.hpp"

#include <string>
#include <vector>

namespace talus {

// amplitude × sin(rate × (t − from) + phase)
template <int D>
struct Oscillation {
    Vec<D> amplitude;   // [m]
    double rate;        // [rad/s]
    double from, phase; // [s], [rad]
};

// What one driver imposes on a wall from `begin` to `end` [s].
template <int D>
struct ImposedTerm {
    double begin = 0, end = never;
    Vec<D> velocity = Vec<D>::Zero(); // [m/s]
    std::vector<Oscillation<D>> oscillations;
};

template <int D>
class WallMotion {
  public:
    struct Piece {
        double begin, end;     // [s]
        Vec<D> base, velocity; // [m] at `begin`, [m/s]: the even part
        std::vector<Oscillation<D>> oscillations;
        double reach = 0; // [m] of the oscillations together
        double shake = 0; // [m/s²] largest acceleration
    };

    WallMotion() : WallMotion(std::vector<ImposedTerm<D>>{}) {}
    explicit WallMotion(const std::vector<ImposedTerm<D>>& terms); // they add up

    const std::vector<Piece>& pieces() const { return pieces_; }
    std::size_t piece_at(double time) const; // the later one where two meet
    Vec<D> displacement(double time) const;  // [m] since the start
    Vec<D> velocity(double time) const;      // [m/s]
    bool is_still() const
    {
        return pieces_.size() == 1 && pieces_[0].velocity.isZero(0) && pieces_[0].oscillations.empty();
    }

  private:
    std::vector<Piece> pieces_;
};

template <int D>
struct Wall {
    ShapeKind kind = ShapeKind::half_space; // or segment, hollow_ball, hollow_cylinder
    Vec<D> place = Vec<D>::Zero();          // [m] at the start
    Vec<D> direction = Vec<D>::Zero();      // normal of a half-space, half of a segment [m], axis of a cylinder
    double radius = 0;                      // [m] rounding of a segment, of a hollow
    std::int32_t body = 0, material = 0;
    WallMotion<D> motion;

    Vec<D> normal_at(const Vec<D>& centre, double time) const;                  // towards a ball
    double gap(const Vec<D>& centre, double radius_of_ball, double time) const; // [m]
};

struct WallEvent {
    double time = never;
    bool is_look = false; // nothing until then, and the search must go on from there
};

// The first contact of a flying ball, if it comes before `limit`.
template <int D>
WallEvent next_contact(const Wall<D>& wall, const Flight<D>& ball, const Vec<D>& gravity, double limit);

// Of a flying ball with one that is fixed at `place`; `apart` [m] is the distance of their centres at contact. From
// `begin` on.
template <int D>
double next_contact_with_fixed(const Flight<D>& ball, const Vec<D>& gravity, const Vec<D>& place, double apart,
                               double begin, double limit);

} // namespace talus
