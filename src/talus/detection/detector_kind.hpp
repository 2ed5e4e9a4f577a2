// One kind of detection method: its name and keys in a scene, and how it is made.
#pragma once

#include "talus/detection/detector.hpp"
#include "talus/scene/kinds.hpp"

namespace talus {

template <int D>
using DetectorMaker = std::unique_ptr<Detector<D>> (*)(const DetectorOptions& options);
using DetectorKind = scene::NamedKind<DetectorMaker>; // its keys are keys of [detection]

// Method<D> is made from the options where it has any.
template <template <int> class Method, int D>
std::unique_ptr<Detector<D>> made_detector(const DetectorOptions& options)
{
    if constexpr (std::is_constructible_v<Method<D>, const DetectorOptions&>) {
        return std::make_unique<Method<D>>(options);
    } else {
        return std::make_unique<Method<D>>();
    }
}
template <template <int> class Method>
DetectorKind detector_kind(std::string name, std::string doc, std::vector<scene::Key> keys = {})
{
    return {std::move(name), std::move(doc), std::move(keys), {made_detector<Method, 2>, made_detector<Method, 3>}};
}

// The registry; a program may add to it.
std::vector<DetectorKind>& detector_kinds();

} // namespace talus
