// Reads HDF5 files that other programs wrote: no seal, numbers of any width, nothing to be trusted. Every mistake is an
// InputError that names the file, the dataset, what is there and what is allowed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace talus::io {

class ForeignHdf5 {
  public:
    explicit ForeignHdf5(std::filesystem::path file);
    ~ForeignHdf5();
    ForeignHdf5(const ForeignHdf5&) = delete;
    ForeignHdf5& operator=(const ForeignHdf5&) = delete;

    bool has(const std::string& name) const; // a dataset or a group

    std::int64_t integer(const std::string& name) const; // a dataset of one number
    // datasets of `count` numbers; `why` says where that number comes from
    std::vector<std::int64_t> integers(const std::string& name, std::size_t count, const std::string& why) const;
    std::vector<double> numbers(const std::string& name, std::size_t count, const std::string& why) const; // all finite
    std::optional<double> attribute(const std::string& name) const; // of the file

    [[noreturn]] void refuse(const std::string& message) const;
    [[noreturn]] void refuse(const std::string& dataset, const std::string& value, const std::string& allowed) const;

  private:
    template <class T>
    std::vector<T> read(const std::string& name, std::int64_t type, std::size_t count, const std::string& why) const;

    std::filesystem::path file_;
    std::int64_t id_ = -1; // hid_t
};

} // namespace talus::io
