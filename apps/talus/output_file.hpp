// A file that a command is asked to write: not over another one, and not where there is no folder.
#pragma once

#include "talus/base/error.hpp"

#include <fmt/format.h>

#include <filesystem>

inline void refuse_overwriting_file(const std::filesystem::path& file, bool force)
{
    if (!force && std::filesystem::exists(file)) {
        throw talus::InputError(file.string() + " exists: --force replaces it");
    }
    const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
    if (!std::filesystem::is_directory(folder)) {
        throw talus::InputError(fmt::format("{}: there is no folder {}", file.string(), folder.string()));
    }
}
