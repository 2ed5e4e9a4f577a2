// Forces at the contacts of the gauge: mean, largest, share of mobilised friction, and the strong network (normal force
// above the mean) beside the weak one: its share of the contacts and of the sum of the forces. The distribution of
// f_n/⟨f_n⟩ is its density, as is usual on a logarithmic axis.
#include "talus/probes/indicator_files.hpp"

#include <algorithm>
#include <cmath>

namespace talus {

namespace {

template <int D>
std::vector<double> normal_forces(const View<D>& view)
{
    std::vector<double> forces; // [N]
    for (const std::int32_t row : view.rows()) {
        const std::size_t k = std::size_t(row);
        if (view.snapshot.neighbours().is_active(k)) forces.push_back(view.snapshot.normal_force(k));
    }
    return forces;
}

double mean_of(const std::vector<double>& values)
{
    double sum = 0;
    for (const double value : values) sum += value;
    return values.empty() ? 0 : sum / double(values.size());
}

// ⟨f_t⟩/⟨f_n⟩
template <int D>
Maybe friction_ratio(const View<D>& view)
{
    double normal = 0, tangential = 0;
    for (const std::int32_t row : view.rows()) {
        const std::size_t k = std::size_t(row);
        if (!view.snapshot.neighbours().is_active(k)) continue;
        const double along = view.snapshot.normal_force(k);
        normal += along;
        tangential += (view.snapshot.force(k) - along * view.contacts().normal[k]).norm();
    }
    return ratio(tangential, normal);
}

template <int D>
std::vector<Maybe> measure_forces(const View<D>& view)
{
    const std::vector<double> forces = normal_forces(view);
    if (forces.empty()) return std::vector<Maybe>(5);
    const double mean = mean_of(forces);
    double strong = 0, carried = 0;
    for (const double force : forces) {
        if (force <= mean) continue;
        ++strong;
        carried += force;
    }
    const double count = double(forces.size());
    return {mean, *std::max_element(forces.begin(), forces.end()), ratio(strong, count), ratio(carried, mean * count),
            friction_ratio(view)};
}

template <int D>
std::vector<Distribution> force_distribution(const View<D>& view)
{
    const std::vector<double> forces = normal_forces(view);
    const double mean = mean_of(forces);
    if (forces.empty() || !(mean > 0)) return {};
    constexpr double step = 0.2; // of the mean force
    const double largest = *std::max_element(forces.begin(), forces.end()) / mean;
    std::vector<double> count(std::size_t(largest / step) + 1, 0.0);
    for (const double force : forces) ++count[std::size_t(force / mean / step)];
    Distribution density{"forces",  "Normal forces at the contacts", "normal force over its mean",
                         "density", Distribution::Kind::line,        {},
                         {}};
    for (std::size_t bin = 0; bin < count.size(); ++bin) {
        density.x.push_back((double(bin) + 0.5) * step);
        density.y.push_back(count[bin] / double(forces.size()) / step);
    }
    return {density};
}

} // namespace

template <int D>
Indicator<D> force_network()
{
    return {"forces",
            "mean and largest normal force; strong network (above the mean): share of the contacts and of the forces; "
            "mean tangential over mean normal force; distribution of the forces",
            false,
            false,
            {"mean_force_N", "max_force_N", "strong_contacts", "strong_forces", "friction_ratio"},
            measure_forces<D>,
            force_distribution<D>};
}

template Indicator<2> force_network();
template Indicator<3> force_network();

} // namespace talus
