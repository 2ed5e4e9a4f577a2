// Other programs that talus asks for help: a browser without a window, an encoder of films.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

// The first of these names that PATH leads to; empty where there is none.
std::filesystem::path find_program(const std::vector<std::string>& names);

// CHROMIUM of the environment, or a Chromium in PATH; InputError with a hint where there is none.
std::filesystem::path find_chromium();

struct ProgramEnd {
    int status = 0; // of the exit; negative: a signal ended it
    bool timed_out = false;
    std::string output; // what it said on both streams
};

// Runs a program to its end; after so many seconds, or when talus is interrupted, it is ended with all it started.
ProgramEnd run_program(const std::vector<std::string>& line, double most_seconds);

// A folder that is gone with the object.
class TemporaryFolder {
  public:
    TemporaryFolder();
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

  private:
    std::filesystem::path path_;
};

// What a page of a file looks like, as PNG, once it has set data-ready on its root: write `mark_when_drawn` into the
// page as a script. RunError where it does not get there.
extern const char* const mark_when_drawn;
std::string screenshot(const std::filesystem::path& chromium, const std::filesystem::path& page,
                       const std::string& fragment, int width, int height);
