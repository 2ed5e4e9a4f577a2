#include "talus/probes/profile.hpp"

#include "talus/probes/gauge.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace talus {

template <int D>
std::vector<Distribution> profiles(const Snapshot<D>& snapshot, int axis, int most_slabs)
{
    const View<D> whole = View<D>::of_sample(snapshot);
    if (whole.grains().empty()) return {};
    const Bounds<D> all = whole.region.bounds();
    const double length = all.upper[axis] - all.lower[axis];
    const int slabs = std::clamp(int(length / whole.mean_diameter()), 1, most_slabs);

    struct Shown {
        const char *column, *name, *title, *label;
    };
    const std::string pressure = std::string("pressure_") + pressure_unit<D>;
    const Shown shown[] = {{"compacity", "compacity", "Compacity", "compacity"},
                           {pressure.c_str(), "pressure", "Pressure", D == 2 ? "pressure [N/m]" : "pressure [Pa]"},
                           {"coordination", "coordination", "Coordination number", "coordination number"},
                           {"mean_speed_mps", "speed", "Mean speed of the grains", "mean speed [m/s]"}};
    std::vector<Distribution> found;
    for (const Shown& one : shown) {
        found.push_back({std::string(one.name) + "_profile",
                         std::string(one.title) + " along " + axis_names[axis],
                         std::string(axis_names[axis]) + " [m]",
                         one.label,
                         Distribution::Kind::line,
                         {},
                         {}});
    }
    for (int slab = 0; slab < slabs; ++slab) {
        Bounds<D> box = all;
        box.lower[axis] = all.lower[axis] + length * slab / slabs;
        box.upper[axis] = all.lower[axis] + length * (slab + 1) / slabs;
        const Gauge<D> gauge =
            Gauge<D>::box("slab", box.lower, box.upper).showing({"compacity", "coordination", "velocity", "stress"});
        const Reading reading = gauge.measure(snapshot);
        for (std::size_t s = 0; s < std::size(shown); ++s) {
            found[s].x.push_back(0.5 * (box.lower[axis] + box.upper[axis]));
            found[s].y.push_back(reading[shown[s].column].value_or(std::numeric_limits<double>::quiet_NaN()));
        }
    }
    return found;
}

template std::vector<Distribution> profiles(const Snapshot<2>&, int, int);
template std::vector<Distribution> profiles(const Snapshot<3>&, int, int);

} // namespace talus
