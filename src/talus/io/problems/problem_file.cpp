#include "talus/io/problems/problem_file.hpp"

#include "talus/exec/parallel.hpp"
#include "talus/io/files/foreign_hdf5.hpp"
#include "talus/io/problems/fclib_file.hpp"
#include "talus/io/runs/run_columns.hpp"
#include "talus/solvers/row_compliance.hpp"

#include <fmt/format.h>

namespace talus::io {

namespace fs = std::filesystem;

namespace {

const std::string format = "talus-problem";

AngMat<2> full(const SymmetricAng<2>& m) { return AngMat<2>(m.xx); }
AngMat<3> full(const SymmetricAng<3>& m)
{
    AngMat<3> all;
    all << m.xx, m.xy, m.xz, m.xy, m.yy, m.yz, m.xz, m.yz, m.zz;
    return all;
}

// ---- writing

// One member of packed records as a column.
template <class Record, class Get>
auto column_of(const std::vector<Record>& records, Get&& get)
{
    std::vector<std::decay_t<decltype(get(records.front()))>> column;
    column.reserve(records.size());
    for (const Record& record : records) column.push_back(get(record));
    return column;
}

template <int D>
void write_bodies(Hdf5Writer& out, const std::vector<BodyRecord<D>>& bodies)
{
    constexpr int A = angular<D>;
    out.column("bodies/velocity", column_of(bodies, [](const auto& b) { return b.velocity; }));
    out.column("bodies/spin", column_of(bodies, [](const auto& b) { return b.spin; }));
    out.column("bodies/inverse_mass", column_of(bodies, [](const auto& b) { return b.inverse_mass; }));
    const auto inertia = column_of(bodies, [](const auto& b) { return full(b.inverse_inertia); });
    out.table("bodies/inverse_inertia", Scalar::f64, inertia.data(), inertia.size(), A * A);
}

template <int D>
void write_rows(Hdf5Writer& out, const std::vector<ContactRow<D>>& rows)
{
    out.column("rows/candidate", column_of(rows, [](const auto& row) { return row.candidate; }));
    out.column("rows/antagonist", column_of(rows, [](const auto& row) { return row.antagonist; }));
    const auto frame = column_of(rows, [](const auto& row) { return row.frame; }); // n, t, (s) end to end
    out.table("rows/frame", Scalar::f64, frame.data(), frame.size(), D * D);
    out.column("rows/candidate_lever", column_of(rows, [](const auto& row) { return row.candidate_lever; }));
    out.column("rows/antagonist_lever", column_of(rows, [](const auto& row) { return row.antagonist_lever; }));
    out.column("rows/offset", column_of(rows, [](const auto& row) { return row.offset; }));
    out.column("rows/impulse", column_of(rows, [](const auto& row) { return row.impulse; }));
    out.column("rows/friction", column_of(rows, [](const auto& row) { return row.block.friction; }));
}

void write_partition(Hdf5Writer& out, const Partition& partition)
{
    if (partition.part.empty()) return;
    out.attribute("parts", std::int64_t{partition.parts});
    out.column("bodies/part", partition.part);
    if (!partition.rank.empty()) out.column("bodies/rank", partition.rank);
}

// ---- reading

[[noreturn]] void refuse(const Hdf5Reader& in, const std::string& name, std::size_t k, double value,
                         const std::string& allowed)
{
    in.fail(fmt::format("{}[{}] = {}: {}", name, k, value, allowed));
}

void check_length(const Hdf5Reader& in, const std::string& name, std::size_t count, const char* as)
{
    if (const std::size_t there = in.rows(name); there != count) {
        in.fail(fmt::format("{} has {} rows: must have {}, as {}", name, there, count, as));
    }
}

// `count` rows of N numbers, all finite; T is a matrix or a vector of N doubles
template <class T>
std::vector<T> finite_column(const Hdf5Reader& in, const std::string& name, std::size_t count, const char* as)
{
    constexpr int width = int(sizeof(T) / sizeof(double)); // NOLINT(bugprone-sizeof-expression): T may be a double
    check_length(in, name, count, as);
    std::vector<T> column(count);
    in.table(name, Scalar::f64, column.data(), count, std::is_same_v<T, double> ? 0 : width);
    const double* number = reinterpret_cast<const double*>(column.data());
    for (std::size_t k = 0; k < count * width; ++k) {
        if (!std::isfinite(number[k])) refuse(in, name, k / width, number[k], "must be a finite number");
    }
    return column;
}

std::vector<std::int32_t> index_column(const Hdf5Reader& in, const std::string& name, std::size_t count, const char* as,
                                       std::int32_t low, std::int64_t high)
{
    check_length(in, name, count, as);
    auto column = in.column<std::int32_t>(name);
    for (std::size_t k = 0; k < count; ++k) {
        if (column[k] < low || column[k] > high) {
            refuse(in, name, k, column[k], fmt::format("must be from {} to {}", low, high));
        }
    }
    return column;
}

std::vector<double> positive_column(const Hdf5Reader& in, const std::string& name, std::size_t count, const char* as)
{
    auto column = finite_column<double>(in, name, count, as);
    for (std::size_t k = 0; k < count; ++k) {
        if (column[k] < 0) refuse(in, name, k, column[k], "must not be negative");
    }
    return column;
}

template <int D>
std::vector<BodyRecord<D>> read_bodies(const Hdf5Reader& in)
{
    constexpr const char* as = "bodies/velocity has";
    const std::size_t count = in.rows("bodies/velocity");
    const auto velocity = finite_column<Vec<D>>(in, "bodies/velocity", count, as);
    const auto spin = finite_column<Ang<D>>(in, "bodies/spin", count, as);
    const auto inverse_mass = finite_column<Vec<D>>(in, "bodies/inverse_mass", count, as);
    const auto inverse_inertia = finite_column<AngMat<D>>(in, "bodies/inverse_inertia", count, as);
    std::vector<BodyRecord<D>> bodies(count);
    for (std::size_t k = 0; k < count; ++k) {
        if (inverse_mass[k].minCoeff() < 0) {
            refuse(in, "bodies/inverse_mass", k, inverse_mass[k].minCoeff(), "must not be negative");
        }
        if (inverse_inertia[k] != inverse_inertia[k].transpose() || inverse_inertia[k].diagonal().minCoeff() < 0) {
            in.fail(fmt::format("bodies/inverse_inertia[{}]: must be symmetric, its diagonal not negative", k));
        }
        bodies[k] = {velocity[k], spin[k], inverse_mass[k], SymmetricAng<D>(inverse_inertia[k])};
    }
    return bodies;
}

// The block of a row. From the normal alone frame and block come back as build_problem made them, to the bit; a frame
// that was made in another way is turned, and what is written in it with it.
template <int D>
void complete_row(ContactRow<D>& row, const std::vector<BodyRecord<D>>& bodies, double friction)
{
    const BodyRecord<D>&c = bodies[row.candidate], &a = bodies[row.antagonist];
    ContactRow<D> built = row;
    built.frame = frame_of(Vec<D>(row.frame.col(0)));
    built.block = diagonalise<D>(built.frame, local_delassus(built, c, a), friction);
    if (built.frame == row.frame) {
        row.block = built.block;
        return;
    }
    const Mat<D> given = row.frame;
    row.block = diagonalise<D>(row.frame, local_delassus(row, c, a), friction);
    row.impulse = row.frame.transpose() * (given * row.impulse);
    row.offset = row.frame.transpose() * (given * row.offset);
}

template <int D>
std::vector<ContactRow<D>> read_rows(const Hdf5Reader& in, const std::vector<BodyRecord<D>>& bodies)
{
    constexpr const char* as = "rows/candidate has";
    const std::size_t count = in.rows("rows/candidate");
    const auto last_body = std::int64_t(bodies.size()) - 1;
    const auto candidate = index_column(in, "rows/candidate", count, as, 0, last_body);
    const auto antagonist = index_column(in, "rows/antagonist", count, as, 0, last_body);
    const auto frame = finite_column<Mat<D>>(in, "rows/frame", count, as);
    const auto candidate_lever = finite_column<Vec<D>>(in, "rows/candidate_lever", count, as);
    const auto antagonist_lever = finite_column<Vec<D>>(in, "rows/antagonist_lever", count, as);
    const auto offset = finite_column<Vec<D>>(in, "rows/offset", count, as);
    const auto impulse = finite_column<Vec<D>>(in, "rows/impulse", count, as);
    const auto friction = positive_column(in, "rows/friction", count, as);
    for (std::size_t k = 0; k < count; ++k) {
        if (friction[k] > largest_friction) refuse(in, "rows/friction", k, friction[k], "must be from 0 to 1e100");
    }
    std::vector<ContactRow<D>> rows(count);
    for (std::size_t k = 0; k < count; ++k) {
        if (candidate[k] == antagonist[k]) {
            refuse(in, "rows/antagonist", k, antagonist[k], "must be another body than the candidate");
        }
        if (!(frame[k].transpose() * frame[k]).isIdentity(1e-9)) {
            in.fail(fmt::format("rows/frame[{}]: must be {} unit vectors at right angles", k, D));
        }
    }
    parallel_for(count, [&](std::size_t k) {
        ContactRow<D>& row = rows[k];
        row.candidate = candidate[k];
        row.antagonist = antagonist[k];
        row.frame = frame[k];
        row.candidate_lever = candidate_lever[k];
        row.antagonist_lever = antagonist_lever[k];
        row.offset = offset[k];
        row.impulse = impulse[k];
        complete_row(row, bodies, friction[k]);
    });
    return rows;
}

template <int D>
std::vector<RollingRow<D>> read_rolling(const Hdf5Reader& in, const ContactProblem<D>& problem)
{
    if (!in.has("rolling")) return {};
    constexpr const char* as = "rows/candidate has";
    const auto friction = positive_column(in, "rolling/friction", problem.rows.size(), as);
    const auto impulse = finite_column<Ang<D>>(in, "rolling/impulse", problem.rows.size(), as);
    std::vector<RollingRow<D>> rolling(problem.rows.size());
    for (std::size_t k = 0; k < rolling.size(); ++k) {
        rolling[k].rolling_friction = friction[k];
        rolling[k].impulse = impulse[k];
        set_compliance(rolling[k], problem.bodies[problem.rows[k].candidate],
                       problem.bodies[problem.rows[k].antagonist]);
    }
    return rolling;
}

template <int D>
ContactProblem<D> read_matrix_free(const Hdf5Reader& in)
{
    ContactProblem<D> problem;
    problem.bodies = read_bodies<D>(in);
    problem.rows = read_rows<D>(in, problem.bodies);
    problem.rolling = read_rolling<D>(in, problem);
    problem.reference_velocity = in.number("reference_velocity");
    if (!std::isfinite(problem.reference_velocity) || problem.reference_velocity < 0) {
        in.fail(fmt::format("reference_velocity = {}: must not be negative", problem.reference_velocity));
    }
    problem.reference_velocity = std::max(problem.reference_velocity, least_reference_velocity);
    return problem;
}

} // namespace

RecordedProblem read_problem(const fs::path& file)
{
    {
        const ForeignHdf5 any(file);
        if (holds_fclib(any)) return read_fclib(any);
        if (!any.has("rows")) {
            any.refuse(fmt::format("is no contact problem: it has neither fclib_local nor the format {}", format));
        }
    }
    const Hdf5Reader in(file);
    if (read_header(in, format) == 2) return read_matrix_free<2>(in);
    return read_matrix_free<3>(in);
}

Partition read_partition(const fs::path& file)
{
    if (const ForeignHdf5 any(file); !any.has("bodies/part")) return {};
    const Hdf5Reader in(file);
    const std::size_t bodies = in.rows("bodies/velocity");
    constexpr const char* as = "bodies/velocity has";
    Partition partition;
    const std::int64_t parts = in.integer("parts");
    if (parts < 1 || parts > std::numeric_limits<std::int32_t>::max()) {
        in.fail(fmt::format("parts = {}: must be at least 1", parts));
    }
    partition.parts = int(parts);
    partition.part = index_column(in, "bodies/part", bodies, as, -1, parts - 1);
    if (in.has("bodies/rank")) {
        partition.rank = index_column(in, "bodies/rank", bodies, as, 0, std::numeric_limits<std::int32_t>::max());
    }
    return partition;
}

template <int D>
void write_problem(const fs::path& file, const ContactProblem<D>& problem, const Partition& partition)
{
    Hdf5Writer out(file);
    write_header(out, format, D);
    out.attribute("reference_velocity", problem.reference_velocity);
    write_bodies(out, problem.bodies);
    write_rows(out, problem.rows);
    if (!problem.rolling.empty()) {
        out.column("rolling/friction",
                   column_of(problem.rolling, [](const auto& row) { return row.rolling_friction; }));
        out.column("rolling/impulse", column_of(problem.rolling, [](const auto& row) { return row.impulse; }));
    }
    write_partition(out, partition);
    out.commit();
}

template void write_problem(const fs::path&, const ContactProblem<2>&, const Partition&);
template void write_problem(const fs::path&, const ContactProblem<3>&, const Partition&);

} // namespace talus::io
