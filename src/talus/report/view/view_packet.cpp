#include "talus/report/view/view_packet.hpp"

#include "talus/io/files/json_writer.hpp"

#include <algorithm>
#include <cstring>

namespace talus::report {

namespace {

constexpr std::size_t alignment = 8; // [bytes] of every array

} // namespace

Half to_half(double value)
{
    constexpr double largest = 65504;
    return Half(float(std::isnan(value) ? value : std::clamp(value, -largest, largest)));
}

void Packet::fact(std::string_view name, std::string_view json)
{
    facts_ += io::json_quoted(name) + ":";
    facts_ += json;
    facts_ += ',';
}

void Packet::add(std::string_view name, const char* type, const void* data, std::size_t size, std::size_t count,
                 std::size_t columns)
{
    data_.resize((data_.size() + alignment - 1) / alignment * alignment, '\0');
    arrays_ += fmt::format(
        R"({}{}:{{"type":"{}","shape":[{}],"offset":{}}})", arrays_.empty() ? "" : ",", io::json_quoted(name), type,
        columns == 0 ? std::to_string(count) : fmt::format("{},{}", count / columns, columns), data_.size());
    if (count > 0) data_.append(static_cast<const char*>(data), count * size);
}

std::string Packet::bytes() const
{
    std::string header = "{" + facts_ + "\"arrays\":{" + arrays_ + "}}";
    const std::size_t whole = (4 + header.size() + alignment - 1) / alignment * alignment;
    header.resize(whole - 4, ' ');
    const auto length = std::uint32_t(header.size());
    std::string bytes(4, '\0');
    std::memcpy(bytes.data(), &length, 4);
    bytes.reserve(whole + data_.size());
    return bytes + header + data_;
}

} // namespace talus::report
