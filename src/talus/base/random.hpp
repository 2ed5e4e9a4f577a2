// Seeded random numbers (xoshiro256++, Blackman and Vigna), the same on every machine; the state is plain data,
// so a checkpoint carries it.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace talus {

class Random {
  public:
    using State = std::array<std::uint64_t, 4>;

    explicit Random(std::uint64_t seed = 1)
    {
        for (auto& word : state_) { // splitmix64 spreads nearby seeds apart
            seed += 0x9E3779B97F4A7C15ull;
            std::uint64_t z = seed;
            z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
            z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
            word = z ^ (z >> 31);
        }
    }

    std::uint64_t bits()
    {
        const std::uint64_t result = std::rotl(state_[0] + state_[3], 23) + state_[0];
        const std::uint64_t t = state_[1] << 17;
        state_[2] ^= state_[0];
        state_[3] ^= state_[1];
        state_[1] ^= state_[2];
        state_[0] ^= state_[3];
        state_[2] ^= t;
        state_[3] = std::rotl(state_[3], 45);
        return result;
    }
    // in [0, 1)
    double uniform() { return double(bits() >> 11) * 0x1.0p-53; }
    double uniform(double low, double high) { return low + (high - low) * uniform(); }

    const State& state() const { return state_; }
    void restore(const State& state) { state_ = state; }

  private:
    State state_;
};

} // namespace talus
