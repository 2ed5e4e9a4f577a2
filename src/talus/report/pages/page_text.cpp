#include "talus/report/pages/page_text.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>

namespace talus::report {

std::string json_number(const std::optional<double>& value, int digits)
{
    if (!value || !std::isfinite(*value)) return "null";
    if (*value == std::trunc(*value) && std::abs(*value) < 1e15) return fmt::format("{:.0f}", *value + 0.0);
    return fmt::format("{:.{}g}", *value, digits);
}

std::string without_tags(const std::string& json)
{
    std::string text;
    text.reserve(json.size());
    for (const char c : json) {
        if (c == '<') {
            text += "\\u003c";
        } else {
            text += c;
        }
    }
    return text;
}

std::string html_text(std::string_view words)
{
    std::string text;
    for (const char c : words) {
        text += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
    }
    return text;
}

std::string base64(std::string_view bytes)
{
    constexpr const char* letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        std::uint32_t group = 0;
        for (std::size_t k = 0; k < 3; ++k) {
            group = group << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u);
        }
        for (std::size_t k = 0; k < 4; ++k) {
            text += i + k > bytes.size() ? '=' : letters[group >> (18 - 6 * k) & 63];
        }
    }
    return text;
}

} // namespace talus::report
