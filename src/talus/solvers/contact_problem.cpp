#include "talus/solvers/contact_problem.hpp"

#include "talus/exec/parallel.hpp"
#include "talus/solvers/row_compliance.hpp"

namespace talus {

namespace {

template <int D>
void build_bodies(ContactProblem<D>& problem, const BodyTable<D>& bodies, double dt)
{
    problem.bodies.resize(bodies.size());
    parallel_for(bodies.size(), [&](std::size_t i) {
        BodyRecord<D>& record = problem.bodies[i];
        record.inverse_mass = inverse_mass(bodies, i);
        record.inverse_inertia = SymmetricAng<D>(inverse_inertia(bodies, i));
        record.velocity = bodies.velocity[i] + dt * record.inverse_mass.cwiseProduct(bodies.force[i]);
        record.spin = bodies.spin[i] + record.inverse_inertia * Ang<D>(dt * bodies.torque[i]);
    });
}

template <int D>
void build_row(ContactRow<D>& row, std::size_t k, const ContactTable<D>& contacts, const BodyTable<D>& bodies,
               const std::vector<BodyRecord<D>>& records, const ContactLaw& law, double dt)
{
    const std::int32_t c = contacts.candidate[k], a = contacts.antagonist[k];
    row.candidate = c;
    row.antagonist = a;
    row.candidate_lever = contacts.point[k] - bodies.position[c];
    row.antagonist_lever = contacts.point[k] - bodies.position[a];
    row.frame = frame_of(contacts.normal[k]);
    const Mat<D> delassus = local_delassus(row, records[c], records[a]);
    row.block = diagonalise(row.frame, delassus, law.friction);
    // the normal may have turned since: an impulse outside the cone is no start
    row.impulse = project_on_cone<D>(row.frame.transpose() * contacts.impulse[k], law.friction);
    // closed contacts restitute against the velocity at the start of the step; open ones may close but not cross
    row.offset.setZero();
    if (law.restitution > 0 || law.tangential_restitution > 0) {
        const Vec<D> before = bodies.velocity[c] + cross(bodies.spin[c], row.candidate_lever) - bodies.velocity[a] -
                              cross(bodies.spin[a], row.antagonist_lever);
        row.offset = law.tangential_restitution * (row.frame.transpose() * before);
        row.offset[0] = law.restitution * before.dot(row.frame.col(0));
    }
    if (contacts.gap[k] > 0) {
        if (law.anticipates()) {
            row.offset[0] = contacts.gap[k] / dt;
        } else { // r = 0 while open: an offset no approach can beat
            row.offset.setZero();
            row.offset[0] = open_contact;
            row.impulse.setZero();
        }
    }
    if (!(row.block.normal > 0)) row.impulse.setZero();
}

template <int D>
void build_rolling(RollingRow<D>& row, const ContactRow<D>& contact, const std::vector<BodyRecord<D>>& records,
                   const Ang<D>& impulse, double rolling_friction)
{
    row.rolling_friction = rolling_friction;
    const double limit = rolling_friction * contact.impulse[0], size = impulse.norm();
    row.impulse = size > limit ? Ang<D>(impulse * (limit / size)) : impulse;
    set_compliance(row, records[contact.candidate], records[contact.antagonist]);
}

// v_ref of MODEL §2: the larger of what external impulses give to the free bodies and of the free velocity at closed
// contacts, but not less than a hundred millionth of their speeds, nor than least_reference_velocity.
template <int D>
void set_reference_velocity(ContactProblem<D>& problem, const ContactTable<D>& contacts, const BodyTable<D>& bodies)
{
    const Eigen::Vector3d free =
        parallel_sum(bodies.size(), Eigen::Vector3d(0, 0, 0), [&](std::size_t i) -> Eigen::Vector3d {
            if (bodies.is_passive(i)) return {0, 0, 0};
            const Vec<D>& velocity = problem.bodies[i].velocity;
            return {(velocity - bodies.velocity[i]).squaredNorm(), 1, velocity.squaredNorm()};
        });
    const Eigen::Vector2d closed =
        parallel_sum(contacts.size(), Eigen::Vector2d(0, 0), [&](std::size_t k) -> Eigen::Vector2d {
            if (contacts.gap[k] > 0) return {0, 0};
            const ContactRow<D>& row = problem.rows[k];
            return {relative_velocity(row, problem.bodies[row.candidate], problem.bodies[row.antagonist]).squaredNorm(),
                    1};
        });
    const auto rms = [](double squares, double count) { return count > 0 ? std::sqrt(squares / count) : 0.0; };
    const double floor = least_reference_velocity * std::max(1.0, rms(free[2], free[1]));
    problem.reference_velocity = std::max({rms(free[0], free[1]), rms(closed[0], closed[1]), floor});
    problem.round_off = 1e-5 * floor;
}

template <int D>
double largest_restitution(const ContactTable<D>& contacts, const BodyTable<D>& bodies, const MaterialTable& materials)
{
    if (!materials.has_restitution()) return 0;
    return parallel_reduce(
        contacts.size(), 0.0,
        [&](std::size_t k) {
            if (contacts.gap[k] > 0) return 0.0;
            const ContactLaw& law =
                materials.law(bodies.material[contacts.candidate[k]], bodies.material[contacts.antagonist[k]]);
            return std::max(law.restitution, law.tangential_restitution);
        },
        [](double a, double b) { return std::max(a, b); });
}

} // namespace

template <int D>
void build_problem(ContactProblem<D>& problem, const ContactTable<D>& contacts, const BodyTable<D>& bodies,
                   const MaterialTable& materials, double dt)
{
    build_bodies(problem, bodies, dt);
    problem.rows.resize(contacts.size());
    problem.rolling.resize(materials.has_rolling_friction() ? contacts.size() : 0);
    parallel_for(contacts.size(), [&](std::size_t k) {
        const ContactLaw& law =
            materials.law(bodies.material[contacts.candidate[k]], bodies.material[contacts.antagonist[k]]);
        build_row(problem.rows[k], k, contacts, bodies, problem.bodies, law, dt);
        if (!problem.rolling.empty()) {
            const Ang<D> impulse = contacts.rolling_impulse.empty() ? Ang<D>::Zero() : contacts.rolling_impulse[k];
            build_rolling(problem.rolling[k], problem.rows[k], problem.bodies, impulse, law.rolling_friction);
        }
    });
    set_reference_velocity(problem, contacts, bodies);
    problem.restitution = largest_restitution(contacts, bodies, materials);
}

template void build_problem(ContactProblem<2>&, const ContactTable<2>&, const BodyTable<2>&, const MaterialTable&,
                            double);
template void build_problem(ContactProblem<3>&, const ContactTable<3>&, const BodyTable<3>&, const MaterialTable&,
                            double);

} // namespace talus
