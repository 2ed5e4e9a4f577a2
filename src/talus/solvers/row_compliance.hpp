// What a row's own impulse does at the row itself: W_αα of the contact, and the compliance of its rolling friction.
#pragma once

#include "talus/math/principal.hpp"
#include "talus/solvers/contact_problem.hpp"

namespace talus {

// W_αα in the row's frame, column by column: the velocity that a unit impulse gives at the contact itself.
template <int D>
Mat<D> local_delassus(const ContactRow<D>& row, const BodyRecord<D>& c, const BodyRecord<D>& a)
{
    BodyRecord<D> candidate = c, antagonist = a;
    Mat<D> w;
    for (int k = 0; k < D; ++k) {
        candidate.velocity.setZero();
        candidate.spin.setZero();
        antagonist.velocity.setZero();
        antagonist.spin.setZero();
        give_impulse<D>(row, candidate, antagonist, row.frame.col(k));
        w.col(k) = row.frame.transpose() * relative_velocity(row, candidate, antagonist);
    }
    return w;
}

template <int D>
AngMat<D> pseudo_inverse(const AngMat<D>& symmetric)
{
    const Principal<angular<D>> axes = principal<angular<D>>(symmetric);
    const double round_off = 1e-13 * axes.values.cwiseAbs().maxCoeff();
    Ang<D> inverse = Ang<D>::Zero();
    for (int k = 0; k < angular<D>; ++k) {
        if (axes.values[k] > round_off) inverse[k] = 1 / axes.values[k];
    }
    return axes.directions * inverse.asDiagonal() * axes.directions.transpose();
}

// relative spin per moment impulse, and its inverse: the pseudo-inverse where the bodies cannot turn about all axes
template <int D>
void set_compliance(RollingRow<D>& row, const BodyRecord<D>& c, const BodyRecord<D>& a)
{
    for (int k = 0; k < angular<D>; ++k) {
        const Ang<D> unit = Ang<D>::Unit(k);
        row.compliance.col(k) = c.inverse_inertia * unit + a.inverse_inertia * unit;
    }
    const double mean = row.compliance.trace() / angular<D>;
    if (!(mean > 0)) row.rolling_friction = 0; // neither body can turn
    row.isotropic = (row.compliance - mean * AngMat<D>::Identity()).norm() <= 1e-14 * mean;
    row.inverse_compliance =
        row.isotropic ? AngMat<D>(AngMat<D>::Identity() / mean) : pseudo_inverse<D>(row.compliance);
}

} // namespace talus
