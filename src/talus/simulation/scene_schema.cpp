#include "talus/simulation/scene_schema.hpp"

#include "talus/crowd/crowd_schema.hpp"
#include "talus/detection/detection_schema.hpp"
#include "talus/drivers/drivers.hpp"
#include "talus/integrators/integrator.hpp"
#include "talus/laws/law_schema.hpp"
#include "talus/laws/smooth/smooth_schema.hpp"
#include "talus/partition/partition_schema.hpp"
#include "talus/probes/gauge_schema.hpp"
#include "talus/railway/presets.hpp"
#include "talus/railway/railway_checks.hpp"
#include "talus/railway/railway_schema.hpp"
#include "talus/sampling/generator_schema.hpp"
#include "talus/simulation/body_shape.hpp"
#include "talus/simulation/event_schema.hpp"
#include "talus/simulation/generator_kind.hpp"
#include "talus/simulation/method.hpp"
#include "talus/simulation/quality.hpp"
#include "talus/simulation/scene_checks.hpp"
#include "talus/solvers/solver_schema.hpp"

#include <cmath>

namespace talus {

using namespace scene;

namespace {

Key scene_section()
{
    return table("scene", "What is simulated, and how long.",
                 {text("name", "a title").otherwise(Value("")),
                  integer("dimension", "2 or 3").at_least(2).at_most(3).required(),
                  choice("method",
                         "how contact is treated: rigid, by impulses (contact_dynamics, nscd), or smooth, by "
                         "forces that grow with the overlap (dem); contact of people on springs (crowd-dem), without "
                         "overlap (nsm1), by percussions (nsm2); hard disks and spheres from impact to impact (event)",
                         method_names())
                      .otherwise(Value("contact_dynamics")),
                  number("dt", "length of a step").in("s").above(0).required(),
                  number("duration", "time simulated; 0: only the start is written; \"auto\": to the end of the "
                                     "operations")
                      .in("s")
                      .at_least(0)
                      .or_word("auto")
                      .required(),
                  choice("until",
                         "the end: \"time\" is duration; \"rest\": as soon as [rest] is met, at duration at the "
                         "latest",
                         {"time", "rest"})
                      .otherwise(Value("time")),
                  integer("seed", "of all random numbers").at_least(0).otherwise(Value(1)),
                  number("scale", "of a track: the box and the sleepers are so much shorter along the sleepers, with "
                                  "fewer tools and less vertical load; heights, grains, speeds and the force per tool "
                                  "stay")
                      .above(0)
                      .at_most(1)
                      .otherwise(Value(1.0))})
        .required();
}

Key rest_section()
{
    return table("rest", "When a sample counts as at rest; looked at with scene.until = \"rest\".",
                 {number("kinetic", "largest kinetic energy of a grain over rms contact force times mean diameter")
                      .above(0)
                      .otherwise(Value(1e-6)),
                  number("unbalance", "rms resultant force on a grain over rms contact force")
                      .above(0)
                      .otherwise(Value(0.05)),
                  number("hold", "both must stay below for so long").in("s").at_least(0).otherwise(Value(0.02))})
        .otherwise(Value::table());
}

Key start_section()
{
    return table("start", "Begin with a state of another run instead of the bodies' own.",
                 {text("run", "folder of that run").required(),
                  integer("frame", "number of its frame").at_least(0).or_word("last").otherwise(Value("last"))});
}

Key bodies_section()
{
    return tables("bodies", "Bodies one by one.",
                  {text("name", "by which drivers find it"), text("material", "one of [materials]").required(),
                   vector("position", "of the centre of mass; of a half-space, a point of its surface")
                       .in("m")
                       .otherwise_zero(),
                   rotation("rotation", "angle in 2D, rotation vector in 3D").in("rad").otherwise_zero(),
                   vector("velocity", "at the start").in("m/s").otherwise_zero(),
                   rotation("spin", "at the start").in("rad/s").otherwise_zero(),
                   texts("motion", "\"free\", \"fixed\", or the list of the degrees of freedom that are free")
                       .among(std::vector<Choice>{{"x", 0, {}},
                                                  {"y", 0, {}},
                                                  {"z", 3, {}},
                                                  {"rotation", 2, "rx, ry, rz"},
                                                  {"rx", 3, "rotation"},
                                                  {"ry", 3, "rotation"},
                                                  {"rz", 3, "rotation"}})
                       .or_word("free")
                       .or_word("fixed")
                       .otherwise(Value("free")),
                   number("mass", "instead of density times volume").in("kg").above(0)})
        .varying_by("shape", body_shape_variants())
        .otherwise(Value(Value::List{}));
}

Key quality_section()
{
    return table("quality", "What a run must keep to (else exit status 3), and what it may do for it.",
                 {number("residual", "of every solve, with solver.stop = \"residual\"; \"auto\": "
                                     "solver.tolerance")
                      .above(0)
                      .automatic(),
                  number("interpenetration", "intersection volume over the volume of a gauge")
                      .above(0)
                      .at_most(1)
                      .otherwise(Value(0.02)),
                  texts("adapt", "what the run may spend more on above half of that limit: \"sweeps\" halves the "
                                 "solver's tolerance; []: nothing")
                      .among(std::vector<std::string>{"sweeps"})
                      .otherwise(Value(Value::List{Value("sweeps")})),
                  choice("process", "whose constant the estimate of interpenetration takes (BALLAST eq. 10.3)",
                         process_names())
                      .otherwise(Value("tamping")),
                  number("start_overlap", "overlap at the start that is accepted, over the smaller radius")
                      .at_least(0)
                      .at_most(1)
                      .otherwise(Value(0.01))})
        .otherwise(Value::table());
}

Key output_section()
{
    return table(
               "output", "What is written to the run's folder.",
               {number("frames_every", "time between two frames").in("s").above(0).automatic(),
                number("series_every", "time between two lines of series.csv; \"auto\": a thousandth of the duration")
                    .in("s")
                    .above(0)
                    .automatic(),
                number("gauges_every", "time between two measurements of gauges that do not say; \"auto\": with every "
                                       "line of series.csv, or every few where lines are less than 12 steps apart by "
                                       "default, to keep the cost of measuring low")
                    .in("s")
                    .above(0)
                    .automatic(),
                number("checkpoint_every", "time on the clock between two checkpoints").in("s").above(0).automatic(),
                boolean("vtk", "write frames for ParaView too").otherwise(Value(false)),
                numbers("problem_steps", "steps whose contact problem is kept as problems/NNNNNN.h5, for talus solve")
                    .at_least(1)
                    .otherwise(Value(Value::List{}))})
        .otherwise(Value::table());
}

// One residual, be it asked for in two places.
std::vector<Mistake> quality_problems(const Value& root)
{
    const Value* quality = root.find("quality");
    const Value* residual = quality ? quality->find("residual") : nullptr;
    const Value* solver = root.find("solver");
    if (!residual || !residual->is_number() || !solver) return {};
    const Value* stop = solver->find("stop");
    if (stop && stop->is_text() && !stop->is_text("residual")) {
        return {mistake(*residual, "is not looked at with solver.stop = " + stop->shown() + ": use \"residual\"")};
    }
    const Value* tolerance = solver->find("tolerance");
    if (tolerance && tolerance->is_number() && tolerance->number() != residual->number()) {
        return {mistake(*residual, "differs from solver.tolerance = " + tolerance->shown() + ": give one of them")};
    }
    return {};
}

std::vector<Mistake> output_problems(const Value& root)
{
    std::vector<Mistake> mistakes;
    const Value* output = root.find("output");
    const Value* steps = output ? output->find("problem_steps") : nullptr;
    if (!steps || !steps->is_list()) return mistakes;
    const Value* scene = root.find("scene");
    const Value* method = scene ? scene->find("method") : nullptr;
    const MethodKind* kind = method && method->is_text() ? find_method(method->text()) : nullptr;
    if (!steps->list().empty() && kind && !kind->has_contact_problem) {
        mistakes.push_back(mistake(*steps, "has no effect with scene.method = " + method->shown() +
                                               ": it solves no such contact problem"));
    }
    for (const Value& step : steps->list()) {
        if (step.is_number() && step.number() != std::floor(step.number())) {
            mistakes.push_back(mistake(step, "must be the whole number of a step"));
        }
    }
    return mistakes;
}

} // namespace

Schema scene_schema()
{
    return Schema({scene_section(), // one a line
                   rest_section(),
                   start_section(),
                   materials_schema(),
                   contact_schema(),
                   bodies_section(),
                   generators_schema(),
                   track_schema(),
                   drivers_schema(),
                   machine_schema(),
                   operations_schema(),
                   gauges_schema(),
                   solver_schema(),
                   dem_schema(names_of(integrator_kinds())),
                   event_schema(),
                   crowd_schema(),
                   exits_schema(),
                   lines_schema(),
                   doors_schema(),
                   walkers_schema(),
                   partition_schema(),
                   quality_section(),
                   detection_schema(),
                   output_section()});
}

std::vector<Mistake> check_scene(Value& root, IdleKeys idle)
{
    apply_presets(root); // first: a default that is filled in looks like a value that was given
    std::vector<Mistake> mistakes = scene_schema().validate(root);
    if (!root.is_table()) return mistakes;
    for (Mistake& problem : complete_laws(root)) mistakes.push_back(std::move(problem));
    for (Mistake& problem : complete_generators(root)) mistakes.push_back(std::move(problem));
    for (Mistake& problem : partition_problems(root)) mistakes.push_back(std::move(problem));
    for (Mistake& problem : solver_problems(root)) mistakes.push_back(std::move(problem));
    for (Mistake& problem : quality_problems(root)) mistakes.push_back(std::move(problem));
    for (Mistake& problem : output_problems(root)) mistakes.push_back(std::move(problem));
    for (Mistake& problem : crowd_problems(root)) mistakes.push_back(std::move(problem));
    for (Mistake& problem : cross_checks(root)) mistakes.push_back(std::move(problem));
    if (idle == IdleKeys::refuse) {
        for (Mistake& problem : idle_solver_keys(root)) mistakes.push_back(std::move(problem));
        for (Mistake& problem : idle_detection_keys(root)) mistakes.push_back(std::move(problem));
        for (Mistake& problem : idle_dem_keys(root)) mistakes.push_back(std::move(problem));
    }
    if (mistakes.empty()) mistakes = complete_railway(root); // it reads what the schema has checked and filled in
    sort_by_place(mistakes);
    return mistakes;
}

} // namespace talus
