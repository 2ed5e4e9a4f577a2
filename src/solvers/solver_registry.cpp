#include "base/error.hpp"
#include "solvers/nlgs.hpp"

namespace talus {

template <int D>
std::unique_ptr<Solver<D>> make_solver(const SolverOptions& options, bool rolling_friction)
{
    if (options.name == "nlgs" && options.storage == "elg") return make_nlgs_elg<D>(options);
    if (options.name == "nlgs" && options.storage == "sdl") {
        if (rolling_friction) {
            throw InputError("solver.storage = \"sdl\" does not carry rolling friction: use \"elg\", or set "
                             "rolling_friction to 0");
        }
        return make_nlgs_sdl<D>(options);
    }
    throw InputError("there is no solver \"" + options.name + "\" with storage \"" + options.storage + "\"");
}

template std::unique_ptr<Solver<2>> make_solver(const SolverOptions&, bool);
template std::unique_ptr<Solver<3>> make_solver(const SolverOptions&, bool);

} // namespace talus
