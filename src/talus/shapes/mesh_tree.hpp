// A triangle mesh prepared for contact: a tree of boxes to find the triangles near a point, and who is whose neighbour.
#pragma once

#include "talus/shapes/polytope.hpp"
#include "talus/shapes/triangle_mesh.hpp"

namespace talus {

class MeshTree {
  public:
    explicit MeshTree(const TriangleMesh& mesh);

    // Triangles whose box is within `reach` of the point, by growing index. Points are in the frame of the mesh.
    void near(const Vec<3>& point, double reach, std::vector<std::int32_t>& triangles) const;
    // Distance of the nearest triangle.
    double distance(const Vec<3>& point) const;

    const Vec<3>& corner(std::int32_t triangle, int k) const
    {
        return mesh_.vertices[mesh_.triangles[triangle][k % 3]];
    }
    const Vec<3>& normal(std::int32_t triangle) const { return normals_[triangle]; }
    // The triangle beyond the edge from corner k to the next; −1 at a border.
    std::int32_t neighbour(std::int32_t triangle, int k) const { return neighbours_[triangle][k]; }

  private:
    struct Node {
        Bounds<3> box;
        std::int32_t first, count; // triangles of a leaf; count = 0: children at first, first + 1
    };
    std::int32_t build(std::int32_t node, std::int32_t first, std::int32_t count);
    void link_neighbours();

    TriangleMesh mesh_;
    std::vector<Vec<3>> normals_;
    std::vector<std::array<std::int32_t, 3>> neighbours_;
    std::vector<std::int32_t> order_; // triangles, leaf by leaf
    std::vector<Node> nodes_;
};

} // namespace talus
