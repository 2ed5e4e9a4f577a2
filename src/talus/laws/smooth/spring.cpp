// Linear spring: F = k δ (FORCES).
#include "talus/laws/smooth/slot_kind.hpp"

namespace talus {

namespace {

TALUS_INLINE void spring(ContactBatch& contact)
{
    const Wide k = contact.of(LawSlot::normal)[0];
    const Wide depth = larger(contact.overlap, broadcast(0.0));
    contact.secant = k;
    contact.push = k * depth;
    contact.stored = 0.5 * contact.push * depth;
}
TALUS_BATCH_LAW(spring)

} // namespace

SlotKind spring_law()
{
    SlotKind kind{"spring", "F = k δ", {}};
    kind.apply = spring_of_batches;
    kind.numbers = [](const PairConstants& pair) { return SlotNumbers{pair.stiffness}; };
    return kind;
}

} // namespace talus
