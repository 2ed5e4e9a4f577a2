#include "base/error.hpp"
#include "solvers/assembled_solvers.hpp"
#include "solvers/newton.hpp"

namespace talus {

namespace {

template <int D>
struct NamedSolver {
    const char* name;
    std::unique_ptr<AssembledSolver<D>> (*make)(const SolverOptions&);
};

template <int D>
constexpr NamedSolver<D> known[] = {
    {"auto", make_assembled_auto<D>},
    {"nlgs", make_assembled_nlgs<D>},
    {"newton", make_newton<D>},
};

} // namespace

template <int D>
std::unique_ptr<AssembledSolver<D>> make_assembled_solver(const SolverOptions& options)
{
    std::string names;
    for (const NamedSolver<D>& solver : known<D>) {
        if (options.name == solver.name) return solver.make(options);
        names += (names.empty() ? "\"" : ", \"") + std::string(solver.name) + "\"";
    }
    throw InputError("there is no solver \"" + options.name + "\" for a problem by its matrix; there is " + names);
}

template std::unique_ptr<AssembledSolver<2>> make_assembled_solver(const SolverOptions&);
template std::unique_ptr<AssembledSolver<3>> make_assembled_solver(const SolverOptions&);

} // namespace talus
