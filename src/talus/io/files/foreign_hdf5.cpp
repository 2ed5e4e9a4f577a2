#include "talus/io/files/foreign_hdf5.hpp"

#include "talus/base/error.hpp"
#include "talus/io/files/hdf5_handle.hpp"

#include <fmt/format.h>
#include <hdf5.h>

#include <cmath>

namespace talus::io {

namespace fs = std::filesystem;

void ForeignHdf5::refuse(const std::string& message) const { refuse({}, {}, message); }

void ForeignHdf5::refuse(const std::string& dataset, const std::string& value, const std::string& allowed) const
{
    throw InputError(std::vector<Mistake>{{{file_.string(), 0, 0}, dataset, value, allowed}});
}

ForeignHdf5::ForeignHdf5(fs::path file) : file_(std::move(file))
{
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr); // no printing of its own
    std::error_code error;
    if (!fs::exists(file_, error)) refuse("no such file");
    if (!fs::is_regular_file(file_, error)) refuse("is not a file");
    if (H5Fis_hdf5(file_.c_str()) <= 0) refuse("is not an HDF5 file");
    const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS));
    H5Pset_file_locking(access, false, true); // only read, and not every file system has locks
    id_ = H5Fopen(file_.c_str(), H5F_ACC_RDONLY, access);
    if (id_ < 0) refuse("is an HDF5 file that is cut off or damaged");
}

ForeignHdf5::~ForeignHdf5()
{
    if (id_ >= 0) H5Fclose(id_);
}

bool ForeignHdf5::has(const std::string& name) const { return is_in_hdf5(id_, name); }

template <class T>
std::vector<T> ForeignHdf5::read(const std::string& name, std::int64_t type, std::size_t count,
                                 const std::string& why) const
{
    if (!has(name)) refuse(fmt::format("has no dataset {}", name));
    const Hdf5Handle dataset(H5Dopen2(id_, name.c_str(), H5P_DEFAULT));
    if (dataset < 0) refuse(name, {}, "is not a dataset");
    const Hdf5Handle stored(H5Dget_type(dataset)), space(H5Dget_space(dataset));
    const H5T_class_t kind = H5Tget_class(stored);
    if (kind != H5T_INTEGER && (std::is_integral_v<T> || kind != H5T_FLOAT)) {
        refuse(name, {}, std::is_integral_v<T> ? "does not hold integers" : "does not hold numbers");
    }
    const hssize_t size = H5Sget_simple_extent_npoints(space);
    if (size < 0 || std::size_t(size) != count) { // before there is memory for it: `count` comes from the file
        refuse(name, fmt::format("{} numbers", size), fmt::format("there must be {}, {}", count, why));
    }
    std::vector<T> data(count);
    if (count > 0 && H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data.data()) < 0) {
        refuse(name, {}, "cannot be read: the file is cut off or damaged");
    }
    return data;
}

std::int64_t ForeignHdf5::integer(const std::string& name) const
{
    return read<std::int64_t>(name, H5T_NATIVE_INT64, 1, "as it is one number").front();
}

std::vector<std::int64_t> ForeignHdf5::integers(const std::string& name, std::size_t count,
                                                const std::string& why) const
{
    return read<std::int64_t>(name, H5T_NATIVE_INT64, count, why);
}

std::vector<double> ForeignHdf5::numbers(const std::string& name, std::size_t count, const std::string& why) const
{
    std::vector<double> data = read<double>(name, H5T_NATIVE_DOUBLE, count, why);
    for (std::size_t k = 0; k < count; ++k) {
        if (!std::isfinite(data[k])) {
            refuse(fmt::format("{}[{}]", name, k), fmt::format("{}", data[k]), "must be a finite number");
        }
    }
    return data;
}

std::optional<double> ForeignHdf5::attribute(const std::string& name) const
{
    if (H5Aexists(id_, name.c_str()) <= 0) return std::nullopt;
    const Hdf5Handle attribute(H5Aopen(id_, name.c_str(), H5P_DEFAULT));
    const Hdf5Handle space(H5Aget_space(attribute));
    double value = 0;
    if (H5Sget_simple_extent_npoints(space) != 1 || H5Aread(attribute, H5T_NATIVE_DOUBLE, &value) < 0) {
        refuse(name, {}, "this attribute must be one number");
    }
    return value;
}

} // namespace talus::io
