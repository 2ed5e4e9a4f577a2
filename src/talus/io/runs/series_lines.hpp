// Lines of a series.csv that may be larger than memory and may still grow: where they begin is remembered, so that what
// is new is read without reading all again.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace talus::io {

class SeriesLines {
  public:
    explicit SeriesLines(std::filesystem::path file) : file_(std::move(file)) {}

    // Counts the lines that came since; a file that became shorter is counted anew. Without a file there are none.
    // InputError where the header is none of ours.
    void refresh();

    const std::vector<std::string>& names() const { return names_; }
    std::size_t size() const { return lines_; } // whole lines, without the header

    // Line by line from `first` on, as many as refresh() found.
    using Visit = std::function<void(std::span<const std::optional<double>>)>;
    void read(std::size_t first, const Visit& visit) const;

  private:
    void count(std::string_view line, std::uint64_t offset);

    std::filesystem::path file_;
    std::vector<std::string> names_;
    std::vector<std::uint64_t> marks_; // [bytes] where every thousandth line or so begins
    std::uint64_t end_ = 0;            // [bytes] of the last whole line
    std::size_t lines_ = 0;
};

} // namespace talus::io
