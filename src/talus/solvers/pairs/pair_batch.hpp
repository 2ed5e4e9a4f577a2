// Pairs of bodies in batches of eight that share no movable body: the storage of the fast solver. A batch reads its
// sixteen bodies once, then visits the points of its pairs, eight contacts at a time, lane by lane.
#pragma once

#include "talus/math/wide.hpp"
#include "talus/solvers/contact_problem.hpp"

namespace talus {

// Where a body's numbers are in its record of whole lines of eight.
template <int D>
struct PackedBody {
    static constexpr int velocity = 0, spin = D, inverse_mass = spin + angular<D>, inverse_inertia = inverse_mass + D;
    static constexpr int inertia_terms = angular<D> * (angular<D> + 1) / 2; // xx (yy zz xy xz yz)
    static constexpr int fields = inverse_inertia + inertia_terms;
    static constexpr int lines = (fields + wide_count - 1) / wide_count, stride = lines * wide_count;
    static constexpr int moving = freedoms<D>; // the fields a sweep changes, all in the first line
    static_assert(moving <= wide_count);
};

// Where a point's numbers are in its block, each eight wide. The second tangent is n × t; in 2D the tangent follows
// from the normal.
template <int D>
struct PackedPoint {
    static constexpr int normal = 0, tangent = D, lever = tangent + (D == 3 ? 3 : 0), offset = lever + D;
    static constexpr int inverse_normal = offset + D, coupling = inverse_normal + 1, schur = coupling + D - 1;
    static constexpr int inverse_schur = schur + D - 1, friction = inverse_schur + D - 1;
    static constexpr int impulse = friction + 1, previous = impulse + D;
    static constexpr int fields = previous + D, stride = fields * wide_count;
};

struct PairBatch {
    std::int32_t candidate[wide_count], antagonist[wide_count]; // packed bodies; a body at rest where there is no pair
    std::int32_t points;                                        // of each pair
    std::int32_t lanes;                                         // pairs
    std::int32_t quiet = 0;                                     // looks in a row that found it satisfied
    bool frozen = false; // for so long that sweeps leave it alone until a look finds otherwise
    std::size_t data;    // in the array of points: the separation of the centres, then `points` blocks
    std::size_t kept;    // in the array of impulses that are kept
};

template <int N>
struct WideVec {
    Wide x[N];
    TALUS_INLINE Wide& operator[](int i) { return x[i]; }
    TALUS_INLINE const Wide& operator[](int i) const { return x[i]; }
};

template <int N>
TALUS_INLINE WideVec<N> load_fields(const double* p)
{
    WideVec<N> v;
    for (int i = 0; i < N; ++i) v[i] = load(p + i * wide_count);
    return v;
}
template <int N>
TALUS_INLINE void store_fields(double* p, const WideVec<N>& v)
{
    for (int i = 0; i < N; ++i) store(p + i * wide_count, v[i]);
}
template <int N>
TALUS_INLINE WideVec<N> operator+(const WideVec<N>& a, const WideVec<N>& b)
{
    WideVec<N> c;
    for (int i = 0; i < N; ++i) c[i] = a[i] + b[i];
    return c;
}
template <int N>
TALUS_INLINE WideVec<N> operator-(const WideVec<N>& a, const WideVec<N>& b)
{
    WideVec<N> c;
    for (int i = 0; i < N; ++i) c[i] = a[i] - b[i];
    return c;
}
template <int N>
TALUS_INLINE Wide dot(const WideVec<N>& a, const WideVec<N>& b)
{
    Wide sum = a[0] * b[0];
    for (int i = 1; i < N; ++i) sum = sum + a[i] * b[i];
    return sum;
}

TALUS_INLINE WideVec<3> cross(const WideVec<3>& a, const WideVec<3>& b)
{
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
TALUS_INLINE WideVec<2> cross(const WideVec<1>& spin, const WideVec<2>& lever)
{
    return {-(spin[0] * lever[1]), spin[0] * lever[0]};
}
TALUS_INLINE WideVec<3> moment(const WideVec<3>& lever, const WideVec<3>& force) { return cross(lever, force); }
TALUS_INLINE WideVec<1> moment(const WideVec<2>& lever, const WideVec<2>& force)
{
    return {lever[0] * force[1] - lever[1] * force[0]};
}
TALUS_INLINE WideVec<3> turn_by(const WideVec<6>& inertia, const WideVec<3>& v)
{
    const auto& [xx, yy, zz, xy, xz, yz] = inertia.x;
    return {xx * v[0] + xy * v[1] + xz * v[2], xy * v[0] + yy * v[1] + yz * v[2], xz * v[0] + yz * v[1] + zz * v[2]};
}
TALUS_INLINE WideVec<1> turn_by(const WideVec<1>& inertia, const WideVec<1>& v) { return {inertia[0] * v[0]}; }

// Eight bodies, one per lane.
template <int D>
struct WideBody {
    using Layout = PackedBody<D>;
    WideVec<Layout::stride> field;

    TALUS_INLINE void read(const double* bodies, const std::int32_t* index)
    {
        for (int line = 0; line < Layout::lines; ++line) {
            Wide rows[wide_count];
            for (int lane = 0; lane < wide_count; ++lane) {
                rows[lane] = load(bodies + std::size_t(index[lane]) * Layout::stride + line * wide_count);
            }
            transpose(rows);
            for (int i = 0; i < wide_count; ++i) field[line * wide_count + i] = rows[i];
        }
    }
    TALUS_INLINE void write(double* bodies, const std::int32_t* index) const
    {
        Wide rows[wide_count];
        for (int i = 0; i < wide_count; ++i) rows[i] = field[i];
        transpose(rows);
        for (int lane = 0; lane < wide_count; ++lane) {
            store(bodies + std::size_t(index[lane]) * Layout::stride, rows[lane]);
        }
    }
    template <int N>
    TALUS_INLINE WideVec<N> part(int first) const
    {
        WideVec<N> v;
        for (int i = 0; i < N; ++i) v[i] = field[first + i];
        return v;
    }
    TALUS_INLINE WideVec<D> velocity_at(const WideVec<D>& lever) const
    {
        return part<D>(Layout::velocity) + cross(part<angular<D>>(Layout::spin), lever);
    }
    // takes the impulse `sign` times f at the lever
    template <int sign>
    TALUS_INLINE void take(const WideVec<D>& f, const WideVec<D>& lever)
    {
        const auto spin = turn_by(part<Layout::inertia_terms>(Layout::inverse_inertia), moment(lever, f));
        for (int i = 0; i < D; ++i) {
            Wide& v = field[Layout::velocity + i];
            const Wide change = field[Layout::inverse_mass + i] * f[i];
            v = sign > 0 ? v + change : v - change;
        }
        for (int i = 0; i < angular<D>; ++i) {
            Wide& w = field[Layout::spin + i];
            w = sign > 0 ? w + spin[i] : w - spin[i];
        }
    }
};

// Frame and levers of eight points.
template <int D>
struct WideFrame;

template <>
struct WideFrame<3> {
    WideVec<3> n, t, s;
    TALUS_INLINE explicit WideFrame(const double* point)
        : n(load_fields<3>(point + PackedPoint<3>::normal * wide_count)),
          t(load_fields<3>(point + PackedPoint<3>::tangent * wide_count)), s(cross(n, t))
    {
    }
    TALUS_INLINE WideVec<3> to_local(const WideVec<3>& v) const { return {dot(n, v), dot(t, v), dot(s, v)}; }
    TALUS_INLINE WideVec<3> to_world(const WideVec<3>& r) const
    {
        WideVec<3> f;
        for (int i = 0; i < 3; ++i) f[i] = n[i] * r[0] + t[i] * r[1] + s[i] * r[2];
        return f;
    }
};
template <>
struct WideFrame<2> {
    WideVec<2> n, t;
    TALUS_INLINE explicit WideFrame(const double* point)
        : n(load_fields<2>(point + PackedPoint<2>::normal * wide_count)), t{-n[1], n[0]}
    {
    }
    TALUS_INLINE WideVec<2> to_local(const WideVec<2>& v) const { return {dot(n, v), dot(t, v)}; }
    TALUS_INLINE WideVec<2> to_world(const WideVec<2>& r) const
    {
        return {n[0] * r[0] + t[0] * r[1], n[1] * r[0] + t[1] * r[1]};
    }
};

// The Signorini-Coulomb law at eight contacts at once, as solve_exactly (coulomb.hpp) in other words: from the impulse
// y and the velocity v that goes with it, with k = w_tn/w_nn and the diagonal Schur complement S,
//   normal impulse if nothing slid back   f = y_n + k·y_t − v_n/w_nn,
//   tangential free velocity              c = v_t − S y_t − k v_n,
// apart where f ≤ 0; stick r_t = −S⁻¹c where ‖r_t‖ ≤ μ r_n; else slide r_t = −(S + s)⁻¹c with ‖r_t‖ = μ r_n.
template <int D>
struct WideLaw {
    using Layout = PackedPoint<D>;
    static constexpr int T = D - 1;
    Wide inverse_normal, friction;
    WideVec<T> k, schur, inverse_schur;

    TALUS_INLINE explicit WideLaw(const double* point)
        : inverse_normal(load(point + Layout::inverse_normal * wide_count)),
          friction(load(point + Layout::friction * wide_count)),
          k(load_fields<T>(point + Layout::coupling * wide_count)),
          schur(load_fields<T>(point + Layout::schur * wide_count)),
          inverse_schur(load_fields<T>(point + Layout::inverse_schur * wide_count))
    {
    }

    // y, brought into its cone along the tangent where it is not
    TALUS_INLINE WideVec<D> in_cone(const WideVec<D>& y) const
    {
        const Wide zero = broadcast(0), one = broadcast(1);
        WideVec<D> r;
        r[0] = larger(y[0], zero);
        Wide size = zero;
        for (int i = 1; i < D; ++i) size = size + y[i] * y[i];
        size = sqrt(size);
        const Wide limit = friction * r[0];
        const Wide shrink = select(size > limit, limit / select(size > zero, size, one), one);
        for (int i = 1; i < D; ++i) r[i] = y[i] * shrink;
        return r;
    }

    TALUS_INLINE WideVec<D> solve(const WideVec<D>& y, const WideVec<D>& v, double accuracy) const
    {
        const Wide zero = broadcast(0);
        Wide free = y[0] - v[0] * inverse_normal;
        WideVec<T> c;
        for (int i = 0; i < T; ++i) {
            free = free + k[i] * y[i + 1];
            c[i] = v[i + 1] - schur[i] * y[i + 1] - k[i] * v[0];
        }
        WideVec<D> r;
        r[0] = free;
        Wide size = zero; // ‖r_t‖²
        for (int i = 0; i < T; ++i) {
            r[i + 1] = -(c[i] * inverse_schur[i]);
            r[0] = r[0] - k[i] * r[i + 1];
            size = size + r[i + 1] * r[i + 1];
        }
        const auto closed = free > zero;
        const Wide limit = friction * r[0];
        const auto sticks = (r[0] >= zero) & (size <= limit * limit);
        const auto slides = closed & ~sticks;
        if (any(slides)) {
            const WideVec<D> sliding = slide(c, free, y, slides, accuracy);
            for (int i = 0; i < D; ++i) r[i] = select(slides, sliding[i], r[i]);
        }
        for (int i = 0; i < D; ++i) r[i] = select(closed, r[i], zero);
        return r;
    }

    // one linear equation: |c|/(S+s) = μ (f + k c/(S+s))
    TALUS_INLINE WideVec<2> slide(const WideVec<1>& c, const Wide& free, const WideVec<2>&, const WideMask&,
                                  double) const
    {
        const Wide size = larger(c[0], -c[0]);
        const Wide reach = (size - friction * k[0] * c[0]) / free; // μ (S + s)
        const Wide normal = select(friction > 0, size / reach, free);
        const Wide sign = select(c[0] > 0, broadcast(-1), broadcast(1));
        return {normal, sign * friction * normal};
    }

    // Newton on 1/‖r_t‖ − 1/(μ r_n), which is linear in s for an isotropic block, inside a bracket
    TALUS_INLINE WideVec<3> slide(const WideVec<2>& c, const Wide& free, const WideVec<3>& y, const WideMask& slides,
                                  double accuracy) const
    {
        const Wide zero = broadcast(0), infinite = broadcast(std::numeric_limits<double>::infinity());
        const Wide scale = schur[0] + schur[1], reach = friction * free;
        Wide low = zero, high = infinite;
        // what y says, which is right at the solution; else as if the block were isotropic. The squares of impulses
        // that have decayed to 1e-159 vanish: what they divide says nothing.
        const Wide far = 1e20 * scale;
        const Wide square_y = y[1] * y[1] + y[2] * y[2];
        Wide s = -(y[1] * (c[0] + schur[0] * y[1]) + y[2] * (c[1] + schur[1] * y[2])) / square_y;
        const auto said = (s > zero) & (s < far);
        if (any(slides & ~said)) {
            const Wide guess = sqrt(c[0] * c[0] + c[1] * c[1]) / reach - 0.5 * scale;
            s = select(said, s, select((guess > zero) & (guess < far), guess, 1e-3 * scale));
        }
        Wide t0, t1, tangential, normal;
        for (int iteration = 0;; ++iteration) {
            const Wide a0 = schur[0] + s, a1 = schur[1] + s, inverse = 1.0 / (a0 * a1);
            const Wide d0 = a1 * inverse, d1 = a0 * inverse;
            t0 = c[0] * d0; // −r_t
            t1 = c[1] * d1;
            const Wide square = t0 * t0 + t1 * t1;
            tangential = sqrt(square);
            normal = free + k[0] * t0 + k[1] * t1;
            const Wide excess = tangential - friction * normal;
            const auto open = slides & (friction > zero) & (larger(excess, -excess) > accuracy * (tangential + reach));
            if (iteration == 40 || !any(open)) break;
            low = select(excess > zero, s, low);
            high = select(excess > zero, high, s);
            const Wide normal_slope = -(k[0] * t0 * d0 + k[1] * t1 * d1);
            const Wide slope =
                (t0 * t0 * d0 + t1 * t1 * d1) * friction * normal * normal + normal_slope * square * tangential;
            const Wide newton = s + excess * square * normal / slope;
            const Wide bisection = select(high < infinite, 0.5 * (low + high), 2.0 * s + scale);
            const Wide next = select((newton > low) & (newton < high) & (normal > zero), newton, bisection);
            s = select(open, next, s);
        }
        normal = select(friction > zero, select(normal > zero, normal, zero), free);
        const Wide shrink = -(friction * normal / select(tangential > zero, tangential, broadcast(1)));
        return {normal, select(friction > zero, t0 * shrink, zero), select(friction > zero, t1 * shrink, zero)};
    }

    // P(m r − ṽ) on Coulomb's cone, ṽ = v + μ‖v_t‖ n: the velocity m r itself where the law holds, for any m > 0
    TALUS_INLINE WideVec<D> projected(const WideVec<D>& r, const WideVec<D>& v, const Wide& m) const
    {
        const Wide zero = broadcast(0), one = broadcast(1);
        Wide slip = zero, size = zero;
        WideVec<D> target;
        for (int i = 1; i < D; ++i) {
            slip = slip + v[i] * v[i];
            target[i] = m * r[i] - v[i];
            size = size + target[i] * target[i];
        }
        target[0] = m * r[0] - (v[0] + friction * sqrt(slip));
        size = sqrt(size);
        // in the polar cone (first: without friction it shares the axis), inside, or on the surface
        const auto polar = friction * size <= -target[0];
        const auto inside = (size <= friction * target[0]) & ~polar;
        const Wide height = select(polar, zero, (target[0] + friction * size) / (1.0 + friction * friction));
        const Wide shrink = friction * height / select(size > zero, size, one);
        for (int i = 0; i < D; ++i) target[i] = select(inside, target[i], i == 0 ? height : target[i] * shrink);
        return target;
    }

    // One projected step from the impulse y with the velocity v. W_αα = w_nn (1, k)(1, k)ᵀ + (0, S), so its largest
    // eigenvalue is at most w_nn (1 + k²) + max S: with a step of 2 over that, or 1 over its mean, nothing overshoots.
    TALUS_INLINE WideVec<D> project(const WideVec<D>& y, const WideVec<D>& v) const
    {
        const Wide zero = broadcast(0), one = broadcast(1);
        const auto real = inverse_normal > zero;
        Wide along = one, across = schur[0], largest = schur[0];
        for (int i = 0; i < T; ++i) along = along + k[i] * k[i];
        for (int i = 1; i < T; ++i) {
            across = across + schur[i];
            largest = larger(largest, schur[i]);
        }
        along = along / select(real, inverse_normal, one);
        const Wide m = larger((along + across) * (1.0 / D), 0.5 * (along + largest));
        const WideVec<D> velocity = projected(y, v, m);
        WideVec<D> r;
        for (int i = 0; i < D; ++i) r[i] = select(real, velocity[i] / m, zero);
        return r;
    }

    // square of the scaled natural map of the law at (r, v) (coulomb.hpp), 0 where nothing can give way
    TALUS_INLINE Wide residual_squared(const WideVec<D>& r, const WideVec<D>& v) const
    {
        const Wide zero = broadcast(0), one = broadcast(1);
        const auto real = inverse_normal > zero;
        const Wide normal = one / select(real, inverse_normal, one);
        Wide mean = normal;
        for (int i = 0; i < T; ++i) mean = mean + schur[i] + normal * k[i] * k[i];
        mean = mean * (1.0 / D);
        const WideVec<D> law = projected(r, v, mean);
        Wide sum = zero;
        for (int i = 0; i < D; ++i) {
            const Wide difference = mean * r[i] - law[i];
            sum = sum + difference * difference;
        }
        return select(real, sum, zero);
    }
};

} // namespace talus
