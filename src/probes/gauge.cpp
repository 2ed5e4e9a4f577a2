#include "probes/gauge.hpp"

#include "base/error.hpp"
#include "exec/parallel.hpp"
#include "probes/neighbours.hpp"
#include "probes/pair_overlap.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <vector>

namespace talus {

namespace {

template <int D>
bool contains(const Bounds<D>& box, const Vec<D>& point) // half-open: boxes side by side share no grain
{
    return (point.array() >= box.lower.array()).all() && (point.array() < box.upper.array()).all();
}

// Bounding box of the grains, cut back to half-spaces that look along an axis and cross it.
template <int D>
Bounds<D> bounds_of_grains(const Sample<D>& sample)
{
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const Bounds<D> nothing{Vec<D>::Constant(infinity), Vec<D>::Constant(-infinity)};
    Bounds<D> all = parallel_reduce(
        sample.bodies.size(), nothing,
        [&](std::size_t i) -> Bounds<D> { return sample.is_grain(i) ? bounds_of_grain(sample, i) : nothing; },
        [](const Bounds<D>& a, const Bounds<D>& b) -> Bounds<D> {
            return {a.lower.cwiseMin(b.lower), a.upper.cwiseMax(b.upper)};
        });
    if (!(all.lower.array() <= all.upper.array()).all()) return {Vec<D>::Zero(), Vec<D>::Zero()};
    for (std::size_t i = 0; i < sample.bodies.size(); ++i) {
        if (sample.shape(i).kind != ShapeKind::half_space) continue;
        const Vec<D> normal = sample.bodies.orientation[i] * sample.shapes.half_spaces[sample.shape(i).detail].normal;
        int axis = 0;
        if (normal.cwiseAbs().maxCoeff(&axis) < 1 - 1e-12) continue;
        const double place = sample.bodies.position[i][axis];
        if (!(place > all.lower[axis] && place < all.upper[axis])) continue;
        (normal[axis] > 0 ? all.lower : all.upper)[axis] = place;
    }
    return all;
}

// What the grains of a gauge add up to.
struct GrainSums {
    double solid_volume = 0, speed = 0, max_speed = 0;
    std::int64_t grains = 0, pushing = 0, touching = 0, grains_held = 0, pushing_held = 0;

    static GrainSums combine(const GrainSums& a, const GrainSums& b)
    {
        return {a.solid_volume + b.solid_volume,
                a.speed + b.speed,
                std::max(a.max_speed, b.max_speed),
                a.grains + b.grains,
                a.pushing + b.pushing,
                a.touching + b.touching,
                a.grains_held + b.grains_held,
                a.pushing_held + b.pushing_held};
    }
};

// What its contacts add up to.
struct ContactSums {
    double overlap_volume = 0, max_overlap = 0;
    std::size_t contacts = 0, active = 0;
    std::array<std::size_t, 3> pairs{}; // with one, two, more points

    static ContactSums combine(const ContactSums& a, const ContactSums& b)
    {
        ContactSums sum{a.overlap_volume + b.overlap_volume, std::max(a.max_overlap, b.max_overlap),
                        a.contacts + b.contacts, a.active + b.active};
        for (std::size_t k = 0; k < sum.pairs.size(); ++k) sum.pairs[k] = a.pairs[k] + b.pairs[k];
        return sum;
    }
};

// `is_whole`: every grain belongs to the gauge, wherever its centre is
template <int D>
GrainSums sum_grains(const Sample<D>& sample, const Bounds<D>& box, bool is_whole, const Neighbours<D>& neighbours)
{
    const std::vector<std::int32_t> held = neighbours.pushing_without_rattlers();
    return parallel_reduce(
        sample.bodies.size(), GrainSums{},
        [&](std::size_t i) {
            GrainSums one;
            if (!sample.is_grain(i)) return one;
            const Vec<D>& centre = sample.bodies.position[i];
            one.solid_volume = grain_in_box(sample, i, box);
            if (!is_whole && !contains(box, centre)) return one;
            one.grains = 1;
            one.speed = one.max_speed = sample.bodies.velocity[i].norm();
            one.pushing = neighbours.pushing()[i];
            one.touching = neighbours.touching()[i];
            if (held[i] >= 0) {
                one.grains_held = 1;
                one.pushing_held = held[i];
            }
            return one;
        },
        GrainSums::combine);
}

template <int D>
ContactSums sum_contacts(const Sample<D>& sample, const Bounds<D>& box, bool is_whole, const ContactTable<D>& contacts,
                         const Neighbours<D>& neighbours)
{
    return parallel_reduce(
        contacts.size(), ContactSums{},
        [&](std::size_t k) {
            ContactSums one;
            std::size_t c = contacts.candidate[k], a = contacts.antagonist[k];
            if (!sample.is_grain(c)) std::swap(c, a);
            if (!sample.is_grain(c) || (!is_whole && !contains(box, contacts.point[k]))) return one;
            one.contacts = 1;
            one.active = neighbours.is_active(k);
            if (!neighbours.opens_pair(k)) return one;
            if (neighbours.touches(k)) ++one.pairs[std::size_t(std::clamp(neighbours.points(k), 1, 3)) - 1];
            const PairOverlap overlap = overlap_of_pair(sample, c, a, neighbours.smallest_gap(k));
            one.overlap_volume = overlap.volume;
            one.max_overlap = std::max(0.0, overlap.depth);
            return one;
        },
        ContactSums::combine);
}

std::optional<double> ratio(double part, double whole)
{
    if (whole == 0) return std::nullopt;
    return part / whole;
}

} // namespace

template <int D>
Gauge<D> Gauge<D>::sample(std::string name)
{
    return Gauge(std::move(name));
}

template <int D>
Gauge<D> Gauge<D>::box(std::string name, const Vec<D>& lower, const Vec<D>& upper)
{
    if (!lower.allFinite() || !upper.allFinite() || !(lower.array() < upper.array()).all()) {
        throw InputError("gauge " + name + ": its lower corner must be below its upper corner in every direction");
    }
    Gauge gauge(std::move(name));
    gauge.box_ = Bounds<D>{lower, upper};
    return gauge;
}

template <int D>
Gauge<D>& Gauge<D>::with_force_threshold(double share)
{
    force_threshold_ = share;
    return *this;
}

template <int D>
GaugeValues<D> Gauge<D>::measure(const BodyTable<D>& bodies, const ShapeTable<D>& shapes,
                                 const ContactTable<D>& contacts) const
{
    const Sample<D> sample{bodies, shapes};
    const Bounds<D> box = box_ ? *box_ : bounds_of_grains(sample);
    const Neighbours<D> neighbours(sample, contacts, force_threshold_);
    const GrainSums grains = sum_grains(sample, box, !box_, neighbours);
    const ContactSums touched = sum_contacts(sample, box, !box_, contacts, neighbours);

    GaugeValues<D> values;
    values.volume = (box.upper - box.lower).prod();
    values.solid_volume = grains.solid_volume;
    values.solid_fraction = ratio(grains.solid_volume, values.volume);
    values.coordination = ratio(double(grains.pushing), double(grains.grains));
    values.coordination_without_rattlers = ratio(double(grains.pushing_held), double(grains.grains_held));
    values.neighbours = ratio(double(grains.touching), double(grains.grains));
    values.overlap_volume = touched.overlap_volume;
    values.interpenetration = ratio(touched.overlap_volume, values.volume);
    values.overlap_ratio = ratio(touched.overlap_volume, grains.solid_volume);
    values.max_overlap = touched.max_overlap;
    values.grains = std::size_t(grains.grains);
    values.contacts = touched.contacts;
    values.active_contacts = touched.active;
    values.simple_pairs = touched.pairs[0];
    values.double_pairs = touched.pairs[1];
    values.triple_pairs = touched.pairs[2];
    values.mean_speed = ratio(grains.speed, double(grains.grains));
    values.max_speed = grains.max_speed;
    return values;
}

template class Gauge<2>;
template class Gauge<3>;

} // namespace talus
