// A 64-bit hash of plain data, for `state_hash`: equal states have equal hashes on any number of threads.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>

namespace talus {

class Hash {
  public:
    template <class T>
    void add(std::span<const T> data)
    {
        static_assert(std::is_trivially_copyable_v<T>);
        add_bytes(data.data(), data.size_bytes());
    }
    void add_bytes(const void* data, std::size_t size)
    {
        const auto* byte = static_cast<const unsigned char*>(data);
        for (; size >= 8; byte += 8, size -= 8) {
            std::uint64_t word;
            std::memcpy(&word, byte, 8);
            mix(word);
        }
        std::uint64_t tail = 0;
        if (size > 0) std::memcpy(&tail, byte, size);
        mix(tail ^ (std::uint64_t{size} << 56));
    }
    std::uint64_t value() const { return state_; }

  private:
    // multiply and fold, as in wyhash: every bit of the word reaches every bit of the state
    void mix(std::uint64_t word)
    {
        __extension__ using Product = unsigned __int128;
        const Product product = Product(state_ ^ word) * 0x9E3779B97F4A7C15ull;
        state_ = std::uint64_t(product) ^ std::uint64_t(product >> 64) ^ (word * 0xD6E8FEB86659FD93ull);
    }
    std::uint64_t state_ = 0x2545F4914F6CDD1Dull;
};

} // namespace talus
