// The three kinds of trouble: a mistake of the user (InputError, exit 2), trouble in a run (RunError, exit 1),
// and bugs (assertions). An InputError carries every problem found, not the first one only.
#pragma once

#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

namespace talus {

struct Location {
    std::string file;
    int line = 0;   // 1-based; 0 where there is none (a value given on the command line, a default)
    int column = 0; // 1-based
};

// One mistake: where, which key, what was given, and what is allowed.
struct Mistake {
    Location where;
    std::string key;     // dotted path, e.g. "bodies[2].radius"
    std::string value;   // as the user wrote it; empty where there is none
    std::string message; // what is wrong and what is allowed
};

// "file:line:column: key = value: message"
std::string to_text(const Mistake& problem);

class InputError : public std::exception {
  public:
    explicit InputError(std::vector<Mistake> mistakes);
    explicit InputError(const std::string& message); // a mistake without a place in a file
    const char* what() const noexcept override { return text_.c_str(); }
    const std::vector<Mistake>& mistakes() const { return mistakes_; }

  private:
    std::vector<Mistake> mistakes_;
    std::string text_;
};

class RunError : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

} // namespace talus
