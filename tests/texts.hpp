// What a text says, and what is said of bad input.
#pragma once

#include "talus/base/error.hpp"

#include <string>

namespace talus {

inline bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

inline std::size_t times_in(const std::string& text, const std::string& part)
{
    std::size_t found = 0;
    for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
    return found;
}

// the message of what it throws; nothing where it is accepted
template <class Call>
std::string refusal_of(Call&& call)
{
    try {
        call();
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

} // namespace talus
