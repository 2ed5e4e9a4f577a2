// What tests of solvers on threads share: problems with their partition, and what must be true of an answer.
#pragma once

#include "solvers/pile.hpp"
#include "talus/exec/team.hpp"
#include "talus/partition/partitioner.hpp"
#include "talus/solvers/solver.hpp"

#include <cstring>

namespace talus {

class WithThreads : public testing::Test {
  protected:
    ~WithThreads() override { set_thread_count(before_); }

  private:
    int before_ = thread_count();
};

template <int D>
struct Case {
    ContactProblem<D> problem;
    Partition partition;
};

template <int D>
Case<D> divided(const Simulation<D>& simulation, const PartitionOptions& options)
{
    Partitioner<D> partitioner(options);
    return {problem_of(simulation), partitioner.assign(simulation.bodies, simulation.shapes, simulation.contacts)};
}

inline SolverOptions named(const std::string& name)
{
    SolverOptions options;
    options.name = name;
    return options;
}

template <int D>
SolveReport solve(Case<D>& of, const SolverOptions& options)
{
    return make_solver<D>(options, !of.problem.rolling.empty())->solve(of.problem, of.partition);
}

template <int D>
void expect_same_bits(const ContactProblem<D>& a, const ContactProblem<D>& b, const std::string& what)
{
    ASSERT_EQ(a.bodies.size(), b.bodies.size());
    ASSERT_EQ(a.rows.size(), b.rows.size());
    const auto same = [](const auto& x, const auto& y) { return std::memcmp(&x, &y, sizeof x) == 0; };
    std::size_t different = 0;
    for (std::size_t i = 0; i < a.bodies.size(); ++i) {
        different += !same(a.bodies[i].velocity, b.bodies[i].velocity) || !same(a.bodies[i].spin, b.bodies[i].spin);
    }
    for (std::size_t k = 0; k < a.rows.size(); ++k) different += !same(a.rows[k].impulse, b.rows[k].impulse);
    for (std::size_t k = 0; k < a.rolling.size(); ++k) different += !same(a.rolling[k].impulse, b.rolling[k].impulse);
    EXPECT_EQ(different, 0u) << what;
}

// Momentum that the bodies gained, against the impulses of the rows: equal where no update was lost.
template <int D>
double momentum_error(const ContactProblem<D>& start, const ContactProblem<D>& end)
{
    std::vector<Vec<D>> gained(start.bodies.size(), Vec<D>::Zero());
    double largest = 0;
    for (const ContactRow<D>& row : end.rows) {
        const Vec<D> impulse = row.frame * row.impulse;
        gained[row.candidate] += impulse;
        gained[row.antagonist] -= impulse;
        largest = std::max(largest, impulse.norm());
    }
    double worst = 0;
    for (std::size_t i = 0; i < gained.size(); ++i) {
        const BodyRecord<D>& body = end.bodies[i];
        if (!(body.inverse_mass[0] > 0)) continue;
        const Vec<D> change = (body.velocity - start.bodies[i].velocity).cwiseQuotient(body.inverse_mass);
        worst = std::max(worst, (change - gained[i]).norm());
    }
    return worst / largest;
}

// The same of spins: moments of the impulses about the centres, and of rolling friction.
template <int D>
double spin_error(const ContactProblem<D>& start, const ContactProblem<D>& end)
{
    std::vector<Ang<D>> gained(start.bodies.size(), Ang<D>::Zero());
    for (std::size_t k = 0; k < end.rows.size(); ++k) {
        const ContactRow<D>& row = end.rows[k];
        const Vec<D> impulse = row.frame * row.impulse;
        const Ang<D> rolling = end.rolling.empty() ? Ang<D>::Zero() : end.rolling[k].impulse;
        gained[row.candidate] += moment(row.candidate_lever, impulse) + rolling;
        gained[row.antagonist] -= moment(row.antagonist_lever, impulse) + rolling;
    }
    double worst = 0, largest = 0;
    for (std::size_t i = 0; i < gained.size(); ++i) {
        const Ang<D> change = end.bodies[i].inverse_inertia * gained[i];
        worst = std::max(worst, (end.bodies[i].spin - start.bodies[i].spin - change).norm());
        largest = std::max(largest, change.norm());
    }
    return largest > 0 ? worst / largest : worst;
}

// A floor under gravity, to which tests add what lies on it.
inline const std::string glass_floor = R"(
        [scene]
        dimension = 3
        dt = 1e-3
        duration = 1
        [materials]
        glass = { preset = "glass" }
        [contact]
        friction = 0.4
        [[drivers]]
        type = "gravity"
        [[bodies]]
        shape = "half_space"
        normal = [0, 0, 1]
        motion = "fixed"
        material = "glass"
)";

// A heavy plate lying on `count` spheres that lie on a floor: every sphere has two contacts, the plate all of them.
inline Simulation<3> plate_on_spheres(int side)
{
    const std::string scene = fmt::format(R"(
        [[bodies]]
        name = "plate"
        shape = "half_space"
        normal = [0, 0, -1]
        position = [0, 0, 0.02]
        mass = 50
        motion = ["x", "y", "z"]
        material = "glass"
        [[generators]]
        type = "lattice"
        lower = [0, 0, 0]
        upper = [{0}, {0}, 0.02]
        radius = 0.01
        spacing = 0.02
        material = "glass"
    )",
                                          0.02 * side);
    return simulation_of<3>(glass_floor + scene);
}

} // namespace talus
