#include "talus/sampling/library_grain.hpp"

#include "talus/base/error.hpp"
#include "talus/shapes/mesh_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace talus {

namespace {

std::vector<Vec<2>> points_of(const NamedMesh& object, const Vec<2>&)
{
    std::vector<Vec<2>> points;
    for (const Vec<3>& vertex : object.mesh.vertices) points.emplace_back(vertex[0], vertex[1]);
    return points;
}

std::vector<Vec<3>> points_of(const NamedMesh& object, const Vec<3>&) { return object.mesh.vertices; }

constexpr double smallest = 1e-6; // [m]

std::vector<std::string> size_faults(const NamedMesh& object, double largest)
{
    const double size = mesh_size(object.mesh);
    if (size >= smallest && size <= largest) return {};
    return {
        fmt::format("its largest dimension is {:.4g} m, absurd for what must lie between {:g} m and {:g} m: lengths "
                    "are read as metres, say in which unit they are (--unit mm; in a scene unit = \"mm\")",
                    size, smallest, largest)};
}

// twice the signed area of the triangle a, b, c
double side(const Vec<2>& a, const Vec<2>& b, const Vec<2>& c)
{
    return (b - a)[0] * (c - a)[1] - (b - a)[1] * (c - a)[0];
}

bool sides_cross(const Vec<2>& a, const Vec<2>& b, const Vec<2>& c, const Vec<2>& d)
{
    return side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0;
}

std::string not_convex(double volume, double hull)
{
    return fmt::format(
        "not convex: it leaves out {:.3g} % of its hull; `talus grains convert --hull` makes the hull of "
        "it, --parts takes the objects of a file for the convex parts of one grain",
        100 * (1 - volume / hull));
}

} // namespace

template <>
std::vector<std::string> grain_faults<2>(const NamedMesh& object, double largest)
{
    if (object.outline.empty()) return {"is no polygon: one face with all of its corners at z = 0"};
    std::vector<std::string> faults = size_faults(object, largest);
    const auto& corners = object.outline;
    const auto point = [&](std::size_t k) {
        const Vec<3>& vertex = object.mesh.vertices[corners[k % corners.size()]];
        return Vec<2>(vertex[0], vertex[1]);
    };
    double area = 0;
    for (std::size_t k = 0; k < corners.size(); ++k) area += 0.5 * side(point(0), point(k), point(k + 1));
    const double size = mesh_size(object.mesh);
    if (!faults.empty()) return faults;
    for (std::size_t i = 0; i < corners.size(); ++i) {
        for (std::size_t k = 0; k < i; ++k) {
            if (sides_cross(point(i), point(i + 1), point(k), point(k + 1))) {
                return {"self-intersecting: its sides cross each other"};
            }
        }
    }
    if (std::abs(area) <= 1e-9 * size * size) {
        return {fmt::format("zero area: {:.3g} m² in a size of {:.3g} m", area, size)};
    }
    if (area < 0) return {"inverted: its corners run clockwise"};
    const double hull = mass_properties(hull_of_object<2>(object, largest)).volume;
    if (area < (1 - convexity) * hull) faults.push_back(not_convex(area, hull));
    return faults;
}

template <>
std::vector<std::string> grain_faults<3>(const NamedMesh& object, double largest)
{
    if (!object.outline.empty()) return {"is a polygon: it has no volume, and belongs to a scene in 2D"};
    std::vector<std::string> faults = size_faults(object, largest);
    for (std::string& fault : mesh_faults(object.mesh, {true, std::numeric_limits<double>::infinity(), 0})) {
        faults.push_back(std::move(fault));
    }
    if (!faults.empty()) return faults;
    const double volume = mesh_volume(object.mesh), hull = mass_properties(hull_of_object<3>(object, largest)).volume;
    if (volume < (1 - convexity) * hull) faults.push_back(not_convex(volume, hull));
    return faults;
}

template <int D>
Polytope<D> hull_of_object(const NamedMesh& object, double largest)
{
    const std::vector<std::string> faults = size_faults(object, largest);
    if (!faults.empty()) throw InputError(object.name + ": " + faults[0]);
    try {
        const std::vector<Vec<D>> points = points_of(object, Vec<D>());
        return convex_hull<D>(points, hull_flatness);
    } catch (const InputError& error) {
        throw InputError(object.name + ": " + error.what());
    }
}

template <int D>
Polytope<D> library_grain(const NamedMesh& object, double largest)
{
    std::vector<Mistake> mistakes;
    for (const std::string& fault : grain_faults<D>(object, largest))
        mistakes.push_back({{}, {}, {}, object.name + ": " + fault});
    if (!mistakes.empty()) throw InputError(std::move(mistakes));
    return hull_of_object<D>(object, largest);
}

template Polytope<2> hull_of_object<2>(const NamedMesh&, double);
template Polytope<3> hull_of_object<3>(const NamedMesh&, double);
template Polytope<2> library_grain<2>(const NamedMesh&, double);
template Polytope<3> library_grain<3>(const NamedMesh&, double);

} // namespace talus
