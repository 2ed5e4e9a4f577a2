#include "talus/io/runs/series.hpp"

#include "talus/base/error.hpp"
#include "talus/io/files/durable_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <unistd.h>
#include <utility>

namespace talus::io {

namespace fs = std::filesystem;

namespace {

std::string header_of(const std::vector<std::string>& columns)
{
    std::string header;
    for (const std::string& column : columns) {
        if (!header.empty()) header += ',';
        for (const char c : column) header += c == ',' || c == '"' || c == '\n' || c == '\r' ? '_' : c;
    }
    return header + '\n';
}

// in two dimensions the only axis to turn about is z
template <int D>
const char* turning_axis(int component)
{
    return axis_names[3 - angular<D> + component];
}

} // namespace

SeriesFile::SeriesFile(fs::path file, std::vector<std::string> columns)
    : file_(std::move(file)), columns_(columns.size())
{
    descriptor_ = ::open(file_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (descriptor_ < 0) fail_writing(file_, errno);
    append(header_of(columns));
}

SeriesFile SeriesFile::reopen(fs::path file, std::vector<std::string> columns, std::uint64_t bytes)
{
    if (!fs::exists(file)) return SeriesFile(std::move(file), std::move(columns));
    const std::string header = header_of(columns);
    {
        std::ifstream in(file, std::ios::binary);
        std::string begin(header.size(), '\0');
        if (!in.read(begin.data(), std::streamsize(begin.size())) || begin != header) {
            throw InputError(fmt::format("{}: has other columns than this run writes", file.string()));
        }
        if (fs::file_size(file) < bytes || bytes < header.size()) {
            throw InputError(
                fmt::format("{}: is shorter than the checkpoint says ({} of {} bytes); without it the run resumes",
                            file.string(), fs::file_size(file), bytes));
        }
    }
    SeriesFile series;
    series.file_ = std::move(file);
    series.columns_ = columns.size();
    series.bytes_ = bytes;
    series.descriptor_ = ::open(series.file_.c_str(), O_WRONLY | O_CLOEXEC);
    if (series.descriptor_ < 0) fail_writing(series.file_, errno);
    if (::ftruncate(series.descriptor_, off_t(bytes)) != 0 || ::lseek(series.descriptor_, 0, SEEK_END) < 0) {
        fail_writing(series.file_, errno);
    }
    return series;
}

SeriesFile::~SeriesFile()
{
    if (descriptor_ >= 0) ::close(descriptor_);
}

SeriesFile::SeriesFile(SeriesFile&& other) noexcept
    : file_(std::move(other.file_)), columns_(other.columns_), bytes_(other.bytes_),
      descriptor_(std::exchange(other.descriptor_, -1))
{
}

void SeriesFile::append(std::string_view line)
{
    try {
        write_fully(descriptor_, line, file_);
    } catch (const RunError&) { // what was taken of the line goes again: the file keeps whole lines
        if (::ftruncate(descriptor_, off_t(bytes_)) == 0) ::lseek(descriptor_, 0, SEEK_END);
        throw;
    }
    bytes_ += line.size();
}

void SeriesFile::write(std::span<const std::optional<double>> values)
{
    assert(values.size() == columns_);
    std::string line;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (i > 0) line += ',';
        if (values[i]) line += fmt::format("{}", *values[i]);
    }
    append(line + '\n');
}

void SeriesFile::sync()
{
    if (::fsync(descriptor_) != 0 && errno != EINVAL) fail_writing(file_, errno);
}

template <int D>
std::vector<std::string> series_columns(const Simulation<D>& simulation)
{
    std::vector<std::string> columns{"time_s", "step", "bodies", "kinetic_J", "potential_J"};
    EnergyLedger::visit(simulation.energy,
                        [&](const char* name, double) { columns.push_back(fmt::format("{}_J", name)); });
    columns.emplace_back("energy_imbalance_J");
    for (int i = 0; i < D; ++i) columns.push_back(fmt::format("momentum_{}_kgmps", axis_names[i]));
    for (int i = 0; i < angular<D>; ++i) {
        columns.push_back(fmt::format("angular_momentum_{}_kgm2ps", turning_axis<D>(i)));
    }
    for (const char* name : {"contacts", "sweeps", "residual"}) columns.emplace_back(name);
    for (const Gauge<D>& gauge : simulation.gauges) {
        for (const std::string& column : gauge.columns()) columns.push_back(gauge.name() + "." + column);
    }
    for (const auto& meter : simulation.meters) {
        for (std::string& column : meter->columns()) columns.push_back(std::move(column));
    }
    return columns;
}

template <int D>
std::vector<std::optional<double>> series_values(const Simulation<D>& simulation, const StepReport& report,
                                                 std::span<const GaugeLine> gauges)
{
    const double kinetic = simulation.kinetic_energy(), potential = simulation.potential_energy();
    std::vector<std::optional<double>> values{simulation.clock.time(), double(simulation.clock.step),
                                              double(simulation.bodies.size()), kinetic, potential};
    EnergyLedger ledger = simulation.energy;
    if (simulation.clock.step == 0) ledger.start = kinetic + potential; // it is taken at the first step
    EnergyLedger::visit(ledger, [&](const char*, double part) { values.push_back(part); });
    values.push_back(kinetic + potential - ledger.balance());
    const Vec<D> momentum = simulation.momentum();
    const Ang<D> angular_momentum = simulation.angular_momentum();
    values.insert(values.end(), momentum.begin(), momentum.end());
    values.insert(values.end(), angular_momentum.begin(), angular_momentum.end());
    values.insert(values.end(), {double(report.contacts), double(report.solve.sweeps), report.solve.residual});
    for (std::size_t g = 0; g < gauges.size(); ++g) {
        const std::vector<Maybe>& measured = gauges[g].reading.values();
        values.insert(values.end(), measured.begin(), measured.end());
        if (measured.empty()) values.resize(values.size() + simulation.gauges[g].columns().size());
    }
    for (const auto& meter : simulation.meters) {
        const std::vector<Maybe> counted = meter->values();
        values.insert(values.end(), counted.begin(), counted.end());
    }
    return values;
}

std::vector<std::string> verify_series(const fs::path& file)
{
    std::ifstream in(file, std::ios::binary);
    if (!in) return {fmt::format("{}: cannot be opened", file.string())};
    std::string line;
    if (!std::getline(in, line) || in.eof()) return {fmt::format("{}: has no header line", file.string())};
    const auto fields = [](const std::string& text) { return std::count(text.begin(), text.end(), ',') + 1; };
    const auto columns = fields(line);
    std::vector<std::string> problems;
    for (int number = 2; std::getline(in, line); ++number) {
        if (in.eof()) {
            problems.push_back(fmt::format("{}:{}: the last line is torn", file.string(), number));
        } else if (fields(line) != columns) {
            problems.push_back(
                fmt::format("{}:{}: {} fields, but {} columns", file.string(), number, fields(line), columns));
        }
    }
    return problems;
}

#define TALUS_INSTANTIATE(D)                                                                                           \
    template std::vector<std::string> series_columns(const Simulation<D>&);                                            \
    template std::vector<std::optional<double>> series_values(const Simulation<D>&, const StepReport&,                 \
                                                              std::span<const GaugeLine>);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

} // namespace talus::io
