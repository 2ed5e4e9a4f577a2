#include "talus/integrators/integrator.hpp"

namespace talus {

std::vector<IntegratorKind>& integrator_kinds()
{
    static std::vector<IntegratorKind> kinds = {leapfrog(),    velocity_verlet(), central_differences(), gear(),
                                                runge_kutta(), newmark(),         symplectic_euler()};
    return kinds;
}

} // namespace talus
