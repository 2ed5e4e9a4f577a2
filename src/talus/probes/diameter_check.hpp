// Moreau's test of a stress tensor (MOREAU §4.2, fig. 1): over diameters of a round region, the resultant of the
// contact forces per unit of length (of area in 3D) beside σ n. Its normal and tangential parts lie on sinusoids of the
// angle where one tensor tells the force on every cut.
#pragma once

#include "talus/probes/cut.hpp"
#include "talus/probes/region.hpp"

#include <vector>

namespace talus {

// Cuts through the centre, their normals spread evenly over half a turn about `axis` (in 2D there is only one).
struct Diameters {
    int count = 21;
    Vec<3> axis = Vec<3>::Unit(2); // unit
};

// On one cut, per unit of its length or area [N/m, Pa]; tension is positive.
struct DiameterTraction {
    double angle;                                  // [rad] of the normal
    double normal, tangential;                     // of the contact forces
    double predicted_normal, predicted_tangential; // n·σn, t·σn
};

struct DiameterCheck {
    std::vector<DiameterTraction> diameters;
    double deviation = 0; // rms of measured − predicted traction, over the rms of the predicted one
};

// Of a disk or a sphere with this mean stress.
template <int D>
DiameterCheck check_diameters(const Region<D>& ball, const Mat<D>& stress, const Sample<D>& sample,
                              const ContactTable<D>& contacts, double dt, const Diameters& diameters = {});

} // namespace talus
