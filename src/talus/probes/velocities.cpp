// Velocities of the grains' centres: mean vector, mean and largest speed, kinetic energy (turning included).
#include "talus/probes/indicator_files.hpp"

#include <algorithm>

namespace talus {

template <int D>
Indicator<D> velocities()
{
    const auto measure = [](const View<D>& view) -> std::vector<Maybe> {
        Vec<D> sum = Vec<D>::Zero();
        double speed = 0, fastest = 0, kinetic = 0;
        for (const std::int32_t i : view.grains()) {
            const Vec<D>& velocity = view.sample().bodies.velocity[std::size_t(i)];
            sum += velocity;
            speed += velocity.norm();
            fastest = std::max(fastest, velocity.norm());
            kinetic += kinetic_energy(view.sample().bodies, std::size_t(i));
        }
        const double grains = double(view.grains().size());
        if (grains == 0) return std::vector<Maybe>(3 + D);
        std::vector<Maybe> values = {ratio(speed, grains), fastest, kinetic};
        for (int axis = 0; axis < D; ++axis) values.push_back(ratio(sum[axis], grains));
        return values;
    };
    std::vector<std::string> columns = {"mean_speed_mps", "max_speed_mps", "kinetic_J"};
    for (int axis = 0; axis < D; ++axis) columns.push_back(std::string("velocity_") + axis_names[axis] + "_mps");
    return {"velocity", "mean and largest speed of the grains, their kinetic energy and mean velocity",
            true,       false,
            columns,    measure};
}

template Indicator<2> velocities();
template Indicator<3> velocities();

} // namespace talus
