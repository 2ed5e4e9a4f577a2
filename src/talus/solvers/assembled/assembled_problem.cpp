#include "talus/solvers/assembled/assembled_problem.hpp"

#include "talus/base/error.hpp"
#include "talus/exec/parallel.hpp"
#include "talus/solvers/assembled/problem_units.hpp"

namespace talus {

namespace {

// Rows that touch each body that can move, in order: a fixed wall couples nothing.
struct RowsOfBodies {
    std::vector<std::size_t> begin; // of each body; one more at the end
    std::vector<std::int32_t> row;
};

template <int D>
RowsOfBodies rows_of_bodies(const ContactProblem<D>& problem)
{
    const auto moves = [&](std::int32_t body) { return is_movable(problem.bodies[body]); };
    RowsOfBodies rows;
    rows.begin.assign(problem.bodies.size() + 1, 0);
    for (const auto& row : problem.rows) {
        for (const std::int32_t body : {row.candidate, row.antagonist}) rows.begin[body] += moves(body);
    }
    exclusive_scan(rows.begin);
    rows.row.resize(rows.begin.back());
    std::vector<std::size_t> next(rows.begin.begin(), rows.begin.end() - 1);
    for (std::size_t k = 0; k < problem.rows.size(); ++k) {
        for (const std::int32_t body : {problem.rows[k].candidate, problem.rows[k].antagonist}) {
            if (moves(body)) rows.row[next[body]++] = std::int32_t(k);
        }
    }
    return rows;
}

// The block columns of row k: itself, and whoever shares a body with it.
template <int D>
void columns_of_row(const ContactProblem<D>& problem, const RowsOfBodies& of, std::size_t k,
                    std::vector<std::int32_t>& columns)
{
    columns.assign(1, std::int32_t(k));
    for (const std::int32_t body : {problem.rows[k].candidate, problem.rows[k].antagonist}) {
        columns.insert(columns.end(), of.row.begin() + of.begin[body], of.row.begin() + of.begin[body + 1]);
    }
    std::sort(columns.begin(), columns.end());
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
}

// what a unit impulse of `from` gives at `at`, both in their own frames
template <int D>
Mat<D> coupling(const ContactRow<D>& at, const ContactRow<D>& from, const std::vector<BodyRecord<D>>& bodies)
{
    Mat<D> w = Mat<D>::Zero();
    for (const bool from_candidate : {true, false}) {
        const std::int32_t body = from_candidate ? from.candidate : from.antagonist;
        const Vec<D>& lever = from_candidate ? from.candidate_lever : from.antagonist_lever;
        for (const bool at_candidate : {true, false}) {
            if ((at_candidate ? at.candidate : at.antagonist) != body) continue;
            const Vec<D>& at_lever = at_candidate ? at.candidate_lever : at.antagonist_lever;
            const double sign = from_candidate == at_candidate ? 1.0 : -1.0;
            for (int k = 0; k < D; ++k) {
                const Vec<D> impulse = from.frame.col(k);
                const Ang<D> spin = bodies[body].inverse_inertia * moment(lever, impulse);
                const Vec<D> velocity = bodies[body].inverse_mass.cwiseProduct(impulse) + cross(spin, at_lever);
                w.col(k) += sign * (at.frame.transpose() * velocity);
            }
        }
    }
    return w;
}

template <int D>
void refuse_rolling(const ContactProblem<D>& problem)
{
    for (const RollingRow<D>& row : problem.rolling) {
        if (row.rolling_friction > 0) {
            throw InputError("a Delassus matrix has no place for rolling friction: solve the problem matrix-free, or "
                             "set rolling_friction to 0");
        }
    }
}

// A contact whose W_αα has no positive compliance along the normal, or none on average, carries nothing.
template <int D>
bool carries(const AssembledProblem<D>& problem, std::size_t k)
{
    const Mat<D>& own = diagonal_block(problem, k);
    return own(0, 0) > least_compliance * own.trace() && own.trace() > 0;
}

// ‖·‖² of the natural map with ρ_α = d/trace(W_αα), times trace/d: a velocity. Without compliance there is no law.
template <int D>
double scaled_map_squared(const AssembledProblem<D>& problem, std::size_t k, const Vec<D>& u)
{
    if (!carries(problem, k)) return 0;
    const double mean = diagonal_block(problem, k).trace() / D;
    return natural_map<D>(mean, problem.friction[k], problem.impulse[k], u).squaredNorm();
}

// an open contact whose law does not anticipate has an offset that nothing beats: it says nothing about the velocities
template <int D>
double velocity_squared(const Vec<D>& q, const Vec<D>& v)
{
    return is_open_contact(q[0]) ? 0 : v.squaredNorm();
}

template <int D>
double rms_free_velocity(const AssembledProblem<D>& problem)
{
    const double total = parallel_sum(problem.size(), 0.0, [&](std::size_t k) {
        return velocity_squared<D>(problem.free_velocity[k], problem.free_velocity[k]);
    });
    return problem.size() > 0 ? std::sqrt(total / double(problem.size())) : 0;
}

// All sums and maxima of the judgement, over the contacts.
struct Sums {
    double map = 0, largest_map = 0;               // squared, of the scaled natural map
    double plain_map = 0;                          // squared, of the map with ρ = 1
    double impulse = 0, largest_impulse = 0;       // squared
    double free_velocity = 0, velocity = 0;        // squared
    double outside = 0, approach = 0, sliding = 0; // of the cone, −u_N, −r_T·u_T
    std::size_t left_out = 0;
};

Sums operator+(const Sums& a, const Sums& b)
{
    return {a.map + b.map,
            larger_of(a.largest_map, b.largest_map),
            a.plain_map + b.plain_map,
            a.impulse + b.impulse,
            larger_of(a.largest_impulse, b.largest_impulse),
            a.free_velocity + b.free_velocity,
            a.velocity + b.velocity,
            larger_of(a.outside, b.outside),
            larger_of(a.approach, b.approach),
            a.sliding + b.sliding,
            a.left_out + b.left_out};
}

// `problem` is in units of its own. Siconos' map adds impulses to velocities as they were recorded: a velocity is
// `compliance` times what it is in units of impulses; both are divided by the larger unit.
template <int D>
Sums sums_of_contact(const AssembledProblem<D>& problem, std::size_t k, double compliance)
{
    const Vec<D>& r = problem.impulse[k];
    const Vec<D>& q = problem.free_velocity[k];
    const double friction = problem.friction[k];
    const Vec<D> u = contact_velocity(problem, k);
    const auto r_t = r.template tail<D - 1>(), u_t = u.template tail<D - 1>();
    Sums sums;
    sums.map = sums.largest_map = scaled_map_squared(problem, k, u);
    const double larger = std::max(1.0, compliance);
    sums.plain_map = natural_map<D>(1, friction, r / larger, u * (compliance / larger)).squaredNorm();
    sums.impulse = sums.largest_impulse = r.squaredNorm();
    sums.free_velocity = velocity_squared(q, q);
    sums.velocity = velocity_squared(q, u);
    sums.outside = larger_of(larger_of(r_t.norm() - friction * r[0], -r[0]), 0.0);
    sums.approach = larger_of(-u[0], 0.0);
    sums.sliding = -r_t.dot(u_t);
    sums.left_out = carries(problem, k) ? 0 : 1;
    return sums;
}

double over(double value, double unit) { return unit > 0 ? value / unit : value; }

} // namespace

template <int D>
AssembledProblem<D> assemble_matrix(const ContactProblem<D>& problem)
{
    refuse_rolling(problem);
    const std::size_t rows = problem.rows.size();
    const RowsOfBodies of = rows_of_bodies(problem);
    AssembledProblem<D> w;
    w.begin.assign(rows + 1, 0);
    w.free_velocity.resize(rows);
    w.friction.resize(rows);
    w.impulse.resize(rows);
    w.reference_velocity = w.unit = problem.reference_velocity;
    parallel_chunks(rows, [&](std::size_t first, std::size_t last) {
        std::vector<std::int32_t> columns;
        for (std::size_t k = first; k < last; ++k) {
            columns_of_row(problem, of, k, columns);
            w.begin[k] = columns.size();
        }
    });
    exclusive_scan(w.begin);
    w.column.resize(w.begin.back());
    w.block.resize(w.begin.back());
    parallel_chunks(rows, [&](std::size_t first, std::size_t last) {
        std::vector<std::int32_t> columns;
        for (std::size_t k = first; k < last; ++k) {
            const ContactRow<D>& row = problem.rows[k];
            const Vec<D> v = relative_velocity(row, problem.bodies[row.candidate], problem.bodies[row.antagonist]);
            w.free_velocity[k] = row.frame.transpose() * v + row.offset;
            w.friction[k] = row.block.friction;
            w.impulse[k] = row.impulse;
            columns_of_row(problem, of, k, columns);
            for (std::size_t j = 0; j < columns.size(); ++j) {
                w.column[w.begin[k] + j] = columns[j];
                w.block[w.begin[k] + j] = coupling(row, problem.rows[columns[j]], problem.bodies);
            }
        }
    });
    return w;
}

template <int D>
ProblemErrors judge(const AssembledProblem<D>& recorded)
{
    if (recorded.size() == 0) return {};
    const ProblemUnits units = units_of(recorded);
    const AssembledProblem<D> problem = in_units(recorded, units);
    const Sums sums = parallel_sum(problem.size(), Sums{},
                                   [&](std::size_t k) { return sums_of_contact(problem, k, units.compliance); });
    const double n = double(problem.size());
    const double rms = std::sqrt(sums.map / n), unit = std::sqrt(sums.free_velocity / n);
    const double larger = std::max(1.0, units.compliance), as_velocity = units.compliance / larger;
    ProblemErrors errors;
    errors.scaled = over(rms, unit);
    errors.scaled_max = over(std::sqrt(sums.largest_map), unit);
    errors.run = problem.reference_velocity > 0 ? rms / problem.reference_velocity : 0;
    errors.siconos =
        over(std::sqrt(sums.plain_map),
             larger_of(larger_of(as_velocity * std::sqrt(sums.free_velocity), std::sqrt(sums.impulse) / larger),
                       as_velocity * std::sqrt(sums.velocity)));
    errors.cone_violation = over(sums.outside, std::sqrt(sums.largest_impulse));
    errors.worst_approach = sums.approach * units.velocity;
    errors.dissipation = units.energy(sums.sliding);
    errors.left_out = sums.left_out;
    return errors;
}

template <int D>
double residual_unit(const AssembledProblem<D>& problem)
{
    const double unit = problem.unit > 0 ? problem.unit : rms_free_velocity(problem);
    return unit > 0 ? unit : 1.0;
}

template <int D>
Residual natural_residual(const AssembledProblem<D>& problem)
{
    const Sums sums = parallel_sum(problem.size(), Sums{}, [&](std::size_t k) {
        Sums one;
        one.map = one.largest_map = scaled_map_squared(problem, k, contact_velocity(problem, k));
        one.left_out = carries(problem, k) ? 0 : 1;
        return one;
    });
    return residual_of({sums.map, sums.largest_map, sums.left_out}, problem.size(), residual_unit(problem));
}

template AssembledProblem<2> assemble_matrix(const ContactProblem<2>&);
template AssembledProblem<3> assemble_matrix(const ContactProblem<3>&);
template double residual_unit(const AssembledProblem<2>&);
template double residual_unit(const AssembledProblem<3>&);
template ProblemErrors judge(const AssembledProblem<2>&);
template ProblemErrors judge(const AssembledProblem<3>&);
template Residual natural_residual(const AssembledProblem<2>&);
template Residual natural_residual(const AssembledProblem<3>&);

} // namespace talus
