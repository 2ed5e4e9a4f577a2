#include "report/sketch.hpp"

#include "report/projection.hpp"
#include "shapes/convex_parts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace talus::report {
namespace {

constexpr std::int32_t buckets = 64; // of colour

template <int D>
struct Box {
    Vec<D> lower = Vec<D>::Constant(std::numeric_limits<double>::infinity());
    Vec<D> upper = -lower;

    bool is_empty() const { return !(lower.array() <= upper.array()).all(); }
    void reach(const Vec<D>& point, double radius = 0)
    {
        lower = lower.cwiseMin(Vec<D>(point.array() - radius));
        upper = upper.cwiseMax(Vec<D>(point.array() + radius));
    }
    void widen(double by)
    {
        lower.array() -= by;
        upper.array() += by;
    }
    double largest() const { return (upper - lower).maxCoeff(); }
    bool meets(const Vec<D>& point, double radius) const
    {
        return ((point.array() + radius) > lower.array()).all() && ((point.array() - radius) < upper.array()).all();
    }
};

template <int D>
class Sketcher {
  public:
    Sketcher(const io::Frame<D>& frame, View view) : frame_(frame), projection_(projection_of<D>(view)) {}

    Sketch draw(Quantity quantity)
    {
        choose_colours(quantity);
        find_box();
        for (std::size_t i = 0; i < frame_.bodies.size(); ++i) add_body(i);
        add_walls();
        add_chains();
        sketch_.axes = shown_axes(projection_);
        sketch_.is_flat = sketch_.axes.empty();
        choose_bounds();
        return std::move(sketch_);
    }

  private:
    const Shape<D>& shape(std::size_t i) const { return frame_.shapes[frame_.bodies.shape[i]]; }
    bool is_wall(std::size_t i) const { return is_unbounded(shape(i).kind) || shape(i).kind == ShapeKind::mesh; }
    bool is_shown(std::size_t i) const { return frame_.bodies.position[i].allFinite() && !is_wall(i); }
    bool is_grain(std::size_t i) const { return !is_wall(i) && !frame_.bodies.is_passive(i); }
    double radius(std::size_t i) const { return bounding_radius(frame_.shapes, frame_.bodies.shape[i]); }
    Vec<D> wall_normal(std::size_t i) const
    {
        return frame_.bodies.orientation[i] * frame_.shapes.half_spaces[std::size_t(shape(i).detail)].normal;
    }

    void choose_colours(Quantity quantity);
    void name_materials();
    void find_box();
    Box<D> box_of_grains() const;
    void add_body(std::size_t i);
    void add_solid(std::size_t i, const Polytope<D>& part);
    void add_walls();
    void add_half_space(std::size_t i);
    void add_chains();
    void choose_bounds();

    const io::Frame<D>& frame_;
    Projection<D> projection_;
    Box<D> box_;                                                  // of what is shown
    double grain_size_ = std::numeric_limits<double>::infinity(); // [m] mean diameter
    std::vector<std::int32_t> colour_;
    Sketch sketch_;
};

template <int D>
void Sketcher<D>::choose_colours(Quantity quantity)
{
    static const Legend legends[] = {{"speed", "m/s", {}, {}},
                                     {"load", "N", {}, {}},
                                     {"diameter", "m", {}, {}},
                                     {"material", "", {}, {}},
                                     {"rotation rate", "rad/s", {}, {}}};
    sketch_.legend = legends[std::size_t(quantity)];
    const std::vector<double> values = body_values(frame_, quantity);
    std::vector<double> of_grains;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (is_grain(i)) of_grains.push_back(values[i]);
    }
    sketch_.grains = of_grains.size();
    colour_.resize(values.size());
    if (quantity == Quantity::material) {
        name_materials();
        return;
    }
    sketch_.legend.range = range_of(std::move(of_grains), quantity != Quantity::size);
    for (std::int32_t b = 0; b < buckets; ++b) sketch_.palette.push_back(viridis((b + 0.5) / buckets));
    sketch_.palette.push_back(neutral);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const bool is_neutral = !is_grain(i) || !std::isfinite(values[i]);
        const double part = is_neutral ? 0 : sketch_.legend.range.part_of(values[i]);
        colour_[i] = is_neutral ? buckets : std::min(std::int32_t(part * buckets), buckets - 1);
        sketch_.has_imposed |= is_neutral && !is_wall(i);
    }
}

template <int D>
void Sketcher<D>::name_materials()
{
    std::vector<bool> is_used(frame_.materials.size(), false);
    for (std::size_t i = 0; i < colour_.size(); ++i) {
        colour_[i] = frame_.bodies.material[i];
        if (!is_wall(i)) is_used[std::size_t(colour_[i])] = true;
    }
    for (std::size_t m = 0; m < frame_.materials.size(); ++m) {
        sketch_.palette.push_back(qualitative(m));
        if (is_used[m]) sketch_.legend.names.push_back({frame_.materials[m], std::int32_t(m)});
    }
}

// Around the grains; a few that flew far away must not shrink all the others to dots.
template <int D>
Box<D> Sketcher<D>::box_of_grains() const
{
    Box<D> box;
    std::vector<std::size_t> grains;
    for (std::size_t i = 0; i < frame_.bodies.size(); ++i) {
        if (!is_shown(i) || !is_grain(i)) continue;
        grains.push_back(i);
        box.reach(frame_.bodies.position[i], radius(i));
    }
    constexpr std::size_t enough = 100; // for quantiles to mean something
    if (grains.size() < enough) return box;
    for (int axis = 0; axis < D; ++axis) {
        std::vector<double> lower, upper;
        for (const std::size_t i : grains) {
            lower.push_back(frame_.bodies.position[i][axis] - radius(i));
            upper.push_back(frame_.bodies.position[i][axis] + radius(i));
        }
        const auto few = std::ptrdiff_t(0.01 * double(grains.size()));
        std::nth_element(lower.begin(), lower.begin() + few, lower.end());
        std::nth_element(upper.begin(), upper.end() - 1 - few, upper.end());
        const double from = *(lower.begin() + few), to = *(upper.end() - 1 - few);
        if (box.upper[axis] - box.lower[axis] < 2.5 * (to - from)) continue;
        box.lower[axis] = std::max(box.lower[axis], from - 0.25 * (to - from));
        box.upper[axis] = std::min(box.upper[axis], to + 0.25 * (to - from));
    }
    return box;
}

template <int D>
void Sketcher<D>::find_box()
{
    box_ = box_of_grains();
    double sum = 0;
    for (std::size_t i = 0; i < frame_.bodies.size(); ++i) sum += is_grain(i) ? 2 * radius(i) : 0;
    if (sketch_.grains > 0) grain_size_ = sum / double(sketch_.grains);
    for (std::size_t i = 0; i < frame_.bodies.size(); ++i) {
        const bool is_mesh = shape(i).kind == ShapeKind::mesh && frame_.bodies.position[i].allFinite();
        if (is_mesh || (is_shown(i) && !is_grain(i))) box_.reach(frame_.bodies.position[i], radius(i));
        for (const auto& curve : rounded_walls(frame_, i, projection_)) {
            for (const Vec<D>& point : curve) box_.reach(point);
        }
    }
    if (box_.is_empty()) box_.reach(Vec<D>::Zero(), 0.5);
    // a wall nearby belongs to the picture; the floor does from further away, and for a lonely grain every wall
    const double size = box_.largest();
    for (std::size_t i = 0; i < frame_.bodies.size(); ++i) {
        if (shape(i).kind != ShapeKind::half_space) continue;
        const Vec<D> normal = wall_normal(i);
        const Vec<D> nearest = (normal.array() > 0).select(box_.lower, box_.upper);
        const double distance = normal.dot(nearest - frame_.bodies.position[i]);
        const double limit = (sketch_.grains < 10 || normal[D - 1] > 0.5 ? 6.0 : 0.35) * size;
        if (!(distance > 0 && distance <= limit)) continue;
        box_.lower += Vec<D>((-distance * normal).cwiseMin(0));
        box_.upper += Vec<D>((-distance * normal).cwiseMax(0));
    }
    box_.widen(0.03 * box_.largest());
}

template <int D>
void Sketcher<D>::add_body(std::size_t i)
{
    if (is_wall(i)) return;
    const Vec<D>& position = frame_.bodies.position[i];
    const Rotation<D>& orientation = frame_.bodies.orientation[i];
    if (!is_shown(i) || !box_.meets(position, radius(i))) {
        sketch_.beyond += is_grain(i);
        return;
    }
    const double depth = projection_.depth(position);
    const Vec<2> centre = projection_(position);
    const std::int32_t detail = shape(i).detail, colour = colour_[i];
    if (shape(i).kind == ShapeKind::ball) {
        const Vec<D> arm = orientation * Vec<D>(shape(i).radius * Vec<D>::Unit(0));
        sketch_.balls.push_back({centre, depth, shape(i).radius, projection_(arm), colour});
    } else if (shape(i).kind == ShapeKind::segment) {
        const Vec<D> half = orientation * frame_.shapes.segments[std::size_t(detail)].half;
        sketch_.rods.push_back(
            {projection_(position - half), projection_(position + half), depth, shape(i).radius, colour});
    } else {
        for (const Polytope<D>& part : convex_parts(frame_.shapes, frame_.bodies.shape[i])) add_solid(i, part);
    }
}

// A solid much larger than the grains is before some and behind others: it is drawn in pieces, each at its own depth.
template <int D>
void Sketcher<D>::add_solid(std::size_t i, const Polytope<D>& part)
{
    const Vec<D>& position = frame_.bodies.position[i];
    const Rotation<D>& orientation = frame_.bodies.orientation[i];
    const Bounds<D> bounds = part.bounds(orientation);
    const double extent = (bounds.upper - bounds.lower).maxCoeff();
    constexpr double large = 2.5, finest = 1.0 / 64;
    const bool is_large = extent > large * grain_size_;
    const double piece = is_large ? std::max(grain_size_, finest * extent) : extent;
    std::vector<Facet> facets = visible_facets(part, position, orientation, projection_, piece);
    if (!is_large) {
        const Vec<D> middle = position + 0.5 * (bounds.lower + bounds.upper);
        sketch_.solids.push_back({std::move(facets), projection_.depth(middle), colour_[i]});
        return;
    }
    for (Facet& facet : facets) {
        const double depth = facet.depth;
        sketch_.solids.push_back({{std::move(facet)}, depth, colour_[i]});
    }
}

// The part of a convex polygon where normal · (x − point) ≥ 0 (Sutherland and Hodgman).
template <int D>
std::vector<Vec<D>> clipped(const std::vector<Vec<D>>& polygon, const Vec<D>& point, const Vec<D>& normal)
{
    std::vector<Vec<D>> kept;
    for (std::size_t k = 0; k < polygon.size(); ++k) {
        const Vec<D>&a = polygon[k], &b = polygon[(k + 1) % polygon.size()];
        const double at_a = normal.dot(a - point), at_b = normal.dot(b - point);
        if (at_a >= 0) kept.push_back(a);
        if ((at_a >= 0) != (at_b >= 0)) kept.push_back(a + at_a / (at_a - at_b) * (b - a));
    }
    return kept;
}

template <int D>
void Sketcher<D>::add_half_space(std::size_t i)
{
    const Vec<D> normal = wall_normal(i), &position = frame_.bodies.position[i];
    const Vec<D> centre = 0.5 * (box_.lower + box_.upper);
    const Vec<D> foot = centre - normal.dot(centre - position) * normal;
    std::vector<Vec<D>> surface = patch(foot, normal, 2 * (box_.upper - box_.lower).norm());
    for (int axis = 0; axis < D; ++axis) {
        surface = clipped<D>(surface, box_.lower, Vec<D>::Unit(axis));
        surface = clipped<D>(surface, box_.upper, -Vec<D>::Unit(axis));
    }
    for (std::size_t j = 0; j < frame_.bodies.size(); ++j) {
        if (j == i || shape(j).kind != ShapeKind::half_space) continue;
        // two walls back to back hide nothing of each other
        if (wall_normal(j).dot(normal) > -0.999) {
            surface = clipped<D>(surface, frame_.bodies.position[j], wall_normal(j));
        }
    }
    if (surface.empty()) return;
    Wall wall{{}, projection_.depth(normal) >= -1e-9, normal[D - 1] > 0.5};
    for (const Vec<D>& corner : surface) wall.corners.push_back(projection_(corner));
    sketch_.walls.push_back(std::move(wall));
}

template <int D>
void Sketcher<D>::add_walls()
{
    sketch_.free_space = outline_of_box(box_.lower, box_.upper);
    const Box<D> grains = box_of_grains();
    const Vec<D> middle =
        grains.is_empty() ? Vec<D>(0.5 * (box_.lower + box_.upper)) : Vec<D>(0.5 * (grains.lower + grains.upper));
    for (std::size_t i = 0; i < frame_.bodies.size(); ++i) {
        if (shape(i).kind == ShapeKind::half_space) {
            add_half_space(i);
            sketch_.free_space =
                clipped<2>(sketch_.free_space, projection_(frame_.bodies.position[i]), projection_(wall_normal(i)));
        }
        for (const auto& curve : rounded_walls(frame_, i, projection_)) {
            auto& outline = sketch_.outlines.emplace_back();
            for (const Vec<D>& point : curve) outline.push_back(projection_(point));
        }
        const std::vector<Pane> panes = panes_of(frame_, i, projection_, middle);
        sketch_.panes.insert(sketch_.panes.end(), panes.begin(), panes.end());
    }
    std::stable_sort(sketch_.panes.begin(), sketch_.panes.end(),
                     [](const Pane& a, const Pane& b) { return a.depth < b.depth; });
}

template <int D>
void Sketcher<D>::add_chains()
{
    const ContactTable<D>& contacts = frame_.contacts;
    // a wall, a rod or a driven body has no centre that a force would pass through
    const auto end = [&](std::int32_t body, std::size_t k) {
        const bool is_round = is_grain(std::size_t(body)) && shape(std::size_t(body)).kind != ShapeKind::segment;
        return projection_(is_round ? frame_.bodies.position[std::size_t(body)] : contacts.point[k]);
    };
    for (std::size_t k = 0; k < contacts.size(); ++k) {
        const double force = contacts.impulse[k].dot(contacts.normal[k]) / frame_.dt;
        if (!(force > 0)) continue;
        sketch_.chains.push_back({end(contacts.candidate[k], k), end(contacts.antagonist[k], k), force});
    }
    std::stable_sort(sketch_.chains.begin(), sketch_.chains.end(),
                     [](const Chain& a, const Chain& b) { return a.force < b.force; });
}

template <int D>
void Sketcher<D>::choose_bounds()
{
    Box<2> bounds;
    if (sketch_.is_flat) {
        for (const Vec<2>& corner : {projection_(box_.lower), projection_(box_.upper)}) bounds.reach(corner);
    } else {
        for (const Ball& ball : sketch_.balls) bounds.reach(ball.centre, ball.radius);
        for (const Rod& rod : sketch_.rods) {
            bounds.reach(rod.from, rod.radius);
            bounds.reach(rod.to, rod.radius);
        }
        for (const Solid& solid : sketch_.solids) {
            for (const Facet& facet : solid.facets) {
                for (const Vec<2>& corner : facet.corners) bounds.reach(corner);
            }
        }
        for (const Wall& wall : sketch_.walls) {
            for (const Vec<2>& corner : wall.corners) bounds.reach(corner);
        }
        for (const Pane& pane : sketch_.panes) {
            for (const Vec<2>& corner : pane.corners) bounds.reach(corner);
        }
        for (const auto& outline : sketch_.outlines) {
            for (const Vec<2>& point : outline) bounds.reach(point);
        }
        if (bounds.is_empty()) bounds.reach(Vec<2>::Zero(), 0.5);
    }
    sketch_.lower = bounds.lower;
    sketch_.upper = bounds.upper;
}

} // namespace

template <int D>
std::vector<double> body_values(const io::Frame<D>& frame, Quantity quantity)
{
    const BodyTable<D>& bodies = frame.bodies;
    std::vector<double> values(bodies.size(), 0);
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (quantity == Quantity::speed) values[i] = bodies.velocity[i].norm();
        if (quantity == Quantity::rotation) values[i] = bodies.spin[i].norm();
        if (quantity == Quantity::size) values[i] = 2 * bounding_radius(frame.shapes, bodies.shape[i]);
        if (quantity == Quantity::material) values[i] = bodies.material[i];
    }
    if (quantity != Quantity::load) return values;
    for (std::size_t k = 0; k < frame.contacts.size(); ++k) {
        const double force = frame.contacts.impulse[k].dot(frame.contacts.normal[k]) / frame.dt;
        values[std::size_t(frame.contacts.candidate[k])] += force;
        values[std::size_t(frame.contacts.antagonist[k])] += force;
    }
    return values;
}

template <int D>
Sketch sketch_of(const io::Frame<D>& frame, View view, Quantity quantity)
{
    return Sketcher<D>(frame, view).draw(quantity);
}

#define TALUS_INSTANTIATE(D)                                                                                           \
    template std::vector<double> body_values(const io::Frame<D>&, Quantity);                                           \
    template Sketch sketch_of(const io::Frame<D>&, View, Quantity);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

} // namespace talus::report
