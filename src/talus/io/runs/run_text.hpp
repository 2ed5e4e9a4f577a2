// The text files of a run's folder, read back: series.csv as columns, summary.json as sound JSON, log.txt. A run may
// still be writing them, so a torn last line is left out; anything else that does not fit is an InputError.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace talus::io {

struct SeriesColumns {
    std::vector<std::string> names;
    std::vector<std::vector<std::optional<double>>> values; // one list per name; empty: no value at the moment
    std::size_t lines() const { return values.empty() ? 0 : values.front().size(); }
};

SeriesColumns read_series(const std::filesystem::path& file);

// The pieces of it, for who reads line by line: the names of a header, and the values of line `number` (the header is
// line 1).
std::vector<std::string> series_names(std::string_view line, const std::filesystem::path& file);
std::vector<std::optional<double>> series_line(std::string_view line, std::size_t columns,
                                               const std::filesystem::path& file, std::size_t number);

// All bytes of a file; empty where there is none.
std::string read_text(const std::filesystem::path& file);

// The text of a summary.json; empty where there is none: the run goes on, or was killed.
std::string read_summary(const std::filesystem::path& file);

// The offset of the first character that JSON does not allow there; nothing where the text is one sound value.
std::optional<std::size_t> first_json_error(std::string_view text);

} // namespace talus::io
