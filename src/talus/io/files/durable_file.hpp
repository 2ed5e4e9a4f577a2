// Files that appear under their name only when they are complete on disk: write to a hidden neighbour, sync, rename,
// sync the directory. A kill or a power cut leaves the old file or the new one, never a torn one.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace talus::io {

// frames/000012.h5 is written as frames/.000012.h5.tmp
std::filesystem::path hidden_neighbour(const std::filesystem::path& file);

// All of these throw a RunError that names the path and the system's reason.
[[noreturn]] void fail_writing(const std::filesystem::path& file, std::string_view reason);
[[noreturn]] void fail_writing(const std::filesystem::path& file, int system_error);
void make_directory(const std::filesystem::path& directory);
void sync_file(const std::filesystem::path& file);
void sync_directory(const std::filesystem::path& directory);
void rename_durably(const std::filesystem::path& from, const std::filesystem::path& to);
// every byte or a RunError, whatever the kernel takes at a time
void write_fully(int descriptor, std::string_view bytes, const std::filesystem::path& file);

class DurableFile {
  public:
    explicit DurableFile(std::filesystem::path file);
    ~DurableFile(); // without commit() nothing appears
    DurableFile(const DurableFile&) = delete;
    DurableFile& operator=(const DurableFile&) = delete;

    void write(std::string_view bytes);
    template <class T>
    void write(std::span<const T> data)
    {
        write(std::string_view(reinterpret_cast<const char*>(data.data()), data.size_bytes()));
    }
    void commit();

  private:
    std::filesystem::path file_, hidden_;
    int descriptor_ = -1;
    std::string buffer_;
};

void write_durably(const std::filesystem::path& file, std::string_view text);

// Takes this much of the disk for a file that is to be written later, perhaps when there is no more of it. Where there
// is none even now it takes nothing.
void keep_room_for(const std::filesystem::path& file, std::size_t bytes);

} // namespace talus::io
