#include "talus/io/runs/series_lines.hpp"

#include "talus/base/error.hpp"
#include "talus/io/runs/run_text.hpp"

#include <fmt/format.h>

#include <fstream>

namespace talus::io {

namespace {

constexpr std::size_t lines_per_mark = 1024;

// Whole lines from an offset on, with the offset of each; stops when `take` says so.
void each_line(const std::filesystem::path& file, std::uint64_t offset,
               const std::function<bool(std::string_view line, std::uint64_t offset)>& take)
{
    std::ifstream in(file, std::ios::binary);
    in.seekg(std::streamoff(offset));
    std::string line;
    while (std::getline(in, line) && !in.eof()) { // the end before a line break: a line that is being written
        if (!take(line, offset)) return;
        offset += line.size() + 1;
    }
}

} // namespace

void SeriesLines::refresh()
{
    std::error_code error;
    const std::uint64_t bytes = std::filesystem::file_size(file_, error);
    if (error || bytes < end_) {
        names_.clear();
        marks_.clear();
        end_ = lines_ = 0;
    }
    if (error || bytes == end_) return;
    each_line(file_, end_, [&](std::string_view line, std::uint64_t offset) {
        count(line, offset);
        return true;
    });
}

void SeriesLines::count(std::string_view line, std::uint64_t offset)
{
    if (offset == 0) {
        names_ = series_names(line, file_);
    } else if (lines_++ % lines_per_mark == 0) {
        marks_.push_back(offset);
    }
    end_ = offset + line.size() + 1;
}

void SeriesLines::read(std::size_t first, const Visit& visit) const
{
    if (first >= lines_) return;
    std::size_t number = first / lines_per_mark * lines_per_mark;
    each_line(file_, marks_[first / lines_per_mark], [&](std::string_view line, std::uint64_t) {
        if (number >= first) visit(series_line(line, names_.size(), file_, number + 2));
        return ++number < lines_;
    });
}

} // namespace talus::io
