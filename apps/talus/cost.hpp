// What a scene will cost, before it is run: an estimate from the number of grains and the dense state they end in.
#pragma once

#include "talus/railway/track.hpp"
#include "talus/scene/value.hpp"
#include "talus/simulation/simulation.hpp"

struct Cost {
    std::int64_t steps = 0;
    double bodies = 0;   // at the end: feeders included
    double contacts = 0; // in the dense state
    double memory = 0;   // [B]
    double disk = 0;     // [B]
    double seconds = 0;  // not a number where the method does not tell
};

template <int D>
Cost estimate_cost(const talus::scene::Value& scene, const talus::Simulation<D>& simulation);

// The same of a track whose sample is not there yet; and of making it: only its time and its disk.
Cost estimate_track_cost(const talus::scene::Value& scene, const talus::Track& track);
Cost estimate_sample_cost(const talus::scene::Value& scene, const talus::Track& track);
