#include "talus/report/drawing/sketcher.hpp"

#include "talus/shapes/convex_parts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace talus::report {
namespace {

constexpr double beside_exits = 0.07; // of the picture: there their names stand

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
    Sketcher(const io::Frame<D>& frame, const Projection<D>& projection, const Colouring& colouring,
             const CrowdLook* crowd)
        : frame_(frame), projection_(projection), colour_(colouring.of_body), grain_size_(mean_grain_diameter(frame)),
          crowd_(crowd)
    {
        sketch_.palette = colouring.palette;
        sketch_.legend = colouring.legend;
        sketch_.grains = colouring.grains;
        sketch_.has_imposed = colouring.has_imposed;
        sketch_.grain_size = grain_size_;
    }

    Sketch draw(Outlines outlines, const std::optional<Window>& window)
    {
        sketch_.outlines = std::move(outlines);
        is_given_ = window.has_value();
        if (is_given_) {
            box_ = {window->lower.head<D>(), window->upper.head<D>()};
        } else {
            find_box();
        }
        sketch_.window.lower.head<D>() = box_.lower;
        sketch_.window.upper.head<D>() = box_.upper;
        for (std::size_t i = 0; i < frame_.bodies.size(); ++i) add_body(i);
        add_walls();
        sketch_.axes = shown_axes(projection_);
        sketch_.is_flat = projection_.toward.isZero();
        choose_bounds();
        return std::move(sketch_);
    }

  private:
    const Shape<D>& shape(std::size_t i) const { return frame_.shapes[frame_.bodies.shape[i]]; }
    bool is_shown(std::size_t i) const { return frame_.bodies.position[i].allFinite() && !is_wall(frame_, i); }
    double radius(std::size_t i) const { return bounding_radius(frame_.shapes, frame_.bodies.shape[i]); }
    Vec<D> wall_normal(std::size_t i) const
    {
        return frame_.bodies.orientation[i] * frame_.shapes.half_spaces[std::size_t(shape(i).detail)].normal;
    }

    void find_box();
    void reach_body(std::size_t i);
    Box<D> box_of_grains() const;
    void add_body(std::size_t i);
    void add_solid(std::size_t i, const Polytope<D>& part);
    void add_walls();
    void add_half_space(std::size_t i);
    void choose_bounds();

    const io::Frame<D>& frame_;
    Projection<D> projection_;
    const std::vector<std::int32_t>& colour_;
    double grain_size_;      // [m] mean diameter
    const CrowdLook* crowd_; // none: grains
    Box<D> box_;             // of what is shown
    bool is_given_ = false;  // ... from outside
    Sketch sketch_;
};

// Around the grains; a few that flew far away must not shrink all the others to dots.
template <int D>
Box<D> Sketcher<D>::box_of_grains() const
{
    Box<D> box;
    std::vector<std::size_t> grains;
    for (std::size_t i = 0; i < frame_.bodies.size(); ++i) {
        if (!is_shown(i) || !is_grain(frame_, i)) continue;
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

// A rod is mostly much longer than wide.
template <int D>
void Sketcher<D>::reach_body(std::size_t i)
{
    const Vec<D>& position = frame_.bodies.position[i];
    if (shape(i).kind != ShapeKind::segment) return box_.reach(position, radius(i));
    const Vec<D> half = frame_.bodies.orientation[i] * frame_.shapes.segments[std::size_t(shape(i).detail)].half;
    for (const Vec<D>& end : {Vec<D>(position - half), Vec<D>(position + half)}) box_.reach(end, shape(i).radius);
}

template <int D>
void Sketcher<D>::find_box()
{
    box_ = box_of_grains();
    for (std::size_t i = 0; i < frame_.bodies.size(); ++i) {
        const bool is_mesh = shape(i).kind == ShapeKind::mesh && frame_.bodies.position[i].allFinite();
        if (is_mesh || (is_shown(i) && !is_grain(frame_, i))) reach_body(i);
        for (const auto& curve : rounded_walls(frame_, i, projection_)) {
            for (const Vec<D>& point : curve) box_.reach(point);
        }
    }
    for (const auto& outline : sketch_.outlines) {
        for (const Vec<2>& point : outline) box_.reach(projection_.point_at(point));
    }
    if (crowd_) {
        for (const ExitMark& exit : crowd_->exits) {
            for (const Vec<2>& end : {exit.from, exit.to}) box_.reach(projection_.point_at(end));
        }
        const double room = beside_exits * box_.largest();
        for (const ExitMark& exit : crowd_->exits) {
            for (const Vec<2>& end : {exit.from, exit.to}) box_.reach(projection_.point_at(end), room);
        }
    }
    if (box_.is_empty()) box_.reach(Vec<D>::Zero(), 0.5);
    // a wall nearby belongs to the picture; the floor does from further away, and
    // for a lonely grain every wall
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
    if (is_wall(frame_, i)) return;
    const Vec<D>& position = frame_.bodies.position[i];
    const Rotation<D>& orientation = frame_.bodies.orientation[i];
    if (!is_shown(i) || !box_.meets(position, radius(i))) {
        sketch_.beyond += is_grain(frame_, i);
        return;
    }
    const double depth = projection_.depth(position);
    const Vec<2> centre = projection_(position);
    const std::int32_t detail = shape(i).detail, colour = colour_[i];
    if (crowd_ && is_person(frame_, i)) {
        sketch_.persons.push_back({centre, shape(i).radius, crowd_->heading[i], colour});
    } else if (shape(i).kind == ShapeKind::ball) {
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
void Sketcher<D>::choose_bounds()
{
    Box<2> bounds;
    if (is_given_) { // as large in every picture of a sequence
        for (int corner = 0; corner < 1 << D; ++corner) {
            Vec<D> place = box_.lower;
            for (int axis = 0; axis < D; ++axis) place[axis] = (corner >> axis & 1 ? box_.upper : box_.lower)[axis];
            bounds.reach(projection_(place));
        }
    } else if (sketch_.is_flat) {
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
Sketch laid_out(const io::Frame<D>& frame, const Projection<D>& projection, const Colouring& colouring,
                Outlines outlines, const std::optional<Window>& window, const CrowdLook* crowd)
{
    return Sketcher<D>(frame, projection, colouring, crowd).draw(std::move(outlines), window);
}

#define TALUS_INSTANTIATE(D)                                                                                           \
    template Sketch laid_out(const io::Frame<D>&, const Projection<D>&, const Colouring&, Outlines,                    \
                             const std::optional<Window>&, const CrowdLook*);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

} // namespace talus::report
