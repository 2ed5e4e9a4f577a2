#include "talus/shapes/cut_solid.hpp"

#include <algorithm>
#include <utility>

namespace talus {

namespace {

// Heights of all corners above the plane; returns how many are above.
template <int D>
std::size_t measure_heights(const std::vector<Vec<D>>& corners, const Plane<D>& plane, std::vector<double>& height)
{
    height.resize(corners.size());
    std::size_t above = 0;
    for (std::size_t i = 0; i < corners.size(); ++i) {
        height[i] = plane.normal.dot(corners[i]) - plane.offset;
        above += height[i] > 0;
    }
    return above;
}

// Always from the inner end: both faces of an edge find the same point.
template <int D>
Vec<D> point_between(const Vec<D>& inside, double height_inside, const Vec<D>& outside, double height_outside)
{
    return inside + height_inside / (height_inside - height_outside) * (outside - inside);
}

} // namespace

void CutSolid<2>::load(const Polytope<2>& polygon, const Vec<2>& origin)
{
    corners_.clear();
    for (const Vec<2>& vertex : polygon.vertices) corners_.push_back(vertex - origin);
    is_cap_.assign(corners_.size(), false);
}

void CutSolid<2>::load(const Polytope<2>& polygon, const Vec<2>& origin, const Mat<2>& axes)
{
    load(polygon, origin);
    for (Vec<2>& corner : corners_) corner = axes.transpose() * corner;
}

bool CutSolid<2>::cut(const Plane<2>& plane)
{
    const std::size_t above = measure_heights(corners_, plane, height_);
    if (above == 0) return true;
    kept_.clear();
    kept_caps_.clear();
    const auto keep = [&](const Vec<2>& corner, bool is_cap) {
        kept_.push_back(corner);
        kept_caps_.push_back(is_cap);
    };
    for (std::size_t k = 0, before = corners_.size() - 1; k < corners_.size(); before = k++) {
        const bool is_in = height_[k] <= 0, was_in = height_[before] <= 0;
        if (is_in && !was_in) keep(point_between<2>(corners_[k], height_[k], corners_[before], height_[before]), true);
        if (!is_in && was_in)
            keep(point_between<2>(corners_[before], height_[before], corners_[k], height_[k]), is_cap_[k]);
        if (is_in) keep(corners_[k], is_cap_[k]);
    }
    corners_.swap(kept_);
    is_cap_.swap(kept_caps_);
    return !corners_.empty();
}

double CutSolid<2>::volume() const
{
    double twice = 0;
    for (std::size_t k = 2; k < corners_.size(); ++k) { // about a corner: all terms have the same sign
        const Vec<2> a = corners_[k - 1] - corners_[0], b = corners_[k] - corners_[0];
        twice += a[0] * b[1] - a[1] * b[0];
    }
    return 0.5 * twice;
}

void CutSolid<3>::load(const Polytope<3>& polyhedron, const Vec<3>& origin)
{
    corners_.resize(polyhedron.vertices.size());
    for (std::size_t i = 0; i < corners_.size(); ++i) corners_[i] = polyhedron.vertices[i] - origin;
    loops_.assign(polyhedron.face_vertices.begin(), polyhedron.face_vertices.end());
    faces_.resize(polyhedron.face_count());
    for (std::size_t f = 0; f < faces_.size(); ++f) {
        faces_[f] = {polyhedron.face_offsets[f], polyhedron.face_offsets[f + 1], polyhedron.planes[f].normal};
    }
}

void CutSolid<3>::load(const Polytope<3>& polyhedron, const Vec<3>& origin, const Mat<3>& axes)
{
    load(polyhedron, origin);
    for (Vec<3>& corner : corners_) corner = axes.transpose() * corner;
    for (Face& face : faces_) face.normal = axes.transpose() * face.normal;
}

bool CutSolid<3>::cut(const Plane<3>& plane)
{
    const std::size_t above = measure_heights(corners_, plane, height_);
    if (above == 0) return true;
    kept_.clear();
    kept_faces_.clear();
    kept_loops_.clear();
    crossings_.clear();
    if (above < corners_.size()) {
        number_.resize(corners_.size());
        for (std::size_t i = 0; i < corners_.size(); ++i) {
            number_[i] = std::int32_t(kept_.size());
            if (height_[i] <= 0) kept_.push_back(corners_[i]);
        }
        kept_corners_ = std::int32_t(kept_.size());
        for (const Face& face : faces_) cut_face(face);
        add_caps(plane.normal);
    }
    corners_.swap(kept_);
    faces_.swap(kept_faces_);
    loops_.swap(kept_loops_);
    return !corners_.empty();
}

// The face gets a new edge from where its loop leaves to where it comes back; the cap runs along it the other way.
void CutSolid<3>::cut_face(const Face& face)
{
    const auto begin = std::int32_t(kept_loops_.size());
    std::int32_t left = -1, first_back = -1; // the loop may begin outside
    std::int32_t before = loops_[face.end - 1];
    bool was_in = height_[before] <= 0;
    for (std::int32_t k = face.begin; k < face.end; ++k) {
        const std::int32_t here = loops_[k];
        const bool is_in = height_[here] <= 0;
        if (was_in && !is_in) {
            left = crossing(before, here);
            kept_loops_.push_back(kept_corners_ + left);
        } else if (is_in && !was_in) {
            const std::int32_t back = crossing(here, before);
            kept_loops_.push_back(kept_corners_ + back);
            if (left < 0)
                first_back = back;
            else
                crossings_[back].after = left;
        }
        if (is_in) kept_loops_.push_back(number_[here]);
        before = here;
        was_in = is_in;
    }
    if (first_back >= 0) crossings_[first_back].after = left;
    if (const auto end = std::int32_t(kept_loops_.size()); end > begin) {
        kept_faces_.push_back({begin, end, face.normal, face.is_cap});
    }
}

std::int32_t CutSolid<3>::crossing(std::int32_t inside, std::int32_t outside)
{
    for (std::size_t c = 0; c < crossings_.size(); ++c) {
        if (crossings_[c].inside == inside && crossings_[c].outside == outside) return std::int32_t(c);
    }
    crossings_.push_back({inside, outside, -1});
    kept_.push_back(point_between<3>(corners_[inside], height_[inside], corners_[outside], height_[outside]));
    return std::int32_t(crossings_.size()) - 1;
}

// Every crossing has one successor and is that of one other: the caps are the cycles; more than one by rounding only.
void CutSolid<3>::add_caps(const Vec<3>& normal)
{
    for (std::size_t c = 0; c < crossings_.size(); ++c) {
        const auto begin = std::int32_t(kept_loops_.size());
        for (auto here = std::int32_t(c); crossings_[here].after >= 0;) {
            kept_loops_.push_back(kept_corners_ + here);
            here = std::exchange(crossings_[here].after, -1);
        }
        if (const auto end = std::int32_t(kept_loops_.size()); end > begin)
            kept_faces_.push_back({begin, end, normal, true});
    }
}

double CutSolid<3>::volume() const
{
    if (corners_.empty()) return 0;
    const Vec<3> apex = corners_[0]; // of the solid itself: no cone is negative, none is lost to rounding
    double six_times = 0;
    for (const Face& face : faces_) {
        const Vec<3> base = corners_[loops_[face.begin]];
        Vec<3> area = Vec<3>::Zero();
        for (std::int32_t k = face.begin + 2; k < face.end; ++k) {
            area += (corners_[loops_[k - 1]] - base).cross(corners_[loops_[k]] - base);
        }
        six_times += area.dot(base - apex);
    }
    return six_times / 6;
}

} // namespace talus
