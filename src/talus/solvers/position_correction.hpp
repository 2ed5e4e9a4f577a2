// Removes penetration that a velocity-level law lets accumulate (BALLAST §10.3): the smallest displacement, in the norm
// of the mass matrix, that opens every overlapping contact by a share of its depth and drives no other together:
//   min ½ δᵀ M δ   with   n·(Hᵀ δ) ≥ share·(depth − allowance) where they overlap, ≥ −gap where they are apart.
// Positions and orientations alone: no velocity changes, and the kinetic energy stays what it was.
#pragma once

#include "talus/partition/partition.hpp"
#include "talus/solvers/contact_problem.hpp"

namespace talus {

struct CorrectionOptions {
    double share = 0.2;     // of the depth beyond the allowance, per step
    double allowance = 0;   // [m] depth that is left alone: contacts stay closed
    double limit = 0;       // [m] the most a contact is opened in a step
    int sweeps = 10;        // of projected Gauss-Seidel; more in small problems, up to so many visits of contacts:
    double visits = 5e4;    // what is left unsolved tilts faces that should stay flat
    double accuracy = 1e-5; // sweeps end when none opens a contact by more than this share of the allowance
    double dt = 0;          // [s] a contact that opens by itself in the next step is left to do so
};

struct CorrectionReport {
    std::size_t contacts = 0; // that were too deep
    double farthest = 0;      // [m] displacement of the body that moved most
};

// `problem` is that of the step just solved, `contacts` its contacts, `bodies` where they are at its end. On threads by
// the parts of `partition`, with the same bits for any number of them.
template <int D>
CorrectionReport correct_positions(BodyTable<D>& bodies, const ContactTable<D>& contacts,
                                   const ContactProblem<D>& problem, const Partition& partition,
                                   const CorrectionOptions& options);

} // namespace talus
