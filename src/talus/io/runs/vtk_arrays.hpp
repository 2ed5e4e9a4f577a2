// Columns of a table as arrays of ParaView: numbers as they are, vectors and turning rates with three components.
#pragma once

#include "talus/exec/columns.hpp"
#include "talus/math/space.hpp"

#include <string>
#include <type_traits>
#include <vector>

namespace talus::io {

// One array of a piece: its declaration, and its bytes for the appended part.
struct VtkArray {
    std::string name, type;
    int components;
    std::string bytes;
};

template <class T>
VtkArray vtk_array(std::string name, int components, const std::vector<T>& values)
{
    static_assert(std::is_same_v<T, float> || std::is_same_v<T, std::int32_t>);
    return {std::move(name), std::is_same_v<T, float> ? "Float32" : "Int32", components,
            std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T))};
}

inline void push(std::vector<float>& list, const Vec<2>& v)
{
    list.insert(list.end(), {float(v[0]), float(v[1]), 0.0f});
}
inline void push(std::vector<float>& list, const Vec<3>& v)
{
    list.insert(list.end(), {float(v[0]), float(v[1]), float(v[2])});
}
inline void push(std::vector<float>& list, const Ang<2>& w) // in the plane it turns about z
{
    list.insert(list.end(), {0.0f, 0.0f, float(w[0])});
}
inline void push(std::vector<float>& list, const Rotation<2>& turn) { list.push_back(float(turn.angle())); }
inline void push(std::vector<float>& list, const Rotation<3>& turn)
{
    const Eigen::Quaterniond q = turn.quaternion();
    list.insert(list.end(), {float(q.w()), float(q.x()), float(q.y()), float(q.z())});
}
inline void push(std::vector<float>& list, double number) { list.push_back(float(number)); }
template <class T>
requires std::is_integral_v<T>
void push(std::vector<std::int32_t>& list, T number) { list.push_back(std::int32_t(number)); }

// These rows of the columns of a table, loads and the places themselves apart; a row may come several times.
template <class Table>
std::vector<VtkArray> arrays_of(const Table& table, const std::vector<std::int32_t>& rows)
{
    std::vector<VtkArray> arrays;
    for_columns<Table>({Role::state, Role::constant, Role::result},
                       [&]<class Owner, class T>(const Column<Owner, T>& column) {
                           const std::vector<T>& data = table.*column.data;
                           if (std::string_view(column.name) == "position" || (column.is_optional && data.empty()))
                               return;
                           std::vector<std::conditional_t<std::is_integral_v<T>, std::int32_t, float>> values;
                           for (const std::int32_t i : rows) push(values, data[std::size_t(i)]);
                           const int components = rows.empty() ? 1 : int(values.size() / rows.size());
                           arrays.push_back(vtk_array(column.name, components, values));
                       });
    return arrays;
}

} // namespace talus::io
