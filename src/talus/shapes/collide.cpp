#include "talus/shapes/collide.hpp"

#include "talus/shapes/projection.hpp"

#include <algorithm>
#include <stdexcept>

namespace talus {

namespace {

// Grains before rods before walls.
int rank(ShapeKind kind)
{
    switch (kind) {
    case ShapeKind::ball:
        return 0;
    case ShapeKind::polytope:
    case ShapeKind::cluster:
        return 1;
    case ShapeKind::segment:
        return 2;
    default:
        return 3;
    }
}

std::uint64_t part_code(int candidate_part, int antagonist_part)
{
    return (std::uint64_t(candidate_part) << 20 | std::uint64_t(antagonist_part)) << 24;
}

template <int D>
int part_count(const ExactStage<D>& stage, const typename ExactStage<D>::Body& body)
{
    return body.placed.shape.kind == ShapeKind::ball ? 1 : stage.convex.parts(body.index);
}

template <int D>
Convex<D> part_of(const ExactStage<D>& stage, const typename ExactStage<D>::Body& body, int part)
{
    if (body.placed.shape.kind != ShapeKind::ball) return stage.convex.part(body.index, part);
    return placed(model_of_point<D>(), body.placed.position, body.placed.shape.radius);
}

// The rows of one pair of parts among those of the pair of bodies.
template <int D>
struct PartMemory {
    std::span<const std::uint64_t> features;
    Vec<D> previous; // direction, from candidate to antagonist
    PartMemory(const PairMemory<D>& memory, std::uint64_t code)
    {
        const auto is_before = [](std::uint64_t feature, std::uint64_t limit) { return feature < limit; };
        const auto begin = std::lower_bound(memory.features.begin(), memory.features.end(), code, is_before);
        const auto end = std::lower_bound(begin, memory.features.end(), code + (1u << 24), is_before);
        features = {begin, end};
        if (!features.empty()) previous = -memory.normals[begin - memory.features.begin()];
    }
};

template <int D>
void append(const Convex<D>& candidate, const Vec<D>& normal, const Manifold<D>& manifold, std::uint64_t code,
            std::vector<ContactPoint<D>>& points)
{
    for (int k = 0; k < manifold.count; ++k) {
        const ManifoldPoint<D>& p = manifold.points[k];
        points.push_back({candidate.centre + p.point, normal, p.gap, code | p.feature, std::uint8_t(manifold.count)});
    }
}

template <int D>
void collide_parts(const ExactStage<D>& stage, const typename ExactStage<D>::Body& candidate,
                   const typename ExactStage<D>::Body& antagonist, const PairMemory<D>& memory, Vec<D>& witness,
                   std::vector<ContactPoint<D>>& points)
{
    const int parts_c = part_count(stage, candidate), parts_a = part_count(stage, antagonist);
    const bool single = parts_c == 1 && parts_a == 1;
    for (int i = 0; i < parts_c; ++i) {
        const Convex<D> c = part_of(stage, candidate, i);
        for (int j = 0; j < parts_a; ++j) {
            const Convex<D> a = part_of(stage, antagonist, j);
            const double reach = c.reach() + a.reach() + stage.alert;
            if ((c.centre - a.centre).squaredNorm() > reach * reach) continue;
            const std::uint64_t code = part_code(i, j);
            const PartMemory<D> before(memory, code);
            AxisHint<D> hint;
            if (!before.features.empty()) hint.previous = &before.previous;
            Separation<D> separation;
            if (!separate(c, a, stage.alert, hint, separation)) {
                if (single) witness = separation.direction;
                continue;
            }
            const Manifold<D> manifold =
                manifold_of(c, a, separation, {stage.alert, stage.most_points, before.features});
            append<D>(c, -separation.direction, manifold, code, points);
        }
    }
}

template <int D>
void collide_with_half_space(const ExactStage<D>& stage, const typename ExactStage<D>::Body& candidate,
                             const Placed<D>& wall, const PairMemory<D>& memory, std::vector<ContactPoint<D>>& points)
{
    const Vec<D> normal = wall.orientation * stage.shapes.half_spaces[wall.shape.detail].normal;
    for (int i = 0; i < part_count(stage, candidate); ++i) {
        const Convex<D> c = part_of(stage, candidate, i);
        const double height = (wall.position - c.centre).dot(normal);
        if (-height - c.reach() > stage.alert) continue;
        const std::uint64_t code = part_code(i, 0);
        const PartMemory<D> before(memory, code);
        append<D>(c, normal, manifold_on_wall(c, normal, height, {stage.alert, stage.most_points, before.features}),
                  code, points);
    }
}

// A bowl or a drum: it is met by vertices, each along its own normal.
template <int D>
void collide_with_hollow(const ExactStage<D>& stage, const typename ExactStage<D>::Body& candidate,
                         const Placed<D>& wall, std::vector<ContactPoint<D>>& points)
{
    for (int i = 0; i < part_count(stage, candidate); ++i) {
        const Convex<D> c = part_of(stage, candidate, i);
        const std::size_t first = points.size();
        for (int v = 0; v < c.model->vertices; ++v) {
            const Vec<D> vertex = c.centre + c.vertex(v);
            const Shape<D> tip{ShapeKind::ball, 0, c.rounding};
            ContactPoint<D> contact = ball_contact<D>(stage.shapes, {tip, vertex, wall.orientation}, wall);
            if (!(contact.gap <= stage.alert)) continue;
            contact.feature = part_code(i, 0) | vertex_of_a(v);
            points.push_back(contact);
        }
        const std::uint8_t met = std::uint8_t(std::min<std::size_t>(points.size() - first, most_points));
        for (std::size_t k = first; k < points.size(); ++k) points[k].points = met;
    }
}

// One triangle of a sheet in the world, seen from the side where the grain is.
struct SheetTriangle {
    ConvexModel<3> model;
    Vec<3> centre; // [m] in the world
    Vec<3> outward;
    std::array<Vec<3>, 3> corner; // relative to the centre
    double side;                  // +1: the grain is where the triangle's normal points to

    SheetTriangle(const MeshTree& tree, std::int32_t index, const Placed<3>& wall, const Vec<3>& grain)
    {
        for (int k = 0; k < 3; ++k) corner[k] = wall.orientation * tree.corner(index, k);
        model = model_of_triangle(corner[0], corner[1], corner[2]);
        centre = wall.position + model.centre;
        for (Vec<3>& c : corner) c -= model.centre;
        outward = wall.orientation * tree.normal(index);
        side = (grain - centre).dot(outward) >= 0 ? 1.0 : -1.0;
        outward *= side;
    }
    Convex<3> view() const { return placed(model, centre); }

    // Whether a sheet with these neighbours can be met at `place` (relative to the centre) along `normal`. On an edge
    // that two triangles share, only along normals between theirs, and not at all where the sheet is flat or hollow:
    // grains slide over the seams.
    bool can_be_met(const MeshTree& tree, std::int32_t index, const Rotation<3>& turn, const Vec<3>& place,
                    const Vec<3>& normal) const
    {
        for (int k = 0; k < 3; ++k) {
            const std::int32_t other = tree.neighbour(index, k);
            if (other < 0) continue;
            const Vec<3> along = (corner[(k + 1) % 3] - corner[k]).normalized();
            const Vec<3> away = side * along.cross(outward);                   // in the plane, out of the triangle
            if ((place - corner[k]).dot(away) < -1e-6 * model.outer) continue; // not on this edge
            const double lean = side * (turn * tree.normal(other)).dot(away);  // > 0 at a ridge
            if (normal.dot(away) > std::max(lean, 0.0) + 1e-9) return false;
        }
        return true;
    }
};

// Whether nothing within `reach` of `place`, seen from the mesh, can meet the triangle: it is beyond its plane or one
// of its edges. Boxes of long slanting triangles are large, and hold much that is nowhere near.
bool is_out_of_reach(const MeshTree& tree, std::int32_t index, const Vec<3>& place, double reach)
{
    reach *= 1 + 1e-9; // round-off must not part what touches
    const Vec<3>& normal = tree.normal(index);
    if (std::abs((place - tree.corner(index, 0)).dot(normal)) > reach) return true;
    for (int k = 0; k < 3; ++k) {
        const Vec<3> away = (tree.corner(index, (k + 1) % 3) - tree.corner(index, k)).cross(normal);
        if ((place - tree.corner(index, k)).dot(away) > reach * away.norm()) return true;
    }
    return false;
}

// Triangles that share a seam may find the same point.
void append_once(const Convex<3>& candidate, const Vec<3>& normal, Manifold<3> manifold, std::uint64_t code,
                 std::size_t first, std::vector<ContactPoint<3>>& points)
{
    const double same = 1e-6 * candidate.reach();
    const auto is_known = [&](const ManifoldPoint<3>& p) {
        return std::any_of(points.begin() + std::ptrdiff_t(first), points.end(), [&](const ContactPoint<3>& q) {
            return (q.point - candidate.centre - p.point).norm() <= same && q.normal.dot(normal) > 1 - 1e-6;
        });
    };
    const auto end = std::remove_if(manifold.points.begin(), manifold.points.begin() + manifold.count, is_known);
    manifold.count = int(end - manifold.points.begin());
    append<3>(candidate, normal, manifold, code, points);
}

void collide_with_mesh(const ExactStage<3>& stage, const ExactStage<3>::Body& candidate,
                       const ExactStage<3>::Body& antagonist, const PairMemory<3>& memory,
                       std::vector<ContactPoint<3>>& points)
{
    const Placed<3>& wall = antagonist.placed;
    const MeshTree& tree = stage.convex.mesh(wall.shape.detail);
    static thread_local std::vector<std::int32_t> triangles;
    for (int i = 0; i < part_count(stage, candidate); ++i) {
        const Convex<3> c = part_of(stage, candidate, i);
        const std::size_t first = points.size();
        const Vec<3> place = wall.orientation.inverse() * Vec<3>(c.centre - wall.position);
        const double reach = c.reach() + stage.alert;
        tree.near(place, reach, triangles);
        for (const std::int32_t t : triangles) {
            if (is_out_of_reach(tree, t, place, reach)) continue;
            const SheetTriangle sheet(tree, t, wall, c.centre);
            const Convex<3> a = sheet.view();
            const std::uint64_t code = part_code(i, t);
            const PartMemory<3> before(memory, code);
            ManifoldOptions options{stage.alert, stage.most_points, before.features};
            Separation<3> separation;
            if (!separate(c, a, stage.alert, {}, separation)) continue;
            Manifold<3> manifold = manifold_of(c, a, separation, options);
            const Vec<3> normal = -separation.direction;
            const auto& deepest = *std::min_element(manifold.points.begin(), manifold.points.begin() + manifold.count,
                                                    [](const auto& x, const auto& y) { return x.gap < y.gap; });
            const Vec<3> met = c.centre + deepest.point - 0.5 * deepest.gap * normal - a.centre;
            if (normal.dot(sheet.outward) < 1 - 1e-9 && !sheet.can_be_met(tree, t, wall.orientation, met, normal)) {
                // a seam: only what stands over the triangle itself counts, along its normal
                separation.direction = -sheet.outward;
                separation.distance =
                    separation_along<3>(c, a, Vec<3>(a.centre - c.centre), separation.direction) - c.rounding;
                separation.has_closest = separation.tied = false;
                options.only_over_each_other = true;
                manifold = manifold_of(c, a, separation, options);
            }
            append_once(c, -separation.direction, manifold, code, first, points);
        }
    }
}
void collide_with_mesh(const ExactStage<2>&, const ExactStage<2>::Body&, const ExactStage<2>::Body&,
                       const PairMemory<2>&, std::vector<ContactPoint<2>>&)
{
    throw std::logic_error("a triangle mesh lives in three dimensions");
}

} // namespace

bool can_collide(ShapeKind a, ShapeKind b) { return rank(a) < 3 || rank(b) < 3; }

bool second_is_candidate(ShapeKind first, ShapeKind second) { return rank(second) < rank(first); }

template <int D>
bool ExactStage<D>::parts(const Body& candidate, const Body& antagonist, const Vec<D>& direction) const
{
    return is_parted(part_of(*this, candidate, 0), part_of(*this, antagonist, 0), alert, direction);
}

template <int D>
void ExactStage<D>::collide(const Body& candidate, const Body& antagonist, const PairMemory<D>& memory, Vec<D>& witness,
                            std::vector<ContactPoint<D>>& points) const
{
    const ShapeKind other = antagonist.placed.shape.kind;
    if (candidate.placed.shape.kind == ShapeKind::ball && has_ball_formula(other)) {
        const ContactPoint<D> contact = ball_contact<D>(shapes, candidate.placed, antagonist.placed);
        if (contact.gap <= alert) points.push_back(contact);
        return;
    }
    switch (other) {
    case ShapeKind::half_space:
        return collide_with_half_space(*this, candidate, antagonist.placed, memory, points);
    case ShapeKind::hollow_ball:
    case ShapeKind::hollow_cylinder:
        return collide_with_hollow(*this, candidate, antagonist.placed, points);
    case ShapeKind::mesh:
        return collide_with_mesh(*this, candidate, antagonist, memory, points);
    default:
        return collide_parts(*this, candidate, antagonist, memory, witness, points);
    }
}

template struct ExactStage<2>;
template struct ExactStage<3>;

} // namespace talus
