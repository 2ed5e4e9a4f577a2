#include "solvers/position_correction.hpp"

#include "exec/parallel.hpp"

#include <algorithm>

namespace talus {

namespace {

template <int D>
struct Shift {
    Vec<D> move = Vec<D>::Zero();
    Ang<D> turn = Ang<D>::Zero();
};

struct Push {
    std::size_t row;
    double wanted;           // [m] opening along the normal, at least
    double inverse_response; // [kg] impulse that opens by one metre
    double given = 0;        // [kg m] ≥ 0
};

template <int D>
double response(const ContactRow<D>& row, const ContactProblem<D>& problem)
{
    const Vec<D> n = row.frame.col(0);
    double sum = 0;
    for (const bool candidate : {true, false}) {
        const BodyRecord<D>& body = problem.bodies[candidate ? row.candidate : row.antagonist];
        const Ang<D> arm = moment(candidate ? row.candidate_lever : row.antagonist_lever, n);
        sum += n.dot(body.inverse_mass.cwiseProduct(n)) + arm.dot(body.inverse_inertia * arm);
    }
    return sum;
}

} // namespace

template <int D>
CorrectionReport correct_positions(BodyTable<D>& bodies, const ContactTable<D>& contacts,
                                   const ContactProblem<D>& problem, const CorrectionOptions& options)
{
    // depth at the next detection, if nothing is done
    const auto depth_of = [&](std::size_t k) {
        const ContactRow<D>& row = problem.rows[k];
        const Vec<D> v = relative_velocity(row, problem.bodies[row.candidate], problem.bodies[row.antagonist]);
        return -contacts.gap[k] - options.dt * std::max(0.0, v.dot(row.frame.col(0)));
    };
    CorrectionReport report;
    for (std::size_t k = 0; k < contacts.size(); ++k) {
        report.contacts += -contacts.gap[k] > options.allowance && depth_of(k) > options.allowance;
    }
    if (report.contacts == 0) return report;

    std::vector<Push> pushes;
    for (std::size_t k = 0; k < contacts.size(); ++k) {
        const double depth = depth_of(k);
        const double deep = std::min(options.share * (depth - options.allowance), options.limit);
        const double wanted = depth > options.allowance ? deep : std::min(depth, 0.0);
        const double opening = response(problem.rows[k], problem);
        if (opening > 0) pushes.push_back({k, wanted, 1 / opening});
    }
    std::vector<Shift<D>> shifts(bodies.size());
    for (int sweep = 0; sweep < options.sweeps; ++sweep) {
        for (Push& push : pushes) {
            const ContactRow<D>& row = problem.rows[push.row];
            Shift<D>&c = shifts[row.candidate], &a = shifts[row.antagonist];
            const Vec<D> n = row.frame.col(0);
            const double opened =
                n.dot(c.move + cross(c.turn, row.candidate_lever) - a.move - cross(a.turn, row.antagonist_lever));
            const double next = std::max(0.0, push.given + (push.wanted - opened) * push.inverse_response);
            if (next == push.given) continue;
            const Vec<D> impulse = (next - push.given) * n;
            push.given = next;
            const BodyRecord<D>&body_c = problem.bodies[row.candidate], &body_a = problem.bodies[row.antagonist];
            c.move += body_c.inverse_mass.cwiseProduct(impulse);
            c.turn += body_c.inverse_inertia * moment(row.candidate_lever, impulse);
            a.move -= body_a.inverse_mass.cwiseProduct(impulse);
            a.turn -= body_a.inverse_inertia * moment(row.antagonist_lever, impulse);
        }
    }
    parallel_for(bodies.size(), [&](std::size_t i) {
        bodies.position[i] += shifts[i].move;
        const Rotation<D> turn = Rotation<D>::from_vector(shifts[i].turn);
        bodies.orientation[i] = bodies.orientation[i].turned(shifts[i].turn);
        bodies.spin[i] = turned_spin(turn, bodies.spin[i]); // the same about its own axes: the same energy
    });
    report.work = -parallel_sum(bodies.size(), 0.0, [&](std::size_t i) {
        return bodies.force[i].dot(shifts[i].move) + bodies.torque[i].dot(shifts[i].turn);
    });
    report.farthest = parallel_reduce(
        bodies.size(), 0.0, [&](std::size_t i) { return shifts[i].move.norm(); },
        [](double x, double y) { return std::max(x, y); });
    return report;
}

template CorrectionReport correct_positions(BodyTable<2>&, const ContactTable<2>&, const ContactProblem<2>&,
                                            const CorrectionOptions&);
template CorrectionReport correct_positions(BodyTable<3>&, const ContactTable<3>&, const ContactProblem<3>&,
                                            const CorrectionOptions&);

} // namespace talus
