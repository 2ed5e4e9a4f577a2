#include "exec/parallel.hpp"
#include "solvers/nlgs.hpp"
#include "solvers/nlgs_loop.hpp"
#include "solvers/nlgs_visit.hpp"

namespace talus {

namespace {

// W by block rows: for each contact, the other contacts that share a movable body with it and the block W_αβ.
template <int D>
struct Delassus {
    std::vector<std::size_t> begin; // of each row's blocks; one more at the end
    std::vector<std::int32_t> column;
    std::vector<Mat<D>> block;
    std::vector<Vec<D>> free_velocity; // v_free in the frame, offset included
};

// Rows that touch each body that can move, in order: a fixed wall couples nothing.
template <int D>
void rows_of_bodies(const ContactProblem<D>& problem, std::vector<std::size_t>& begin, std::vector<std::int32_t>& rows)
{
    const auto moves = [&](std::int32_t body) {
        const BodyRecord<D>& record = problem.bodies[body];
        const Ang<D> any = record.inverse_inertia * Ang<D>(Ang<D>::Ones());
        return record.inverse_mass.squaredNorm() > 0 || any.squaredNorm() > 0;
    };
    begin.assign(problem.bodies.size() + 1, 0);
    for (const auto& row : problem.rows) {
        for (const std::int32_t body : {row.candidate, row.antagonist}) begin[body] += moves(body);
    }
    exclusive_scan(begin);
    rows.resize(begin.back());
    std::vector<std::size_t> next(begin.begin(), begin.end() - 1);
    for (std::size_t k = 0; k < problem.rows.size(); ++k) {
        for (const std::int32_t body : {problem.rows[k].candidate, problem.rows[k].antagonist}) {
            if (moves(body)) rows[next[body]++] = std::int32_t(k);
        }
    }
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
void assemble(Delassus<D>& w, const ContactProblem<D>& problem)
{
    const std::size_t rows = problem.rows.size();
    std::vector<std::size_t> body_begin;
    std::vector<std::int32_t> body_rows;
    rows_of_bodies(problem, body_begin, body_rows);
    const auto neighbours = [&](std::size_t k, std::vector<std::int32_t>& list) {
        list.clear();
        for (const std::int32_t body : {problem.rows[k].candidate, problem.rows[k].antagonist}) {
            list.insert(list.end(), body_rows.begin() + body_begin[body], body_rows.begin() + body_begin[body + 1]);
        }
        std::sort(list.begin(), list.end());
        list.erase(std::unique(list.begin(), list.end()), list.end());
        std::erase(list, std::int32_t(k));
    };
    w.begin.assign(rows + 1, 0);
    w.free_velocity.resize(rows);
    parallel_chunks(rows, [&](std::size_t first, std::size_t last) {
        std::vector<std::int32_t> list;
        for (std::size_t k = first; k < last; ++k) {
            neighbours(k, list);
            w.begin[k] = list.size();
        }
    });
    exclusive_scan(w.begin);
    w.column.resize(w.begin.back());
    w.block.resize(w.begin.back());
    parallel_chunks(rows, [&](std::size_t first, std::size_t last) {
        std::vector<std::int32_t> list;
        for (std::size_t k = first; k < last; ++k) {
            const ContactRow<D>& row = problem.rows[k];
            const Vec<D> v = relative_velocity(row, problem.bodies[row.candidate], problem.bodies[row.antagonist]);
            w.free_velocity[k] = row.frame.transpose() * v + row.offset;
            neighbours(k, list);
            for (std::size_t j = 0; j < list.size(); ++j) {
                w.column[w.begin[k] + j] = list[j];
                w.block[w.begin[k] + j] = coupling(row, problem.rows[list[j]], problem.bodies);
            }
        }
    });
}

template <int D, LocalSolver local>
struct SdlStorage {
    ContactProblem<D>& problem;
    const Delassus<D>& w;
    std::vector<BodyRecord<D>> free_bodies = problem.bodies; // V_free

    Vec<D> local_free_velocity(std::size_t k) const
    {
        Vec<D> b = w.free_velocity[k];
        for (std::size_t j = w.begin[k]; j < w.begin[k + 1]; ++j) b += w.block[j] * problem.rows[w.column[j]].impulse;
        return b;
    }
    Vec<D> solve_local(std::size_t k, const Vec<D>& b) const
    {
        return solve_locally<D, local>(problem.rows[k].block, b, problem.rows[k].impulse);
    }
    void set_impulse(std::size_t k, const Vec<D>& impulse) const { problem.rows[k].impulse = impulse; }
    void sweep() const
    {
        for (std::size_t k = 0; k < problem.rows.size(); ++k) {
            const Vec<D> b = local_free_velocity(k);
            if (b[0] >= 0 && problem.rows[k].impulse[0] == 0) continue;
            problem.rows[k].impulse = solve_local(k, b);
        }
    }
    void publish() const
    {
        problem.bodies = free_bodies;
        for (const ContactRow<D>& row : problem.rows) {
            give_impulse<D>(row, problem.bodies[row.candidate], problem.bodies[row.antagonist],
                            row.frame * row.impulse);
        }
    }
};

template <int D, LocalSolver local>
class NlgsSdl final : public Solver<D> {
  public:
    explicit NlgsSdl(const SolverOptions& options) : options_(options) {}

    SolveReport solve(ContactProblem<D>& problem, const Partition&) override
    {
        assemble(w_, problem);
        SdlStorage<D, local> storage{problem, w_};
        return NlgsLoop<D, SdlStorage<D, local>>(problem, storage, options_).run();
    }

  private:
    SolverOptions options_;
    Delassus<D> w_;
};

} // namespace

template <int D>
std::unique_ptr<Solver<D>> make_nlgs_sdl(const SolverOptions& options)
{
    if (options.local == "projection") return std::make_unique<NlgsSdl<D, LocalSolver::projection>>(options);
    return std::make_unique<NlgsSdl<D, LocalSolver::exact>>(options);
}

template std::unique_ptr<Solver<2>> make_nlgs_sdl(const SolverOptions&);
template std::unique_ptr<Solver<3>> make_nlgs_sdl(const SolverOptions&);

} // namespace talus
