#include "talus/solvers/solver_schema.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace talus {

using namespace scene;

Key solver_schema()
{
    return table(
               "solver", "How the impulses of a step are found, and when they are good enough.",
               {choice("name",
                       "block Gauss-Seidel over pairs with momentum (auto), which hands over to ddm where there is "
                       "rolling "
                       "friction or a criterion other than the residual; non-linear Gauss-Seidel (nlgs); on "
                       "sub-domains and then their interface, on threads (ddm); on "
                       "both at once (ddm_async), without waiting (ddm_free): not the same bits each time; the referee "
                       "for small hard problems (newton); a second one where it stalls, for redundant contacts (admm)",
                       {"auto", "nlgs", "ddm", "ddm_async", "ddm_free", "newton", "admm"})
                    .otherwise(Value("auto")),
                choice("storage", "matrix-free by exchange of velocities (elg), or with the assembled matrix (sdl)",
                       {"elg", "sdl"})
                    .otherwise(Value("elg")),
                choice("local", "solver of one contact", {"exact", "projection"}).otherwise(Value("exact")),
                choice("stop", "what is compared with the tolerance; \"sweeps\": a fixed number of sweeps",
                       {"residual", "mean_dvor", "quad_dv", "quad_dvr", "sweeps"})
                    .otherwise(Value("residual")),
                number("tolerance", "\"auto\": quality.residual, or, aimed at, 1e-11 n³ for n contacts, at most 1e-2, "
                                    "and at most 1e-2 (1 - e)² and "
                                    "not below 1e-6 where contacts restitute by e, of which up to 1e-2 is no miss; "
                                    "1.6e-5 for the other criteria")
                    .above(0)
                    .automatic(),
                integer("sweeps", "at most, or exactly with stop = \"sweeps\"")
                    .at_least(1)
                    .at_most(1e9)
                    .otherwise(Value(1000)),
                integer("check_every", "sweeps between two looks at the criterion; auto has looks of its own")
                    .at_least(1)
                    .at_most(1e9)
                    .otherwise(Value(10)),
                integer("inner_sweeps", "ddm: on each sub-domain in an outer iteration, which counts as one sweep (n)")
                    .at_least(1)
                    .at_most(1e6)
                    .otherwise(Value(1)),
                integer("interface_sweeps", "ddm: on the interface in an outer iteration (m)")
                    .at_least(1)
                    .at_most(1e6)
                    .otherwise(Value(1)),
                choice("interface", "ddm: the interface by colours, on threads, or contact by contact",
                       {"colours", "sequential"})
                    .otherwise(Value("colours")),
                numbers("plan", "ddm with boxes: outer iterations after which each sub-domain is left alone, x first")
                    .at_least(0)
                    .entries(1)
                    .automatic(),
                boolean("warm_start", "begin with the impulses of the contacts that persist").otherwise(Value(true)),
                boolean("position_correction", "open contacts that overlap by moving bodies apart, a fifth of the "
                                               "depth per step, without changing any velocity; off in BALLAST")
                    .otherwise(Value(true))})
        .otherwise(Value::table());
}

namespace {

bool is_ddm(const Value& name) { return name.is_text() && name.text().starts_with("ddm"); }

// Only boxes have numbers that mean a place.
void check_plan(std::vector<Problem>& problems, const Value& root, const Value& plan)
{
    for (const Value& count : plan.list()) {
        if (count.is_number() && count.number() != std::floor(count.number())) {
            problems.push_back(problem(count, "must be a whole number of outer iterations"));
        }
    }
    const Value* partition = root.find("partition");
    const Value* boxes = partition ? partition->find("boxes") : nullptr;
    if (!boxes || !boxes->is_list()) {
        problems.push_back(problem(plan, "needs partition.boxes, which say what sub-domain is where"));
        return;
    }
    double product = 1;
    for (const Value& count : boxes->list()) product *= count.is_number() ? count.number() : 1;
    if (double(plan.list().size()) != product) {
        problems.push_back(problem(plan, "has " + std::to_string(plan.list().size()) + " numbers, and there are " +
                                             plain_number(product) +
                                             " boxes: one number for each, along x first, then y, then z"));
    }
}

Stop stop_of(const std::string& name)
{
    static const std::map<std::string, Stop> stops = {{"residual", Stop::residual},
                                                      {"mean_dvor", Stop::mean_dvor},
                                                      {"quad_dv", Stop::quad_dv},
                                                      {"quad_dvr", Stop::quad_dvr},
                                                      {"sweeps", Stop::sweeps}};
    return stops.at(name);
}

} // namespace

std::vector<Problem> solver_problems(const Value& root)
{
    std::vector<Problem> problems;
    const Value* solver = root.find("solver");
    const Value* name = solver ? solver->find("name") : nullptr;
    if (!name) return problems;
    const Value* storage = solver->find("storage");
    if (is_ddm(*name) && storage && storage->is_text("sdl")) {
        problems.push_back(problem(*storage, "name = " + name->shown() + " has no assembled matrix: use \"elg\""));
    }
    const Value* plan = solver->find("plan");
    if (plan && plan->is_list()) {
        if (is_ddm(*name)) {
            check_plan(problems, root, *plan);
        } else {
            problems.push_back(problem(*plan, "is for sub-domains: name = \"ddm\" has them"));
        }
    }
    for (const char* key : {"inner_sweeps", "interface_sweeps"}) {
        const Value* sweeps = solver->find(key);
        if (is_ddm(*name) || !sweeps || !sweeps->is_integer() || sweeps->integer() == 1) continue;
        problems.push_back(problem(*sweeps, "is for sub-domains: name = \"ddm\" has them"));
    }
    return problems;
}

SolverOptions solver_options(const Value& solver)
{
    SolverOptions options;
    options.name = solver.at("name").text();
    options.storage = solver.at("storage").text();
    options.local = solver.at("local").text();
    options.stop = stop_of(solver.at("stop").text());
    const Value& tolerance = solver.at("tolerance");
    const double automatic = options.stop == Stop::residual ? 1e-2 : 1.6e-5;
    options.tolerance = tolerance.is_text() ? automatic : tolerance.number();
    options.sweeps = int(solver.at("sweeps").integer());
    options.check_every = int(solver.at("check_every").integer());
    options.inner_sweeps = int(solver.at("inner_sweeps").integer());
    options.interface_sweeps = int(solver.at("interface_sweeps").integer());
    options.interface = solver.at("interface").text();
    if (solver.at("plan").is_list()) {
        for (const double count : solver.at("plan").numbers()) options.plan.push_back(int(std::min(count, 1e9)));
    }
    return options;
}

} // namespace talus
