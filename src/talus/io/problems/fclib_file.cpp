#include "talus/io/problems/fclib_file.hpp"

#include "talus/base/error.hpp"
#include "talus/io/files/foreign_hdf5.hpp"
#include "talus/io/files/hdf5_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace talus::io {

namespace {

const std::string group = "fclib_local";

struct Entry { // of a sparse matrix
    std::int64_t row = 0, column = 0;
    double value = 0;
};

// ---- reading

// The side of the square matrix.
std::int64_t matrix_size(const ForeignHdf5& file, int dimension)
{
    const std::int64_t m = file.integer(group + "/W/m"), n = file.integer(group + "/W/n");
    if (m < 0) file.refuse(group + "/W/m", fmt::format("{}", m), "must not be negative");
    if (n != m) file.refuse(group + "/W/n", fmt::format("{}", n), fmt::format("must be {}, as m is: W is square", m));
    if (m % dimension != 0) {
        file.refuse(group + "/W/m", fmt::format("{}", m),
                    fmt::format("must be a multiple of spacedim, {}: that many components per contact", dimension));
    }
    return m;
}

void check_index(const ForeignHdf5& file, const char* list, std::size_t k, std::int64_t index, std::int64_t size)
{
    if (index >= 0 && index < size) return;
    file.refuse(fmt::format("{}/W/{}[{}]", group, list, k), fmt::format("{}", index),
                fmt::format("must be from 0 to {}", size - 1));
}

// p[k] to p[k+1] are the entries of column (or row) k, i their row (or column)
std::vector<Entry> compressed_entries(const ForeignHdf5& file, std::int64_t size, bool by_rows)
{
    const std::int64_t room = file.integer(group + "/W/nzmax");
    if (room < 0) file.refuse(group + "/W/nzmax", fmt::format("{}", room), "must not be negative");
    const auto p = file.integers(group + "/W/p", std::size_t(size) + 1, "one more than W has rows");
    const auto i = file.integers(group + "/W/i", std::size_t(room), "as nzmax says");
    const auto x = file.numbers(group + "/W/x", std::size_t(room), "as nzmax says");
    if (p[0] != 0) file.refuse(group + "/W/p[0]", fmt::format("{}", p[0]), "must be 0");
    std::vector<Entry> entries;
    entries.reserve(i.size());
    for (std::size_t k = 0; k + 1 < p.size(); ++k) {
        if (p[k + 1] < p[k] || p[k + 1] > room) {
            file.refuse(fmt::format("{}/W/p[{}]", group, k + 1), fmt::format("{}", p[k + 1]),
                        fmt::format("must be from {} to {}: p increases up to nzmax at most", p[k], room));
        }
        for (auto e = std::size_t(p[k]); e < std::size_t(p[k + 1]); ++e) {
            check_index(file, "i", e, i[e], size);
            entries.push_back(by_rows ? Entry{std::int64_t(k), i[e], x[e]} : Entry{i[e], std::int64_t(k), x[e]});
        }
    }
    return entries;
}

// p are the rows and i the columns (fclib.h); x may have more room than entries
std::vector<Entry> triplet_entries(const ForeignHdf5& file, std::int64_t size, std::int64_t count)
{
    const std::int64_t room = file.integer(group + "/W/nzmax");
    if (room < count) {
        file.refuse(group + "/W/nzmax", fmt::format("{}", room), fmt::format("must be at least nz, {}", count));
    }
    const auto p = file.integers(group + "/W/p", std::size_t(count), "as nz says");
    const auto i = file.integers(group + "/W/i", std::size_t(count), "as nz says");
    const auto x = file.numbers(group + "/W/x", std::size_t(room), "as nzmax says");
    std::vector<Entry> entries;
    for (std::size_t e = 0; e < p.size(); ++e) {
        check_index(file, "p", e, p[e], size);
        check_index(file, "i", e, i[e], size);
        entries.push_back({p[e], i[e], x[e]});
    }
    return entries;
}

std::vector<Entry> matrix_entries(const ForeignHdf5& file, std::int64_t size)
{
    const std::int64_t kind = file.integer(group + "/W/nz");
    if (kind >= 0) return triplet_entries(file, size, kind);
    if (kind < -2) {
        file.refuse(group + "/W/nz", fmt::format("{}", kind),
                    "must be -1 (compressed columns), -2 (compressed rows) or the number of triplets");
    }
    return compressed_entries(file, size, kind == -2);
}

// block rows of W, the diagonal always there; entries given twice add up
template <int D>
void set_blocks(AssembledProblem<D>& problem, const std::vector<Entry>& entries, std::size_t contacts,
                const ForeignHdf5& file)
{
    using Place = std::pair<std::int32_t, std::int32_t>; // block row and column
    std::vector<Place> places;
    places.reserve(entries.size() + contacts);
    const auto place_of = [](const Entry& e) { return Place(e.row / D, e.column / D); };
    for (const Entry& entry : entries) {
        if (places.empty() || places.back() != place_of(entry)) places.push_back(place_of(entry));
    }
    for (std::size_t k = 0; k < contacts; ++k) places.emplace_back(k, k);
    std::sort(places.begin(), places.end());
    places.erase(std::unique(places.begin(), places.end()), places.end());

    problem.begin.assign(contacts + 1, 0);
    for (const Place& place : places) ++problem.begin[std::size_t(place.first) + 1];
    for (std::size_t k = 0; k < contacts; ++k) problem.begin[k + 1] += problem.begin[k];
    for (const Place& place : places) problem.column.push_back(place.second);
    problem.block.assign(places.size(), Mat<D>::Zero());
    for (const Entry& entry : entries) {
        const auto place = std::lower_bound(places.begin(), places.end(), place_of(entry));
        double& sum = problem.block[std::size_t(place - places.begin())](entry.row % D, entry.column % D);
        sum += entry.value;
        if (!std::isfinite(sum)) {
            file.refuse(fmt::format("{}/W, row {}, column {}", group, entry.row, entry.column), fmt::format("{}", sum),
                        "entries given twice add up, and must do so to a finite number");
        }
    }
}

template <int D>
std::vector<Vec<D>> vectors(const std::vector<double>& numbers)
{
    std::vector<Vec<D>> all(numbers.size() / D);
    for (std::size_t k = 0; k < numbers.size(); ++k) all[k / D][k % D] = numbers[k];
    return all;
}

// where to start: FCLIB's first guess, else its solution, else nothing
template <int D>
std::vector<Vec<D>> recorded_impulses(const ForeignHdf5& file, std::size_t contacts)
{
    for (const char* place : {"guesses/1/r", "solution/r"}) {
        if (file.has(place)) return vectors<D>(file.numbers(place, contacts * D, "as W has rows"));
    }
    return std::vector<Vec<D>>(contacts, Vec<D>::Zero());
}

template <int D>
AssembledProblem<D> read_local(const ForeignHdf5& file)
{
    const std::int64_t size = matrix_size(file, D);
    const auto contacts = std::size_t(size / D);
    AssembledProblem<D> problem;
    problem.free_velocity = vectors<D>(file.numbers(group + "/vectors/q", std::size_t(size), "as W has rows"));
    problem.friction = file.numbers(group + "/vectors/mu", contacts, "one per contact");
    for (std::size_t k = 0; k < contacts; ++k) {
        if (problem.friction[k] < 0 || problem.friction[k] > largest_friction) {
            file.refuse(fmt::format("{}/vectors/mu[{}]", group, k), fmt::format("{}", problem.friction[k]),
                        "a coefficient of friction must be from 0 to 1e100");
        }
    }
    set_blocks(problem, matrix_entries(file, size), contacts, file);
    problem.impulse = recorded_impulses<D>(file, contacts);
    problem.reference_velocity = file.attribute("reference_velocity").value_or(0);
    if (!(problem.reference_velocity >= 0)) {
        file.refuse("reference_velocity", fmt::format("{}", problem.reference_velocity), "must not be negative");
    }
    return problem;
}

// ---- writing

// W by columns; all entries of a stored block are kept, so that its structure is
template <int D>
void write_matrix(Hdf5Writer& out, const AssembledProblem<D>& problem)
{
    const std::size_t size = problem.size() * D;
    std::vector<std::int32_t> p(size + 1, 0);
    for (const std::int32_t column : problem.column) {
        for (int c = 0; c < D; ++c) p[std::size_t(column) * D + c + 1] += D;
    }
    for (std::size_t k = 0; k < size; ++k) p[k + 1] += p[k];
    std::vector<std::int32_t> i(std::size_t(p.back())), next(p.begin(), p.end() - 1);
    std::vector<double> x(i.size());
    for (std::size_t k = 0; k < problem.size(); ++k) {
        for (int row = 0; row < D; ++row) {
            for (std::size_t j = problem.begin[k]; j < problem.begin[k + 1]; ++j) {
                for (int c = 0; c < D; ++c) {
                    const auto at = std::size_t(next[std::size_t(problem.column[j]) * D + c]++);
                    i[at] = std::int32_t(k * D + row);
                    x[at] = problem.block[j](row, c);
                }
            }
        }
    }
    const auto scalar = [&](const char* name, std::int64_t value) {
        out.column<std::int32_t>(group + "/W/" + name, std::vector<std::int32_t>{std::int32_t(value)});
    };
    scalar("m", std::int64_t(size));
    scalar("n", std::int64_t(size));
    scalar("nz", -1); // compressed columns
    scalar("nzmax", std::int64_t(i.size()));
    out.column(group + "/W/p", p);
    out.column(group + "/W/i", i);
    out.column(group + "/W/x", x);
}

template <int D>
std::span<const double> flat(const std::vector<Vec<D>>& vectors)
{
    return {vectors.empty() ? nullptr : vectors.front().data(), vectors.size() * D};
}

} // namespace

bool holds_fclib(const ForeignHdf5& file) { return file.has(group) || file.has("fclib_global"); }

RecordedProblem read_fclib(const ForeignHdf5& file)
{
    if (!file.has(group)) {
        file.refuse("fclib_global", {}, "is a global problem: condense it to a local one, W = Hᵀ M⁻¹ H, first");
    }
    if (file.has(group + "/V") || file.has(group + "/R")) {
        file.refuse(group + "/V", {}, "equality constraints (V, R, s) are not read: condense them into W and q first");
    }
    const std::int64_t dimension = file.integer(group + "/spacedim");
    if (dimension == 2) return read_local<2>(file);
    if (dimension == 3) return read_local<3>(file);
    file.refuse(group + "/spacedim", fmt::format("{}", dimension), "must be 2 or 3");
}

template <int D>
void write_fclib(const std::filesystem::path& file, const AssembledProblem<D>& problem, Impulses impulses)
{
    if (problem.block.size() > std::size_t(std::numeric_limits<std::int32_t>::max()) / (D * D)) {
        throw InputError(fmt::format("{}: W has {} blocks, more than FCLIB's 32-bit indices reach", file.string(),
                                     problem.block.size()));
    }
    Hdf5Writer out(file);
    out.column<std::int32_t>(group + "/spacedim", std::vector<std::int32_t>{D});
    write_matrix(out, problem);
    out.column<double>(group + "/vectors/q", flat<D>(problem.free_velocity));
    out.column(group + "/vectors/mu", problem.friction);
    if (impulses == Impulses::guess)
        out.column<std::int32_t>("guesses/number_of_guesses", std::vector<std::int32_t>{1});
    std::vector<Vec<D>> velocity(problem.size());
    for (std::size_t k = 0; k < problem.size(); ++k) velocity[k] = contact_velocity(problem, k);
    const std::string place = impulses == Impulses::guess ? "guesses/1/" : "solution/";
    out.column<double>(place + "u", flat<D>(velocity));
    out.column<double>(place + "r", flat<D>(problem.impulse));
    if (problem.reference_velocity > 0) out.attribute("reference_velocity", problem.reference_velocity);
    out.commit();
}

template void write_fclib(const std::filesystem::path&, const AssembledProblem<2>&, Impulses);
template void write_fclib(const std::filesystem::path&, const AssembledProblem<3>&, Impulses);

} // namespace talus::io
