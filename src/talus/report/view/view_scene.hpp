// What a run's scene adds to its frames for the viewer: where its gauges are, and how its solver divides the sample.
#pragma once

#include "talus/io/runs/frames.hpp"
#include "talus/partition/partitioner.hpp"
#include "talus/report/view/view_bodies.hpp"
#include "talus/scene/value.hpp"

#include <optional>
#include <string>

namespace talus::report {

// The scene as it was run, validated. InputError where it no longer is a scene.
scene::Value checked_scene(const std::filesystem::path& folder);

// JSON: the gauges of the scene, those that a body carries in the frame of that body. `first` is the first frame, with
// the groups of the run.
template <int D>
std::string gauges_json(const scene::Value& scene, const io::Frame<D>& first, const ShownBodies& shown);

// How the solver of the scene divides bodies among sub-domains; none where it does not.
template <int D>
std::optional<PartitionOptions> division_of(const scene::Value& scene);

// The sub-domains of a frame: as the solver would divide the sample afresh. A run keeps a division for some steps, so
// that grains near a border may have been in another part.
template <int D>
Partition parts_of(const io::Frame<D>& frame, const PartitionOptions& options);

} // namespace talus::report
