// What all who read or write HDF5 files share, without its header.
#pragma once

#include <cstdint>
#include <string>

namespace talus::io {

// Closes what it holds; close() says whether that went well, the destructor does not ask.
class Hdf5Handle {
  public:
    explicit Hdf5Handle(std::int64_t id) : id_(id) {} // hid_t
    ~Hdf5Handle();
    Hdf5Handle(const Hdf5Handle&) = delete;
    Hdf5Handle& operator=(const Hdf5Handle&) = delete;
    operator std::int64_t() const { return id_; }
    int close();

  private:
    std::int64_t id_;
};

// true where an open file has a dataset or a group of this name
bool is_in_hdf5(std::int64_t file, const std::string& name);

} // namespace talus::io
