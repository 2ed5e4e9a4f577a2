#include "talus/base/error.hpp"

#include <fmt/format.h>

namespace talus {

std::string to_text(const Mistake& problem)
{
    std::string text;
    const Location& where = problem.where;
    if (!where.file.empty() && where.line > 0) {
        text = fmt::format("{}:{}:{}: ", where.file, where.line, where.column);
    } else if (!where.file.empty()) {
        text = where.file + ": ";
    }
    if (!problem.key.empty()) {
        text += problem.value.empty() ? fmt::format("{}: ", problem.key)
                                      : fmt::format("{} = {}: ", problem.key, problem.value);
    }
    return text + problem.message;
}

InputError::InputError(std::vector<Mistake> mistakes) : mistakes_(std::move(mistakes))
{
    for (const Mistake& problem : mistakes_) {
        if (!text_.empty()) text_ += "\n";
        text_ += to_text(problem);
    }
}

InputError::InputError(const std::string& message) : mistakes_{Mistake{}}, text_(message)
{
    mistakes_[0].message = message;
}

} // namespace talus
