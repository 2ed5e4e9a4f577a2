// One visit of non-linear Gauss-Seidel in exchange local-global form: read two bodies, solve the contact, write them.
#pragma once

#include "talus/math/rolling.hpp"
#include "talus/solvers/contact_problem.hpp"

#include <Eigen/Cholesky>

#include <span>

namespace talus {

enum class LocalSolver { exact, projection };

template <int D, LocalSolver local>
TALUS_HD inline Vec<D> solve_locally(const LocalBlock<D>& block, const Vec<D>& b, const Vec<D>& r)
{
    if constexpr (local == LocalSolver::exact) {
        return solve_exactly<D>(block, b);
    } else {
        return solve_by_projection<D>(block, b, r);
    }
}

// Velocity at a contact less what its own impulse gives: b of the local problem, law's offset included.
template <int D>
TALUS_HD inline Vec<D> local_free_velocity(const ContactRow<D>& row, const BodyRecord<D>& c, const BodyRecord<D>& a)
{
    const Vec<D> v = relative_velocity(row, c, a);
    return row.frame.transpose() * v + row.offset - row.block * row.impulse;
}

template <int D, LocalSolver local>
struct ElgVisit {
    BodyRecord<D>* bodies;
    ContactRow<D>* rows;

    TALUS_HD Vec<D> local_free_velocity(std::size_t k) const
    {
        return talus::local_free_velocity(rows[k], bodies[rows[k].candidate], bodies[rows[k].antagonist]);
    }

    TALUS_HD void set_impulse(std::size_t k, const Vec<D>& impulse) const
    {
        ContactRow<D>& row = rows[k];
        const Vec<D> change = row.frame * (impulse - row.impulse);
        row.impulse = impulse;
        give_impulse<D>(row, bodies[row.candidate], bodies[row.antagonist], change);
    }

    TALUS_HD void operator()(std::size_t k) const
    {
        const Vec<D> b = local_free_velocity(k);
        if (b[0] >= 0 && rows[k].impulse[0] == 0) return; // apart and was apart
        set_impulse(k, solve_locally<D, local>(rows[k].block, b, rows[k].impulse));
    }
};

// m = −(C + s)⁻¹ spin_free with |m| = limit: Newton on 1/|m| − 1/limit, which is concave and increasing in s.
template <int D>
Ang<D> sliding_moment(const RollingRow<D>& rolling, const Ang<D>& free, double limit)
{
    Ang<D> impulse = -(rolling.inverse_compliance * free);
    double s = 1e-12 * rolling.compliance.trace(); // some axes may not give way at all
    for (int iteration = 0; iteration < 50; ++iteration) {
        const Eigen::LDLT<AngMat<D>> factor(rolling.compliance + s * AngMat<D>::Identity());
        impulse = -factor.solve(free);
        const double size = impulse.norm();
        if (size <= limit * (1 + 1e-15)) break;
        const double slope = impulse.dot(factor.solve(impulse)) / (size * size * size);
        s += (1 / limit - 1 / size) / slope;
    }
    return impulse;
}

// Rolling friction at one contact: with m the moment impulse on the candidate, relative spin = spin_free + C m;
// stick if |m| ≤ μ_r r_n, else m = −(C + s)⁻¹ spin_free with |m| = μ_r r_n.
template <int D>
Ang<D> rolling_impulse(const RollingRow<D>& rolling, double limit, const Ang<D>& relative_spin)
{
    if (rolling.isotropic) {
        const double compliance = rolling.compliance.trace() / angular<D>;
        return vector_of<angular<D>>(
            projected_moment(components_of(rolling.impulse), components_of(relative_spin), compliance, limit));
    }
    if (!(limit > 0)) return Ang<D>::Zero();
    const Ang<D> free = relative_spin - rolling.compliance * rolling.impulse;
    const Ang<D> impulse = -(rolling.inverse_compliance * free);
    // a spin about an axis on which nothing gives way goes on: the contact rolls however large the moment
    const bool sticks =
        impulse.norm() <= limit && (free + rolling.compliance * impulse).squaredNorm() <= 1e-18 * free.squaredNorm();
    return sticks ? impulse : sliding_moment(rolling, free, limit);
}

// Returns the change of m.
template <int D>
Ang<D> solve_rolling(RollingRow<D>& rolling, const ContactRow<D>& row, const Ang<D>& relative_spin)
{
    const Ang<D> before = rolling.impulse;
    rolling.impulse = rolling_impulse<D>(rolling, rolling.rolling_friction * row.impulse[0], relative_spin);
    return rolling.impulse - before;
}

template <int D>
inline void give_moment(BodyRecord<D>& c, BodyRecord<D>& a, const Ang<D>& moment_impulse)
{
    c.spin += c.inverse_inertia * moment_impulse;
    a.spin -= a.inverse_inertia * moment_impulse;
}

template <int D>
void visit_rolling(RollingRow<D>& rolling, const ContactRow<D>& row, BodyRecord<D>& c, BodyRecord<D>& a)
{
    if (rolling.rolling_friction == 0) return;
    give_moment<D>(c, a, solve_rolling<D>(rolling, row, c.spin - a.spin));
}

// The visit of a contact with the rolling friction that goes with it.
template <int D, LocalSolver local>
struct ElgRowVisit {
    ElgVisit<D, local> contact;
    RollingRow<D>* rolling; // one per row, or null

    Vec<D> local_free_velocity(std::size_t k) const { return contact.local_free_velocity(k); }
    Vec<D> solve_local(std::size_t k, const Vec<D>& b) const
    {
        return solve_locally<D, local>(contact.rows[k].block, b, contact.rows[k].impulse);
    }
    void set_impulse(std::size_t k, const Vec<D>& impulse) const
    {
        contact.set_impulse(k, impulse);
        if (rolling) roll(k);
    }
    void operator()(std::size_t k) const
    {
        contact(k);
        if (rolling) roll(k);
    }

  private:
    void roll(std::size_t k) const
    {
        const ContactRow<D>& row = contact.rows[k];
        visit_rolling(rolling[k], row, contact.bodies[row.candidate], contact.bodies[row.antagonist]);
    }
};

// The impulses that rows start from, given to their bodies.
template <int D>
void give_warm_start(BodyRecord<D>* bodies, std::span<const ContactRow<D>> rows, std::span<const RollingRow<D>> rolling)
{
    for (const ContactRow<D>& row : rows) {
        if (row.impulse.squaredNorm() == 0) continue;
        give_impulse<D>(row, bodies[row.candidate], bodies[row.antagonist], row.frame * row.impulse);
    }
    for (std::size_t k = 0; k < rolling.size(); ++k) {
        give_moment<D>(bodies[rows[k].candidate], bodies[rows[k].antagonist], rolling[k].impulse);
    }
}

} // namespace talus
