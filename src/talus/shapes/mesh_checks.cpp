#include "talus/shapes/mesh_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>

namespace talus {

namespace {

constexpr double no_area = 1e-10;   // height of a triangle over its longest edge
constexpr double no_volume = 1e-9;  // of the cube around the mesh
constexpr double same_place = 1e-6; // of the mesh's size: vertices that a repair takes for one

std::string at(const Vec<3>& point) { return fmt::format("({:.4g}, {:.4g}, {:.4g})", point[0], point[1], point[2]); }

std::string number_of(std::size_t count, const char* one, const char* many)
{
    return fmt::format("{} {}", count, count == 1 ? one : many);
}

Vec<3> centre(const TriangleMesh& mesh, std::size_t triangle)
{
    const auto& [a, b, c] = mesh.triangles[triangle];
    return (mesh.vertices[a] + mesh.vertices[b] + mesh.vertices[c]) / 3;
}

bool is_degenerate(const TriangleMesh& mesh, const std::array<std::int32_t, 3>& triangle)
{
    const Vec<3>&a = mesh.vertices[triangle[0]], &b = mesh.vertices[triangle[1]], &c = mesh.vertices[triangle[2]];
    const double longest = std::max({(b - a).squaredNorm(), (c - b).squaredNorm(), (a - c).squaredNorm()});
    return !((b - a).cross(c - a).norm() > no_area * longest);
}

// One side of a triangle, named by its two vertices, the smaller one first.
struct MeshSide {
    std::int32_t low, high, triangle;
    bool backward; // runs from high to low
    bool same_edge(const MeshSide& other) const { return low == other.low && high == other.high; }
};

std::vector<MeshSide> sorted_sides(const TriangleMesh& mesh)
{
    std::vector<MeshSide> sides;
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        for (int k = 0; k < 3; ++k) {
            const std::int32_t from = mesh.triangles[t][k], to = mesh.triangles[t][(k + 1) % 3];
            sides.push_back({std::min(from, to), std::max(from, to), std::int32_t(t), from > to});
        }
    }
    std::sort(sides.begin(), sides.end(), [](const MeshSide& a, const MeshSide& b) {
        return std::tie(a.low, a.high, a.triangle) < std::tie(b.low, b.high, b.triangle);
    });
    return sides;
}

struct Turned {
    std::vector<char> flip;         // per triangle: against the first of its connected part
    std::vector<std::int32_t> part; // per triangle
    std::int32_t parts = 0;
    bool is_orientable = true;
};

// Which triangles are turned against their neighbours, found by walking over edges that two triangles share.
Turned turned_faces(const TriangleMesh& mesh, const std::vector<MeshSide>& sides)
{
    std::vector<std::vector<std::pair<std::int32_t, char>>> across(mesh.triangles.size()); // neighbour, turned against
    for (std::size_t k = 0; k + 1 < sides.size(); ++k) {
        const bool alone = (k == 0 || !sides[k - 1].same_edge(sides[k])) && sides[k + 1].same_edge(sides[k]) &&
                           (k + 2 == sides.size() || !sides[k + 2].same_edge(sides[k]));
        if (!alone) continue;
        const char against = sides[k].backward == sides[k + 1].backward;
        across[sides[k].triangle].emplace_back(sides[k + 1].triangle, against);
        across[sides[k + 1].triangle].emplace_back(sides[k].triangle, against);
    }
    Turned turned{std::vector<char>(mesh.triangles.size(), 0), std::vector<std::int32_t>(mesh.triangles.size(), -1)};
    for (std::size_t seed = 0; seed < mesh.triangles.size(); ++seed) {
        if (turned.part[seed] >= 0) continue;
        std::vector<std::int32_t> open{std::int32_t(seed)};
        turned.part[seed] = turned.parts;
        while (!open.empty()) {
            const std::int32_t here = open.back();
            open.pop_back();
            for (const auto& [next, against] : across[here]) {
                const char flip = char(turned.flip[here] ^ against);
                if (turned.part[next] < 0) {
                    turned.part[next] = turned.parts;
                    turned.flip[next] = flip;
                    open.push_back(next);
                } else if (turned.flip[next] != flip) {
                    turned.is_orientable = false;
                }
            }
        }
        ++turned.parts;
    }
    // the fewer of a part are those that are wrong
    std::vector<std::int64_t> balance(turned.parts, 0);
    for (std::size_t t = 0; t < turned.flip.size(); ++t) balance[turned.part[t]] += turned.flip[t] ? 1 : -1;
    for (std::size_t t = 0; t < turned.flip.size(); ++t) turned.flip[t] ^= char(balance[turned.part[t]] > 0);
    return turned;
}

double tetrahedron(const TriangleMesh& mesh, std::size_t triangle, const Vec<3>& origin)
{
    const auto& [a, b, c] = mesh.triangles[triangle];
    return (mesh.vertices[a] - origin).cross(mesh.vertices[b] - origin).dot(mesh.vertices[c] - origin) / 6;
}

void check_edges(const TriangleMesh& mesh, const std::vector<MeshSide>& sides, const MeshNeeds& needs,
                 std::vector<std::string>& faults)
{
    std::size_t open = 0, crowded = 0;
    std::string first_open, first_crowded;
    for (std::size_t k = 0, next = 0; k < sides.size(); k = next) {
        while (next < sides.size() && sides[next].same_edge(sides[k])) ++next;
        const auto edge = [&] {
            return fmt::format("from {} to {}", at(mesh.vertices[sides[k].low]), at(mesh.vertices[sides[k].high]));
        };
        if (next - k == 1 && open++ == 0) first_open = edge();
        if (next - k > 2 && crowded++ == 0) first_crowded = edge();
    }
    if (open > 0 && needs.closed) {
        faults.push_back(fmt::format("open: {} only one face, the first {}",
                                     number_of(open, "edge belongs to", "edges belong to"), first_open));
    }
    if (crowded > 0) {
        faults.push_back(fmt::format("{} three faces or more, the first {}",
                                     number_of(crowded, "edge belongs to", "edges belong to"), first_crowded));
    }
}

void check_turns(const TriangleMesh& mesh, const std::vector<MeshSide>& sides, std::vector<std::string>& faults)
{
    const Turned turned = turned_faces(mesh, sides);
    if (!turned.is_orientable) {
        faults.push_back("has no inside and outside: its faces cannot all be turned one way");
        return;
    }
    const auto inverted = std::size_t(std::count(turned.flip.begin(), turned.flip.end(), 1));
    if (inverted == 0) return;
    const auto first = std::size_t(std::find(turned.flip.begin(), turned.flip.end(), 1) - turned.flip.begin());
    faults.push_back(fmt::format("inverted faces: {} of {} {} turned against the neighbours, the first at {}", inverted,
                                 mesh.triangles.size(), inverted == 1 ? "is" : "are", at(centre(mesh, first))));
}

} // namespace

double mesh_volume(const TriangleMesh& mesh)
{
    double volume = 0;
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) volume += tetrahedron(mesh, t, mesh.vertices[0]);
    return volume;
}

double mesh_size(const TriangleMesh& mesh)
{
    if (mesh.vertices.empty()) return 0;
    Vec<3> lower = mesh.vertices[0], upper = lower;
    for (const Vec<3>& vertex : mesh.vertices) {
        lower = lower.cwiseMin(vertex);
        upper = upper.cwiseMax(vertex);
    }
    return (upper - lower).maxCoeff();
}

std::vector<std::string> mesh_faults(const TriangleMesh& mesh, const MeshNeeds& needs)
{
    std::vector<std::string> faults;
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
        if (!mesh.vertices[v].allFinite()) return {fmt::format("vertex {} is not finite", v + 1)};
    }
    if (mesh.triangles.empty()) return {"has no faces"};
    const double size = mesh_size(mesh);
    if (!(size >= needs.smallest && size <= needs.largest)) {
        faults.push_back(fmt::format("its largest dimension is {:.4g} m, absurd for what must lie between {:g} m and "
                                     "{:g} m: lengths are read as metres, say in which unit they are (--unit mm)",
                                     size, needs.smallest, needs.largest));
    }
    std::size_t degenerate = 0, first = 0;
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        if (is_degenerate(mesh, mesh.triangles[t]) && degenerate++ == 0) first = t;
    }
    if (degenerate > 0) {
        faults.push_back(fmt::format("degenerate: {} no area, the first at {}",
                                     number_of(degenerate, "face has", "faces have"), at(centre(mesh, first))));
    }
    const std::vector<MeshSide> sides = sorted_sides(mesh);
    check_edges(mesh, sides, needs, faults);
    check_turns(mesh, sides, faults);
    if (!faults.empty()) return faults; // what follows would only say the same in other words
    if (needs.closed) {
        const double volume = mesh_volume(mesh);
        if (std::abs(volume) <= no_volume * size * size * size) {
            faults.push_back(fmt::format("zero volume: {:.3g} m³ in a size of {:.3g} m", volume, size));
        } else if (volume < 0) {
            faults.push_back("inverted faces: all are turned inward, the volume is negative");
        }
    }
    if (const auto [count, pair] = crossing_triangles(mesh); count > 0) {
        faults.push_back(fmt::format("self-intersecting: {} each other, the first at {} and {}",
                                     number_of(count, "pair of faces cross", "pairs of faces cross"),
                                     at(centre(mesh, std::size_t(pair[0]))), at(centre(mesh, std::size_t(pair[1])))));
    }
    return faults;
}

namespace {

// Keeps the first of each bunch of equal vertices; `cell` 0 asks for equal bits.
std::size_t merge_vertices(TriangleMesh& mesh, double cell)
{
    std::map<std::array<double, 3>, std::vector<std::int32_t>> bunches;
    std::vector<std::int32_t> renamed(mesh.vertices.size());
    std::vector<Vec<3>> kept;
    const auto key_of = [&](const Vec<3>& point, int neighbour) {
        std::array<double, 3> key;
        for (int axis = 0; axis < 3; ++axis, neighbour /= 3) {
            key[axis] = cell > 0 ? std::floor(point[axis] / cell) + neighbour % 3 - 1 : point[axis] + 0.0;
        }
        return key;
    };
    constexpr int here = 13, around = 27;
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
        const Vec<3>& point = mesh.vertices[v];
        renamed[v] = -1;
        for (int n = cell > 0 ? 0 : here; n < (cell > 0 ? around : here + 1) && renamed[v] < 0; ++n) {
            const auto bunch = bunches.find(key_of(point, n));
            if (bunch == bunches.end()) continue;
            for (const std::int32_t other : bunch->second) {
                if ((kept[other] - point).norm() <= cell) renamed[v] = other;
            }
        }
        if (renamed[v] >= 0) continue;
        renamed[v] = std::int32_t(kept.size());
        bunches[key_of(point, here)].push_back(renamed[v]);
        kept.push_back(point);
    }
    const std::size_t merged = mesh.vertices.size() - kept.size();
    mesh.vertices = std::move(kept);
    for (auto& triangle : mesh.triangles) {
        for (std::int32_t& vertex : triangle) vertex = renamed[vertex];
    }
    return merged;
}

std::size_t turn_faces(TriangleMesh& mesh)
{
    const std::vector<MeshSide> sides = sorted_sides(mesh);
    Turned turned = turned_faces(mesh, sides);
    if (!turned.is_orientable) return 0;
    std::vector<double> volume(turned.parts, 0);
    std::vector<std::size_t> open(turned.parts, 0);
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        volume[turned.part[t]] += (turned.flip[t] ? -1 : 1) * tetrahedron(mesh, t, mesh.vertices[0]);
    }
    for (std::size_t k = 0; k < sides.size(); ++k) {
        const bool shared =
            (k > 0 && sides[k - 1].same_edge(sides[k])) || (k + 1 < sides.size() && sides[k + 1].same_edge(sides[k]));
        if (!shared) ++open[turned.part[sides[k].triangle]];
    }
    std::size_t count = 0;
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        const std::int32_t part = turned.part[t];
        if (bool(turned.flip[t]) == (open[part] == 0 && volume[part] < 0)) continue;
        std::swap(mesh.triangles[t][1], mesh.triangles[t][2]);
        ++count;
    }
    return count;
}

} // namespace

void join_equal_vertices(TriangleMesh& mesh) { merge_vertices(mesh, 0); }

std::vector<std::string> repair(TriangleMesh& mesh)
{
    std::vector<std::string> done;
    if (const std::size_t merged = merge_vertices(mesh, same_place * mesh_size(mesh)); merged > 0) {
        done.push_back(
            fmt::format("{} merged with another at the same place", number_of(merged, "vertex was", "vertices were")));
    }
    const std::size_t dropped =
        std::erase_if(mesh.triangles, [&](const auto& triangle) { return is_degenerate(mesh, triangle); });
    if (dropped > 0) {
        done.push_back(fmt::format("{} dropped: without area", number_of(dropped, "face was", "faces were")));
    }
    if (mesh.triangles.empty()) return done;
    if (const std::size_t flipped = turn_faces(mesh); flipped > 0) {
        done.push_back(fmt::format("{} turned round", number_of(flipped, "face was", "faces were")));
    }
    return done;
}

} // namespace talus
