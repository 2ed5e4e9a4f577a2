// One step's contact problem: find impulses r and velocities v = v_free + W r that satisfy the contact law at every
// contact (MODEL §2). Matrix-free: a contact is a row with its frame and levers, a body a record with its velocity.
// Both are packed records, not columns: a Gauss-Seidel visit reads one row and two bodies whole.
#pragma once

#include "talus/contacts/contact_table.hpp"
#include "talus/math/coulomb.hpp"

#include <vector>

namespace talus {

template <int D>
struct alignas(64) BodyRecord {
    Vec<D> velocity; // running: the free velocity plus what the impulses of the rows give
    Ang<D> spin;
    Vec<D> inverse_mass;             // per axis: 0 where the motion is imposed
    SymmetricAng<D> inverse_inertia; // in the world
};

// No squares: compliances of 1e-170 1/kg are few, but they are some.
template <int D>
bool is_movable(const BodyRecord<D>& body)
{
    const Ang<D> turned = body.inverse_inertia * Ang<D>(Ang<D>::Ones());
    return (body.inverse_mass.array() != 0).any() || (turned.array() != 0).any();
}

template <int D>
struct alignas(64) ContactRow {
    std::int32_t candidate, antagonist;
    Mat<D> frame;           // columns n, t, (s); the tangents make the block's Schur complement diagonal
    Vec<D> candidate_lever; // [m] from the centre to the contact point
    Vec<D> antagonist_lever;
    Vec<D> offset;  // [m/s] what the law adds to the velocity: restitution or gap anticipation
    Vec<D> impulse; // [N s] in the frame, on the candidate
    LocalBlock<D> block;
};

// Offset of an open contact whose law does not anticipate: no approach velocity beats it, so r = 0.
inline constexpr double open_contact = 1e30; // [m/s]
TALUS_HD inline bool is_open_contact(double normal_offset)
{
    return std::abs(normal_offset - open_contact) < 1e-6 * open_contact; // a frame that was turned rounds it
}

// v_ref is never less: below it lies the round-off that exact impacts leave behind. 1e-4 of it is the 1e-12 m/s that
// count as 0 (MODEL §2).
inline constexpr double least_reference_velocity = 1e-8; // [m/s]

// Rolling friction of a row: |m| ≤ μ_r r_n against the relative spin.
template <int D>
struct RollingRow {
    double rolling_friction; // [m]
    Ang<D> impulse;          // [N m s] in the world, on the candidate
    AngMat<D> compliance;    // relative spin per moment impulse
    AngMat<D> inverse_compliance;
    bool isotropic; // the compliance is a number times the identity
};

template <int D>
struct ContactProblem {
    std::vector<BodyRecord<D>> bodies;
    std::vector<ContactRow<D>> rows;
    std::vector<RollingRow<D>> rolling;                   // one per row, or none at all
    double reference_velocity = least_reference_velocity; // [m/s] v_ref of MODEL §2
    double round_off = 1e-5 * least_reference_velocity;   // [m/s] of velocities at the contacts
    double restitution = 0;                               // the largest of the closed contacts
};

// The problem at the present configuration: velocities at the start of the step are in `bodies`, loads included from
// their force and torque columns. Impulses start from the contacts' (zero them for a cold start).
template <int D>
void build_problem(ContactProblem<D>& problem, const ContactTable<D>& contacts, const BodyTable<D>& bodies,
                   const MaterialTable& materials, double dt);

// Velocity of the candidate relative to the antagonist at a row, in the world.
template <int D>
TALUS_HD inline Vec<D> relative_velocity(const ContactRow<D>& row, const BodyRecord<D>& c, const BodyRecord<D>& a)
{
    return c.velocity + cross(c.spin, row.candidate_lever) - a.velocity - cross(a.spin, row.antagonist_lever);
}

// An impulse given at a row, in the world: the candidate takes it, the antagonist its opposite.
template <int D>
TALUS_HD inline void give_impulse(const ContactRow<D>& row, BodyRecord<D>& c, BodyRecord<D>& a, const Vec<D>& impulse)
{
    c.velocity += c.inverse_mass.cwiseProduct(impulse);
    c.spin += c.inverse_inertia * moment(row.candidate_lever, impulse);
    a.velocity -= a.inverse_mass.cwiseProduct(impulse);
    a.spin -= a.inverse_inertia * moment(row.antagonist_lever, impulse);
}

} // namespace talus
