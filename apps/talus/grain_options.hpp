// What `talus grains make` and `talus grains ballast` are told on the command line, checked: every mistake at once.
#pragma once

#include "talus/sampling/random_grain.hpp"
#include "talus/sampling/size_distribution.hpp"

#include <cstdint>
#include <string>
#include <vector>

struct GrainOptions {
    int dimension = 3;
    std::int64_t count = 1000, seed = 1;
    std::string vertices, elongation = "0.6:1", flatness, angularity = "0.5", size, sieve, distribution = "uniform";
    bool is_ballast = false; // 3D, the sieve curve is called --grading, and there is neither --size nor --distribution
};
GrainOptions ballast_options(); // the library that is made where nothing is asked for

struct GrainOrder {
    talus::GrainRecipe recipe;
    std::vector<talus::SievePoint> sieve; // empty: between two sizes
    talus::Interval size{0, 0};           // [m]
    bool by_volume = false;
};

// InputError with every option that cannot be used.
GrainOrder order_of(const GrainOptions& options);

// "low:high", or "low:mode:high": as it is asked for
std::string text_of(const talus::Interval& interval);
