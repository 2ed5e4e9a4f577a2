// Dashpots beside the normal spring: F = η dδ/dt. With k the push over the overlap and m the effective mass, η = 2 β
// √(m k) gives restitution e for a linear spring where β = |ln e|/√(ln² e + π²) (FORCES), and √5 β √(m k) for Hertz
// (MODEL §6).
#include "talus/laws/smooth/slot_kind.hpp"

#include <fmt/format.h>

#include <cmath>

namespace talus {

namespace {

constexpr double of_spring = 2, of_hertz = 2.2360679774997896964; // √5

TALUS_INLINE void dashpot(ContactBatch& contact, const Wide& viscosity)
{
    const Wide damping = viscosity * contact.rate;
    contact.damping = select(contact.overlap > 0.0, damping, broadcast(0.0));
}
TALUS_INLINE void restitution(ContactBatch& contact)
{
    dashpot(contact, contact.of(LawSlot::damping)[0] * sqrt(contact.mass * contact.secant));
}
TALUS_BATCH_LAW(restitution)

// the contact ends when its force does: it never pulls
TALUS_INLINE void restitution_push(ContactBatch& contact)
{
    restitution(contact);
    contact.damping = larger(contact.damping, -contact.push);
}
TALUS_BATCH_LAW(restitution_push)

TALUS_INLINE void mass_scaled(ContactBatch& contact)
{
    dashpot(contact, contact.of(LawSlot::damping)[0] * contact.mass);
}
TALUS_BATCH_LAW(mass_scaled)

TALUS_INLINE void root_mass(ContactBatch& contact)
{
    dashpot(contact, contact.of(LawSlot::damping)[0] * sqrt(contact.mass));
}
TALUS_BATCH_LAW(root_mass)

// Restitution of a linear spring with share z of critical damping whose contact ends when the force vanishes, which is
// when tan(ω t) = −2 z √(1 − z²)/(1 − 2 z²) (Schwager and Pöschel 2007).
double pushing_restitution(double z)
{
    if (z >= 1) {
        const double root = std::sqrt(std::max(z * z - 1, 1e-30));
        return std::exp(-z / root * std::log((z + root) / (z - root)));
    }
    const double root = std::sqrt(1 - z * z);
    const double angle = M_PI - std::atan2(2 * z * root, 1 - 2 * z * z);
    return std::exp(-z / root * (z == 0 ? 0 : angle));
}

std::string damping_doubt(const PairConstants& pair)
{
    if (pair.law.restitution > 0) return {};
    return fmt::format("restitution = 0 between {} and {} has no damper but the critical one: contacts part slowly and "
                       "may pull; restitution = 0.05 is as good as none (share {:.3f} of critical damping)",
                       pair.a.name, pair.b.name, damping_ratio(0.05));
}

} // namespace

double damping_ratio(double restitution)
{
    if (restitution <= 0) return 1;
    const double logarithm = std::log(restitution);
    return -logarithm / std::sqrt(logarithm * logarithm + M_PI * M_PI);
}

SlotKind no_damping() { return {"none", "no damping", {}}; }

SlotKind restitution_damping()
{
    SlotKind kind{
        "restitution", "a dashpot for the restitution of [contact], exact for one impact; may pull at its end", {}};
    kind.apply = restitution_of_batches;
    kind.numbers = [](const PairConstants& pair) {
        return SlotNumbers{(pair.grows_as_hertz ? of_hertz : of_spring) * damping_ratio(pair.law.restitution)};
    };
    kind.doubt = damping_doubt;
    return kind;
}

SlotKind pushing_damping()
{
    SlotKind kind{"restitution_push",
                  "the same for a contact that only pushes and ends when its force vanishes; with a spring",
                  {}};
    kind.apply = restitution_push_of_batches;
    kind.numbers = [](const PairConstants& pair) {
        double low = 0, high = 1e3; // restitution falls from 1 to about 1/(4 high²)
        for (int halving = 0; halving < 200; ++halving) {
            const double middle = 0.5 * (low + high);
            (pushing_restitution(middle) > pair.law.restitution ? low : high) = middle;
        }
        return SlotNumbers{of_spring * low};
    };
    kind.refuse = [](const PairConstants& pair) -> std::string {
        constexpr double least = 1e-3; // 16 times critical damping: stiffer than the spring over a time step
        if (pair.grows_as_hertz) return "needs the normal law \"spring\"; \"restitution\" goes with Hertz";
        if (pair.law.restitution < least) {
            return fmt::format("has no dashpot for restitution = {:g} between {} and {}: {:g} or more",
                               pair.law.restitution, pair.a.name, pair.b.name, least);
        }
        return {};
    };
    return kind;
}

SlotKind mass_scaled_damping()
{
    SlotKind kind{"mass_scaled",
                  "η = normal_damping × effective mass",
                  {scene::number("normal_damping", "of \"mass_scaled\"").in("1/s").at_least(0).otherwise_zero()}};
    kind.apply = mass_scaled_of_batches;
    kind.numbers = [](const PairConstants& pair) { return SlotNumbers{pair.dem.at("normal_damping").number()}; };
    return kind;
}

SlotKind root_mass_damping()
{
    SlotKind kind{"root_mass",
                  "η = root_mass_damping × √(effective mass), of the JKR-type law (BALLAST §2.1.1)",
                  {scene::number("root_mass_damping", "of \"root_mass\"").in("kg^0.5/s").at_least(0).otherwise_zero()}};
    kind.apply = root_mass_of_batches;
    kind.numbers = [](const PairConstants& pair) { return SlotNumbers{pair.dem.at("root_mass_damping").number()}; };
    return kind;
}

} // namespace talus
