#include "talus/io/files/log.hpp"

#include <fmt/format.h>

namespace talus::io {

Log::Log(const std::filesystem::path& folder) : file_(std::fopen((folder / "log.txt").c_str(), "ae")) {}

void Log::write(const char* prefix, std::string_view line)
{
    if (!file_) return;
    const std::string text = fmt::format("{}{}\n", prefix, line);
    std::fwrite(text.data(), 1, text.size(), file_.get());
    std::fflush(file_.get());
}

} // namespace talus::io
