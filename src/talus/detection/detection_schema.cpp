#include "talus/detection/detection_schema.hpp"

#include "talus/detection/detector.hpp"

namespace talus {

using namespace scene;

Key detection_schema()
{
    return table("detection", "How near bodies are found.",
                 {choice("method", "\"auto\": all pairs up to 24 bodies, Verlet lists beyond", detector_names())
                      .otherwise(Value("auto")),
                  number("alert_distance", "bodies nearer than this are handed to the solver")
                      .in("m")
                      .at_least(0)
                      .automatic(),
                  integer("most_points", "contact points kept of two faces that meet; 3 to compare with BALLAST")
                      .at_least(3)
                      .at_most(4)
                      .otherwise(Value(4)),
                  number("skin", "how far beyond it Verlet lists reach, to last several steps")
                      .in("m")
                      .above(0)
                      .automatic()})
        .otherwise(Value::table());
}

} // namespace talus
