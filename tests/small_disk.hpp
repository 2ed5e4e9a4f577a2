// A disk that is soon full.
#pragma once

#include <filesystem>
#include <sys/mount.h>
#include <utility>

namespace talus {

// A disk of a few kilobytes; only root can have one.
class SmallDisk {
  public:
    SmallDisk(std::filesystem::path at, const char* size) : at_(std::move(at))
    {
        std::filesystem::create_directory(at_);
        mounted_ = mount("tmpfs", at_.c_str(), "tmpfs", 0, size) == 0;
    }
    ~SmallDisk()
    {
        if (mounted_) umount2(at_.c_str(), MNT_DETACH);
    }
    SmallDisk(const SmallDisk&) = delete;
    SmallDisk& operator=(const SmallDisk&) = delete;
    bool is_there() const { return mounted_; }
    bool resize(const char* size) const { return mount("tmpfs", at_.c_str(), "tmpfs", MS_REMOUNT, size) == 0; }

  private:
    std::filesystem::path at_;
    bool mounted_ = false;
};

} // namespace talus
