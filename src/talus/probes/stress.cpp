#include "talus/probes/stress.hpp"

#include "talus/math/principal.hpp"
#include "talus/probes/indicator_files.hpp"

namespace talus {

template <int D>
std::optional<Mat<D>> mean_stress(const View<D>& view)
{
    if (view.grains().empty() || view.volume == 0) return std::nullopt;
    Mat<D> sum = Mat<D>::Zero();
    if (view.is_whole) {
        for (const std::int32_t i : view.grains()) sum += view.snapshot.internal_moments()[std::size_t(i)];
    } else {
        for (const auto& part : view.parts()) {
            sum += part.share * view.snapshot.internal_moments()[std::size_t(part.grain)];
        }
    }
    return Mat<D>(sum / view.volume);
}

template <int D>
PrincipalStress<D> principal_stress(const Mat<D>& stress)
{
    const Principal<D> axes = principal<D>(0.5 * (stress + stress.transpose()));
    return {axes.values, axes.directions};
}

namespace {

// Von Mises' equivalent √(3/2 s:s) in 3D, half the difference of the principal stresses in 2D.
double deviator_of(const Vec<2>& principal) { return 0.5 * (principal[1] - principal[0]); }
double deviator_of(const Vec<3>& principal)
{
    const Vec<3> s = principal.array() - principal.mean();
    return std::sqrt(1.5 * s.squaredNorm());
}

template <int D>
std::vector<Maybe> measure_stress(const View<D>& view)
{
    constexpr std::size_t count = 2 + D * (D + 1) / 2 + D + D * D + 1;
    const std::optional<Mat<D>> stress = mean_stress(view);
    if (!stress) return std::vector<Maybe>(count);
    const PrincipalStress<D> principal = principal_stress(*stress);
    std::vector<Maybe> values = {pressure_of<D>(*stress), deviator_of(principal.value)};
    for (int i = 0; i < D; ++i) {
        for (int j = i; j < D; ++j) values.push_back(0.5 * ((*stress)(i, j) + (*stress)(j, i)));
    }
    for (int i = 0; i < D; ++i) values.push_back(principal.value[i]);
    for (int k = 0; k < D; ++k) {
        for (int i = 0; i < D; ++i) values.push_back(principal.direction(i, k));
    }
    values.push_back(ratio((*stress - stress->transpose()).norm(), stress->norm()));
    return values;
}

} // namespace

template <int D>
Indicator<D> stress()
{
    const std::string unit = pressure_unit<D>;
    std::vector<std::string> columns = {"pressure_" + unit, "deviator_" + unit};
    for (std::string& column : tensor_columns<D>("stress", unit)) columns.push_back(std::move(column));
    for (int i = 1; i <= D; ++i) columns.push_back("stress_" + std::to_string(i) + "_" + unit);
    for (int k = 1; k <= D; ++k) {
        for (int i = 0; i < D; ++i) columns.push_back("stress_" + std::to_string(k) + "_along_" + axis_names[i]);
    }
    columns.push_back("stress_asymmetry");
    return {
        "stress",
        "mean stress (positive in tension), pressure, deviator, principal stresses from the most compressive on and "
        "their directions",
        true,
        false,
        columns,
        measure_stress<D>};
}

#define TALUS_INSTANTIATE(D)                                                                                           \
    template std::optional<Mat<D>> mean_stress(const View<D>&);                                                        \
    template PrincipalStress<D> principal_stress(const Mat<D>&);                                                       \
    template Indicator<D> stress();
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

} // namespace talus
