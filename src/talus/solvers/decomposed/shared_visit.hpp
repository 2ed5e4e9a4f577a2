// A visit of a contact whose bodies are visited by other threads at the same time (BALLAST §10.4: "one of the two
// values would not be taken into account"). Velocities are read and added to one component at a time by atomic
// operations, so no update is lost: whatever the order, V = V_free + M⁻¹ H r holds to round-off. A contact may see a
// velocity of which only some components are new; its next visit sees the rest.
#pragma once

#include "talus/solvers/gauss_seidel/nlgs_visit.hpp"

#include <atomic>

namespace talus {

template <int N>
using SharedVector = Eigen::Matrix<double, N, 1, Eigen::DontAlign>;

template <int N>
SharedVector<N> read_shared(SharedVector<N>& shared)
{
    SharedVector<N> copy;
    for (int i = 0; i < N; ++i) copy[i] = std::atomic_ref(shared[i]).load(std::memory_order_relaxed);
    return copy;
}

template <int N>
void add_shared(SharedVector<N>& shared, const SharedVector<N>& change)
{
    for (int i = 0; i < N; ++i) {
        if (change[i] != 0) std::atomic_ref(shared[i]).fetch_add(change[i], std::memory_order_relaxed);
    }
}

template <int D, LocalSolver local>
struct SharedVisit {
    ElgRowVisit<D, local> own;  // for contacts that no other thread is near
    const std::uint8_t* shared; // per row

    Vec<D> local_free_velocity(std::size_t k) const
    {
        if (!shared[k]) return own.local_free_velocity(k);
        return talus::local_free_velocity(row(k), look_at(row(k).candidate), look_at(row(k).antagonist));
    }
    Vec<D> solve_local(std::size_t k, const Vec<D>& b) const { return own.solve_local(k, b); }

    void set_impulse(std::size_t k, const Vec<D>& impulse) const
    {
        if (!shared[k]) return own.set_impulse(k, impulse);
        const Vec<D> change = row(k).frame * (impulse - row(k).impulse);
        row(k).impulse = impulse;
        BodyRecord<D> c = at_rest(row(k).candidate), a = at_rest(row(k).antagonist);
        give_impulse<D>(row(k), c, a, change);
        add(k, c, a);
        if (own.rolling) roll(k);
    }

    void operator()(std::size_t k) const
    {
        if (!shared[k]) return own(k);
        const Vec<D> b = local_free_velocity(k);
        if (b[0] >= 0 && row(k).impulse[0] == 0 && !own.rolling) return; // apart and was apart
        set_impulse(k, solve_local(k, b));
    }

  private:
    ContactRow<D>& row(std::size_t k) const { return own.contact.rows[k]; }
    BodyRecord<D>& body(std::int32_t index) const { return own.contact.bodies[index]; }

    BodyRecord<D> at_rest(std::int32_t index) const
    {
        const BodyRecord<D>& from = body(index);
        return {Vec<D>::Zero(), Ang<D>::Zero(), from.inverse_mass, from.inverse_inertia};
    }
    BodyRecord<D> look_at(std::int32_t index) const
    {
        BodyRecord<D> copy = at_rest(index);
        copy.velocity = read_shared<D>(body(index).velocity);
        copy.spin = read_shared<angular<D>>(body(index).spin);
        return copy;
    }
    void add(std::size_t k, const BodyRecord<D>& c, const BodyRecord<D>& a) const
    {
        add_shared<D>(body(row(k).candidate).velocity, c.velocity);
        add_shared<angular<D>>(body(row(k).candidate).spin, c.spin);
        add_shared<D>(body(row(k).antagonist).velocity, a.velocity);
        add_shared<angular<D>>(body(row(k).antagonist).spin, a.spin);
    }
    void roll(std::size_t k) const
    {
        RollingRow<D>& rolling = own.rolling[k];
        if (rolling.rolling_friction == 0) return;
        const Ang<D> relative_spin = read_shared<angular<D>>(body(row(k).candidate).spin) -
                                     read_shared<angular<D>>(body(row(k).antagonist).spin);
        const Ang<D> change = solve_rolling<D>(rolling, row(k), relative_spin);
        BodyRecord<D> c = at_rest(row(k).candidate), a = at_rest(row(k).antagonist);
        give_moment<D>(c, a, change);
        add(k, c, a);
    }
};

} // namespace talus
