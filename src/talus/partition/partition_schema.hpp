// The keys of [partition] in a scene.
#pragma once

#include "talus/partition/partitioner.hpp"
#include "talus/scene/schema.hpp"

namespace talus {

scene::Key partition_schema();

// Keys that contradict one another. Takes any tree, validated or not.
std::vector<Mistake> partition_problems(const scene::Value& root);

PartitionOptions partition_options(const scene::Value& partition);

} // namespace talus
