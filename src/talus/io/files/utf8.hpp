// Strict UTF-8: no overlong forms, no surrogates, nothing beyond U+10FFFF.
#pragma once

#include <cstddef>
#include <string_view>

namespace talus::io {

// The offset of the first byte that does not belong to a valid character; text.size() where all are valid.
std::size_t first_invalid_utf8(std::string_view text);

} // namespace talus::io
