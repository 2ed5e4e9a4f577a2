// Convex sets as the exact stage of detection sees them: a model in the frame of its own centre, shared by all bodies
// of that shape, and its vertices and face normals turned into the world, once per step and body. Everything is
// relative to the centre of the set, so nothing is lost far from the origin. A ball is a point with a rounding, a
// segment two.
#pragma once

#include "talus/math/lanes.hpp"
#include "talus/shapes/mesh_tree.hpp"
#include "talus/shapes/shape_table.hpp"

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
    LaneColumn vertex;             // D columns of padded(vertices): padded with the first vertex
    LaneColumn normal;             // D columns of padded(faces): unit, outward; padded with 0
    LaneColumn offset;             // padded(faces): normal·x on the face; padded with infinity
    std::vector<ConvexEdge> edges; // of a polyhedron
    // Who touches whom, end to end so that it is fetched at once: where the corners of each face begin, the corners,
    // the edge from each corner to the next, where the faces around each vertex begin, these faces.
    std::vector<std::int16_t> links;
    int corners_at = 0, sides_at = 0, around_start_at = 0, around_at = 0; // in the links
    Vec<D> centre = Vec<D>::Zero();                                       // [m] of this frame, in the frame of the body
    double inner = 0, outer = 0; // [m] radii of balls about the centre: inside, around
    bool thin = false;           // without inside: a point, a segment, a triangle

    // counter-clockwise from outside; in 2D the two ends
    std::span<const std::int16_t> corners(int face) const { return part(corners_at, links.data(), face); }
    std::span<const std::int16_t> sides(int face) const { return part(sides_at, links.data(), face); }
    std::span<const std::int16_t> faces_around(int v) const
    {
        return part(around_at, links.data() + around_start_at, v);
    }
    Vec<D> vertex_at(int v) const
    {
        Vec<D> x;
        for (int axis = 0; axis < D; ++axis) x[axis] = vertex[axis * padded(vertices) + v];
        return x;
    }

  private:
    std::span<const std::int16_t> part(int list_at, const std::int16_t* start, int k) const
    {
        return {links.data() + list_at + start[k], std::size_t(start[k + 1] - start[k])};
    }
};

template <int D>
ConvexModel<D> model_of(const Polytope<D>& polytope);
template <int D>
ConvexModel<D> model_of_segment(const Vec<D>& half);
ConvexModel<3> model_of_triangle(const Vec<3>& a, const Vec<3>& b, const Vec<3>& c);
template <int D>
const ConvexModel<D>& model_of_point();

template <int D>
struct Convex;
// As it stands, not turned.
template <int D>
Convex<D> placed(const ConvexModel<D>& model, const Vec<D>& centre, double rounding = 0);

// A model somewhere in the world.
template <int D>
struct Convex {
    const ConvexModel<D>* model;
    const double* vertices; // turned, as in the model
    const double* normals;  // turned
    const double* offsets;  // as in the model
    Vec<D> centre;          // [m] in the world
    double rounding;        // [m] the set is everything within this distance of it

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

template <int D>
Convex<D> placed(const ConvexModel<D>& model, const Vec<D>& centre, double rounding)
{
    return {&model, model.vertex.data(), model.normal.data(), model.offset.data(), centre, rounding};
}

// A model and its own turned columns, for a set that stands alone.
template <int D>
class LoneConvex {
  public:
    LoneConvex(const ConvexModel<D>& model, const Vec<D>& position, const Rotation<D>& orientation,
               double rounding = 0);
    Convex<D> view() const
    {
        return {model_, vertices_.data(), normals_.data(), model_->offset.data(), centre_, rounding_};
    }

  private:
    const ConvexModel<D>* model_;
    LaneColumn vertices_, normals_;
    Vec<D> centre_;
    double rounding_;
};

// The convex sets of all bodies: one for a segment or a polytope, several for a cluster, none for the others; and the
// trees of the meshes.
template <int D>
class ConvexBodies {
  public:
    void place(const ShapeTable<D>& shapes, std::span<const std::int32_t> shape, std::span<const Vec<D>> position,
               std::span<const Rotation<D>> orientation);
    int parts(std::size_t body) const { return int(start_[body + 1] - start_[body]); }
    Convex<D> part(std::size_t body, int part) const
    {
        const Part& p = parts_[start_[body] + part];
        const double* columns = columns_.data();
        return {p.model, columns + p.vertices, columns + p.normals, columns + p.offsets, p.centre, p.rounding};
    }

    // asks for what the exact stage will read of a body: bodies come in no spatial order, each is a cache miss
    void prefetch(std::size_t body) const
    {
        if (start_[body] == start_[body + 1]) return;
        const Part& part = parts_[start_[body]];
        for (std::size_t k = part.vertices; k < part.end; k += lane_count) __builtin_prefetch(columns_.data() + k);
        const auto prefetch_bytes = [](const void* from, std::size_t bytes) {
            for (std::size_t k = 0; k < bytes; k += 64) __builtin_prefetch(static_cast<const char*>(from) + k);
        };
        prefetch_bytes(part.model, sizeof(ConvexModel<D>));
        prefetch_bytes(part.edges, part.edge_bytes);
        prefetch_bytes(part.links, part.link_bytes);
    }
    const MeshTree& mesh(std::int32_t detail) const { return *meshes_[detail]; }
    // Distance of a world point to a body, or less; negative inside. It changes no faster than the point moves.
    double distance(const ShapeTable<D>& shapes, std::size_t body, const Vec<D>& position,
                    const Rotation<D>& orientation, const Vec<D>& point) const;

  private:
    struct Part {
        const ConvexModel<D>* model;
        const ConvexEdge* edges;
        const std::int16_t* links;
        std::size_t edge_bytes, link_bytes;
        std::size_t vertices, normals, offsets, end; // where its columns begin, and end
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
