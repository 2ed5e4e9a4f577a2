// Where a body has got to since the run began: settlement (downward along the last axis), displacement, turn, velocity.
#include "talus/probes/indicator_files.hpp"

#include <cmath>

namespace talus {

namespace {

double angle_of(const Rotation<2>& turn) { return turn.angle(); }
double angle_of(const Rotation<3>& turn)
{
    const Eigen::Quaterniond q = turn.quaternion();
    return 2 * std::atan2(q.vec().norm(), std::abs(q.w()));
}

template <int D>
std::vector<Maybe> measure_motion(const View<D>& view)
{
    const BodyTable<D>& bodies = view.sample().bodies;
    const std::size_t i = std::size_t(view.body);
    const Vec<D> moved = bodies.position[i] - view.start.position;
    std::vector<Maybe> values = {-moved[D - 1]};
    for (int axis = 0; axis < D; ++axis) values.push_back(moved[axis]);
    values.push_back(angle_of(bodies.orientation[i] * view.start.orientation.inverse()));
    for (int axis = 0; axis < D; ++axis) values.push_back(bodies.velocity[i][axis]);
    return values;
}

} // namespace

template <int D>
Indicator<D> body_motion()
{
    std::vector<std::string> columns = {"settlement_m"};
    for (int axis = 0; axis < D; ++axis) columns.push_back(std::string("displacement_") + axis_names[axis] + "_m");
    columns.push_back("turn_rad");
    for (int axis = 0; axis < D; ++axis) columns.push_back(std::string("velocity_") + axis_names[axis] + "_mps");
    return {"motion", "settlement (downward), displacement and turn of the body since the run began; its velocity",
            true,     true,
            columns,  measure_motion<D>};
}

template Indicator<2> body_motion();
template Indicator<3> body_motion();

} // namespace talus
