#include "talus/base/error.hpp"
#include "talus/solvers/assembled/assembled_solvers.hpp"
#include "talus/solvers/assembled/on_assembled.hpp"
#include "talus/solvers/decomposed/ddm.hpp"
#include "talus/solvers/gauss_seidel/nlgs.hpp"
#include "talus/solvers/newton/newton.hpp"
#include "talus/solvers/pairs/auto_solver.hpp"
#include "talus/solvers/solver_kind.hpp"

namespace talus {

using namespace scene;

namespace {

template <int D, AssembledMaker<D> make>
std::unique_ptr<Solver<D>> on_assembled(const SolverOptions& options)
{
    return std::make_unique<OnAssembled<D>>(make(options), options);
}

template <int D>
std::unique_ptr<Solver<D>> make_nlgs(const SolverOptions& options)
{
    const bool by_matrix = options.storage == "sdl";
    return (by_matrix ? on_assembled<D, make_assembled_nlgs<D>> : nlgs_elg_makers().in<D>())(options);
}

// keys that several have
Key local() { return choice("local", "solver of one contact", {"exact", "projection"}).otherwise(Value("exact")); }
Key check_every()
{
    return integer("check_every", "sweeps between two looks at the criterion; auto has looks of its own")
        .at_least(1)
        .at_most(1e9)
        .otherwise(Value(10));
}

std::vector<Key> nlgs_keys()
{
    return {choice("storage", "matrix-free by exchange of velocities (elg), or with the assembled matrix (sdl)",
                   {"elg", "sdl"})
                .otherwise(Value("elg")),
            local(), check_every()};
}

std::vector<Key> sub_domain_keys()
{
    return {local(), check_every(),
            integer("inner_sweeps", "ddm: on each sub-domain in an outer iteration, which counts as one sweep (n)")
                .at_least(1)
                .at_most(1e6)
                .otherwise(Value(1)),
            integer("interface_sweeps", "ddm: on the interface in an outer iteration (m)")
                .at_least(1)
                .at_most(1e6)
                .otherwise(Value(1)),
            numbers("plan", "ddm with boxes: outer iterations after which each sub-domain is left alone, x first")
                .at_least(0)
                .entries(1)
                .automatic()};
}

std::vector<Key> ddm_keys()
{
    std::vector<Key> keys = sub_domain_keys();
    keys.insert(keys.end() - 1, choice("interface", "ddm: the interface by colours, on threads, or contact by contact",
                                       {"colours", "sequential"})
                                    .otherwise(Value("colours")));
    return keys;
}

// On the assembled matrix only, without keys of its own.
template <AssembledMaker<2> make_2d, AssembledMaker<3> make_3d>
SolverKind referee(std::string name, std::string doc)
{
    return {{std::move(name), std::move(doc), {}, {on_assembled<2, make_2d>, on_assembled<3, make_3d>}},
            false,
            false,
            {},
            {make_2d, make_3d}};
}

} // namespace

std::vector<SolverKind>& solver_kinds()
{
    static std::vector<SolverKind> kinds = {
        {{"auto",
          "block Gauss-Seidel over pairs with momentum, which hands over to ddm where a criterion other than the "
          "residual is asked for",
          {},
          {make_auto<2>, make_auto<3>}},
         true,
         false,
         "ddm",
         {make_assembled_auto<2>, make_assembled_auto<3>}},
        {{"nlgs", "non-linear Gauss-Seidel", nlgs_keys(), {make_nlgs<2>, make_nlgs<3>}},
         true,
         true,
         {},
         {make_assembled_nlgs<2>, make_assembled_nlgs<3>}},
        {{"ddm", "on sub-domains and then their interface, on threads", ddm_keys(), ddm_makers()}, true, true},
        {{"ddm_async", "on both at once, not the same bits each time", sub_domain_keys(), ddm_async_makers()},
         true,
         true},
        {{"ddm_free", "the same without waiting", sub_domain_keys(), ddm_async_makers()}, true, true},
        referee<make_newton<2>, make_newton<3>>("newton", "the referee for small hard problems"),
        referee<make_admm<2>, make_admm<3>>("admm", "a second one where it stalls, for redundant contacts"),
    };
    return kinds;
}

const SolverKind* solving_kind(std::string_view name, bool one_by_one)
{
    const SolverKind* kind = find_kind(solver_kinds(), name);
    const bool hands_over = kind && one_by_one && !kind->hands_over_to.empty();
    return hands_over ? find_kind(solver_kinds(), kind->hands_over_to) : kind;
}

template <int D>
std::unique_ptr<Solver<D>> make_solver(const SolverOptions& options, bool rolling_friction)
{
    const SolverKind* kind = solving_kind(options.name, options.goes_by_criterion());
    if (!kind) {
        throw InputError("there is no solver " + in_quotes(options.name) + "; there is " +
                         listed(names_of(solver_kinds())));
    }
    const bool by_matrix = options.storage == "sdl";
    if (rolling_friction && (!kind->rolls || by_matrix)) {
        throw InputError("solver." + (by_matrix ? "storage = \"sdl\"" : "name = " + in_quotes(options.name)) +
                         " does not carry rolling friction: use " + (by_matrix ? "\"elg\"" : "\"auto\"") +
                         ", or set rolling_friction to 0");
    }
    if (options.goes_by_criterion() && !kind->one_by_one) {
        throw InputError("solver.name = " + in_quotes(options.name) + " goes by the residual: use stop = \"residual\"");
    }
    if ((by_matrix && !has_key(*kind, "storage")) || (options.local != "exact" && !has_key(*kind, "local"))) {
        throw InputError("there is no solver " + in_quotes(options.name) + " with storage " +
                         in_quotes(options.storage) + " and local solver " + in_quotes(options.local));
    }
    return kind->maker<D>()(options);
}

template std::unique_ptr<Solver<2>> make_solver(const SolverOptions&, bool);
template std::unique_ptr<Solver<3>> make_solver(const SolverOptions&, bool);

} // namespace talus
