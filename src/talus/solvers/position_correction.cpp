#include "talus/solvers/position_correction.hpp"

#include "talus/exec/grouping.hpp"
#include "talus/solvers/decomposed/parts_and_colours.hpp"

#include <algorithm>

namespace talus {

namespace {

// Contacts farther apart than so many times the largest opening are looked at, not swept.
constexpr double far_apart = 2;

// How far a body is moved, and what moves it, side by side.
template <int D>
struct ShiftedBody {
    Vec<D> move = Vec<D>::Zero();
    Ang<D> turn = Ang<D>::Zero();
    Vec<D> inverse_mass;
    SymmetricAng<D> inverse_inertia;

    void give(const Vec<D>& impulse, const Ang<D>& moment_impulse)
    {
        const Vec<D> moved = inverse_mass.cwiseProduct(impulse);
        const Ang<D> turned = inverse_inertia * moment_impulse;
        if (moved.squaredNorm() == 0 && turned.squaredNorm() == 0) return; // a wall: other threads read it
        move += moved;
        turn += turned;
    }
};

// An impulse along the normal of a row, all that a visit reads of it.
template <int D>
struct Push {
    std::int32_t row, candidate, antagonist;
    Vec<D> normal;
    Ang<D> candidate_arm, antagonist_arm; // lever × normal
    double wanted;                        // [m] opening along the normal, at least
    double inverse_response;              // [kg] impulse that opens by one metre; 0 where nothing can give way
    double given;                         // [kg m] ≥ 0

    Push() = default;
    Push(std::int32_t index, const ContactRow<D>& of, const std::vector<ShiftedBody<D>>& bodies, double opening,
         double before)
        : row(index), candidate(of.candidate), antagonist(of.antagonist), normal(of.frame.col(0)),
          candidate_arm(moment(of.candidate_lever, normal)), antagonist_arm(moment(of.antagonist_lever, normal)),
          wanted(opening), given(before)
    {
        const auto response_of = [&](const ShiftedBody<D>& body, const Ang<D>& arm) {
            return normal.dot(body.inverse_mass.cwiseProduct(normal)) + arm.dot(body.inverse_inertia * arm);
        };
        const double response =
            response_of(bodies[candidate], candidate_arm) + response_of(bodies[antagonist], antagonist_arm);
        inverse_response = response > 0 ? 1 / response : 0;
    }
    double opened(const ShiftedBody<D>& c, const ShiftedBody<D>& a) const
    {
        return normal.dot(c.move - a.move) + candidate_arm.dot(c.turn) - antagonist_arm.dot(a.turn);
    }
    // Projected Gauss-Seidel. Returns by how much the contact was opened or let back [m].
    double visit(std::vector<ShiftedBody<D>>& bodies)
    {
        ShiftedBody<D>&c = bodies[candidate], &a = bodies[antagonist];
        const double next = std::max(0.0, given + (wanted - opened(c, a)) * inverse_response);
        if (next == given) return 0;
        const double change = next - given;
        given = next;
        c.give(change * normal, change * candidate_arm);
        a.give(-change * normal, -change * antagonist_arm);
        return std::abs(change) / inverse_response;
    }
};

// depth at the next detection, if nothing is done
template <int D>
double depth_of(const ContactTable<D>& contacts, const ContactProblem<D>& problem, std::size_t k, double dt)
{
    const ContactRow<D>& row = problem.rows[k];
    const Vec<D> v = relative_velocity(row, problem.bodies[row.candidate], problem.bodies[row.antagonist]);
    return -contacts.gap[k] - dt * std::max(0.0, v.dot(row.frame.col(0)));
}

// Pushes of a part on one thread, then those of the interface by colours, until no contact moves by more than
// `accuracy` [m] in a sweep.
template <int D>
void sweep_pushes(std::vector<Push<D>>& pushes, std::vector<ShiftedBody<D>>& bodies, const Subdomains& subdomains,
                  int sweeps, double accuracy)
{
    InterfaceChunks gamma(subdomains);
    PartsAndColours team;
    team.plan(subdomains.sizes(), std::move(gamma.stages), thread_count());
    // of each thread in this sweep and in the last: one is read while the other is written
    const std::vector<double> none(std::size_t(team.threads()));
    std::vector<double> moved[2] = {none, none};
    team.run([&](const PartsAndColours::Member& me) {
        for (int sweep = 0; sweep < sweeps; ++sweep) {
            double largest = 0;
            const auto visit = [&](RowRange rows) {
                for (std::size_t k = rows.begin; k < rows.end; ++k)
                    largest = std::max(largest, pushes[k].visit(bodies));
            };
            me.on_both([&](int part) { visit(subdomains.part(part)); },
                       [&](std::size_t begin, std::size_t end) {
                           for (std::size_t chunk = begin; chunk < end; ++chunk) visit(gamma.chunks[chunk]);
                       });
            std::vector<double>& here = moved[sweep % 2];
            here[std::size_t(me.thread())] = largest;
            me.barrier().wait();
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
    const std::size_t rows = contacts.size();
    std::vector<double> depth(rows);
    report.contacts = parallel_sum(rows, std::size_t(0), [&](std::size_t k) {
        depth[k] = depth_of(contacts, problem, k, options.dt);
        return std::size_t(depth[k] > options.allowance); // never deeper than it is now
    });
    if (report.contacts == 0) return report;

    std::vector<ShiftedBody<D>> shifted(bodies.size());
    parallel_for(bodies.size(), [&](std::size_t i) {
        shifted[i].inverse_mass = problem.bodies[i].inverse_mass;
        shifted[i].inverse_inertia = problem.bodies[i].inverse_inertia;
    });
    const auto wanted = [&](std::size_t k) {
        const double deep = std::min(options.share * (depth[k] - options.allowance), options.limit);
        return depth[k] > options.allowance ? deep : std::min(depth[k], 0.0);
    };
    std::vector<std::uint8_t> acts(rows);
    parallel_for(rows, [&](std::size_t k) { acts[k] = depth[k] > -far_apart * options.limit; });
    std::vector<double> given(rows, 0.0);
    const double accuracy = options.accuracy * options.allowance;
    for (std::size_t late = 1; late > 0;) { // until none of those left out is driven together
        Grouped acting;
        group_items(acting, rows, 1, [&](std::size_t k) { return acts[k] ? 0 : -1; });
        const int sweeps = std::max(options.sweeps, int(options.visits / double(acting.items.size())));
        const Subdomains subdomains = divide_rows(std::move(acting.items), problem, partition, InterfaceOrder::colours);
        std::vector<Push<D>> pushes(subdomains.order.size());
        parallel_for(pushes.size(), [&](std::size_t p) {
            const std::size_t k = std::size_t(subdomains.order[p]);
            pushes[p] = Push<D>(std::int32_t(k), problem.rows[k], shifted, wanted(k), given[k]);
        });
        sweep_pushes(pushes, shifted, subdomains, sweeps, accuracy);
        late = parallel_sum(rows, std::size_t(0), [&](std::size_t k) {
            if (acts[k]) return std::size_t(0);
            const Push<D> push(std::int32_t(k), problem.rows[k], shifted, wanted(k), 0);
            acts[k] = push.opened(shifted[push.candidate], shifted[push.antagonist]) < push.wanted - accuracy;
            return std::size_t(acts[k]);
        });
        if (late > 0) {
            parallel_for(pushes.size(), [&](std::size_t p) { given[std::size_t(pushes[p].row)] = pushes[p].given; });
        }
    }
    parallel_for(bodies.size(), [&](std::size_t i) {
        bodies.position[i] += shifted[i].move;
        const Rotation<D> turn = Rotation<D>::from_vector(shifted[i].turn);
        bodies.orientation[i] = bodies.orientation[i].turned(shifted[i].turn);
        bodies.spin[i] = turned_spin(turn, bodies.spin[i]); // the same about its own axes: the same energy
    });
    report.farthest = parallel_reduce(
        bodies.size(), 0.0, [&](std::size_t i) { return shifted[i].move.norm(); },
        [](double x, double y) { return std::max(x, y); });
    return report;
}

template CorrectionReport correct_positions(BodyTable<2>&, const ContactTable<2>&, const ContactProblem<2>&,
                                            const Partition&, const CorrectionOptions&);
template CorrectionReport correct_positions(BodyTable<3>&, const ContactTable<3>&, const ContactProblem<3>&,
                                            const Partition&, const CorrectionOptions&);

} // namespace talus
