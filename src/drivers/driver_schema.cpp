#include "drivers/driver_schema.hpp"

namespace talus {

using namespace scene;

Key drivers_schema()
{
    const Key body = text("body", "name of a body, of a group of grains, or of a wall such as box.left").required();
    const Key phase = number("phase", "of the sine").in("rad").otherwise_zero();
    return tables("drivers", "What the experimenter imposes.",
                  {text("name", "of the driver"), number("from", "when it begins").in("s").at_least(0).otherwise_zero(),
                   number("until", "when it ends; \"auto\": with the run").in("s").at_least(0).automatic()})
        .varying_by("type", {{{"gravity", 0, {}},
                              "weight of all free bodies",
                              {vector("acceleration", "of gravity")
                                   .in("m/s^2")
                                   .otherwise(Value::numbers({0, -9.81}), Value::numbers({0, 0, -9.81}))},
                              {},
                              {}},
                             {{"force", 0, {}},
                              "a force and a torque on a body, constant or times sin(2π frequency t + phase)",
                              {body, vector("force", "amplitude of the force").in("N").otherwise_zero(),
                               rotation("torque", "amplitude of the torque").in("N m").otherwise_zero(),
                               number("frequency", "0: constant").in("Hz").at_least(0).otherwise_zero(), phase},
                              {},
                              {}},
                             {{"velocity", 0, {}},
                              "the velocity of a body",
                              {body, vector("velocity", "imposed").in("m/s").otherwise_zero(),
                               rotation("spin", "imposed").in("rad/s").otherwise_zero()},
                              {},
                              {}},
                             {{"vibration", 0, {}},
                              "the motion amplitude × sin(2π frequency t + phase) of a body about its place",
                              {body, vector("amplitude", "largest displacement").in("m").required(),
                               number("frequency", "periods per second").in("Hz").above(0).required(), phase},
                              {},
                              {}},
                             {{"drag", 0, {}},
                              "a force -coefficient × velocity and a torque -rotational × spin on all free bodies",
                              {number("coefficient", "force per velocity").in("kg/s").at_least(0).required(),
                               number("rotational", "torque per spin").in("kg m^2/s").at_least(0).otherwise_zero()},
                              {},
                              {}}})
        .otherwise(Value(Value::List{}));
}

} // namespace talus
