#include "talus/io/files/hdf5_file.hpp"

#include "talus/base/error.hpp"
#include "talus/base/hash.hpp"
#include "talus/io/files/durable_file.hpp"
#include "talus/io/files/hdf5_handle.hpp"

#include <fmt/format.h>
#include <hdf5.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace talus::io {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t seal_bytes = 512;
constexpr std::string_view seal_magic = "TALUS sealed HDF5 file";
constexpr std::size_t hash_chunk = 1 << 20;  // bytes; part of the format: the hash mixes in the size of each piece
constexpr std::size_t chunk_bytes = 1 << 19; // of a deflated column
constexpr std::size_t worth_deflating = 1 << 12;

// No printing of its own, and no tidying up at exit: every file is closed where it was opened, and tidying up after a
// failed write crashes.
void prepare_hdf5()
{
    static const herr_t once = H5dont_atexit();
    (void)once;
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

// The innermost entry of HDF5's error stack, reduced to the system's own words where it has them.
std::string hdf5_reason()
{
    std::string reason;
    const auto keep_first = [](unsigned, const H5E_error2_t* entry, void* text) -> herr_t {
        auto& kept = *static_cast<std::string*>(text);
        if (kept.empty() && entry->desc != nullptr) kept = entry->desc;
        return 0;
    };
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_first, &reason);
    H5Eclear2(H5E_DEFAULT);
    constexpr std::string_view mark = "error message = '";
    if (const auto at = reason.find(mark); at != std::string::npos) {
        reason = reason.substr(at + mark.size());
        reason.resize(std::min(reason.find('\''), reason.size()));
    }
    return reason.empty() ? "HDF5 gives no reason" : reason;
}

hid_t native(Scalar scalar)
{
    switch (scalar) {
    case Scalar::f64:
        return H5T_NATIVE_DOUBLE;
    case Scalar::i32:
        return H5T_NATIVE_INT32;
    case Scalar::u32:
        return H5T_NATIVE_UINT32;
    case Scalar::u8:
        return H5T_NATIVE_UINT8;
    case Scalar::i64:
        return H5T_NATIVE_INT64;
    case Scalar::u64:
        return H5T_NATIVE_UINT64;
    }
    return -1;
}

hid_t text_type()
{
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, H5T_VARIABLE);
    H5Tset_cset(type, H5T_CSET_UTF8);
    return type;
}

// no locks: a file is written under a hidden name and never again, and not every file system has locks
hid_t access_list()
{
    const hid_t list = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_libver_bounds(list, H5F_LIBVER_V18, H5F_LIBVER_V110);
    H5Pset_file_locking(list, false, true);
    return list;
}

class Descriptor {
  public:
    Descriptor(const fs::path& file, int flags) : id_(::open(file.c_str(), flags | O_CLOEXEC)) {}
    ~Descriptor()
    {
        if (id_ >= 0) ::close(id_);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    operator int() const { return id_; }

  private:
    int id_;
};

// As many bytes as there are, up to `size`; negative on an error.
ssize_t read_up_to(int descriptor, char* data, std::size_t size)
{
    std::size_t done = 0;
    while (done < size) {
        const ssize_t taken = ::read(descriptor, data + done, size - done);
        if (taken < 0 && errno == EINTR) continue;
        if (taken < 0) return -1;
        if (taken == 0) break;
        done += std::size_t(taken);
    }
    return ssize_t(done);
}

struct Seal {
    std::uint64_t bytes = 0, hash = 0;
};

// Of everything after the seal; the descriptor stands there. false: it could not be read.
bool measure(int descriptor, Seal& seal)
{
    const auto buffer = std::make_unique<char[]>(hash_chunk);
    Hash hash;
    seal.bytes = seal_bytes;
    while (true) {
        const ssize_t taken = read_up_to(descriptor, buffer.get(), hash_chunk);
        if (taken < 0) return false;
        if (taken == 0) break;
        hash.add_bytes(buffer.get(), std::size_t(taken));
        seal.bytes += std::uint64_t(taken);
    }
    seal.hash = hash.value();
    return true;
}

std::string seal_text(const Seal& seal)
{
    std::string text = fmt::format("{}\nbytes {}\nhash {:016x}\nThis block is skipped by HDF5; see docs/run-file.md\n",
                                   seal_magic, seal.bytes, seal.hash);
    text.resize(seal_bytes, '\0');
    return text;
}

void put_seal(const fs::path& hidden, const fs::path& file)
{
    const Descriptor descriptor(hidden, O_RDWR);
    Seal seal;
    if (descriptor < 0 || ::lseek(descriptor, seal_bytes, SEEK_SET) < 0 || !measure(descriptor, seal)) {
        fail_writing(file, errno);
    }
    if (::lseek(descriptor, 0, SEEK_SET) < 0) fail_writing(file, errno);
    write_fully(descriptor, seal_text(seal), file);
    if (::fsync(descriptor) != 0 && errno != EINVAL) fail_writing(file, errno);
}

// HDF5 cannot close a file whose contents it cannot write. From the first failure on the file is memory, where
// everything can be written, and closing it succeeds.
void divert_to_memory(hid_t file)
{
    void* handle = nullptr;
    if (file < 0 || H5Fget_vfd_handle(file, H5P_DEFAULT, &handle) < 0) return;
    const int memory = ::memfd_create("talus", MFD_CLOEXEC);
    if (memory < 0) return;
    ::dup2(memory, *static_cast<int*>(handle));
    ::close(memory);
}

} // namespace

// ---- writing

template <class T>
T Hdf5Writer::checked(T result) const
{
    if (result >= 0) return result;
    const std::string reason = hdf5_reason();
    divert_to_memory(id_);
    fail_writing(file_, reason);
}

Hdf5Writer::Hdf5Writer(fs::path file) : file_(std::move(file)), hidden_(hidden_neighbour(file_))
{
    prepare_hdf5();
    const Hdf5Handle creation(checked(H5Pcreate(H5P_FILE_CREATE)));
    checked(H5Pset_userblock(creation, seal_bytes));
    checked(H5Pset_obj_track_times(creation, false)); // equal contents give equal bytes, whatever the clock says
    const Hdf5Handle access(checked(access_list()));
    id_ = checked(H5Fcreate(hidden_.c_str(), H5F_ACC_TRUNC, creation, access));
}

Hdf5Writer::~Hdf5Writer()
{
    if (id_ >= 0) {
        divert_to_memory(id_); // not wanted on disk any more
        H5Fclose(id_);
        H5Eclear2(H5E_DEFAULT);
    }
    ::unlink(hidden_.c_str()); // after a commit it is gone already
}

// HDF5 would make them by itself, but with the time of day.
void Hdf5Writer::make_groups_of(const std::string& name)
{
    for (auto end = name.find('/'); end != std::string::npos; end = name.find('/', end + 1)) {
        const std::string group = name.substr(0, end);
        if (checked(H5Lexists(id_, group.c_str(), H5P_DEFAULT)) > 0) continue;
        const Hdf5Handle creation(checked(H5Pcreate(H5P_GROUP_CREATE)));
        checked(H5Pset_obj_track_times(creation, false));
        Hdf5Handle made(checked(H5Gcreate2(id_, group.c_str(), H5P_DEFAULT, creation, H5P_DEFAULT)));
        checked(made.close());
    }
}

void Hdf5Writer::write(const std::string& name, Scalar scalar, const void* data, std::size_t rows, int width,
                       Packing packing)
{
    const hsize_t extent[2] = {rows, hsize_t(width)};
    const int rank = width > 0 ? 2 : 1;
    const Hdf5Handle space(checked(H5Screate_simple(rank, extent, nullptr)));
    make_groups_of(name);
    const Hdf5Handle creation(checked(H5Pcreate(H5P_DATASET_CREATE)));
    checked(H5Pset_obj_track_times(creation, false));
    const std::size_t row_bytes = H5Tget_size(native(scalar)) * std::size_t(std::max(width, 1));
    if (packing == Packing::deflated && rows * row_bytes >= worth_deflating &&
        H5Zfilter_avail(H5Z_FILTER_DEFLATE) > 0) {
        const hsize_t chunk[2] = {std::min<hsize_t>(rows, std::max<hsize_t>(1, chunk_bytes / row_bytes)), extent[1]};
        checked(H5Pset_chunk(creation, rank, chunk));
        checked(H5Pset_shuffle(creation));
        checked(H5Pset_deflate(creation, 1));
    }
    Hdf5Handle dataset(
        checked(H5Dcreate2(id_, name.c_str(), native(scalar), space, H5P_DEFAULT, creation, H5P_DEFAULT)));
    if (rows > 0) checked(H5Dwrite(dataset, native(scalar), H5S_ALL, H5S_ALL, H5P_DEFAULT, data));
    checked(H5Dflush(dataset)); // a close that fails leaves a dataset that nobody can close any more
    checked(dataset.close());
}

void Hdf5Writer::texts(const std::string& name, const std::vector<std::string>& texts)
{
    std::vector<const char*> pointers;
    for (const std::string& text : texts) pointers.push_back(text.c_str());
    const hsize_t extent = texts.size();
    const Hdf5Handle type(checked(text_type()));
    const Hdf5Handle space(checked(H5Screate_simple(1, &extent, nullptr)));
    make_groups_of(name);
    const Hdf5Handle creation(checked(H5Pcreate(H5P_DATASET_CREATE)));
    checked(H5Pset_obj_track_times(creation, false));
    Hdf5Handle dataset(checked(H5Dcreate2(id_, name.c_str(), type, space, H5P_DEFAULT, creation, H5P_DEFAULT)));
    if (extent > 0) checked(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, pointers.data()));
    checked(H5Dflush(dataset)); // a close that fails leaves a dataset that nobody can close any more
    checked(dataset.close());
}

void Hdf5Writer::write_attribute(const std::string& name, std::int64_t type, const void* value)
{
    const Hdf5Handle space(checked(H5Screate(H5S_SCALAR)));
    Hdf5Handle attribute(checked(H5Acreate2(id_, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT)));
    checked(H5Awrite(attribute, type, value));
    checked(attribute.close());
}

void Hdf5Writer::attribute(const std::string& name, double value) { write_attribute(name, H5T_NATIVE_DOUBLE, &value); }

void Hdf5Writer::attribute(const std::string& name, std::int64_t value)
{
    write_attribute(name, H5T_NATIVE_INT64, &value);
}

void Hdf5Writer::attribute(const std::string& name, const std::string& value)
{
    const Hdf5Handle type(checked(text_type()));
    const char* pointer = value.c_str();
    write_attribute(name, type, &pointer);
}

void Hdf5Writer::commit()
{
    checked(H5Fflush(id_, H5F_SCOPE_GLOBAL)); // on a full disk this fails, while H5Fclose reports success
    checked(H5Fclose(id_));
    id_ = -1;
    put_seal(hidden_, file_);
    rename_durably(hidden_, file_);
}

// ---- reading

void Hdf5Reader::fail(const std::string& reason) const { throw InputError(file_.string() + ": " + reason); }

template <class T>
T Hdf5Reader::checked(T result, const std::string& what) const
{
    if (result < 0) fail(fmt::format("cannot read {}: {}", what, hdf5_reason()));
    return result;
}

void Hdf5Reader::check_seal(SealCheck check) const
{
    const Descriptor descriptor(file_, O_RDONLY);
    if (descriptor < 0) fail(fmt::format("cannot be opened: {}", std::strerror(errno)));
    std::string head(seal_bytes, '\0');
    const ssize_t size = read_up_to(descriptor, head.data(), seal_bytes);
    if (size < 0) fail(fmt::format("cannot be read: {}", std::strerror(errno)));
    head.resize(std::size_t(size));
    if (head.starts_with("\x89HDF\r\n\x1a\n")) fail("is an HDF5 file, but not one that Talus wrote");
    if (!head.starts_with(seal_magic)) fail("is not an HDF5 file of Talus");

    Seal stated, found;
    const auto number_after = [&](std::string_view word, std::uint64_t& number, int base) {
        const auto at = head.find(word);
        if (at == std::string::npos) fail("is damaged: its seal is not readable");
        const char* begin = head.data() + at + word.size();
        if (std::from_chars(begin, head.data() + head.size(), number, base).ec != std::errc{}) {
            fail("is damaged: its seal is not readable");
        }
    };
    number_after("\nbytes ", stated.bytes, 10);
    number_after("\nhash ", stated.hash, 16);
    if (check == SealCheck::length) {
        struct stat status;
        if (fstat(descriptor, &status) != 0) fail(fmt::format("cannot be read: {}", std::strerror(errno)));
        found = {std::uint64_t(status.st_size), stated.hash};
    } else if (!measure(descriptor, found)) {
        fail(fmt::format("cannot be read: {}", std::strerror(errno)));
    }
    if (found.bytes < stated.bytes) fail(fmt::format("is cut off: {} of {} bytes", found.bytes, stated.bytes));
    if (found.bytes != stated.bytes || found.hash != stated.hash) fail("is damaged: its contents do not fit its seal");
}

Hdf5Reader::Hdf5Reader(fs::path file, SealCheck check) : file_(std::move(file))
{
    prepare_hdf5();
    check_seal(check);
    const Hdf5Handle access(access_list());
    id_ = checked(H5Fopen(file_.c_str(), H5F_ACC_RDONLY, access), "the file");
}

Hdf5Reader::~Hdf5Reader()
{
    if (id_ >= 0) H5Fclose(id_);
}

bool Hdf5Reader::has(const std::string& name) const { return is_in_hdf5(id_, name); }

std::size_t Hdf5Reader::rows(const std::string& name) const
{
    if (!has(name)) fail(fmt::format("has no column {}", name));
    const Hdf5Handle dataset(checked(H5Dopen2(id_, name.c_str(), H5P_DEFAULT), name));
    const Hdf5Handle space(checked(H5Dget_space(dataset), name));
    const int rank = checked(H5Sget_simple_extent_ndims(space), name);
    if (rank != 1 && rank != 2) fail(fmt::format("column {} has {} dimensions, not 1 or 2", name, rank));
    hsize_t extent[2] = {0, 0};
    checked(H5Sget_simple_extent_dims(space, extent, nullptr), name);
    return extent[0];
}

void Hdf5Reader::read(const std::string& name, Scalar scalar, void* data, std::size_t first, std::size_t count,
                      int width) const
{
    const std::size_t there = rows(name);
    if (first > there || count > there - first) {
        fail(fmt::format("column {} has {} rows, fewer than the {} expected", name, there, first + count));
    }
    const Hdf5Handle dataset(checked(H5Dopen2(id_, name.c_str(), H5P_DEFAULT), name));
    const Hdf5Handle type(checked(H5Dget_type(dataset), name));
    const bool numbers = H5Tget_class(type) == (scalar == Scalar::f64 ? H5T_FLOAT : H5T_INTEGER);
    if (!numbers || H5Tget_size(type) != H5Tget_size(native(scalar)))
        fail(fmt::format("column {} has another type", name));
    const Hdf5Handle space(checked(H5Dget_space(dataset), name));
    const int rank = width > 0 ? 2 : 1;
    hsize_t extent[2] = {0, 0};
    if (H5Sget_simple_extent_ndims(space) != rank) fail(fmt::format("column {} has another shape", name));
    checked(H5Sget_simple_extent_dims(space, extent, nullptr), name);
    if (width > 0 && extent[1] != hsize_t(width)) {
        fail(fmt::format("column {} has {} numbers per row, not {}", name, extent[1], width));
    }
    if (count == 0) return;
    const hsize_t start[2] = {first, 0}, size[2] = {count, hsize_t(width)};
    checked(H5Sselect_hyperslab(space, H5S_SELECT_SET, start, nullptr, size, nullptr), name);
    const Hdf5Handle memory(checked(H5Screate_simple(rank, size, nullptr), name));
    checked(H5Dread(dataset, native(scalar), memory, space, H5P_DEFAULT, data), name);
}

std::vector<std::string> Hdf5Reader::texts(const std::string& name) const
{
    const std::size_t count = rows(name);
    std::vector<char*> pointers(count, nullptr);
    if (count == 0) return {};
    const Hdf5Handle dataset(checked(H5Dopen2(id_, name.c_str(), H5P_DEFAULT), name));
    const Hdf5Handle space(checked(H5Dget_space(dataset), name));
    const Hdf5Handle type(checked(text_type(), name));
    checked(H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, pointers.data()), name);
    std::vector<std::string> texts;
    for (const char* pointer : pointers) texts.emplace_back(pointer != nullptr ? pointer : "");
    H5Dvlen_reclaim(type, space, H5P_DEFAULT, pointers.data());
    return texts;
}

void Hdf5Reader::read_attribute(const std::string& name, std::int64_t type, void* value) const
{
    if (H5Aexists(id_, name.c_str()) <= 0) fail(fmt::format("has no attribute {}", name));
    const Hdf5Handle attribute(checked(H5Aopen(id_, name.c_str(), H5P_DEFAULT), name));
    checked(H5Aread(attribute, type, value), name);
}

double Hdf5Reader::number(const std::string& attribute) const
{
    double value = 0;
    read_attribute(attribute, H5T_NATIVE_DOUBLE, &value);
    return value;
}

std::int64_t Hdf5Reader::integer(const std::string& attribute) const
{
    std::int64_t value = 0;
    read_attribute(attribute, H5T_NATIVE_INT64, &value);
    return value;
}

std::string Hdf5Reader::text(const std::string& attribute) const
{
    const Hdf5Handle type(checked(text_type(), attribute));
    char* pointer = nullptr;
    read_attribute(attribute, type, &pointer);
    std::string value = pointer != nullptr ? pointer : "";
    H5free_memory(pointer);
    return value;
}

} // namespace talus::io
