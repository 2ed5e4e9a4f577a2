// Convex sets as the exact stage of detection sees them: a model in the frame of its own centre, shared by all bodies
// of that shape, and its vertices and face normals turned into the world, once per step and body. Everything is
// relative to the centre of the set, so nothing is lost far from the origin. A ball is a point with a rounding, a
// segment two.
#pragma once

#include "math/lanes.hpp"
#include "shapes/mesh_tree.hpp"
#include "shapes/shape_table.hpp"

#include <memory>
#include <span>

namespace talus {

// Limits of one convex part: it must fit into the fixed storage of the exact stage, its features into an identity.
inline constexpr int most_corners = 32; // of a face
inline constexpr int most_faces = 512;
inline constexpr int most_edges = 2000;

struct ConvexEdge {
    std::int16_t from, to;      // vertices
    std::int16_t left, right;   // faces; left × right points from → to. −1: none, the set is thin
    float inverse_cos_half = 1; // of half the angle between the two face normals, or a little more
};

// One convex set in its own frame. In 2D the faces are its edges; `edges` are for 3D.
template <int D>
struct ConvexModel {
    int vertices = 0, faces = 0;
    LaneColumn vertex;              // D columns of padded(vertices): padded with the first vertex
    LaneColumn normal;              // D columns of padded(faces): unit, outward; padded with 0
    LaneColumn offset;              // padded(faces): normal·x on the face; padded with infinity
    std::vector<ConvexEdge> edges;  // of a polyhedron
    std::vector<std::int32_t> loop; // vertices of each face, counter-clockwise from outside (2D: its two ends)
    std::vector<std::int32_t> side; // edge from each of these to the next
    std::vector<std::int32_t> loop_start;
    std::vector<std::int32_t> around; // faces around each vertex
    std::vector<std::int32_t> around_start;
    Vec<D> centre = Vec<D>::Zero(); // [m] of this frame, in the frame of the body
    double inner = 0, outer = 0;    // [m] radii of balls about the centre: inside, around
    bool thin = false;              // without inside: a point, a segment, a triangle

    std::span<const std::int32_t> corners(int face) const
    {
        return std::span(loop).subspan(loop_start[face], loop_start[face + 1] - loop_start[face]);
    }
    std::span<const std::int32_t> faces_around(int v) const
    {
        return std::span(around).subspan(around_start[v], around_start[v + 1] - around_start[v]);
    }
    Vec<D> vertex_at(int v) const
    {
        Vec<D> x;
        for (int axis = 0; axis < D; ++axis) x[axis] = vertex[axis * padded(vertices) + v];
        return x;
    }
};

template <int D>
ConvexModel<D> model_of(const Polytope<D>& polytope);
template <int D>
ConvexModel<D> model_of_segment(const Vec<D>& half);
ConvexModel<3> model_of_triangle(const Vec<3>& a, const Vec<3>& b, const Vec<3>& c);
template <int D>
const ConvexModel<D>& model_of_point();

// A model somewhere in the world.
template <int D>
struct Convex {
    const ConvexModel<D>* model;
    const double* vertices; // turned, as in the model
    const double* normals;
    Vec<D> centre;   // [m] in the world
    double rounding; // [m] the set is everything within this distance of it

    Vec<D> vertex(int v) const
    {
        Vec<D> x;
        for (int axis = 0; axis < D; ++axis) x[axis] = vertices[axis * padded(model->vertices) + v];
        return x;
    }
    Vec<D> normal(int f) const
    {
        Vec<D> x;
        for (int axis = 0; axis < D; ++axis) x[axis] = normals[axis * padded(model->faces) + f];
        return x;
    }
    double reach() const { return model->outer + rounding; } // of a ball about the centre
};

// A model and its own turned columns, for a set that stands alone.
template <int D>
class LoneConvex {
  public:
    LoneConvex(const ConvexModel<D>& model, const Vec<D>& position, const Rotation<D>& orientation,
               double rounding = 0);
    Convex<D> view() const { return {model_, vertices_.data(), normals_.data(), centre_, rounding_}; }

  private:
    const ConvexModel<D>* model_;
    LaneColumn vertices_, normals_;
    Vec<D> centre_;
    double rounding_;
};

// The convex sets of all bodies: one for a segment or a polytope, several for a cluster, none for the others; and the
// trees of the meshes.
template <int D>
class ConvexCrowd {
  public:
    void place(const ShapeTable<D>& shapes, std::span<const std::int32_t> shape, std::span<const Vec<D>> position,
               std::span<const Rotation<D>> orientation);
    int parts(std::size_t body) const { return int(start_[body + 1] - start_[body]); }
    Convex<D> part(std::size_t body, int part) const
    {
        const Part& p = parts_[start_[body] + part];
        return {p.model, columns_.data() + p.vertices, columns_.data() + p.normals, p.centre, p.rounding};
    }

    // asks for what the exact stage will read of a body: bodies come in no spatial order, each is a cache miss
    void prefetch(std::size_t body) const
    {
        if (start_[body] == start_[body + 1]) return;
        const Part& part = parts_[start_[body]];
        const std::size_t size = part.model->vertex.size() + part.model->normal.size();
        for (std::size_t k = 0; k < size; k += lane_count) __builtin_prefetch(columns_.data() + part.vertices + k);
        const auto* edges = reinterpret_cast<const char*>(part.model->edges.data());
        for (std::size_t k = 0; k < part.model->edges.size() * sizeof(ConvexEdge); k += 64) {
            __builtin_prefetch(edges + k);
        }
    }
    const MeshTree& mesh(std::int32_t detail) const { return *meshes_[detail]; }
    // Distance of a world point to a body, or less; negative inside. It changes no faster than the point moves.
    double distance(const ShapeTable<D>& shapes, std::size_t body, const Vec<D>& position,
                    const Rotation<D>& orientation, const Vec<D>& point) const;

  private:
    struct Part {
        const ConvexModel<D>* model;
        std::size_t vertices, normals; // where its columns begin
        Vec<D> centre;
        double rounding;
    };
    void learn(const ShapeTable<D>& shapes);
    void lay_out(const ShapeTable<D>& shapes, std::span<const std::int32_t> shape);

    std::vector<std::unique_ptr<ConvexModel<D>>> polytopes_, segments_;
    std::vector<std::unique_ptr<MeshTree>> meshes_;
    std::vector<std::int32_t> shape_; // of each body, as laid out
    std::vector<std::size_t> start_;  // of the parts of each body
    std::vector<Part> parts_;
    LaneColumn columns_;
};

} // namespace talus
