#include "talus/base/error.hpp"
#include "talus/solvers/assembled/assembled_solvers.hpp"
#include "talus/solvers/assembled/on_assembled.hpp"
#include "talus/solvers/decomposed/ddm.hpp"
#include "talus/solvers/gauss_seidel/nlgs.hpp"
#include "talus/solvers/newton/newton.hpp"
#include "talus/solvers/pairs/auto_solver.hpp"

namespace talus {

template <int D>
std::unique_ptr<Solver<D>> make_solver(const SolverOptions& options, bool rolling_friction)
{
    if (options.name == "auto" && options.storage == "elg" && options.local == "exact") {
        // rolling friction and BALLAST's criteria need visits one by one: the same sweeps, on sub-domains
        if (rolling_friction || options.goes_by_criterion()) return make_ddm<D>(options);
        return make_auto<D>(options);
    }
    if (options.name == "newton" || options.name == "admm") {
        if (rolling_friction) {
            throw InputError("solver.name = \"" + options.name +
                             "\" does not carry rolling friction: use \"auto\", or " + "set rolling_friction to 0");
        }
        return std::make_unique<OnAssembled<D>>(
            options.name == "newton" ? make_newton<D>(options) : make_admm<D>(options), options);
    }
    if (options.name == "nlgs" && options.storage == "elg") return make_nlgs_elg<D>(options);
    if (options.name == "nlgs" && options.storage == "sdl") {
        if (rolling_friction) {
            throw InputError("solver.storage = \"sdl\" does not carry rolling friction: use \"elg\", or set "
                             "rolling_friction to 0");
        }
        return make_nlgs_sdl<D>(options);
    }
    if (options.storage == "elg") {
        if (options.name == "ddm") return make_ddm<D>(options);
        if (options.name == "ddm_async" || options.name == "ddm_free") return make_ddm_async<D>(options);
    }
    throw InputError("there is no solver \"" + options.name + "\" with storage \"" + options.storage +
                     "\" and local solver \"" + options.local + "\"");
}

template std::unique_ptr<Solver<2>> make_solver(const SolverOptions&, bool);
template std::unique_ptr<Solver<3>> make_solver(const SolverOptions&, bool);

} // namespace talus
