// log.txt: what the user saw, line by line. The application prints to the terminal; this keeps a copy.
#pragma once

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string_view>

namespace talus::io {

class Log {
  public:
    Log() = default;                                   // keeps nothing
    explicit Log(const std::filesystem::path& folder); // appends to folder/log.txt

    void info(std::string_view line) { write("", line); }
    void warning(std::string_view line) { write("warning: ", line); }
    void error(std::string_view line) { write("error: ", line); }

  private:
    // a log that cannot be written must not end a run: the files that matter will say so themselves
    void write(const char* prefix, std::string_view line);

    struct Close {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };
    std::unique_ptr<std::FILE, Close> file_;
};

} // namespace talus::io
