// A thin layer over the HDF5 C API: columns of plain data, attributes and texts; every call is checked.
// A file starts with a seal of 512 bytes (an HDF5 user block, which other readers skip): its size and a hash of all
// that follows. A truncated or altered file is thus told before HDF5 looks at it. Writing throws RunError, reading
// InputError.
#pragma once

#include "talus/math/space.hpp"

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace talus::io {

enum class Scalar { f64, i32, u32, u8, i64, u64 };
enum class Packing { plain, deflated };

// How a column of T lies in memory: rows of `width` scalars.
template <class T>
struct ColumnOf {
    static_assert(std::is_arithmetic_v<T>);
    static constexpr Scalar scalar = std::is_same_v<T, double>          ? Scalar::f64
                                     : std::is_same_v<T, std::int32_t>  ? Scalar::i32
                                     : std::is_same_v<T, std::uint32_t> ? Scalar::u32
                                     : std::is_same_v<T, std::uint8_t>  ? Scalar::u8
                                     : std::is_same_v<T, std::int64_t>  ? Scalar::i64
                                                                        : Scalar::u64;
    static_assert(std::is_same_v<T, std::uint64_t> || scalar != Scalar::u64);
    static constexpr int width = 0; // a list, not a table
};
template <int N>
struct ColumnOf<Eigen::Matrix<double, N, 1, Eigen::DontAlign>> {
    static constexpr Scalar scalar = Scalar::f64;
    static constexpr int width = N;
};
template <int D>
struct ColumnOf<Rotation<D>> {
    static constexpr Scalar scalar = Scalar::f64;
    static constexpr int width = Rotation<D>::size;
};

// Written under a hidden name; commit() flushes, closes, seals, syncs and gives the file its name.
class Hdf5Writer {
  public:
    explicit Hdf5Writer(std::filesystem::path file);
    ~Hdf5Writer(); // without commit() nothing appears
    Hdf5Writer(const Hdf5Writer&) = delete;
    Hdf5Writer& operator=(const Hdf5Writer&) = delete;

    // "shapes/radius": groups on the way are made
    template <class T>
    void column(const std::string& name, std::span<const T> data, Packing packing = Packing::plain)
    {
        using Column = ColumnOf<T>;
        static_assert(Column::width == 0 || sizeof(T) == Column::width * sizeof(double));
        write(name, Column::scalar, data.data(), data.size(), Column::width, packing);
    }
    template <class T>
    void column(const std::string& name, const std::vector<T>& data, Packing packing = Packing::plain)
    {
        column(name, std::span<const T>(data), packing);
    }
    void table(const std::string& name, Scalar scalar, const void* data, std::size_t rows, int width)
    {
        write(name, scalar, data, rows, width, Packing::plain);
    }
    void texts(const std::string& name, const std::vector<std::string>& texts);

    // of the file itself
    void attribute(const std::string& name, double value);
    void attribute(const std::string& name, std::int64_t value);
    void attribute(const std::string& name, const std::string& value);

    void commit();

  private:
    void write(const std::string& name, Scalar scalar, const void* data, std::size_t rows, int width, Packing packing);
    void write_attribute(const std::string& name, std::int64_t type, const void* value);
    void make_groups_of(const std::string& name); // that its path leads through
    template <class T>
    T checked(T result) const; // of an HDF5 call: negative is a failure

    std::filesystem::path file_, hidden_;
    std::int64_t id_ = -1; // hid_t
};

// What is compared with the seal of a file that is opened: all of it, or its length alone, for who only looks into
// many files and reads them whole later.
enum class SealCheck { contents, length };

class Hdf5Reader {
  public:
    explicit Hdf5Reader(std::filesystem::path file, SealCheck check = SealCheck::contents);
    ~Hdf5Reader();
    Hdf5Reader(const Hdf5Reader&) = delete;
    Hdf5Reader& operator=(const Hdf5Reader&) = delete;

    const std::filesystem::path& file() const { return file_; }
    bool has(const std::string& name) const; // a column or a group
    std::size_t rows(const std::string& name) const;

    template <class T>
    std::vector<T> column(const std::string& name) const
    {
        return column<T>(name, 0, rows(name));
    }
    template <class T>
    std::vector<T> column(const std::string& name, std::size_t first, std::size_t count) const
    {
        using Column = ColumnOf<T>;
        static_assert(Column::width == 0 || sizeof(T) == Column::width * sizeof(double));
        std::vector<T> data(count);
        read(name, Column::scalar, data.data(), first, count, Column::width);
        return data;
    }
    void table(const std::string& name, Scalar scalar, void* data, std::size_t count, int width) const
    {
        read(name, scalar, data, 0, count, width);
    }
    std::vector<std::string> texts(const std::string& name) const;

    double number(const std::string& attribute) const;
    std::int64_t integer(const std::string& attribute) const;
    std::string text(const std::string& attribute) const;

    [[noreturn]] void fail(const std::string& reason) const; // InputError that names the file

  private:
    void read(const std::string& name, Scalar scalar, void* data, std::size_t first, std::size_t count,
              int width) const;
    void read_attribute(const std::string& name, std::int64_t type, void* value) const;
    void check_seal(SealCheck check) const;
    template <class T>
    T checked(T result, const std::string& what) const;

    std::filesystem::path file_;
    std::int64_t id_ = -1; // hid_t
};

} // namespace talus::io
