#include "base/error.hpp"

namespace talus {

std::string to_text(const Problem& problem)
{
    std::string text;
    if (!problem.where.file.empty()) {
        text += problem.where.file;
        if (problem.where.line > 0) {
            text += ":" + std::to_string(problem.where.line) + ":" + std::to_string(problem.where.column);
        }
        text += ": ";
    }
    if (!problem.key.empty()) {
        text += problem.key;
        if (!problem.value.empty()) text += " = " + problem.value;
        text += ": ";
    }
    return text + problem.message;
}

InputError::InputError(std::vector<Problem> problems) : problems_(std::move(problems))
{
    for (const Problem& problem : problems_) {
        if (!text_.empty()) text_ += "\n";
        text_ += to_text(problem);
    }
}

InputError::InputError(const std::string& message) : InputError(std::vector<Problem>{{{}, {}, {}, message}}) {}

} // namespace talus
