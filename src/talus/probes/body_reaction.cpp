// What the contacts do to a body: the resultant of their forces, their torque about its centre, and how many bodies
// push it. Contacts are those of the middle of the step, and so is the lever: where the centre was half a step ago. (It
// is BodyTable::reaction_torque, which frames do not hold; a position correction since then moves the lever by 1e-3 of
// a grain at most.)
#include "talus/probes/indicator_files.hpp"

namespace talus {

namespace {

template <int D>
std::vector<Maybe> measure_reaction(const View<D>& view)
{
    const ContactTable<D>& contacts = view.contacts();
    const BodyTable<D>& bodies = view.sample().bodies;
    const auto body = std::size_t(view.body);
    const Vec<D> centre = bodies.position[body] - 0.5 * view.snapshot.dt * bodies.velocity[body];
    Vec<D> force = Vec<D>::Zero();
    Ang<D> torque = Ang<D>::Zero();
    for (std::size_t k = 0; k < contacts.size(); ++k) {
        const bool is_candidate = contacts.candidate[k] == view.body;
        if (!is_candidate && contacts.antagonist[k] != view.body) continue;
        const double sign = is_candidate ? 1.0 : -1.0;
        const Vec<D> given = sign * view.snapshot.force(k);
        force += given;
        torque += moment(Vec<D>(contacts.point[k] - centre), given);
        if (!contacts.rolling_impulse.empty()) torque += sign * contacts.rolling_impulse[k] / view.snapshot.dt;
    }
    std::vector<Maybe> values = {force.norm()};
    values.insert(values.end(), force.begin(), force.end());
    values.insert(values.end(), torque.begin(), torque.end());
    values.push_back(double(view.snapshot.neighbours().pushing()[body]));
    values.push_back(double(view.snapshot.neighbours().touching()[body]));
    return values;
}

} // namespace

template <int D>
Indicator<D> body_reaction()
{
    std::vector<std::string> columns = {"reaction_N"};
    for (int axis = 0; axis < D; ++axis) columns.push_back(std::string("reaction_") + axis_names[axis] + "_N");
    for (int axis = 3 - angular<D>; axis < 3; ++axis)
        columns.push_back(std::string("torque_") + axis_names[axis] + "_Nm");
    columns.insert(columns.end(), {"pushing_bodies", "touching_bodies"});
    return {
        "reaction", "resultant and torque (about the centre) of the contact forces on the body; bodies that push it",
        true,       true,
        columns,    measure_reaction<D>};
}

template Indicator<2> body_reaction();
template Indicator<3> body_reaction();

} // namespace talus
