// Pairs of bodies in batches of eight that share no movable body: the storage of the fast solver. A batch reads its
// sixteen bodies once, then visits the points of its pairs, eight contacts at a time, lane by lane.
#pragma once

#include "talus/math/rolling.hpp"
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

// Where the rolling friction of a point is in its block, beside the points, where the problem has any.
template <int D>
struct PackedRolling {
    static constexpr int friction = 0, moment = 1, previous = moment + angular<D>;
    static constexpr int fields = previous + angular<D>, stride = fields * wide_count;
};

struct PairBatch {
    std::int32_t candidate[wide_count], antagonist[wide_count]; // packed bodies; a body at rest where there is no pair
    std::int32_t points;                                        // of each pair
    std::int32_t lanes;                                         // pairs
    std::int32_t quiet = 0;                                     // looks in a row that found it satisfied
    bool frozen = false; // for so long that sweeps leave it alone until a look finds otherwise
    std::size_t data;    // in the array of points: the separation of the centres, then `points` blocks
    std::size_t first;   // points of all batches before it
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
        return part<D>(Layout::velocity) + cross(spin(), lever);
    }
    TALUS_INLINE WideVec<angular<D>> spin() const { return part<angular<D>>(Layout::spin); }
    TALUS_INLINE WideVec<Layout::inertia_terms> inverse_inertia() const
    {
        return part<Layout::inertia_terms>(Layout::inverse_inertia);
    }
    // takes the impulse `sign` times f at the lever
    template <int sign>
    TALUS_INLINE void take(const WideVec<D>& f, const WideVec<D>& lever)
    {
        for (int i = 0; i < D; ++i) {
            Wide& v = field[Layout::velocity + i];
            const Wide change = field[Layout::inverse_mass + i] * f[i];
            v = sign > 0 ? v + change : v - change;
        }
        turn<sign>(moment(lever, f));
    }
    // takes the moment impulse `sign` times m
    template <int sign>
    TALUS_INLINE void turn(const WideVec<angular<D>>& m)
    {
        const auto change = turn_by(inverse_inertia(), m);
        for (int i = 0; i < angular<D>; ++i) {
            Wide& w = field[Layout::spin + i];
            w = sign > 0 ? w + change[i] : w - change[i];
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
    WideVec<2> n; // the tangent is (−n_y, n_x)
    TALUS_INLINE explicit WideFrame(const double* point)
        : n(load_fields<2>(point + PackedPoint<2>::normal * wide_count))
    {
    }
    TALUS_INLINE WideVec<2> to_local(const WideVec<2>& v) const { return {dot(n, v), n[0] * v[1] - n[1] * v[0]}; }
    TALUS_INLINE WideVec<2> to_world(const WideVec<2>& r) const
    {
        return {n[0] * r[0] - n[1] * r[1], n[1] * r[0] + n[0] * r[1]};
    }
};

// The law at eight points.
template <int D>
TALUS_INLINE CoulombLaw<Wide, D> law_at(const double* point)
{
    using Layout = PackedPoint<D>;
    return {load(point + Layout::inverse_normal * wide_count), load(point + Layout::friction * wide_count),
            load_fields<D - 1>(point + Layout::coupling * wide_count),
            load_fields<D - 1>(point + Layout::schur * wide_count),
            load_fields<D - 1>(point + Layout::inverse_schur * wide_count)};
}

} // namespace talus
