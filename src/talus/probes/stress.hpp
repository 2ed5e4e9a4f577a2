// Mean Cauchy stress of a gauge (MOREAU §4): the internal moments of its grains over its volume, each grain counted by
// the share of it that lies in the gauge, so that gauges side by side add up. Positive in tension.
#pragma once

#include "talus/probes/view.hpp"

#include <optional>

namespace talus {

template <int D>
std::optional<Mat<D>> mean_stress(const View<D>& view);

template <int D>
double pressure_of(const Mat<D>& stress)
{
    return -stress.trace() / D;
}

// Eigenvalues of the symmetric part, from the most compressive to the most tensile; directions in columns.
template <int D>
struct PrincipalStress {
    Vec<D> value;
    Mat<D> direction;
};
template <int D>
PrincipalStress<D> principal_stress(const Mat<D>& stress);

} // namespace talus
