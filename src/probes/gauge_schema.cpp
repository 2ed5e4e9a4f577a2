#include "probes/gauge_schema.hpp"

namespace talus {

using namespace scene;

Key gauges_schema()
{
    return tables("gauges", "Where indicators (solid fraction, coordination number, interpenetration) are measured.",
                  {text("name", "heads its columns in series.csv").required()})
        .varying_by("type", {{{"sample", 0, {}}, "all bodies", {}, {}, {}},
                             {{"box", 0, {}},
                              "what lies in a box",
                              {vector("lower", "lower corner").in("m").required(),
                               vector("upper", "upper corner").in("m").required()},
                              {},
                              {}}})
        .otherwise(Value(Value::List{}));
}

} // namespace talus
