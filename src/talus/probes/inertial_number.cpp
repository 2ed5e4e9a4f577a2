#include "talus/probes/inertial_number.hpp"

#include "talus/probes/indicator_files.hpp"
#include "talus/probes/stress.hpp"

#include <Eigen/LU>

#include <cmath>

namespace talus {

template <int D>
std::optional<Mat<D>> velocity_gradient(const View<D>& view)
{
    const BodyTable<D>& bodies = view.sample().bodies;
    const auto& grains = view.grains();
    if (grains.size() < D + 1) return std::nullopt;
    Vec<D> centre = Vec<D>::Zero(), drift = Vec<D>::Zero();
    for (const std::int32_t i : grains) {
        centre += bodies.position[std::size_t(i)] / double(grains.size());
        drift += bodies.velocity[std::size_t(i)] / double(grains.size());
    }
    using Plain = Eigen::Matrix<double, D, D>;
    Plain spread = Plain::Zero(), flow = Plain::Zero();
    for (const std::int32_t i : grains) {
        const Vec<D> place = bodies.position[std::size_t(i)] - centre;
        spread += place * place.transpose();
        flow += (bodies.velocity[std::size_t(i)] - drift) * place.transpose();
    }
    const Eigen::FullPivLU<Plain> lu(spread);
    if (!lu.isInvertible()) return std::nullopt;
    return Mat<D>(flow * lu.inverse());
}

std::string_view regime_of(double inertial_number)
{
    if (inertial_number < 1e-3) return "static";
    return inertial_number < 1e-1 ? "quasi-static" : "dynamic";
}

namespace {

template <int D>
std::vector<Maybe> measure_inertia(const View<D>& view)
{
    const std::optional<Mat<D>> gradient = velocity_gradient(view);
    if (!gradient) return std::vector<Maybe>(3);
    // BALLAST's √(ε_x² + ε_y² + ε_z²)/h along the principal axes: it does not depend on the axes, and shear counts
    const double rate = Mat<D>(0.5 * (*gradient + gradient->transpose())).norm();
    double mass = 0;
    for (const std::int32_t i : view.grains()) mass += view.sample().bodies.mass[std::size_t(i)];
    mass /= double(view.grains().size());
    const std::optional<Mat<D>> stress = mean_stress(view);
    const double pressure = stress ? pressure_of<D>(*stress) : 0;
    if (!(pressure > 0)) return {rate, Maybe{}, Maybe{}}; // no pressure, no time to compare with
    const double practical = rate * std::sqrt(mass / pressure);
    return {rate, D == 3 ? practical / std::sqrt(view.mean_diameter()) : practical, practical};
}

} // namespace

template <int D>
Indicator<D> inertial_number()
{
    return {"inertia",
            "rate of deformation, inertial number, and BALLAST's practical one without the diameter",
            true,
            false,
            {"strain_rate_ps", "inertial_number", "inertial_number_ballast"},
            measure_inertia<D>};
}

#define TALUS_INSTANTIATE(D)                                                                                           \
    template std::optional<Mat<D>> velocity_gradient(const View<D>&);                                                  \
    template Indicator<D> inertial_number();
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

} // namespace talus
