// The bodies: their state, mass and loads as columns, one entry per body.
#pragma once

#include "talus/exec/columns.hpp"
#include "talus/math/space.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace talus {

// Degrees of freedom whose velocity is imposed: bits x, y, (z), then rotations. A fixed body has all of them.
using FreedomMask = std::uint8_t;
template <int D>
inline constexpr FreedomMask all_imposed = (1u << freedoms<D>)-1u;

// The number of a body: given in the order in which bodies come, never given again. It stays when other bodies leave
// or are sorted, which places in the table do not.
enum class BodyId : std::int32_t { none = -1 };

template <int D>
struct Body {
    Vec<D> position = Vec<D>::Zero();
    Rotation<D> orientation;
    Vec<D> velocity = Vec<D>::Zero();
    Ang<D> spin = Ang<D>::Zero();    // [rad/s] in the world frame
    double mass = 0;                 // [kg]
    Ang<D> inertia = Ang<D>::Zero(); // [kg m²] principal moments
    FreedomMask imposed = 0;
    std::int32_t shape = 0;
    std::int32_t material = 0;
};

template <int D>
class BodyTable {
  public:
    std::int32_t add(const Body<D>& body);
    std::size_t size() const { return position.size(); }

    // state
    std::vector<Vec<D>> position;
    std::vector<Rotation<D>> orientation;
    std::vector<Vec<D>> velocity; // of an imposed degree of freedom: the imposed one
    std::vector<Ang<D>> spin;
    std::vector<std::int32_t> number; // empty as long as nobody has left: then it is the place in the table
    std::int32_t born = 0;            // numbers given so far, where there are any
    // what it is
    std::vector<double> mass;
    std::vector<Ang<D>> inertia;
    std::vector<FreedomMask> imposed;
    std::vector<std::int32_t> shape;    // index into the shapes
    std::vector<std::int32_t> material; // index into the materials
    // loads of the step: written by drivers, read by the integrator
    std::vector<Vec<D>> force;  // [N]
    std::vector<Ang<D>> torque; // [N m]
    // what the contacts gave in the last step, as a mean force over it
    std::vector<Vec<D>> reaction;        // [N]
    std::vector<Ang<D>> reaction_torque; // [N m] about the centre

    BodyId id(std::size_t i) const { return BodyId(number.empty() ? std::int32_t(i) : number[i]); }
    std::int32_t find(BodyId id) const;                                                // its place; −1: it has left
    std::int32_t come() const { return number.empty() ? std::int32_t(size()) : born; } // bodies there have ever been
    // Only those whose flag is not 0 stay, in their order and with their numbers.
    void remove_others(const std::vector<std::uint8_t>& kept);

    bool is_passive(std::size_t i) const { return imposed[i] == all_imposed<D>; }
    bool is_imposed(std::size_t i, int freedom) const { return (imposed[i] >> freedom) & 1; }

    static constexpr auto columns()
    {
        using B = BodyTable;
        return std::make_tuple(Column<B, Vec<D>>{"position", "m", Role::state, &B::position},
                               Column<B, Rotation<D>>{"orientation", D == 2 ? "rad" : "", Role::state, &B::orientation},
                               Column<B, Vec<D>>{"velocity", "m/s", Role::state, &B::velocity},
                               Column<B, Ang<D>>{"spin", "rad/s", Role::state, &B::spin},
                               Column<B, FreedomMask>{"imposed", "", Role::state, &B::imposed},
                               Column<B, std::int32_t>{"number", "", Role::state, &B::number, true},
                               Column<B, double>{"mass", "kg", Role::constant, &B::mass},
                               Column<B, Ang<D>>{"inertia", "kg m2", Role::constant, &B::inertia},
                               Column<B, std::int32_t>{"shape", "", Role::constant, &B::shape},
                               Column<B, std::int32_t>{"material", "", Role::constant, &B::material},
                               Column<B, Vec<D>>{"force", "N", Role::load, &B::force},
                               Column<B, Ang<D>>{"torque", "N m", Role::load, &B::torque},
                               Column<B, Vec<D>>{"reaction", "N", Role::result, &B::reaction},
                               Column<B, Ang<D>>{"reaction_torque", "N m", Role::result, &B::reaction_torque});
    }
};

// Inverse of the mass matrix with imposed degrees of freedom left out, at the present orientation.
template <int D>
Vec<D> inverse_mass(const BodyTable<D>& bodies, std::size_t i);
template <int D>
AngMat<D> inverse_inertia(const BodyTable<D>& bodies, std::size_t i);
// ... at another one
template <int D>
AngMat<D> inverse_inertia(const BodyTable<D>& bodies, std::size_t i, const Rotation<D>& orientation);

// Turn body i over `dt` at its spin. The world angular momentum is carried through the turn, which is the gyroscopic
// term: the spin of an anisotropic body changes, its angular momentum does not.
template <int D>
void turn(BodyTable<D>& bodies, std::size_t i, double dt);

template <int D>
double kinetic_energy(const BodyTable<D>& bodies, std::size_t i);

template <int D>
void clear_loads(BodyTable<D>& bodies);

// A body whose state is not a number; −1 where all are.
template <int D>
std::int32_t first_non_finite(const BodyTable<D>& bodies);

} // namespace talus
