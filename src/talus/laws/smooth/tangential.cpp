// Friction, at most μ |F_n| + γ_t (Mohr-Coulomb): proportional to the sliding velocity (FORCES), or a spring with
// history (Cundall and Strack), linear or as stiff as two elastic spheres are (Mindlin; MODEL §6).
#include "talus/laws/smooth/slot_kind.hpp"

#include <cmath>

namespace talus {

namespace {

using namespace scene;

// numbers of every law here: μ, γ_t, and its own
TALUS_INLINE Wide threshold(const ContactBatch& contact)
{
    const Wide* numbers = contact.of(LawSlot::tangential);
    const Wide limit = numbers[0] * contact.pressing() + numbers[1];
    return select(contact.overlap > 0.0, limit, broadcast(0.0));
}
TALUS_INLINE Wide length(const WideVec<3>& v) { return sqrt(dot(v, v)); }

// a force of the given size at most
TALUS_INLINE Wide shortening(const Wide& size, const Wide& limit)
{
    return select(size > limit, limit / larger(size, broadcast(1e-300)), broadcast(1.0));
}

TALUS_INLINE void regularised(ContactBatch& contact)
{
    const Wide viscosity = contact.of(LawSlot::tangential)[2];
    const Wide speed = length(contact.sliding);
    const Wide kept = shortening(viscosity * speed, threshold(contact)) * viscosity;
    contact.friction = -kept * contact.sliding;
    contact.lost_friction = kept * speed * speed * contact.time;
}
TALUS_BATCH_LAW(regularised)

// F = −k ξ − c u, with ξ the elongation of the spring and u the sliding velocity; where that is too much, the spring
// is shortened to what the threshold leaves it. What the motion puts into the spring and it does not hold is lost.
// `was`: its stiffness before.
TALUS_INLINE void spring_with_history(ContactBatch& contact, const Wide& k, const Wide& compliance, const Wide& was,
                                      const Wide& c)
{
    const WideVec<3> moved = contact.time * contact.sliding;
    const WideVec<3> stretched = across(contact.slip + moved, contact.normal);
    const WideVec<3> trial = k * stretched + c * contact.sliding;
    const Wide kept = shortening(length(trial), threshold(contact));
    contact.friction = -kept * trial;
    const WideMask slides = kept < 1.0;
    const WideVec<3> shortened = compliance * (kept * trial - c * contact.sliding);
    const Wide before = was * dot(contact.slip, moved); // its force before, and below now, along the way
    for (int axis = 0; axis < 3; ++axis) contact.slip[axis] = select(slides, shortened[axis], stretched[axis]);
    const Wide held = 0.5 * k * dot(contact.slip, contact.slip);
    const Wide put_in = 0.5 * (before + k * dot(contact.slip, moved)) + c * dot(contact.sliding, moved);
    contact.lost_friction = contact.slip_energy - held + put_in;
    contact.slip_energy = held;
    contact.stored = contact.stored + held;
}
TALUS_INLINE void history(ContactBatch& contact)
{
    const Wide* numbers = contact.of(LawSlot::tangential);
    // numbers[3] ≥ 0: per mass; < 0: the share of √(m k)
    const Wide damping =
        select(numbers[3] < 0.0, -numbers[3] * sqrt(contact.mass * numbers[2]), numbers[3] * contact.mass);
    spring_with_history(contact, numbers[2], numbers[4], numbers[2], damping);
}
TALUS_BATCH_LAW(history)

TALUS_INLINE void mindlin(ContactBatch& contact)
{
    const Wide depth = larger(contact.overlap, broadcast(0.0));
    const Wide tiny = broadcast(1e-300);
    const Wide k = contact.of(LawSlot::tangential)[2] * sqrt(contact.radius * depth);
    const Wide compliance = select(k > 0.0, 1.0 / larger(k, tiny), broadcast(0.0));
    const Wide was = 2.0 * contact.slip_energy / larger(dot(contact.slip, contact.slip), tiny); // by what it holds
    spring_with_history(contact, k, compliance, was, contact.of(LawSlot::tangential)[3] * sqrt(contact.mass * k));
}
TALUS_BATCH_LAW(mindlin)

double cohesion_of(const PairConstants& pair) { return pair.dem.at("tangential_cohesion").number(); }

} // namespace

Key friction_cohesion_key()
{
    return number("tangential_cohesion", "γ_t of the threshold μ |F_n| + γ_t (Mohr-Coulomb)")
        .in("N")
        .at_least(0)
        .otherwise_zero();
}

SlotKind no_friction() { return {"none", "no friction", {}}; }

SlotKind regularised_friction()
{
    SlotKind kind{"regularised",
                  "F = −sliding_viscosity × velocity up to the threshold; holds nothing at rest",
                  {number("sliding_viscosity", "of \"regularised\"").in("N s/m").above(0), friction_cohesion_key()}};
    kind.apply = regularised_of_batches;
    kind.numbers = [](const PairConstants& pair) {
        return SlotNumbers{pair.law.friction, cohesion_of(pair), pair.dem.at("sliding_viscosity").number()};
    };
    kind.refuse = [](const PairConstants& pair) {
        return std::string(pair.dem.find("sliding_viscosity") ? "" : "needs dem.sliding_viscosity");
    };
    return kind;
}

SlotKind spring_friction()
{
    SlotKind kind{
        "history",
        "a spring with history (Cundall-Strack) up to the threshold",
        {number("tangential_stiffness", "of \"history\"; \"auto\": 2/7 of that of the normal spring")
             .in("N/m")
             .above(0)
             .automatic(),
         number("tangential_damping", "of \"history\": force per velocity and effective mass; \"auto\": the same "
                                      "share of critical damping as along the normal, where restitution gives "
                                      "that")
             .in("1/s")
             .at_least(0)
             .automatic(),
         friction_cohesion_key()}};
    kind.apply = history_of_batches;
    kind.numbers = [](const PairConstants& pair) {
        const Value &stiffness = pair.dem.at("tangential_stiffness"), &damping = pair.dem.at("tangential_damping");
        constexpr double rolling = 2.0 / 7.0; // of the mass that a point of a solid sphere resists sliding with
        const bool by_restitution = pair.dem.at("damping").text().starts_with("restitution");
        const double share = by_restitution ? -2 * std::sqrt(rolling) * damping_ratio(pair.law.restitution) : 0.0;
        const double k = stiffness.is_text() ? 2.0 / 7.0 * pair.stiffness : stiffness.number();
        return SlotNumbers{pair.law.friction, cohesion_of(pair), k, damping.is_text() ? share : damping.number(),
                           k > 0 ? 1 / k : 0};
    };
    kind.has_history = true;
    kind.refuse = [](const PairConstants& pair) {
        const bool lacks = pair.grows_as_hertz && pair.dem.at("tangential_stiffness").is_text();
        return std::string(lacks ? "needs dem.tangential_stiffness with Hertz; \"mindlin\" needs none" : "");
    };
    return kind;
}

SlotKind mindlin_friction()
{
    SlotKind kind{"mindlin",
                  "a spring with history of stiffness mindlin_factor × 8 G* √(R* δ), from young and poisson",
                  {number("mindlin_factor", "of \"mindlin\": 1, or 2/3 as codes of the published benchmark have it")
                       .above(0)
                       .at_most(1)
                       .otherwise(Value(1.0)),
                   number("mindlin_damping", "of \"mindlin\": viscosity over √(effective mass × stiffness)")
                       .at_least(0)
                       .otherwise_zero(),
                   friction_cohesion_key()}};
    kind.apply = mindlin_of_batches;
    kind.numbers = [](const PairConstants& pair) {
        return SlotNumbers{pair.law.friction, cohesion_of(pair),
                           8 * pair.dem.at("mindlin_factor").number() * pair.effective_shear(),
                           pair.dem.at("mindlin_damping").number()};
    };
    kind.needs_material = kind.needs_radius = kind.has_history = true;
    return kind;
}

} // namespace talus
