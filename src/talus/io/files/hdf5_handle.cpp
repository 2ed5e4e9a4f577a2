#include "talus/io/files/hdf5_handle.hpp"

#include <hdf5.h>

#include <type_traits>
#include <utility>

namespace talus::io {

static_assert(std::is_same_v<hid_t, std::int64_t>);

Hdf5Handle::~Hdf5Handle()
{
    if (id_ >= 0) H5Idec_ref(id_);
}

int Hdf5Handle::close() { return H5Idec_ref(std::exchange(id_, -1)); }

bool is_in_hdf5(std::int64_t file, const std::string& name)
{
    // H5Lexists wants every group on the way to exist
    for (auto slash = name.find('/'); slash != std::string::npos; slash = name.find('/', slash + 1)) {
        if (H5Lexists(file, name.substr(0, slash).c_str(), H5P_DEFAULT) <= 0) return false;
    }
    return H5Lexists(file, name.c_str(), H5P_DEFAULT) > 0;
}

} // namespace talus::io
