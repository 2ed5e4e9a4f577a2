#include "detection/detection_schema.hpp"

namespace talus {

using namespace scene;

Key detection_schema()
{
    return table("detection", "How near bodies are found.",
                 {choice("method", "\"auto\" chooses by number, sizes and dimension",
                         {"auto", "all_pairs", "linked_cells", "verlet", "sweep_and_prune", "delaunay"})
                      .otherwise(Value("auto")),
                  number("alert_distance", "bodies nearer than this are handed to the solver")
                      .in("m")
                      .at_least(0)
                      .automatic(),
                  number("skin", "how far beyond it Verlet lists reach, to last several steps")
                      .in("m")
                      .above(0)
                      .automatic()})
        .otherwise(Value::table());
}

} // namespace talus
