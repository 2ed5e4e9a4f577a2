#include "talus/detection/detection_schema.hpp"

#include "talus/detection/detector_kind.hpp"

namespace talus {

using namespace scene;

Key detection_schema()
{
    std::vector<Key> keys = {
        choice_among("method", detector_kinds()).otherwise(Value("auto")),
        number("alert_distance", "bodies nearer than this are handed to the solver").in("m").at_least(0).automatic(),
        integer("most_points", "contact points kept of two faces that meet; 3 to compare with BALLAST")
            .at_least(3)
            .at_most(4)
            .otherwise(Value(4))};
    for (Key& key : keys_of(detector_kinds())) keys.push_back(std::move(key));
    return table("detection", "How near bodies are found.", std::move(keys)).otherwise(Value::table());
}

std::vector<Mistake> idle_detection_keys(const Value& root)
{
    const Value* detection = root.find("detection");
    const Value* method = detection ? detection->find("method") : nullptr;
    const DetectorKind* kind = method && method->is_text() ? find_kind(detector_kinds(), method->text()) : nullptr;
    if (!kind) return {};
    return keys_without_effect(*detection, "method", *kind, detector_kinds());
}

} // namespace talus
