#include "solvers/position_correction.hpp"

#include "exec/team.hpp"
#include "solvers/subdomains.hpp"

#include <algorithm>

namespace talus {

namespace {

template <int D>
struct Shift {
    Vec<D> move = Vec<D>::Zero();
    Ang<D> turn = Ang<D>::Zero();
};

struct Push {
    double wanted;           // [m] opening along the normal, at least
    double inverse_response; // [kg] impulse that opens by one metre; 0 where nothing can give way
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

// depth at the next detection, if nothing is done
template <int D>
double depth_of(const ContactTable<D>& contacts, const ContactProblem<D>& problem, std::size_t k, double dt)
{
    const ContactRow<D>& row = problem.rows[k];
    const Vec<D> v = relative_velocity(row, problem.bodies[row.candidate], problem.bodies[row.antagonist]);
    return -contacts.gap[k] - dt * std::max(0.0, v.dot(row.frame.col(0)));
}

// Projected Gauss-Seidel: rows of a part on one thread, then the interface by colours.
template <int D>
struct PushVisit {
    const ContactProblem<D>& problem;
    const std::vector<std::int32_t>& order;
    std::vector<Push>& pushes; // in that order
    std::vector<Shift<D>>& shifts;

    // [m] the most that one of them was opened or let back
    double operator()(std::size_t begin, std::size_t end) const
    {
        double largest = 0;
        for (std::size_t k = begin; k < end; ++k) {
            largest = std::max(largest, visit(pushes[k], problem.rows[std::size_t(order[k])]));
        }
        return largest;
    }
    double visit(Push& push, const ContactRow<D>& row) const
    {
        const Shift<D>&c = shifts[row.candidate], &a = shifts[row.antagonist];
        const Vec<D> n = row.frame.col(0);
        const double opened =
            n.dot(c.move + cross(c.turn, row.candidate_lever) - a.move - cross(a.turn, row.antagonist_lever));
        const double next = std::max(0.0, push.given + (push.wanted - opened) * push.inverse_response);
        if (next == push.given) return 0;
        const double change = next - push.given;
        push.given = next;
        give(row.candidate, row.candidate_lever, change * n);
        give(row.antagonist, row.antagonist_lever, -change * n);
        return std::abs(change) / push.inverse_response;
    }
    void give(std::int32_t index, const Vec<D>& lever, const Vec<D>& impulse) const
    {
        const BodyRecord<D>& body = problem.bodies[index];
        const Vec<D> move = body.inverse_mass.cwiseProduct(impulse);
        const Ang<D> turn = body.inverse_inertia * moment(lever, impulse);
        if (move.squaredNorm() == 0 && turn.squaredNorm() == 0) return; // a wall: other threads read it
        shifts[index].move += move;
        shifts[index].turn += turn;
    }
};

// Until no contact moves by more than `accuracy` [m] in a sweep.
template <int D>
void sweep_pushes(const PushVisit<D>& visit, const Subdomains& subdomains, int sweeps, double accuracy)
{
    std::vector<std::size_t> work;
    for (int part = 0; part < subdomains.parts(); ++part) work.push_back(subdomains.size_of(part));
    const int threads = std::min(thread_count(), subdomains.parts());
    const auto shares = share_out(work, threads);
    // of each thread in this sweep and in the last: one is read while the other is written
    std::vector<double> moved[2] = {std::vector<double>(std::size_t(threads)),
                                    std::vector<double>(std::size_t(threads))};
    Team::run(threads, [&](int thread, Barrier& barrier) {
        const std::vector<int> mine = tasks_of(shares, thread, barrier.size());
        for (int sweep = 0; sweep < sweeps; ++sweep) {
            double largest = 0;
            const auto work_on = [&](std::size_t begin, std::size_t end) {
                largest = std::max(largest, visit(begin, end));
            };
            for (const int part : mine) {
                work_on(subdomains.part_begin[std::size_t(part)], subdomains.part_begin[std::size_t(part) + 1]);
            }
            barrier.wait();
            for (int colour = 0; colour < subdomains.colours(); ++colour) {
                const std::size_t begin = subdomains.colour_begin[std::size_t(colour)];
                const std::size_t rows = subdomains.colour_begin[std::size_t(colour) + 1] - begin;
                const auto share = [&](int t) { return begin + rows * std::size_t(t) / std::size_t(barrier.size()); };
                work_on(share(thread), share(thread + 1));
                barrier.wait();
            }
            if (thread == 0) work_on(subdomains.colour_begin.back(), subdomains.order.size());
            std::vector<double>& here = moved[sweep % 2];
            here[std::size_t(thread)] = largest;
            barrier.wait();
            if (*std::max_element(here.begin(), here.end()) <= accuracy) break;
        }
    });
}

} // namespace

template <int D>
CorrectionReport correct_positions(BodyTable<D>& bodies, const ContactTable<D>& contacts,
                                   const ContactProblem<D>& problem, const Partition& partition,
                                   const CorrectionOptions& options)
{
    CorrectionReport report;
    report.contacts = parallel_sum(contacts.size(), std::size_t(0), [&](std::size_t k) {
        return std::size_t(-contacts.gap[k] > options.allowance &&
                           depth_of(contacts, problem, k, options.dt) > options.allowance);
    });
    if (report.contacts == 0) return report;

    const Subdomains subdomains = divide_rows(problem, partition, InterfaceOrder::colours);
    std::vector<Push> pushes(contacts.size());
    parallel_for(contacts.size(), [&](std::size_t k) {
        const std::size_t row = std::size_t(subdomains.order[k]);
        const double depth = depth_of(contacts, problem, row, options.dt);
        const double deep = std::min(options.share * (depth - options.allowance), options.limit);
        const double opening = response(problem.rows[row], problem);
        pushes[k] = {depth > options.allowance ? deep : std::min(depth, 0.0), opening > 0 ? 1 / opening : 0};
    });
    std::vector<Shift<D>> shifts(bodies.size());
    const int sweeps = std::max(options.sweeps, int(options.visits / double(contacts.size())));
    sweep_pushes(PushVisit<D>{problem, subdomains.order, pushes, shifts}, subdomains, sweeps,
                 options.accuracy * options.allowance);
    parallel_for(bodies.size(), [&](std::size_t i) {
        bodies.position[i] += shifts[i].move;
        const Rotation<D> turn = Rotation<D>::from_vector(shifts[i].turn);
        bodies.orientation[i] = bodies.orientation[i].turned(shifts[i].turn);
        bodies.spin[i] = turned_spin(turn, bodies.spin[i]); // the same about its own axes: the same energy
    });
    report.farthest = parallel_reduce(
        bodies.size(), 0.0, [&](std::size_t i) { return shifts[i].move.norm(); },
        [](double x, double y) { return std::max(x, y); });
    return report;
}

template CorrectionReport correct_positions(BodyTable<2>&, const ContactTable<2>&, const ContactProblem<2>&,
                                            const Partition&, const CorrectionOptions&);
template CorrectionReport correct_positions(BodyTable<3>&, const ContactTable<3>&, const ContactProblem<3>&,
                                            const Partition&, const CorrectionOptions&);

} // namespace talus
