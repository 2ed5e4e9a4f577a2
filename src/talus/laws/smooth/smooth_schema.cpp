#include "talus/laws/smooth/smooth_schema.hpp"

#include "talus/laws/smooth/slot_kind.hpp"

namespace talus {

using namespace scene;

Key dem_schema(std::vector<std::string> integrators)
{
    std::vector<Key> keys = {
        number("dt", "length of the steps that a step of scene.dt is divided into; \"auto\": as the stiffness asks")
            .in("s")
            .above(0)
            .automatic(),
        boolean("force_dt", "take dt even where it is too long for the stiffness").otherwise(Value(false)),
        choice("integrator", "how positions follow from forces", std::move(integrators)).otherwise(Value("leapfrog")),
        number("stiffness", "k of springs; \"auto\": overlaps of a hundredth of a radius (FORCES)")
            .in("N/m")
            .above(0)
            .automatic(),
        number("fastest", "the largest speed to be expected, for the advice on stiffness and dt; \"auto\": from the "
                          "start, the drivers and the height of fall")
            .in("m/s")
            .above(0)
            .automatic(),
        choice("lever", "of the forces of two balls: to the middle of the overlap (contact), or the radius (radius)",
               {"contact", "radius"})
            .otherwise(Value("contact")),
        choice("overlap",
               "what polygons, polyhedra and their clusters push by, among themselves and on half-spaces: a spring at "
               "each contact point (points), or the common volume, which has a potential (volume)",
               {"points", "volume"})
            .otherwise(Value("points")),
        number("skin", "neighbours are listed up to this distance; \"auto\": from the motion")
            .in("m")
            .above(0)
            .automatic()};
    for (int slot = 0; slot < int(LawSlot::count); ++slot) {
        const std::vector<SlotKind>& kinds = slot_kinds(LawSlot(slot));
        keys.push_back(choice_among(slot_name(LawSlot(slot)), kinds).otherwise(Value(kinds.front().name)));
        for (Key& key : keys_of(kinds)) keys.push_back(std::move(key));
    }
    return table("dem", "Smooth contact, for scene.method = \"dem\": forces that grow with the overlap.",
                 std::move(keys))
        .otherwise(Value::table());
}

std::vector<Mistake> idle_dem_keys(const Value& root)
{
    std::vector<Mistake> mistakes;
    const Value* dem = root.find("dem");
    if (!dem || !dem->is_table()) return mistakes;
    for (int slot = 0; slot < int(LawSlot::count); ++slot) {
        const std::vector<SlotKind>& kinds = slot_kinds(LawSlot(slot));
        const Value* name = dem->find(slot_name(LawSlot(slot)));
        const SlotKind* kind = name && name->is_text() ? find_kind(kinds, name->text()) : nullptr;
        if (!kind) continue;
        for (Mistake& idle : keys_without_effect(*dem, slot_name(LawSlot(slot)), *kind, kinds)) {
            mistakes.push_back(std::move(idle));
        }
    }
    return mistakes;
}

} // namespace talus
