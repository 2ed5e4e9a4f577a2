// Hertz: F = k δ^{3/2}, with a given k, or with that of two elastic spheres, 4/3 E* √R* (MODEL §6).
#include "talus/laws/smooth/slot_kind.hpp"

namespace talus {

namespace {

// `k` [N/m^{3/2}]
TALUS_INLINE void push_as_hertz(ContactBatch& contact, const Wide& k)
{
    const Wide depth = larger(contact.overlap, broadcast(0.0));
    contact.secant = k * sqrt(depth);
    contact.push = contact.secant * depth;
    contact.stored = 0.4 * contact.push * depth;
}
TALUS_INLINE void hertz(ContactBatch& contact) { push_as_hertz(contact, contact.of(LawSlot::normal)[0]); }
TALUS_BATCH_LAW(hertz)
TALUS_INLINE void hertz_material(ContactBatch& contact)
{
    push_as_hertz(contact, contact.of(LawSlot::normal)[0] * sqrt(contact.radius));
}
TALUS_BATCH_LAW(hertz_material)

} // namespace

SlotKind hertz_law()
{
    SlotKind kind{"hertz",
                  "F = hertz_stiffness × δ^{3/2}",
                  {scene::number("hertz_stiffness", "of the normal law \"hertz\"").in("N/m^1.5").above(0)}};
    kind.apply = hertz_of_batches;
    kind.numbers = [](const PairConstants& pair) { return SlotNumbers{pair.dem.at("hertz_stiffness").number()}; };
    kind.is_hertzian = true;
    kind.refuse = [](const PairConstants& pair) {
        return std::string(pair.dem.find("hertz_stiffness") ? "" : "needs dem.hertz_stiffness");
    };
    return kind;
}

SlotKind hertz_material_law()
{
    SlotKind kind{"hertz_material", "F = 4/3 E* √R* δ^{3/2}, from young and poisson of the materials", {}};
    kind.apply = hertz_material_of_batches;
    kind.numbers = [](const PairConstants& pair) { return SlotNumbers{4.0 / 3.0 * pair.effective_young()}; };
    kind.needs_material = kind.needs_radius = kind.is_hertzian = true;
    return kind;
}

} // namespace talus
