#include "talus/io/files/durable_file.hpp"

#include "talus/base/error.hpp"

#include <fmt/format.h>

#include <cctype>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

namespace talus::io {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t buffer_bytes = 1 << 20;

fs::path directory_of(const fs::path& file) { return file.has_parent_path() ? file.parent_path() : fs::path("."); }

void sync_path(const fs::path& path, int flags)
{
    const int descriptor = ::open(path.c_str(), flags | O_CLOEXEC);
    if (descriptor < 0) fail_writing(path, errno);
    const int error = ::fsync(descriptor) == 0 ? 0 : errno;
    ::close(descriptor);
    if (error != 0 && error != EINVAL) fail_writing(path, error); // EINVAL: this file system has nothing to sync
}

} // namespace

fs::path hidden_neighbour(const fs::path& file)
{
    return directory_of(file) / ("." + file.filename().string() + ".tmp");
}

void fail_writing(const fs::path& file, std::string_view reason)
{
    std::string text(reason);
    if (!text.empty()) text[0] = char(std::tolower(static_cast<unsigned char>(text[0])));
    if (text.ends_with(std::strerror(ENOSPC) + 1)) text = fmt::format("disk full ({})", text); // from HDF5 too
    throw RunError(fmt::format("{}: cannot write: {}", file.string(), text));
}

void fail_writing(const fs::path& file, int system_error) { fail_writing(file, std::strerror(system_error)); }

void make_directory(const fs::path& directory)
{
    std::error_code error;
    fs::create_directories(directory, error);
    if (error) fail_writing(directory, error.message());
}

void sync_file(const fs::path& file) { sync_path(file, O_RDONLY); }
void sync_directory(const fs::path& directory) { sync_path(directory, O_RDONLY | O_DIRECTORY); }

void rename_durably(const fs::path& from, const fs::path& to)
{
    if (::rename(from.c_str(), to.c_str()) != 0) fail_writing(to, errno);
    sync_directory(directory_of(to));
}

void write_fully(int descriptor, std::string_view bytes, const fs::path& file)
{
    while (!bytes.empty()) {
        const ssize_t taken = ::write(descriptor, bytes.data(), bytes.size());
        if (taken < 0 && errno == EINTR) continue;
        if (taken < 0) fail_writing(file, errno);
        bytes.remove_prefix(std::size_t(taken));
    }
}

DurableFile::DurableFile(fs::path file) : file_(std::move(file)), hidden_(hidden_neighbour(file_))
{
    descriptor_ = ::open(hidden_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (descriptor_ < 0) fail_writing(file_, errno);
}

DurableFile::~DurableFile()
{
    if (descriptor_ < 0) return;
    ::close(descriptor_);
    ::unlink(hidden_.c_str());
}

void DurableFile::write(std::string_view bytes)
{
    buffer_ += bytes;
    if (buffer_.size() < buffer_bytes) return;
    write_fully(descriptor_, buffer_, file_);
    buffer_.clear();
}

void DurableFile::commit()
{
    write_fully(descriptor_, buffer_, file_);
    buffer_.clear();
    if (::fsync(descriptor_) != 0 && errno != EINVAL) fail_writing(file_, errno);
    if (::close(std::exchange(descriptor_, -1)) != 0) {
        const int error = errno;
        ::unlink(hidden_.c_str());
        fail_writing(file_, error);
    }
    rename_durably(hidden_, file_);
}

void write_durably(const fs::path& file, std::string_view text)
{
    DurableFile out(file);
    out.write(text);
    out.commit();
}

void keep_room_for(const std::filesystem::path& file, std::size_t bytes)
{
    const std::filesystem::path hidden = hidden_neighbour(file);
    const int descriptor = ::open(hidden.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (descriptor < 0) return;
    const bool is_there = ::posix_fallocate(descriptor, 0, off_t(bytes)) == 0;
    ::close(descriptor);
    if (!is_there) ::unlink(hidden.c_str());
}

} // namespace talus::io
