#include "talus/solvers/solver_schema.hpp"

#include "talus/solvers/solver_kind.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace talus {

using namespace scene;

namespace {

struct NamedStop {
    const char* name;
    Stop stop;
};
constexpr NamedStop stops[] = {{"residual", Stop::residual},
                               {"mean_dvor", Stop::mean_dvor},
                               {"quad_dv", Stop::quad_dv},
                               {"quad_dvr", Stop::quad_dvr},
                               {"sweeps", Stop::sweeps}};

std::vector<std::string> stop_names()
{
    std::vector<std::string> names;
    for (const NamedStop& known : stops) names.emplace_back(known.name);
    return names;
}

std::optional<Stop> stop_of(std::string_view name)
{
    for (const NamedStop& known : stops) {
        if (name == known.name) return known.stop;
    }
    return {};
}

} // namespace

Key solver_schema()
{
    std::vector<Key> keys = {
        choice_among("name", solver_kinds()).otherwise(Value("auto")),
        choice("stop", "what is compared with the tolerance; \"sweeps\": a fixed number of sweeps", stop_names())
            .otherwise(Value("residual")),
        number("tolerance", "\"auto\": quality.residual, or, aimed at, 1e-11 n³ for n contacts, at most 1e-2, and at "
                            "most 1e-2 (1 - e)² and not below 1e-6 where contacts restitute by e, of which up to 1e-2 "
                            "is no miss; 1.6e-5 for the other criteria")
            .above(0)
            .automatic(),
        integer("sweeps", "at most, or exactly with stop = \"sweeps\"")
            .at_least(1)
            .at_most(1e9)
            .otherwise(Value(1000))};
    for (Key& key : keys_of(solver_kinds())) keys.push_back(std::move(key));
    keys.push_back(
        boolean("warm_start", "begin with the impulses of the contacts that persist").otherwise(Value(true)));
    keys.push_back(boolean("position_correction", "open contacts that overlap by moving bodies apart, a fifth of the "
                                                  "depth per step, without changing any velocity; off in BALLAST")
                       .otherwise(Value(true)));
    return table("solver", "How the impulses of a step are found, and when they are good enough.", std::move(keys))
        .otherwise(Value::table());
}

namespace {

// Only boxes have numbers that mean a place.
void check_plan(std::vector<Mistake>& mistakes, const Value& root, const Value& plan)
{
    for (const Value& count : plan.list()) {
        if (count.is_number() && count.number() != std::floor(count.number())) {
            mistakes.push_back(mistake(count, "must be a whole number of outer iterations"));
        }
    }
    const Value* partition = root.find("partition");
    const Value* boxes = partition ? partition->find("boxes") : nullptr;
    if (!boxes || !boxes->is_list()) {
        mistakes.push_back(mistake(plan, "needs partition.boxes, which say what sub-domain is where"));
        return;
    }
    double product = 1;
    for (const Value& count : boxes->list()) product *= count.is_number() ? count.number() : 1;
    if (double(plan.list().size()) != product) {
        mistakes.push_back(mistake(plan, "has " + std::to_string(plan.list().size()) + " numbers, and there are " +
                                             plain_number(product) +
                                             " boxes: one number for each, along x first, then y, then z"));
    }
}

bool is_criterion(const Value* stop)
{
    return stop && stop->is_text() && stop_of(stop->text()) && SolverOptions::is_criterion(*stop_of(stop->text()));
}

// The kind that solves this scene; nullptr where it names none.
const SolverKind* kind_of_solver(const Value& root)
{
    const Value* solver = root.find("solver");
    const Value* name = solver ? solver->find("name") : nullptr;
    if (!name || !name->is_text()) return nullptr;
    return solving_kind(name->text(), is_criterion(solver->find("stop")));
}

} // namespace

std::vector<Mistake> idle_solver_keys(const Value& root)
{
    const SolverKind* kind = kind_of_solver(root);
    if (!kind) return {};
    return keys_without_effect(root.at("solver"), "name", *kind, solver_kinds());
}

std::vector<Mistake> solver_problems(const Value& root)
{
    const SolverKind* kind = kind_of_solver(root);
    if (!kind) return {};
    std::vector<Mistake> mistakes;
    const Value* solver = root.find("solver");
    const Value* stop = solver->find("stop");
    if (is_criterion(stop) && !kind->one_by_one) {
        mistakes.push_back(
            mistake(*stop, "name = " + solver->at("name").shown() + " goes by the residual: use \"residual\""));
    }
    const Value* plan = solver->find("plan");
    if (has_key(*kind, "plan") && plan && plan->is_list()) check_plan(mistakes, root, *plan);
    return mistakes;
}

SolverOptions solver_options(const Value& solver)
{
    SolverOptions options;
    options.name = solver.at("name").text();
    options.storage = solver.at("storage").text();
    options.local = solver.at("local").text();
    options.stop = *stop_of(solver.at("stop").text());
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
    options.given = solver;
    return options;
}

} // namespace talus
