// Attraction along the normal: within a short range (FORCES), and the term of the JKR-type law (BALLAST §2.1.1).
#include "talus/laws/smooth/slot_kind.hpp"

namespace talus {

namespace {

// F = −F_max (1 − (δ/δ_c)²) for |δ| < δ_c: largest where the surfaces touch, and continuous. Its energy is counted
// from where it begins to act.
TALUS_INLINE void short_range(ContactBatch& contact)
{
    const Wide strongest = contact.of(LawSlot::cohesion)[0], range = contact.of(LawSlot::cohesion)[1];
    const Wide x = contact.overlap / range;
    const WideMask acts = (x > -1.0) & (x < 1.0);
    const Wide zero = broadcast(0.0);
    contact.cohesion = select(acts, strongest * (x * x - 1.0), zero);
    const Wide gained = strongest * range * (x - x * x * x * (1.0 / 3.0) + 2.0 / 3.0);
    contact.stored = contact.stored - select(acts, gained, select(x > 0.0, strongest * range * (4.0 / 3.0), zero));
}
TALUS_BATCH_LAW(short_range)

// F = −γ √(δ R*), only where the bodies overlap
TALUS_INLINE void jkr(ContactBatch& contact)
{
    const Wide depth = larger(contact.overlap, broadcast(0.0));
    contact.cohesion = -contact.of(LawSlot::cohesion)[0] * sqrt(depth * contact.radius);
    contact.stored = contact.stored + contact.cohesion * depth * (2.0 / 3.0);
}
TALUS_BATCH_LAW(jkr)

} // namespace

SlotKind no_cohesion() { return {"none", "dry", {}}; }

SlotKind short_range_cohesion()
{
    SlotKind kind{"short_range",
                  "an attraction F_max (1 − (δ/δ_c)²) for |δ| < δ_c",
                  {scene::number("cohesion_force", "F_max of \"short_range\"").in("N").at_least(0).otherwise_zero(),
                   scene::number("cohesion_range", "δ_c of \"short_range\"").in("m").above(0)}};
    kind.apply = short_range_of_batches;
    kind.numbers = [](const PairConstants& pair) {
        return SlotNumbers{pair.dem.at("cohesion_force").number(), pair.dem.at("cohesion_range").number()};
    };
    kind.refuse = [](const PairConstants& pair) {
        return std::string(pair.dem.find("cohesion_range") ? "" : "needs dem.cohesion_range");
    };
    kind.range = [](const scene::Value& dem) { return dem.at("cohesion_range").number(); };
    return kind;
}

SlotKind jkr_cohesion()
{
    SlotKind kind{"jkr",
                  "an attraction jkr_cohesion × √(δ R*)",
                  {scene::number("jkr_cohesion", "of \"jkr\"").in("N/m").at_least(0).otherwise_zero()}};
    kind.apply = jkr_of_batches;
    kind.numbers = [](const PairConstants& pair) { return SlotNumbers{pair.dem.at("jkr_cohesion").number()}; };
    kind.needs_radius = true;
    return kind;
}

} // namespace talus
