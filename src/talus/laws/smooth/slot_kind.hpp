// The laws of smooth contact as slots: normal, damping, cohesion, tangential, rolling. Each law has a file of its own
// and a line in the table of its slot (slot_registry.cpp); a scene picks one per slot in [dem].
#pragma once

#include "talus/laws/contact_law.hpp"
#include "talus/laws/smooth/contact_batch.hpp"
#include "talus/scene/kinds.hpp"

#include <array>

namespace talus {

// What a law's numbers are made from, for one pair of materials.
struct PairConstants {
    const ContactLaw& law;
    const Material &a, &b;
    const scene::Value& dem;     // [dem] of the scene
    double stiffness = 0;        // [N/m] of springs, given or advised
    bool grows_as_hertz = false; // the push grows as overlap^{3/2}

    // of materials with Young's modulus and Poisson's ratio (MODEL §6)
    double effective_young() const; // [Pa] 1/E* = Σ (1 − ν²)/E
    double effective_shear() const; // [Pa] 1/G* = Σ (2 − ν)/G
};
using SlotNumbers = std::array<double, slot_numbers>;

struct SlotKind {
    std::string name, doc;
    std::vector<scene::Key> keys; // in [dem]
    // On `count` batches, one after another; nullptr: nothing to do.
    void (*apply)(ContactBatch* batches, int count) = nullptr;
    // For a pair of materials; nullptr: it has none.
    SlotNumbers (*numbers)(const PairConstants& pair) = nullptr;
    bool needs_material = false; // Young's modulus and Poisson's ratio
    bool needs_radius = false;   // of both bodies: balls, or a ball and a wall
    bool is_hertzian = false;    // of a normal law: the push grows as overlap^{3/2}
    bool has_history = false;    // slip or roll
    // What is wrong with it for this pair, with the number that would be right; empty: nothing.
    std::string (*refuse)(const PairConstants& pair) = nullptr;
    // What the user should know.
    std::string (*doubt)(const PairConstants& pair) = nullptr;
    // [m] how far beyond touching it acts
    double (*range)(const scene::Value& dem) = nullptr;
};

std::vector<SlotKind>& slot_kinds(LawSlot slot);
const char* slot_name(LawSlot slot); // the key of [dem]

SlotKind spring_law();
SlotKind hertz_law();
SlotKind hertz_material_law();
SlotKind no_damping();
SlotKind restitution_damping();
SlotKind pushing_damping();
SlotKind mass_scaled_damping();
SlotKind root_mass_damping();
SlotKind no_cohesion();
SlotKind short_range_cohesion();
SlotKind jkr_cohesion();
SlotKind no_friction();
SlotKind regularised_friction();
SlotKind spring_friction();
SlotKind mindlin_friction();
SlotKind no_rolling();
SlotKind spring_rolling();

// Keys that several laws have.
scene::Key friction_cohesion_key();
// A law as a formula for one batch.
#define TALUS_BATCH_LAW(name)                                                                                          \
    TALUS_WIDE void name##_of_batches(ContactBatch* batches, int count)                                                \
    {                                                                                                                  \
        for (int k = 0; k < count; ++k) name(batches[k]);                                                              \
    }

// Restitution as damping: |ln e|/√(ln² e + π²), the share of critical damping that a linear contact has (FORCES).
double damping_ratio(double restitution);

} // namespace talus
