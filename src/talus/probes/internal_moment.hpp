// Internal moment of a grain, M = Σ_c f_c ⊗ (x_c − x) with f_c the force on it at its contact x_c and x its centre, so
// that weight and acceleration do not enter (MOREAU §4.2, MODEL §5). Positive in tension. It adds up over grains; over
// the volume they fill it is their mean stress.
#pragma once

#include "talus/contacts/contact_table.hpp"
#include "talus/probes/sample.hpp"

#include <vector>

namespace talus {

// [N m] of every body, from the impulses of a step of length dt; zero for what is not a grain.
template <int D>
std::vector<Mat<D>> internal_moments(const Sample<D>& sample, const ContactTable<D>& contacts, double dt);

} // namespace talus
