// Rolling resistance: a spring with history on the relative rotation about axes in the tangent plane, of moment at most
// μ_r |F_n| with μ_r = contact.rolling_friction [m]. Its stiffness is 2.25 k μ_r², k the push over the overlap, with a
// dashpot of 0.3 of critical for a mass m* on the radius R* (the elastic-plastic spring and dashpot of Ai et al. 2011).
#include "talus/laws/smooth/slot_kind.hpp"

namespace talus {

namespace {

TALUS_INLINE void history_of_rolling(ContactBatch& contact)
{
    const Wide lever = contact.of(LawSlot::rolling)[0];
    const Wide k = 2.25 * contact.secant * lever * lever;
    const Wide c = 0.6 * contact.radius * sqrt(1.4 * contact.mass * k);
    const WideVec<3> rate = across(contact.turning, contact.normal);
    const WideVec<3> was = contact.roll;
    const WideVec<3> stretched = across(contact.roll + contact.time * rate, contact.normal);
    const WideVec<3> spring = k * stretched;
    const Wide size = sqrt(dot(spring, spring));
    const Wide limit = select(contact.overlap > 0.0, lever * contact.pressing(), broadcast(0.0));
    const WideMask yields = size > limit;
    const Wide kept = select(yields, limit / larger(size, broadcast(1e-300)), broadcast(1.0));
    contact.roll = kept * stretched;
    const WideVec<3> viscous = select(yields, broadcast(0.0), c) * rate; // no dashpot while it yields
    contact.moment = -kept * spring - viscous;
    const Wide held = 0.5 * k * dot(contact.roll, contact.roll);
    // energy that rolling put in: its force before and now, along the way
    const Wide before = 2.0 * contact.roll_energy / larger(dot(was, was), broadcast(1e-300)) * dot(was, rate);
    const Wide put_in = (0.5 * (before + k * dot(contact.roll, rate)) + dot(viscous, rate)) * contact.time;
    contact.lost_friction = contact.lost_friction + contact.roll_energy - held + put_in;
    contact.roll_energy = held;
    contact.stored = contact.stored + held;
}
TALUS_BATCH_LAW(history_of_rolling)

} // namespace

SlotKind no_rolling() { return {"none", "no resistance to rolling", {}}; }

SlotKind spring_rolling()
{
    SlotKind kind{"history", "a spring with history up to the moment rolling_friction × |F_n|", {}};
    kind.apply = history_of_rolling_of_batches;
    kind.numbers = [](const PairConstants& pair) { return SlotNumbers{pair.law.rolling_friction}; };
    kind.needs_radius = kind.has_history = true;
    return kind;
}

} // namespace talus
