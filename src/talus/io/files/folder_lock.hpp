// One writer per folder: who holds DIR/.talus.lock may write. The lock is on the open file (flock), so the kernel lets
// go of it when the process ends, however it ends; the text inside only tells others who it is. Readers take no lock.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace talus::io {

inline constexpr const char* lock_name = ".talus.lock";

class FolderLock {
  public:
    // InputError with the name of the holder where another process has it. The folder is there.
    static FolderLock take(const std::filesystem::path& folder);
    // none where another process has it
    static std::optional<FolderLock> try_take(const std::filesystem::path& folder);
    FolderLock(FolderLock&& other) noexcept;
    FolderLock& operator=(FolderLock&&) = delete;
    ~FolderLock();

    // for the user, where the file system keeps no locks; empty: nothing to say
    const std::string& remark() const { return remark_; }

  private:
    FolderLock(std::filesystem::path file, int descriptor);

    std::filesystem::path file_;
    int descriptor_;
    std::string remark_;
};

// "process 4711 on host, since 2026-05-04T09:30:00Z", as its lock says
std::string lock_holder(const std::filesystem::path& folder);

} // namespace talus::io
