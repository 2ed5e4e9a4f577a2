// Who pushes whom in one step of a crowd, without overlap of soft bodies (CROWD §2.4.2, §2.4.3; MODEL §7). Pedestrians
// do not turn. With V the velocities that loads alone would give and U = G u the relative velocities at the contacts,
//   M (u − V) = Gᵀ r,   −r ∈ ∂ψ(U)   at each contact,
// are the conditions that u minimises ½‖u − V‖²_M + Σ ψ(G u). ψ is convex, and the methods differ in nothing else:
//   NSM1 (Maury, Venel)   D + h U_n ≥ 0, a condition on places at the end of the step
//   NSM2 (Frémond)        U_n ≥ 0, and percussions from 2 Φ((U + U⁻)/2), Φ = K_N/p |z_n|^p + K_T/2 z_t² of those who
//                         come nearer. Of those who part it would be a pull; where U⁻_n > 0, U_n + U⁻_n ≥ 0: nobody
//                         comes nearer in the step, and pushes give no energy
#pragma once

#include "talus/exec/grouping.hpp"
#include "talus/math/space.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

namespace talus {

// One contact; the normal points from the antagonist to the candidate, on which the impulse acts.
struct PushRow {
    std::int32_t candidate = 0, antagonist = 0;
    Vec<2> normal = Vec<2>::Zero();
    double gap = 0;                  // [m]
    Vec<2> before = Vec<2>::Zero();  // [m/s] U⁻, along the normal and across
    Vec<2> impulse = Vec<2>::Zero(); // [N s] r, along the normal and across
    double give = 0;                 // [1/kg] of both along the normal: U changes by so much with r
    bool parts = false;              // before and by loads alone: nothing rubs
};

// ψ of a contact, as the impulse that goes with it.
struct PushLaw {
    bool keeps_places = false; // NSM1
    double dt = 0;             // [s]
    double normal = 0;         // [kg (m/s)^{2−p}] K_N
    double tangential = 0;     // [kg] K_T
    double power = 2;          // p

    // The impulse r for which U = free + give × r fulfils the law.
    Vec<2> impulse(const PushRow& row, const Vec<2>& free, double give) const;
};

// x ≥ 0 of 2 x + c x^{p−1} = b, for b, c ≥ 0 and p > 1.
double percussion_root(double c, double p, double b);

inline Vec<2> PushLaw::impulse(const PushRow& row, const Vec<2>& free, double give) const
{
    if (keeps_places) return {std::max(0.0, (-row.gap / dt - free.x()) / give), 0};
    const double before = row.before.x(), sum = free.x() + before;
    double after = std::max(free.x(), -before);
    if (before < 0 && sum < 0) {
        // 2 z + give K_N |z|^{p−2} z = free + U⁻ with z = (U + U⁻)/2; where U would be negative, contact is kept: U = 0
        const double z = power == 2 ? sum / (2 + give * normal) : -percussion_root(give * normal, power, -sum);
        after = std::max(0.0, 2 * z - before);
    }
    const double along = (after - free.x()) / give;
    if (tangential == 0 || row.parts) return {along, 0};
    return {along, -tangential * (free.y() + row.before.y()) / (2 + give * tangential)};
}

struct PushProblem {
    std::vector<PushRow> rows;
    std::vector<double> inverse_mass; // [1/kg] of each body; 0: it does not give way
    std::vector<Vec<2>> velocity;     // [m/s] V before solving, u after
    // The ground as a board of four colours: contacts of two squares of one colour share nobody who gives way. Square
    // of each row, squares of a colour one behind the other; empty: all rows are in one.
    std::vector<std::int32_t> square;
    std::int32_t squares_per_colour = 1;
    static constexpr std::int32_t colours = 4;
    // of the sweeps, kept to reuse its memory: rows by square
    Grouped order;
    std::vector<PushRow> in_order;

    // Rows begin with the impulses they have: V is changed by them.
    void apply_start();
    Vec<2> relative_velocity(const PushRow& row) const
    {
        const Vec<2> difference = velocity[std::size_t(row.candidate)] - velocity[std::size_t(row.antagonist)];
        return {difference.dot(row.normal), difference.dot(across(row.normal))};
    }
    void push(const PushRow& row, const Vec<2>& impulse)
    {
        const Vec<2> world = impulse.x() * row.normal + impulse.y() * across(row.normal);
        const auto i = std::size_t(row.candidate), j = std::size_t(row.antagonist);
        if (inverse_mass[i] > 0) velocity[i] += inverse_mass[i] * world;
        if (inverse_mass[j] > 0) velocity[j] -= inverse_mass[j] * world;
    }
    static Vec<2> across(const Vec<2>& normal) { return {-normal.y(), normal.x()}; }
};

// What the law asks of a contact beyond what it has, the others as they are.
inline Vec<2> missing_impulse(const PushProblem& problem, const PushLaw& law, const PushRow& row)
{
    const Vec<2> free = problem.relative_velocity(row) - row.give * row.impulse;
    return law.impulse(row, free, row.give) - row.impulse;
}

struct PushOptions {
    double tolerance = 1e-8;  // [m/s] the largest |U| by which a contact misses its law
    int sweeps = 10000;       // at most
    bool apply_start = false; // V does not have the impulses yet that rows begin with
};

struct PushReport {
    int sweeps = 0;
    double residual = 0; // [m/s]
    bool reached = true;
    std::int64_t updates = 0;
};

// Fills PushProblem::square by where bodies are [m].
void divide_ground(PushProblem& problem, std::span<const Vec<2>> position);

// [m/s] How far the worst contact is from its law, the others as they are.
double push_residual(const PushProblem& problem, const PushLaw& law);

// Uzawa's algorithm (CROWD, annexe A; MODEL §7): all impulses at once, by one step ρ < 2/λ_max(G M⁻¹ Gᵀ) for all.
PushReport solve_by_uzawa(PushProblem& problem, const PushLaw& law, const PushOptions& options);
// Gauss-Seidel: contact after contact, each with its own step; squares of one colour at the same time. Where it creeps,
// it goes further than each contact asks (over-relaxation), for p = 2 and places.
PushReport solve_by_sweeps(PushProblem& problem, const PushLaw& law, const PushOptions& options);

} // namespace talus
