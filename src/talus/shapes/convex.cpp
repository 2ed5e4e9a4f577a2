#include "talus/shapes/convex.hpp"

#include "talus/base/error.hpp"
#include "talus/exec/parallel.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace talus {

namespace {

template <int D>
void fill(LaneColumn& columns, const std::vector<Vec<D>>& items, const Vec<D>& filler)
{
    const int rows = padded(int(items.size()));
    columns.assign(std::size_t(D) * rows, 0.0);
    for (int axis = 0; axis < D; ++axis) {
        for (int i = 0; i < rows; ++i) {
            columns[axis * rows + i] = i < int(items.size()) ? items[i][axis] : filler[axis];
        }
    }
}

// Vertices about `centre`, faces with their offsets, and who touches whom.
template <int D>
ConvexModel<D> model_of(const std::vector<Vec<D>>& points, const std::vector<Plane<D>>& planes, const Vec<D>& centre)
{
    ConvexModel<D> model;
    model.centre = centre;
    model.vertices = int(points.size());
    model.faces = int(planes.size());
    std::vector<Vec<D>> about, normals;
    for (const Vec<D>& point : points) {
        about.push_back(point - centre);
        model.outer = std::max(model.outer, about.back().norm());
    }
    model.offset.assign(padded(model.faces), std::numeric_limits<double>::infinity());
    model.inner = planes.empty() ? 0 : std::numeric_limits<double>::infinity();
    for (std::size_t f = 0; f < planes.size(); ++f) {
        normals.push_back(planes[f].normal);
        // the highest vertex, not the given plane: no vertex may stand out by rounding
        double highest = -std::numeric_limits<double>::infinity();
        for (const Vec<D>& x : about) highest = std::max(highest, planes[f].normal.dot(x));
        model.offset[f] = highest;
        model.inner = std::min(model.inner, highest);
    }
    fill<D>(model.vertex, about, about[0]);
    fill<D>(model.normal, normals, Vec<D>::Zero());
    return model;
}

template <int D>
int edge_between(const ConvexModel<D>& model, int u, int v)
{
    for (std::size_t e = 0; e < model.edges.size(); ++e) {
        const ConvexEdge& edge = model.edges[e];
        if ((edge.from == u && edge.to == v) || (edge.from == v && edge.to == u)) return int(e);
    }
    return 0; // 2D: there are none
}

// From the corners of each face and the edges: the links, and the angles across the edges.
template <int D>
void link(ConvexModel<D>& model, const std::vector<std::vector<std::int32_t>>& faces)
{
    std::vector<std::int16_t> start = {0}, corners, sides, around_start = {0}, around;
    for (const auto& face : faces) {
        for (std::size_t k = 0; k < face.size(); ++k) {
            corners.push_back(std::int16_t(face[k]));
            sides.push_back(std::int16_t(edge_between(model, face[k], face[(k + 1) % face.size()])));
        }
        start.push_back(std::int16_t(corners.size()));
    }
    for (int v = 0; v < model.vertices; ++v) {
        for (std::size_t f = 0; f < faces.size(); ++f) {
            if (std::find(faces[f].begin(), faces[f].end(), v) != faces[f].end()) around.push_back(std::int16_t(f));
        }
        around_start.push_back(std::int16_t(around.size()));
    }
    const auto append = [&](const std::vector<std::int16_t>& list) {
        const int at = int(model.links.size());
        model.links.insert(model.links.end(), list.begin(), list.end());
        return at;
    };
    append(start);
    model.corners_at = append(corners);
    model.sides_at = append(sides);
    model.around_start_at = append(around_start);
    model.around_at = append(around);
    const auto normal = [&](int f) {
        Vec<D> n;
        for (int axis = 0; axis < D; ++axis) n[axis] = model.normal[axis * padded(model.faces) + f];
        return n;
    };
    for (ConvexEdge& edge : model.edges) {
        if (model.thin) continue;
        const double cosine = normal(edge.left).dot(normal(edge.right));
        edge.inverse_cos_half = float((1 + 1e-6) / std::sqrt(std::max(0.5 * (1 + cosine), 1e-6)));
    }
}

} // namespace

template <int D>
void check_size(const Polytope<D>& polytope)
{
    const auto refuse = [](const char* what, std::size_t count, int most) {
        if (count <= std::size_t(most)) return;
        throw InputError(fmt::format("a convex part has {} {}: contact is found for at most {}", count, what, most));
    };
    refuse("faces", polytope.face_count(), most_faces);
    refuse("edges", polytope.edges.size(), most_edges);
    for (std::size_t f = 0; f < polytope.face_count(); ++f)
        refuse("corners on a face", polytope.face(f).size(), most_corners);
}

template <int D>
ConvexModel<D> model_of(const Polytope<D>& polytope)
{
    check_size(polytope);
    const Vec<D> centre = mass_properties(polytope).centre;
    // a grain is about its centre of mass already: do not shift it by rounding
    const bool centred = centre.norm() <= 1e-12 * polytope.bounding_radius();
    ConvexModel<D> model = model_of<D>(polytope.vertices, polytope.planes, centred ? Vec<D>(Vec<D>::Zero()) : centre);
    std::vector<std::vector<std::int32_t>> loops;
    for (std::size_t f = 0; f < polytope.face_count(); ++f) {
        const auto face = polytope.face(f);
        loops.emplace_back(face.begin(), face.end());
    }
    for (const PolytopeEdge& edge : polytope.edges) {
        model.edges.push_back({std::int16_t(edge.vertices[0]), std::int16_t(edge.vertices[1]),
                               std::int16_t(edge.faces[0]), std::int16_t(edge.faces[1])});
    }
    link(model, loops);
    return model;
}

template <int D>
ConvexModel<D> model_of_segment(const Vec<D>& half)
{
    std::vector<Plane<D>> planes;
    if constexpr (D == 2) {
        const Vec<2> across = Vec<2>(half[1], -half[0]).normalized();
        planes = {{across, 0.0}, {-across, 0.0}};
    }
    ConvexModel<D> model = model_of<D>({Vec<D>(-half), half}, planes, Vec<D>::Zero());
    model.thin = true;
    std::vector<std::vector<std::int32_t>> loops;
    if constexpr (D == 2) loops = {{0, 1}, {1, 0}};
    if constexpr (D == 3) model.edges.push_back({0, 1, -1, -1});
    link(model, loops);
    return model;
}

ConvexModel<3> model_of_triangle(const Vec<3>& a, const Vec<3>& b, const Vec<3>& c)
{
    const Vec<3> normal = (b - a).cross(c - a).normalized();
    ConvexModel<3> model = model_of<3>({a, b, c}, {{normal, 0.0}, {-normal, 0.0}}, Vec<3>((a + b + c) / 3));
    model.thin = true;
    model.edges = {{0, 1, 0, 1}, {1, 2, 0, 1}, {2, 0, 0, 1}};
    link(model, {{0, 1, 2}, {0, 2, 1}});
    return model;
}

template <int D>
const ConvexModel<D>& model_of_point()
{
    static const ConvexModel<D> model = [] {
        ConvexModel<D> point = model_of<D>({Vec<D>(Vec<D>::Zero())}, {}, Vec<D>::Zero());
        point.thin = true;
        link(point, {});
        return point;
    }();
    return model;
}

namespace {

template <int D>
TALUS_INLINE void turn_columns(const Mat<D>& turn, const LaneColumn& from, int rows, double* to)
{
    for (int row = 0; row < rows; row += lane_count) {
        Lanes x[D];
        for (int k = 0; k < D; ++k) x[k] = *reinterpret_cast<const Lanes*>(from.data() + k * rows + row);
        for (int axis = 0; axis < D; ++axis) {
            Lanes sum = x[0] * turn(axis, 0);
            for (int k = 1; k < D; ++k) sum += x[k] * turn(axis, k);
            *reinterpret_cast<Lanes*>(to + axis * rows + row) = sum;
        }
    }
}

// not templates: only such functions can be compiled for several instruction sets
#define TALUS_TURN(D)                                                                                                  \
    TALUS_WIDE void turn_model(const Mat<D>& turn, const ConvexModel<D>& model, double* vertices, double* normals)     \
    {                                                                                                                  \
        turn_columns<D>(turn, model.vertex, padded(model.vertices), vertices);                                         \
        turn_columns<D>(turn, model.normal, padded(model.faces), normals);                                             \
    }
TALUS_TURN(2)
TALUS_TURN(3)
#undef TALUS_TURN

} // namespace

template <int D>
LoneConvex<D>::LoneConvex(const ConvexModel<D>& model, const Vec<D>& position, const Rotation<D>& orientation,
                          double rounding)
    : model_(&model), vertices_(model.vertex.size()), normals_(model.normal.size()),
      centre_(position + orientation * model.centre), rounding_(rounding)
{
    const Mat<D> turn = orientation.matrix();
    turn_model(turn, model, vertices_.data(), normals_.data());
}

template <int D>
void ConvexBodies<D>::learn(const ShapeTable<D>& shapes)
{
    for (std::size_t k = polytopes_.size(); k < shapes.polytopes.size(); ++k) {
        polytopes_.push_back(std::make_unique<ConvexModel<D>>(model_of(shapes.polytopes[k])));
    }
    for (std::size_t k = segments_.size(); k < shapes.segments.size(); ++k) {
        segments_.push_back(std::make_unique<ConvexModel<D>>(model_of_segment<D>(shapes.segments[k].half)));
    }
    for (std::size_t k = meshes_.size(); k < shapes.meshes.size(); ++k) {
        meshes_.push_back(std::make_unique<MeshTree>(shapes.meshes[k]));
    }
}

namespace {

template <int D>
std::size_t parts_of(const ShapeTable<D>& shapes, std::int32_t index)
{
    const Shape<D>& shape = shapes[index];
    if (shape.kind == ShapeKind::cluster) return std::size_t(shapes.clusters[shape.detail].count);
    return shape.kind == ShapeKind::polytope || shape.kind == ShapeKind::segment ? 1 : 0;
}

} // namespace

template <int D>
void ConvexBodies<D>::lay_out(const ShapeTable<D>& shapes, std::span<const std::int32_t> shape)
{
    shape_.assign(shape.begin(), shape.end());
    parts_.clear();
    start_.resize(shape.size() + 1);
    start_.back() = 0;
    parallel_for(shape.size(), [&](std::size_t i) { start_[i] = parts_of(shapes, shape[i]); });
    std::vector<std::size_t> owner(exclusive_scan(start_)); // body of each part
    parallel_for(shape.size(), [&](std::size_t i) {
        for (std::size_t k = start_[i]; k < start_[i + 1]; ++k) owner[k] = i;
    });
    std::size_t used = 0;
    const auto add = [&](const ConvexModel<D>& model, double rounding) {
        const std::size_t normals = used + model.vertex.size(), offsets = normals + model.normal.size();
        const std::size_t end = offsets + model.offset.size();
        parts_.push_back({&model, model.edges.data(), model.links.data(), model.edges.size() * sizeof(ConvexEdge),
                          model.links.size() * sizeof(model.links[0]), used, normals, offsets, end, Vec<D>::Zero(),
                          rounding});
        used = end;
    };
    for (std::size_t part = 0; part < owner.size(); ++part) {
        const Shape<D>& s = shapes[shape[owner[part]]];
        if (s.kind == ShapeKind::polytope) add(*polytopes_[s.detail], 0);
        if (s.kind == ShapeKind::segment) add(*segments_[s.detail], s.radius);
        if (s.kind == ShapeKind::cluster)
            add(*polytopes_[std::size_t(shapes.clusters[s.detail].first) + part - start_[owner[part]]], 0);
    }
    columns_.resize(used);
    for (const Part& part : parts_) {
        std::copy(part.model->offset.begin(), part.model->offset.end(),
                  columns_.begin() + std::ptrdiff_t(part.offsets));
    }
}

template <int D>
void ConvexBodies<D>::place(const ShapeTable<D>& shapes, std::span<const std::int32_t> shape,
                            std::span<const Vec<D>> position, std::span<const Rotation<D>> orientation)
{
    learn(shapes);
    if (!std::equal(shape.begin(), shape.end(), shape_.begin(), shape_.end()) || start_.empty()) {
        lay_out(shapes, shape);
    }
    parallel_for(shape.size(), [&](std::size_t i) {
        if (start_[i] == start_[i + 1]) return;
        const Mat<D> turn = orientation[i].matrix();
        for (std::size_t k = start_[i]; k < start_[i + 1]; ++k) {
            Part& part = parts_[k];
            part.centre = position[i] + turn * part.model->centre;
            turn_model(turn, *part.model, columns_.data() + part.vertices, columns_.data() + part.normals);
        }
    });
}

template <int D>
double ConvexBodies<D>::distance(const ShapeTable<D>& shapes, std::size_t body, const Vec<D>& position,
                                 const Rotation<D>& orientation, const Vec<D>& point) const
{
    const Shape<D>& shape = shapes[shape_[body]];
    if (is_unbounded(shape.kind)) return wall_distance(shapes, shape_[body], position, orientation, point);
    if constexpr (D == 3) {
        if (shape.kind == ShapeKind::mesh) {
            return meshes_[shape.detail]->distance(orientation.inverse() * Vec<3>(point - position));
        }
    }
    if (shape.kind == ShapeKind::ball) return (point - position).norm() - shape.radius;
    double least = std::numeric_limits<double>::infinity();
    for (int k = 0; k < parts(body); ++k) {
        const Convex<D> set = part(body, k);
        const Vec<D> place = point - set.centre;
        double above =
            set.model->faces == 0 ? place.norm() - set.model->outer : -std::numeric_limits<double>::infinity();
        for (int f = 0; f < set.model->faces; ++f) {
            above = std::max(above, set.normal(f).dot(place) - set.offsets[f]);
        }
        least = std::min(least, above - set.rounding);
    }
    return least;
}

#define TALUS_INSTANTIATE(D)                                                                                           \
    template ConvexModel<D> model_of(const Polytope<D>&);                                                              \
    template ConvexModel<D> model_of_segment<D>(const Vec<D>&);                                                        \
    template const ConvexModel<D>& model_of_point<D>();                                                                \
    template class LoneConvex<D>;                                                                                      \
    template class ConvexBodies<D>;
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

} // namespace talus
