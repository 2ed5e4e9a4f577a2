#include "talus/io/files/folder_lock.hpp"

#include "talus/base/error.hpp"
#include "talus/io/files/durable_file.hpp"
#include "talus/io/runs/provenance.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace talus::io {

namespace fs = std::filesystem;

namespace {

std::string who_we_are()
{
    char host[256] = "";
    ::gethostname(host, sizeof host - 1);
    return fmt::format("process {} on {}, since {}\n", ::getpid(), host, utc_now());
}

// 0, or the system's reason
int lock_now(int descriptor)
{
    while (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
        if (errno != EINTR) return errno;
    }
    return 0;
}

// false where the last holder removed the file after we had opened it
bool is_still_there(const fs::path& file, int descriptor)
{
    struct stat ours, there;
    return ::fstat(descriptor, &ours) == 0 && ::stat(file.c_str(), &there) == 0 && ours.st_ino == there.st_ino &&
           ours.st_dev == there.st_dev;
}

} // namespace

FolderLock::FolderLock(fs::path file, int descriptor) : file_(std::move(file)), descriptor_(descriptor) {}

FolderLock::FolderLock(FolderLock&& other) noexcept
    : file_(std::move(other.file_)), descriptor_(std::exchange(other.descriptor_, -1)),
      remark_(std::move(other.remark_))
{
}

FolderLock::~FolderLock()
{
    if (descriptor_ < 0) return;
    if (is_still_there(file_, descriptor_)) ::unlink(file_.c_str()); // while it is held: the next one makes its own
    ::close(descriptor_);
}

std::optional<FolderLock> FolderLock::try_take(const fs::path& folder)
{
    const fs::path file = folder / lock_name;
    for (;;) {
        const int descriptor = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
        if (descriptor < 0 && (errno == EACCES || errno == EROFS)) { // a folder to read: nothing has been tried yet
            throw InputError(fmt::format("{}: cannot be written: {}", folder.string(), std::strerror(errno)));
        }
        if (descriptor < 0) fail_writing(file, errno);
        FolderLock lock(file, descriptor);
        const int error = lock_now(descriptor);
        if (error == EWOULDBLOCK) {
            ::close(std::exchange(lock.descriptor_, -1)); // the file is another's
            return {};
        }
        if (error == ENOSYS || error == EOPNOTSUPP || error == ENOLCK) {
            lock.remark_ = fmt::format("{}: this file system keeps no locks: nothing keeps a second run out of the "
                                       "folder",
                                       file.string());
        } else if (error != 0) {
            fail_writing(file, error);
        }
        if (!is_still_there(file, descriptor)) continue;
        const std::string text = who_we_are();
        // on a full disk the text may be missing: the lock holds all the same
        if (::ftruncate(descriptor, 0) == 0) (void)!::write(descriptor, text.data(), text.size());
        return lock;
    }
}

FolderLock FolderLock::take(const fs::path& folder)
{
    if (std::optional<FolderLock> lock = try_take(folder)) return std::move(*lock);
    throw InputError(fmt::format("{} is being written by {}: wait for it, end it, or name another folder",
                                 folder.string(), lock_holder(folder)));
}

std::string lock_holder(const fs::path& folder)
{
    std::ifstream in(folder / lock_name);
    std::string line;
    std::getline(in, line);
    return line.empty() ? "another process" : line;
}

} // namespace talus::io
