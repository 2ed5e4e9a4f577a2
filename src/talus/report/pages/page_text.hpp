// What the pages for the browser have in common: text that cannot break out of where it stands, and numbers as JSON.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace talus::report {

// The part of a page that was bundled for the browser when Talus was built.
struct WebPage {
    std::string_view script, style;
};

// Counts as they are, the rest with so many digits; null where there is no number.
std::string json_number(const std::optional<double>& value, int digits = 6);

// What stands in a page between script tags must not end them; in JSON a "<" is only ever inside a text.
std::string without_tags(const std::string& json);

std::string html_text(std::string_view words);

std::string base64(std::string_view bytes);

} // namespace talus::report
