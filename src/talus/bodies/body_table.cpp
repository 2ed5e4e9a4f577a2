#include "talus/bodies/body_table.hpp"

#include "talus/exec/erase_rows.hpp"
#include "talus/exec/parallel.hpp"

#include <Eigen/LU>

#include <numeric>

namespace talus {

template <int D>
std::int32_t BodyTable<D>::add(const Body<D>& body)
{
    for_columns<BodyTable>([&]<class Owner, class T>(const Column<Owner, T>& column) {
        std::vector<T>& data = this->*column.data;
        if (!column.is_optional || !data.empty()) data.push_back(zero_of<T>());
    });
    if (!number.empty()) number.back() = born++;
    position.back() = body.position;
    orientation.back() = body.orientation;
    velocity.back() = body.velocity;
    spin.back() = body.spin;
    mass.back() = body.mass;
    inertia.back() = body.inertia;
    imposed.back() = body.imposed;
    shape.back() = body.shape;
    material.back() = body.material;
    return std::int32_t(size()) - 1;
}

template <int D>
std::int32_t BodyTable<D>::find(BodyId id) const
{
    const auto wanted = std::int32_t(id);
    if (number.empty()) return wanted >= 0 && std::size_t(wanted) < size() ? wanted : -1;
    // in the order of their numbers, unless somebody has sorted them
    auto found = std::lower_bound(number.begin(), number.end(), wanted);
    if (found == number.end() || *found != wanted) found = std::find(number.begin(), number.end(), wanted);
    return found == number.end() ? -1 : std::int32_t(found - number.begin());
}

template <int D>
void BodyTable<D>::remove_others(const std::vector<std::uint8_t>& kept)
{
    if (number.empty()) {
        born = std::int32_t(size());
        number.resize(size());
        std::iota(number.begin(), number.end(), 0);
    }
    erase_rows(*this, rows_not_kept(kept));
}

template <int D>
Vec<D> inverse_mass(const BodyTable<D>& bodies, std::size_t i)
{
    Vec<D> inverse;
    for (int axis = 0; axis < D; ++axis) inverse[axis] = bodies.is_imposed(i, axis) ? 0.0 : 1.0 / bodies.mass[i];
    return inverse;
}

template <int D>
AngMat<D> inverse_inertia(const BodyTable<D>& bodies, std::size_t i)
{
    return inverse_inertia(bodies, i, bodies.orientation[i]);
}

template <int D>
AngMat<D> inverse_inertia(const BodyTable<D>& bodies, std::size_t i, const Rotation<D>& orientation)
{
    constexpr FreedomMask rotations = all_imposed<D> & ~((1u << D) - 1u);
    const FreedomMask held = bodies.imposed[i] & rotations;
    if (held == rotations) return AngMat<D>::Zero();
    if (is_isotropic(bodies.inertia[i]) && held == 0) {
        return AngMat<D>::Identity() / bodies.inertia[i][0];
    }
    AngMat<D> inertia = inertia_in_world(orientation, bodies.inertia[i]);
    // an imposed rotation leaves the equations: restrict the inertia to the free axes before inverting
    for (int axis = 0; axis < angular<D>; ++axis) {
        if (!bodies.is_imposed(i, D + axis)) continue;
        inertia.row(axis).setZero();
        inertia.col(axis).setZero();
        inertia(axis, axis) = 1;
    }
    AngMat<D> inverse = inertia.inverse();
    for (int axis = 0; axis < angular<D>; ++axis) {
        if (bodies.is_imposed(i, D + axis)) inverse(axis, axis) = 0;
    }
    return inverse;
}

template <int D>
void turn(BodyTable<D>& bodies, std::size_t i, double dt)
{
    constexpr FreedomMask rotations = all_imposed<D> & ~((1u << D) - 1u);
    Rotation<D>& orientation = bodies.orientation[i];
    Ang<D>& spin = bodies.spin[i];
    const Ang<D>& inertia = bodies.inertia[i];
    if (is_isotropic(inertia) || (bodies.imposed[i] & rotations) != 0) {
        orientation = orientation.turned(dt * spin);
        return;
    }
    // midpoint rule on the rotations: the spin at the middle of the turn is that of the carried angular momentum there
    const Ang<D> momentum = inertia_in_world(orientation, inertia) * spin;
    const auto spin_at = [&](const Rotation<D>& at) { return spin_of_momentum(at, inertia, momentum); };
    Ang<D> middle = spin;
    for (int iteration = 0; iteration < 8; ++iteration) {
        const Ang<D> next = spin_at(orientation.turned(0.5 * dt * middle));
        const bool settled = (next - middle).squaredNorm() <= 1e-30 * next.squaredNorm();
        middle = next;
        if (settled) break;
    }
    orientation = orientation.turned(dt * middle);
    spin = spin_at(orientation);
}

template <int D>
double kinetic_energy(const BodyTable<D>& bodies, std::size_t i)
{
    const Ang<D> momentum = inertia_in_world(bodies.orientation[i], bodies.inertia[i]) * bodies.spin[i];
    return 0.5 * bodies.mass[i] * bodies.velocity[i].squaredNorm() + 0.5 * bodies.spin[i].dot(momentum);
}

template <int D>
void clear_loads(BodyTable<D>& bodies)
{
    parallel_for(bodies.size(), [&](std::size_t i) {
        bodies.force[i].setZero();
        bodies.torque[i].setZero();
    });
}

template <int D>
std::int32_t first_non_finite(const BodyTable<D>& bodies)
{
    constexpr std::int32_t none = std::numeric_limits<std::int32_t>::max();
    const std::int32_t first = parallel_reduce(
        bodies.size(), none,
        [&](std::size_t i) {
            const bool finite =
                bodies.position[i].allFinite() && bodies.velocity[i].allFinite() && bodies.spin[i].allFinite();
            return finite ? none : std::int32_t(i);
        },
        [](std::int32_t a, std::int32_t b) { return std::min(a, b); });
    return first == none ? -1 : first;
}

#define TALUS_INSTANTIATE(D)                                                                                           \
    template class BodyTable<D>;                                                                                       \
    template Vec<D> inverse_mass(const BodyTable<D>&, std::size_t);                                                    \
    template AngMat<D> inverse_inertia(const BodyTable<D>&, std::size_t);                                              \
    template AngMat<D> inverse_inertia(const BodyTable<D>&, std::size_t, const Rotation<D>&);                          \
    template void turn(BodyTable<D>&, std::size_t, double);                                                            \
    template double kinetic_energy(const BodyTable<D>&, std::size_t);                                                  \
    template void clear_loads(BodyTable<D>&);                                                                          \
    template std::int32_t first_non_finite(const BodyTable<D>&);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

} // namespace talus
