// A convex solid that is cut by planes, one after another (Sutherland and Hodgman; in 3D the cap closes the surface).
// Whether a corner is cut off is decided once for all faces that share it, so the surface stays closed whatever the
// rounding: touching, coplanar and sliver-thin cuts need no tolerance and no special case.
// The buffers are kept from one solid to the next: after a few there is no more allocation.
#pragma once

#include "talus/shapes/polytope.hpp"

#include <algorithm>
#include <vector>

namespace talus {

// Of a volume that rounding may have spoilt: never negative, never more than the whole, and no NaN.
inline double within(double volume, double whole) { return volume > 0 ? std::min(volume, whole) : 0.0; }

template <int D>
class CutSolid;

template <>
class CutSolid<2> {
  public:
    // The whole polygon, seen from `origin` in its own frame, or along other axes (unit columns in that frame).
    void load(const Polytope<2>& polygon, const Vec<2>& origin);
    void load(const Polytope<2>& polygon, const Vec<2>& origin, const Mat<2>& axes);
    // Keeps normal·x ≤ offset; false where nothing is left.
    bool cut(const Plane<2>& plane);
    double volume() const;

    // visit(from, to) on every edge, counter-clockwise
    template <class Visit>
    void for_each_edge(Visit&& visit) const
    {
        for (std::size_t k = 0, before = corners_.size() - 1; k < corners_.size(); before = k++) {
            visit(corners_[before], corners_[k]);
        }
    }

    // visit(centre, outward normal × length) on every edge that a cut made
    template <class Visit>
    void for_each_cap(Visit&& visit) const
    {
        for (std::size_t k = 0, before = corners_.size() - 1; k < corners_.size(); before = k++) {
            if (!is_cap_[k]) continue;
            const Vec<2> along = corners_[k] - corners_[before];
            visit(Vec<2>(corners_[before] + 0.5 * along), Vec<2>(along[1], -along[0]));
        }
    }

    const std::vector<Vec<2>>& corners() const { return corners_; }

  private:
    std::vector<Vec<2>> corners_, kept_;
    std::vector<std::uint8_t> is_cap_, kept_caps_; // of the edge that ends in each corner: a cut made it
    std::vector<double> height_;                   // [m] of a corner above the plane
};

template <>
class CutSolid<3> {
  public:
    void load(const Polytope<3>& polyhedron, const Vec<3>& origin);
    void load(const Polytope<3>& polyhedron, const Vec<3>& origin, const Mat<3>& axes);
    bool cut(const Plane<3>& plane);
    double volume() const;

    struct Face {
        std::int32_t begin, end; // its loop, counter-clockwise seen from outside
        Vec<3> normal;
        bool is_cap = false; // a cut made it
    };
    const std::vector<Face>& faces() const { return faces_; }
    const std::vector<Vec<3>>& corners() const { return corners_; }

    // visit(from, to) on every edge of a face
    template <class Visit>
    void for_each_edge(const Face& face, Visit&& visit) const
    {
        for (std::int32_t k = face.begin, before = face.end - 1; k < face.end; before = k++) {
            visit(corners_[loops_[before]], corners_[loops_[k]]);
        }
    }

    // visit(centre, outward normal × area) on the triangles of every face that a cut made
    template <class Visit>
    void for_each_cap(Visit&& visit) const
    {
        for (const Face& face : faces_) {
            if (!face.is_cap) continue;
            const Vec<3>& base = corners_[loops_[face.begin]];
            for (std::int32_t k = face.begin + 2; k < face.end; ++k) {
                const Vec<3>&b = corners_[loops_[k - 1]], &c = corners_[loops_[k]];
                visit(Vec<3>((base + b + c) / 3), Vec<3>(0.5 * (b - base).cross(c - base)));
            }
        }
    }

  private:
    void cut_face(const Face& face);
    std::int32_t crossing(std::int32_t inside, std::int32_t outside);
    void add_caps(const Vec<3>& normal);

    // an edge that the plane cuts, by its ends before the cut
    struct Crossing {
        std::int32_t inside, outside;
        std::int32_t after; // the next corner of the cap; −1 once it belongs to one
    };
    std::vector<Vec<3>> corners_, kept_;
    std::vector<Face> faces_, kept_faces_;
    std::vector<std::int32_t> loops_, kept_loops_;
    std::vector<double> height_;       // [m] of a corner above the plane
    std::vector<std::int32_t> number_; // of a corner after the cut
    std::vector<Crossing> crossings_;  // their corners come after those that were kept
    std::int32_t kept_corners_ = 0;
};

} // namespace talus
