// Binary data for the viewer's page: a header in JSON, then arrays. The layout is told in docs/viewer.md.
#pragma once

#include "talus/math/space.hpp"

#include <Eigen/Core>

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace talus::report {

static_assert(std::endian::native == std::endian::little, "packets are little-endian");

using Half = Eigen::half; // IEEE half precision

Half to_half(double value); // beyond its range the largest there is

// the page has three dimensions
inline Vec<3> in_space(const Vec<2>& v) { return {v[0], v[1], 0}; }
inline Vec<3> in_space(const Vec<3>& v) { return v; }

class Packet {
  public:
    void fact(std::string_view name, std::string_view json);

    // A list, or a table of so many columns, row by row.
    template <class T>
    void array(std::string_view name, const std::vector<T>& data, std::size_t columns = 0)
    {
        add(name, type_name<T>(), data.data(), sizeof(T), data.size(), columns);
    }

    std::string bytes() const;

  private:
    template <class T>
    static constexpr const char* type_name()
    {
        if constexpr (std::is_same_v<T, std::uint8_t>) return "uint8";
        if constexpr (std::is_same_v<T, std::uint16_t>) return "uint16";
        if constexpr (std::is_same_v<T, std::int16_t>) return "int16";
        if constexpr (std::is_same_v<T, std::int32_t>) return "int32";
        if constexpr (std::is_same_v<T, std::uint32_t>) return "uint32";
        if constexpr (std::is_same_v<T, Half>) return "float16";
        if constexpr (std::is_same_v<T, float>) return "float32";
    }
    void add(std::string_view name, const char* type, const void* data, std::size_t size, std::size_t count,
             std::size_t columns);

    std::string facts_, arrays_; // JSON
    std::string data_;
};

} // namespace talus::report
