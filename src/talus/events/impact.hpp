// The impulse of an impact of balls: Newton's restitution along the normal, Coulomb's friction across, which stops the
// sliding (or turns it round by e_t) unless μ times the normal impulse is less than that takes. The two do not mix,
// since the contact point of a ball lies on the line of the normal through its centre.
#pragma once

#include "talus/laws/contact_law.hpp"
#include "talus/math/space.hpp"

namespace talus {

// How much the relative velocity at the contact changes per impulse.
struct ImpactCompliance {
    double normal = 0;     // [1/kg] 1/m of both
    double tangential = 0; // [1/kg] 1/m + R²/I of both
};

template <int D>
struct Impulse {
    Vec<D> given = Vec<D>::Zero();   // [N s] on the ball that the normal points to
    double normal = 0;               // [N s]
    double impact = 0, friction = 0; // [J] lost along the normal and across
};

// `relative`: velocity of the contact point of the ball that the normal points to, as seen from the other side.
// `is_elastic`: nothing is lost, neither along the normal nor by friction.
template <int D>
Impulse<D> impulse_of(const ContactLaw& law, const Vec<D>& normal, const Vec<D>& relative,
                      const ImpactCompliance& compliance, bool is_elastic)
{
    Impulse<D> impulse;
    const double approach = -relative.dot(normal);
    if (!(approach > 0)) return impulse;
    const double restitution = is_elastic ? 1.0 : law.restitution;
    impulse.normal = (1 + restitution) * approach / compliance.normal;
    impulse.impact = 0.5 * impulse.normal * approach * (1 - restitution);
    impulse.given = impulse.normal * normal;
    if (law.friction == 0 || is_elastic) return impulse;
    const Vec<D> sliding = relative + approach * normal;
    const double speed = sliding.norm();
    if (!(speed > 0)) return impulse;
    const double sticking = (1 + law.tangential_restitution) * speed / compliance.tangential;
    const double across = std::min(sticking, law.friction * impulse.normal);
    impulse.given -= (across / speed) * sliding;
    impulse.friction = across * (speed - 0.5 * across * compliance.tangential);
    return impulse;
}

} // namespace talus
