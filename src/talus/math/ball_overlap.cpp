#include "talus/math/ball_overlap.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace talus {

namespace {

double square(double x) { return x * x; }
double cube(double x) { return x * x * x; }

// a + b − c for a + b ≈ c, with the rounding of a + b given back (Knuth's two-sum)
double excess(double a, double b, double c)
{
    const double sum = a + b, from_b = sum - a;
    const double lost = (a - (sum - from_b)) + (b - from_b);
    return (sum - c) + lost;
}

// x − sin x without cancellation
double minus_sine(double x)
{
    if (x > 0.5) return x - std::sin(x);
    double term = cube(x) / 6, sum = 0;
    for (int k = 4; k < 20; k += 2) {
        sum += term;
        term *= -square(x) / (k * (k + 1));
    }
    return sum;
}

// The part of a ball within `height` of its top.
template <int D>
double cap(double radius, double height)
{
    const double h = std::clamp(height, 0.0, 2 * radius);
    if (D == 3) return M_PI / 3 * square(h) * (3 * radius - h);
    return 0.5 * square(radius) * minus_sine(4 * std::asin(std::min(1.0, std::sqrt(0.5 * h / radius))));
}

// Two balls that cross, `depth` = a + b − distance.
template <int D>
double lens(double a, double b, double distance, double depth)
{
    if (depth <= 0) return 0;
    if (distance <= std::abs(a - b)) return ball_volume<D>(std::min(a, b));
    return cap<D>(a, depth * (b + distance - a) / (2 * distance)) +
           cap<D>(b, depth * (a + distance - b) / (2 * distance));
}

// A ball that crosses the wall of a bowl outward, `depth` = distance + radius − bowl.
template <int D>
double crescent(double radius, double bowl, double distance, double depth)
{
    if (depth <= 0) return 0;
    if (distance >= bowl + radius) return ball_volume<D>(radius);
    if (distance <= radius - bowl) return ball_volume<D>(radius) - ball_volume<D>(bowl);
    return cap<D>(radius, depth * (distance + radius + bowl) / (2 * distance)) -
           cap<D>(bowl, depth * (bowl + radius - distance) / (2 * distance));
}

// The part of a ball around the origin beyond a corner: all coordinates larger than those of the corner.
// Behind the centre it is found from its mirror image; beyond the centre, by the divergence theorem from the plane
// pieces and the piece of the sphere, whose area is Gauss and Bonnet's. Angles come from atan2 and the same half chords
// everywhere: where the corner nears the sphere, acos would lose half of the digits.
double half_chord(double r, double a) { return std::sqrt((r - a) * (r + a)); }

double beyond_corner(double r, double a, double b)
{
    if (a < 0) return cap<2>(r, r - b) - beyond_corner(r, -a, b);
    if (b < 0) return cap<2>(r, r - a) - beyond_corner(r, a, -b);
    if (square(a) + square(b) >= square(r)) return 0;
    const double chord_a = half_chord(r, a), chord_b = half_chord(r, b);
    const double arc = std::atan2(chord_a, a) - std::atan2(b, chord_b);
    return 0.5 * (square(r) * arc - a * (chord_a - b) - b * (chord_b - a));
}

// angle by which the boundary turns where the circles in the planes x = a and y = b cross, at z = height
double turn_at(double r, double a, double b, double height) { return std::atan2(r * height, -a * b); }

double beyond_edge(double r, double a, double b)
{
    if (a < 0) return cap<3>(r, r - b) - beyond_edge(r, -a, b);
    if (b < 0) return cap<3>(r, r - a) - beyond_edge(r, a, -b);
    const double left = square(r) - square(a) - square(b);
    if (left <= 0) return 0;
    const double height = std::sqrt(left), disk_a = half_chord(r, a), disk_b = half_chord(r, b);
    const double bending = (a * std::atan2(height, b) + b * std::atan2(height, a)) / r;
    const double solid_angle = 2 * (M_PI - bending - turn_at(r, a, b, height));
    return (cube(r) * solid_angle - a * cap<2>(disk_a, disk_a - b) - b * cap<2>(disk_b, disk_b - a)) / 3;
}

double beyond_corner(double r, double a, double b, double c)
{
    if (a < 0) return beyond_edge(r, b, c) - beyond_corner(r, -a, b, c);
    if (b < 0) return beyond_edge(r, a, c) - beyond_corner(r, a, -b, c);
    if (c < 0) return beyond_edge(r, a, b) - beyond_corner(r, a, b, -c);
    if (square(a) + square(b) + square(c) >= square(r)) return 0;
    const std::array<double, 3> corner{a, b, c};
    double solid_angle = 2 * M_PI, planes = 0;
    for (int i = 0; i < 3; ++i) {
        const double x = corner[i], y = corner[(i + 1) % 3], z = corner[(i + 2) % 3];
        const double z_of_xy = std::sqrt(square(r) - square(x) - square(y)); // where two planes meet the sphere
        const double y_of_xz = std::sqrt(square(r) - square(x) - square(z));
        solid_angle -= x / r * (std::atan2(z_of_xy, y) - std::atan2(z, y_of_xz)) + turn_at(r, x, y, z_of_xy);
        planes += x * beyond_corner(half_chord(r, x), y, z);
    }
    return (cube(r) * solid_angle - planes) / 3;
}

double beyond_corner(double r, const Vec<2>& corner) { return beyond_corner(r, corner[0], corner[1]); }
double beyond_corner(double r, const Vec<3>& corner) { return beyond_corner(r, corner[0], corner[1], corner[2]); }

struct Quadrature {
    static constexpr int points = 32;
    std::array<double, points> node, weight; // on [0, 1]
};

Quadrature gauss_legendre()
{
    Quadrature rule{};
    constexpr int n = Quadrature::points;
    for (int i = 0; i < n; ++i) {
        double x = std::cos(M_PI * (i + 0.75) / (n + 0.5)), slope = 1;
        for (int newton = 0; newton < 8; ++newton) {
            double p = 1, before = 0;
            for (int k = 1; k <= n; ++k) {
                const double next = ((2 * k - 1) * x * p - (k - 1) * before) / k;
                before = p;
                p = next;
            }
            slope = n * (x * p - before) / (square(x) - 1);
            x -= p / slope;
        }
        rule.node[i] = 0.5 * (1 - x);
        rule.weight[i] = 1 / ((1 - square(x)) * square(slope));
    }
    return rule;
}

// ∫ slice(z, end − z) dz from begin to `stop`, where the slice's area starts and ends with powers of 3/2: a change of
// variable by sin² makes them smooth
template <class Slice>
double integrate_slices(double begin, double end, double stop, Slice&& slice)
{
    static const Quadrature rule = gauss_legendre();
    const double length = end - begin;
    if (length <= 0 || stop <= begin) return 0;
    const double last = std::asin(std::sqrt(std::min(1.0, (stop - begin) / length)));
    double sum = 0;
    for (int i = 0; i < Quadrature::points; ++i) {
        const double t = last * rule.node[i];
        const double z = begin + length * square(std::sin(t)), left = length * square(std::cos(t));
        sum += rule.weight[i] * last * length * std::sin(2 * t) * slice(z, left);
    }
    return sum;
}

// Of a sphere, what lies in an endless cylinder between its equator and `height` above. The slices across the axis are
// disks: first they hold that of the cylinder, then the two cross, and at last they lie within it or beside it.
double above_equator(double radius, double cylinder_radius, double distance, double height)
{
    const double top = std::min(height, radius);
    const double whole = std::sqrt(std::max(0.0, square(radius) - square(cylinder_radius + distance)));
    const double alone = std::sqrt(std::max(0.0, square(radius) - square(cylinder_radius - distance)));
    double volume = M_PI * square(cylinder_radius) * std::min(top, whole);
    volume += integrate_slices(whole, alone, top, [&](double z, double) {
        const double disk = std::sqrt(square(radius) - square(z));
        return lens<2>(disk, cylinder_radius, distance, excess(disk, cylinder_radius, distance));
    });
    if (distance < cylinder_radius && top > alone) {
        volume += M_PI * (top - alone) * (square(radius) - (square(top) + top * alone + square(alone)) / 3);
    }
    return volume;
}

} // namespace

template <int D>
double overlap_of_balls(double radius_a, double radius_b, double distance)
{
    return lens<D>(radius_a, radius_b, distance, excess(radius_a, radius_b, distance));
}

template <int D>
double ball_below_plane(double radius, double height)
{
    return cap<D>(radius, radius - height);
}

template <int D>
double ball_in_box(const Vec<D>& centre, double radius, const Vec<D>& lower, const Vec<D>& upper)
{
    // how far the centre is inside of each face
    const Vec<D> below = centre - lower, above = upper - centre;
    int cuts = 0;
    double depth = 0;
    for (int k = 0; k < D; ++k) {
        for (const double inside : {below[k], above[k]}) {
            if (inside <= -radius || lower[k] >= upper[k]) return 0;
            if (inside >= radius) continue;
            ++cuts;
            depth = inside;
        }
    }
    if (cuts == 0) return ball_volume<D>(radius);
    if (cuts == 1) return ball_below_plane<D>(radius, -depth);
    double sum = 0; // over the corners of the box, lower faces positive
    for (unsigned corner = 0; corner < (1u << D); ++corner) {
        Vec<D> point;
        double sign = 1;
        for (int k = 0; k < D; ++k) {
            const bool is_upper = (corner >> k) & 1;
            point[k] = is_upper ? above[k] : -below[k];
            if (is_upper) sign = -sign;
        }
        sum += sign * beyond_corner(radius, point);
    }
    return std::max(0.0, sum);
}

template <int D>
double ball_outside_bowl(double radius, double bowl_radius, double distance)
{
    return crescent<D>(radius, bowl_radius, distance, excess(distance, radius, bowl_radius));
}

double ball_outside_drum(double radius, double drum_radius, double distance)
{
    const double depth = excess(distance, radius, drum_radius);
    if (depth <= 0) return 0;
    if (distance >= drum_radius) return ball_volume<3>(radius) - ball_in_cylinder(radius, drum_radius, distance);
    // slices along the axis: disks of radius from `room`, where they touch the drum, to that of the ball
    const double room = drum_radius - distance, last = std::sqrt(depth * (radius + room));
    const double whole =
        std::sqrt(std::max(0.0, square(radius) - square(drum_radius + distance))); // drum inside the disk
    const double crossing = integrate_slices(whole, last, last, [&](double z, double left) {
        const double disk = std::sqrt(square(radius) - square(z));
        return crescent<2>(disk, drum_radius, distance, left * (last + z) / (disk + room));
    });
    return 2 * (crossing + M_PI * whole * (square(radius) - square(drum_radius) - square(whole) / 3));
}

double ball_in_cylinder(double radius, double cylinder_radius, double distance)
{
    const double depth = excess(radius, cylinder_radius, distance);
    if (depth <= 0) return 0;
    if (distance < cylinder_radius) {
        return ball_volume<3>(radius) - ball_outside_drum(radius, cylinder_radius, distance);
    }
    const double room = distance - cylinder_radius, last = std::sqrt(depth * (radius + room));
    const double whole = std::sqrt(std::max(0.0, square(radius) - square(cylinder_radius + distance)));
    const double crossing = integrate_slices(whole, last, last, [&](double z, double left) {
        const double disk = std::sqrt(square(radius) - square(z));
        return lens<2>(disk, cylinder_radius, distance, left * (last + z) / (disk + room));
    });
    return 2 * (crossing + M_PI * square(cylinder_radius) * whole);
}

double ball_in_cylinder(double radius, double cylinder_radius, double distance, double lower, double upper)
{
    if (lower >= upper || lower >= radius || upper <= -radius || distance >= radius + cylinder_radius) return 0;
    const auto up_to = [&](double height) {
        return std::copysign(above_equator(radius, cylinder_radius, distance, std::abs(height)), height);
    };
    return std::clamp(up_to(upper) - up_to(lower), 0.0, ball_volume<3>(radius));
}

template <int D>
double ball_in_rod(double radius, double rod_radius, double distance)
{
    if (D == 3) return ball_in_cylinder(radius, rod_radius, distance);
    return ball_below_plane<2>(radius, distance - rod_radius) - ball_below_plane<2>(radius, distance + rod_radius);
}

#define TALUS_INSTANTIATE(D)                                                                                           \
    template double overlap_of_balls<D>(double, double, double);                                                       \
    template double ball_below_plane<D>(double, double);                                                               \
    template double ball_in_box(const Vec<D>&, double, const Vec<D>&, const Vec<D>&);                                  \
    template double ball_outside_bowl<D>(double, double, double);                                                      \
    template double ball_in_rod<D>(double, double, double);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

} // namespace talus
