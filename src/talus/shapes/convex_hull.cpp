// convex_hull of polytope.hpp: in 2D a monotone chain (Andrew 1979), in 3D the triangles of Qhull, merged into faces.
// Both start from points that differ by more than the tolerance, so that no decision hangs on rounding.
#include "talus/base/error.hpp"
#include "talus/shapes/polytope.hpp"

#ifdef TALUS_WITH_QHULL
#include <libqhull_r/qhull_ra.h>
#endif
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <map>
#include <numeric>
#include <string>

namespace talus {

namespace {

template <int D>
[[noreturn]] void refuse(const std::string& reason)
{
    throw InputError(std::string("convex ") + (D == 2 ? "polygon" : "polyhedron") + ": " + reason);
}

template <int D>
bool lexicographic(const Vec<D>& a, const Vec<D>& b)
{
    return std::lexicographical_compare(a.data(), a.data() + D, b.data(), b.data() + D);
}

// Size of the cloud after the checks that need no geometry.
template <int D>
double checked_size(std::span<const Vec<D>> points)
{
    if (points.empty()) refuse<D>("no points given");
    Vec<D> lower = points[0], upper = points[0];
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (!points[i].allFinite()) refuse<D>("point " + std::to_string(i + 1) + " is not finite");
        lower = lower.cwiseMin(points[i]);
        upper = upper.cwiseMax(points[i]);
    }
    const double size = (upper - lower).maxCoeff();
    // beyond these the moments of the solid over- or underflow
    if (size > 0 && !(size > 1e-50 && size < 1e50)) refuse<D>("its size is out of range (1e-50 to 1e50 m)");
    return size;
}

// Indices of points that are more than `tolerance` apart, sorted by position; the first given of a bunch stands for it.
template <int D>
std::vector<std::int32_t> distinct(std::span<const Vec<D>> points, double tolerance)
{
    std::vector<std::int32_t> order(points.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
        if (points[a] == points[b]) return a < b;
        return lexicographic<D>(points[a], points[b]);
    });
    std::vector<std::int32_t> kept;
    for (const std::int32_t i : order) {
        bool is_new = true;
        for (std::size_t k = kept.size(); k-- > 0 && points[i][0] - points[kept[k]][0] <= tolerance && is_new;) {
            if ((points[i] - points[kept[k]]).squaredNorm() > tolerance * tolerance) continue;
            is_new = false;
            if (i < kept[k]) kept[k] = i;
        }
        if (is_new) kept.push_back(i);
    }
    std::sort(kept.begin(), kept.end(),
              [&](std::int32_t a, std::int32_t b) { return lexicographic<D>(points[a], points[b]); });
    return kept;
}

// Throws where the points span fewer than D dimensions: farthest point from a point, a line, a plane in turn.
template <int D>
void check_spread(std::span<const Vec<D>> points, const std::vector<std::int32_t>& kept, double tolerance)
{
    if (kept.size() < D + 1) {
        refuse<D>("only " + std::to_string(kept.size()) + " distinct point" + (kept.size() == 1 ? "" : "s") + ", " +
                  std::to_string(D + 1) + " are needed");
    }
    const char* const reasons[3] = {"all points coincide", "all points lie on one line",
                                    "all points lie in one plane, the volume is zero"};
    const Vec<D>& origin = points[kept[0]];
    Mat<D> axes = Mat<D>::Zero();
    for (int k = 0; k < D; ++k) {
        double widest = 0;
        for (const std::int32_t i : kept) {
            Vec<D> offset = points[i] - origin;
            for (int j = 0; j < k; ++j) offset -= offset.dot(axes.col(j)) * axes.col(j);
            if (offset.norm() <= widest) continue;
            widest = offset.norm();
            axes.col(k) = offset / widest;
        }
        if (widest <= tolerance) refuse<D>(reasons[k]);
    }
}

// > 0 where a, b, c turn left; the sign is right down to angles of a few rounding errors
double turn_of(const Vec<2>& a, const Vec<2>& b, const Vec<2>& c) { return moment(Vec<2>(b - a), Vec<2>(c - a))[0]; }

double height_above(const Vec<2>& from, const Vec<2>& to, const Vec<2>& point)
{
    return std::abs(turn_of(from, to, point)) / (to - from).norm();
}

// Vertices of a counter-clockwise loop without those within `tolerance` of the edge that replaces them.
std::vector<std::int32_t> without_flat_vertices(std::span<const Vec<2>> points, const std::vector<std::int32_t>& loop,
                                                double tolerance)
{
    std::vector<std::int32_t> kept{loop[0]}; // the lowest point in x is always a vertex
    for (std::size_t next = 1; next < loop.size(); ++next) {
        const std::size_t after = (next + 1) % loop.size();
        bool is_flat = true; // together with all that was dropped since the last kept vertex
        for (std::size_t k = next; is_flat && loop[k] != kept.back(); --k) {
            is_flat = height_above(points[kept.back()], points[loop[after]], points[loop[k]]) <= tolerance;
        }
        if (!is_flat) kept.push_back(loop[next]);
    }
    return kept;
}

Polytope<2> hull_of_distinct(std::span<const Vec<2>> points, const std::vector<std::int32_t>& sorted, double tolerance)
{
    std::vector<std::int32_t> loop;
    const auto extend = [&](std::int32_t i, std::size_t start) {
        while (loop.size() >= start + 2 &&
               turn_of(points[loop[loop.size() - 2]], points[loop.back()], points[i]) <= 0) {
            loop.pop_back();
        }
        loop.push_back(i);
    };
    for (const std::int32_t i : sorted) extend(i, 0); // lower chain, then the upper one back
    const std::size_t turning = loop.size() - 1;
    for (std::size_t k = sorted.size() - 1; k-- > 0;) extend(sorted[k], turning);
    loop.pop_back();

    std::vector<Vec<2>> vertices;
    std::vector<std::int32_t> offsets{0}, ends;
    for (const std::int32_t i : without_flat_vertices(points, loop, tolerance)) vertices.push_back(points[i]);
    const std::int32_t count = std::int32_t(vertices.size());
    if (count < 3) refuse<2>("all points lie on one line");
    for (std::int32_t v = 0; v < count; ++v) {
        ends.insert(ends.end(), {v, (v + 1) % count});
        offsets.push_back(std::int32_t(ends.size()));
    }
    return polytope_of_faces<2>(std::move(vertices), std::move(offsets), std::move(ends));
}

#ifdef TALUS_WITH_QHULL

using Triangle = std::array<std::int32_t, 3>;

struct Face {
    std::vector<std::int32_t> loop; // of vertices
    Vec<3> normal;                  // of the largest triangle of the face: it supports the hull
};

// Triangles of the hull, counter-clockwise from outside, as indices into `points`.
std::vector<Triangle> qhull_triangles(const std::vector<Vec<3>>& points)
{
    std::vector<coordT> coordinates;
    for (const Vec<3>& point : points) coordinates.insert(coordinates.end(), point.data(), point.data() + 3);
    char* message = nullptr;
    std::size_t length = 0;
    std::FILE* errors = open_memstream(&message, &length);
    qhT instance;
    qhT* qh = &instance;
    qh_zero(qh, errors);
    char command[] = "qhull Qt Pp"; // triangulated; no warnings about slivers
    const int failed = qh_new_qhull(qh, 3, int(points.size()), coordinates.data(), False, command, nullptr, errors);
    std::vector<Triangle> triangles;
    if (!failed) {
        facetT* facet;
        FORALLfacets
        {
            Triangle triangle{};
            vertexT *vertex, **vertexp;
            std::size_t k = 0;
            FOREACHvertex_(facet->vertices) if (k < 3) triangle[k++] = qh_pointid(qh, vertex->point);
            if (facet->toporient != qh_ORIENTclock) std::swap(triangle[0], triangle[1]);
            triangles.push_back(triangle);
        }
    }
    qh_freeqhull(qh, !qh_ALL);
    int blocks = 0, bytes = 0;
    qh_memfreeshort(qh, &blocks, &bytes);
    std::fclose(errors);
    const std::string text(message, length);
    std::free(message);
    if (failed) refuse<3>("Qhull could not build the hull: " + text.substr(0, text.find('\n')));
    return triangles;
}

// The hull's triangles joined into flat faces. Joining goes through common edges, so that the surface stays closed.
class FaceMerger {
  public:
    FaceMerger(const std::vector<Vec<3>>& points, std::vector<Triangle> triangles, double tolerance)
        : points_(points), triangles_(std::move(triangles)), tolerance_(tolerance), region_(triangles_.size(), -1)
    {
        for (std::size_t t = 0; t < triangles_.size(); ++t) {
            for (int k = 0; k < 3; ++k) across_[{triangles_[t][k], triangles_[t][(k + 1) % 3]}] = std::int32_t(t);
        }
    }

    // Faces without the vertices that lie within a face or an edge; none where the surface is not closed.
    std::vector<Face> faces()
    {
        std::vector<std::int32_t> order(triangles_.size());
        std::iota(order.begin(), order.end(), 0);
        // the largest first: its plane is the best known
        std::stable_sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
            return area_vector(a).squaredNorm() > area_vector(b).squaredNorm();
        });
        for (const std::int32_t seed : order) {
            if (region_[seed] < 0) grow(seed);
        }
        return corners_only(boundaries());
    }

  private:
    Vec<3> area_vector(std::int32_t t) const
    {
        const Triangle& v = triangles_[t];
        return (points_[v[1]] - points_[v[0]]).cross(points_[v[2]] - points_[v[0]]);
    }

    bool is_sliver(std::int32_t t, const Vec<3>& area) const
    {
        double longest = 0;
        for (int k = 0; k < 3; ++k) {
            longest = std::max(longest, (points_[triangles_[t][(k + 1) % 3]] - points_[triangles_[t][k]]).norm());
        }
        return area.norm() <= tolerance_ * longest;
    }

    void grow(std::int32_t seed)
    {
        const std::int32_t region = std::int32_t(normals_.size());
        const Vec<3> normal = area_vector(seed).normalized();
        normals_.push_back(normal);
        const Vec<3> origin = points_[triangles_[seed][0]];
        std::vector<std::int32_t> front{seed};
        region_[seed] = region;
        while (!front.empty()) {
            const std::int32_t t = front.back();
            front.pop_back();
            for (int k = 0; k < 3; ++k) {
                const auto neighbour = across_.find({triangles_[t][(k + 1) % 3], triangles_[t][k]});
                if (neighbour == across_.end() || region_[neighbour->second] >= 0) continue;
                if (!lies_in_plane(neighbour->second, normal, origin)) continue;
                region_[neighbour->second] = region;
                front.push_back(neighbour->second);
            }
        }
    }

    bool lies_in_plane(std::int32_t t, const Vec<3>& normal, const Vec<3>& origin) const
    {
        for (const std::int32_t v : triangles_[t]) {
            if (std::abs(normal.dot(points_[v] - origin)) > tolerance_) return false;
        }
        const Vec<3> area = area_vector(t); // a tiny triangle round a sharp edge is not of this face
        return area.dot(normal) > 0 || is_sliver(t, area);
    }

    std::vector<Face> boundaries() const
    {
        std::vector<std::map<std::int32_t, std::int32_t>> next(normals_.size());
        for (const auto& [side, t] : across_) {
            const auto back = across_.find({side.second, side.first});
            if (back == across_.end()) return {};
            if (region_[back->second] != region_[t]) next[region_[t]][side.first] = side.second;
        }
        std::vector<Face> faces;
        for (std::size_t region = 0; region < next.size(); ++region) {
            const auto& successor = next[region];
            if (successor.empty()) return {};
            std::vector<std::int32_t> loop;
            for (std::int32_t v = successor.begin()->first; loop.empty() || v != loop[0];) {
                loop.push_back(v);
                const auto step = successor.find(v);
                if (step == successor.end() || loop.size() > successor.size()) return {};
                v = step->second;
            }
            if (loop.size() != successor.size()) return {}; // a hole
            faces.push_back({std::move(loop), normals_[region]});
        }
        return faces;
    }

    // A vertex of fewer than three faces lies within an edge: it goes, from both faces at once.
    std::vector<Face> corners_only(std::vector<Face> faces) const
    {
        std::vector<int> faces_at(points_.size(), 0);
        for (const Face& face : faces) {
            for (const std::int32_t v : face.loop) ++faces_at[v];
        }
        for (Face& face : faces) {
            std::erase_if(face.loop, [&](std::int32_t v) { return faces_at[v] < 3; });
            if (face.loop.size() < 3) return {};
        }
        return faces;
    }

    const std::vector<Vec<3>>& points_;
    std::vector<Triangle> triangles_;
    double tolerance_;
    std::vector<Vec<3>> normals_;                                          // of each region
    std::vector<std::int32_t> region_;                                     // of each triangle
    std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> across_; // directed side to its triangle
};

std::vector<std::int32_t> corners_of(const std::vector<Face>& faces)
{
    std::vector<std::int32_t> corners;
    for (const Face& face : faces) corners.insert(corners.end(), face.loop.begin(), face.loop.end());
    std::sort(corners.begin(), corners.end());
    corners.erase(std::unique(corners.begin(), corners.end()), corners.end());
    return corners;
}

bool is_closed(const std::vector<Face>& faces)
{
    std::map<std::pair<std::int32_t, std::int32_t>, int> sides;
    for (const Face& face : faces) {
        for (std::size_t k = 0; k < face.loop.size(); ++k) {
            ++sides[{face.loop[k], face.loop[(k + 1) % face.loop.size()]}];
        }
    }
    for (const auto& [side, count] : sides) {
        const auto back = sides.find({side.second, side.first});
        if (count != 1 || back == sides.end() || back->second != 1) return false;
    }
    return faces.size() >= 4 && corners_of(faces).size() + faces.size() == sides.size() / 2 + 2; // Euler
}

Polytope<3> polytope_of(std::vector<Vec<3>> vertices, std::vector<Face> faces)
{
    for (Face& face : faces) { // one way to write each face, one order of the faces
        std::rotate(face.loop.begin(), std::min_element(face.loop.begin(), face.loop.end()), face.loop.end());
    }
    std::sort(faces.begin(), faces.end(), [](const Face& a, const Face& b) { return a.loop < b.loop; });
    std::vector<std::int32_t> offsets{0}, loops;
    for (const Face& face : faces) {
        loops.insert(loops.end(), face.loop.begin(), face.loop.end());
        offsets.push_back(std::int32_t(loops.size()));
    }
    Polytope<3> hull = polytope_of_faces<3>(std::move(vertices), std::move(offsets), std::move(loops));
    for (std::size_t f = 0; f < faces.size(); ++f) {
        const Vec<3>& normal = faces[f].normal;
        hull.planes[f] = {normal, normal.dot(hull.support(normal))};
    }
    return hull;
}

Polytope<3> hull_of_distinct(std::span<const Vec<3>> points, const std::vector<std::int32_t>& kept, double tolerance)
{
    std::vector<Vec<3>> vertices; // in the order in which they were given
    std::vector<std::int32_t> given = kept;
    std::sort(given.begin(), given.end());
    for (const std::int32_t i : given) vertices.push_back(points[i]);
    // Again until every point is a vertex: what was flat among many points may not be among those that are left.
    for (;;) {
        // moved to the origin and scaled by a power of two: Qhull's own thresholds then fit any grain, anywhere
        const Vec<3> origin = vertices[0];
        double size = 0;
        for (const Vec<3>& v : vertices) size = std::max(size, (v - origin).cwiseAbs().maxCoeff());
        const double scale = std::exp2(-std::ilogb(size));
        std::vector<Vec<3>> cloud;
        for (const Vec<3>& v : vertices) cloud.push_back(scale * (v - origin));

        std::vector<Face> faces = FaceMerger(cloud, qhull_triangles(cloud), scale * tolerance).faces();
        if (!is_closed(faces))
            refuse<3>("its faces cannot be told apart at this flatness: too thin, or points too close");
        const std::vector<std::int32_t> corners = corners_of(faces);
        if (corners.size() == vertices.size()) return polytope_of(std::move(vertices), std::move(faces));
        for (std::size_t k = 0; k < corners.size(); ++k) vertices[k] = vertices[corners[k]];
        vertices.resize(corners.size());
    }
}

#else

Polytope<3> hull_of_distinct(std::span<const Vec<3>>, const std::vector<std::int32_t>&, double)
{
    refuse<3>("the hull of points in 3D needs Qhull, which this build leaves out (configure with TALUS_QHULL=ON)");
}

#endif

} // namespace

template <int D>
Polytope<D> convex_hull(std::span<const Vec<D>> points, double flatness)
{
    const double size = checked_size<D>(points);
    double reach = 0;
    for (const Vec<D>& point : points) reach = std::max(reach, point.cwiseAbs().maxCoeff());
    // far from the origin the coordinates themselves are rounded
    const double tolerance = std::max(flatness * size, 16 * std::numeric_limits<double>::epsilon() * reach);
    const std::vector<std::int32_t> kept = distinct<D>(points, tolerance);
    check_spread<D>(points, kept, tolerance);
    return hull_of_distinct(points, kept, tolerance);
}

template Polytope<2> convex_hull(std::span<const Vec<2>>, double);
template Polytope<3> convex_hull(std::span<const Vec<3>>, double);

} // namespace talus
