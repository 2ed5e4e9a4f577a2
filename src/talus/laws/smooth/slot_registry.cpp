#include "talus/laws/smooth/slot_kind.hpp"

namespace talus {

const char* slot_name(LawSlot slot)
{
    switch (slot) {
    case LawSlot::normal:
        return "normal";
    case LawSlot::damping:
        return "damping";
    case LawSlot::cohesion:
        return "cohesion";
    case LawSlot::tangential:
        return "tangential";
    case LawSlot::rolling:
        return "rolling";
    case LawSlot::count:
        break;
    }
    return "";
}

std::vector<SlotKind>& slot_kinds(LawSlot slot)
{
    static std::vector<SlotKind> kinds[] = {
        {spring_law(), hertz_law(), hertz_material_law()},
        {restitution_damping(), pushing_damping(), mass_scaled_damping(), root_mass_damping(), no_damping()},
        {no_cohesion(), short_range_cohesion(), jkr_cohesion()},
        {spring_friction(), mindlin_friction(), regularised_friction(), no_friction()},
        {spring_rolling(), no_rolling()}};
    return kinds[int(slot)];
}

} // namespace talus
