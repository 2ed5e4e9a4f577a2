// series.csv: one line per moment, indicators as columns with their units in the names. A line is there whole or not at
// all: a torn last line is cut when the file is opened again. An absent value is an empty field.
#pragma once

#include "talus/io/runs/indicators.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace talus::io {

class SeriesFile {
  public:
    SeriesFile(std::filesystem::path file, std::vector<std::string> columns); // a new file
    // Continues after `bytes` of the file: what follows them is cut. Without a file a new one is begun. Throws
    // InputError where the file has other columns or is shorter.
    static SeriesFile reopen(std::filesystem::path file, std::vector<std::string> columns, std::uint64_t bytes);
    ~SeriesFile();
    SeriesFile(SeriesFile&& other) noexcept;
    SeriesFile& operator=(SeriesFile&&) = delete;

    void write(std::span<const std::optional<double>> values); // one per column
    void sync();
    std::uint64_t bytes() const { return bytes_; }

  private:
    SeriesFile() = default;
    void append(std::string_view line);

    std::filesystem::path file_;
    std::size_t columns_ = 0;
    std::uint64_t bytes_ = 0;
    int descriptor_ = -1;
};

// What a run writes: clock, energies with their ledger, momentum, contacts and solver, then every gauge and every
// meter; the fields of a gauge that was not due are empty.
template <int D>
std::vector<std::string> series_columns(const Simulation<D>& simulation);
template <int D>
std::vector<std::optional<double>> series_values(const Simulation<D>& simulation, const StepReport& report,
                                                 std::span<const GaugeLine> gauges);

// Problems of a series: torn lines, lines with too few or too many fields, fields that are no numbers.
std::vector<std::string> verify_series(const std::filesystem::path& file);

} // namespace talus::io
