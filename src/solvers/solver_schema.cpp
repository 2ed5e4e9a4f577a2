#include "solvers/solver_schema.hpp"

namespace talus {

using namespace scene;

Key solver_schema()
{
    return table("solver", "How the impulses of a step are found, and when they are good enough.",
                 {choice("name", "non-linear Gauss-Seidel", {"nlgs"}).otherwise(Value("nlgs")),
                  choice("storage", "matrix-free by exchange of velocities (elg), or with the assembled matrix (sdl)",
                         {"elg", "sdl"})
                      .otherwise(Value("elg")),
                  choice("local", "solver of one contact", {"exact", "projection"}).otherwise(Value("exact")),
                  choice("stop", "what is compared with the tolerance; \"sweeps\": a fixed number of sweeps",
                         {"residual", "mean_dvor", "quad_dv", "quad_dvr", "sweeps"})
                      .otherwise(Value("residual")),
                  number("tolerance", "\"auto\": 1e-2 for the residual, 1.6e-5 for the other criteria")
                      .above(0)
                      .automatic(),
                  integer("sweeps", "at most, or exactly with stop = \"sweeps\"")
                      .at_least(1)
                      .at_most(1e9)
                      .otherwise(Value(1000)),
                  integer("check_every", "sweeps between two looks at the criterion")
                      .at_least(1)
                      .at_most(1e9)
                      .otherwise(Value(10)),
                  boolean("warm_start", "begin with the impulses of the contacts that persist").otherwise(Value(true)),
                  boolean("position_correction", "open contacts that overlap by moving bodies apart, a fifth of the "
                                                 "depth per step, without changing any velocity; off in BALLAST")
                      .otherwise(Value(true))})
        .otherwise(Value::table());
}

} // namespace talus
