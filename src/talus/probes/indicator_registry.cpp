#include "talus/probes/indicator_files.hpp"

namespace talus {

template <int D>
const std::vector<Indicator<D>>& indicators()
{
    static const std::vector<Indicator<D>> all = {
        compacity<D>(),    interpenetration<D>(), coordination<D>(),  contact_counts<D>(), velocities<D>(),
        stress<D>(),       inertial_number<D>(),  fabric<D>(),        force_network<D>(),  grain_load<D>(),
        granulometry<D>(), body_motion<D>(),      body_reaction<D>(),
    };
    return all;
}

template const std::vector<Indicator<2>>& indicators<2>();
template const std::vector<Indicator<3>>& indicators<3>();

std::vector<std::string> indicator_names(bool of_body)
{
    std::vector<std::string> names;
    for (const Indicator<2>& indicator : indicators<2>()) { // the same in 3D
        if (indicator.is_of_body == of_body) names.push_back(indicator.name);
    }
    return names;
}

} // namespace talus
