#include "talus/crowd/obstacles.hpp"

#include <algorithm>

namespace talus {

void Obstacles::add_edge(const Vec<2>& from, const Vec<2>& to)
{
    const Vec<2> along = to - from;
    const double length = along.norm();
    const Vec<2> normal = length > 0 ? Vec<2>(along.y() / length, -along.x() / length) : Vec<2>(1, 0);
    edges_.push_back({from, along, normal, length * length});
}

void Obstacles::add_disk(const Vec<2>& centre, double radius, std::int32_t body)
{
    items_.push_back({Kind::disk, body, radius, centre, Vec<2>::Zero(), 0, 0});
}

void Obstacles::add_hollow_disk(const Vec<2>& centre, double radius, std::int32_t body)
{
    items_.push_back({Kind::hollow_disk, body, radius, centre, Vec<2>::Zero(), 0, 0});
}

void Obstacles::add_half_plane(const Vec<2>& point, const Vec<2>& normal, std::int32_t body)
{
    items_.push_back({Kind::half_plane, body, 0, point, normal.normalized(), 0, 0});
}

void Obstacles::add_wall(const Vec<2>& from, const Vec<2>& to, double radius, std::int32_t body)
{
    items_.push_back({Kind::wall, body, radius, 0.5 * (from + to), Vec<2>::Zero(), std::int32_t(edges_.size()), 1});
    add_edge(from, to);
}

void Obstacles::add_polygon(std::span<const Vec<2>> corners, std::int32_t body)
{
    items_.push_back({Kind::polygon, body, 0, corners[0], Vec<2>::Zero(), std::int32_t(edges_.size()),
                      std::int32_t(corners.size())});
    for (std::size_t k = 0; k < corners.size(); ++k) add_edge(corners[k], corners[(k + 1) % corners.size()]);
}

Approach Obstacles::approach(std::size_t index, const Vec<2>& point) const
{
    const Item& item = items_[index];
    const Vec<2> offset = point - item.centre;
    const auto to_round = [&](double sign) -> Approach {
        const double length = offset.norm();
        const Vec<2> away = length > 0 ? Vec<2>(offset / length) : Vec<2>(1, 0);
        return {sign * (length - item.radius), sign * away, item.body};
    };
    switch (item.kind) {
    case Kind::disk:
        return to_round(1);
    case Kind::hollow_disk:
        return to_round(-1);
    case Kind::half_plane:
        return {offset.dot(item.direction), item.direction, item.body};
    default:
        break;
    }
    const std::span<const Edge> edges = std::span(edges_).subspan(item.first, item.count);
    if (item.kind == Kind::polygon) { // inside, the nearest face is the one the point is least behind
        Approach inside{-std::numeric_limits<double>::infinity(), Vec<2>::Zero(), item.body};
        for (const Edge& edge : edges) {
            const double height = edge.normal.dot(point - edge.from);
            if (height > inside.distance) inside = {height, edge.normal, item.body};
        }
        if (inside.distance <= 0) return inside;
    }
    Vec<2> shortest = Vec<2>::Zero(), normal = Vec<2>::Zero();
    double least = std::numeric_limits<double>::infinity();
    for (const Edge& edge : edges) {
        const Vec<2> lever = point - edge.from;
        const double share = edge.square > 0 ? std::clamp(lever.dot(edge.along) / edge.square, 0.0, 1.0) : 0.0;
        const Vec<2> gap = lever - share * edge.along;
        if (gap.squaredNorm() >= least) continue;
        least = gap.squaredNorm();
        shortest = gap;
        normal = edge.normal;
    }
    const double length = std::sqrt(least);
    return {length - item.radius, length > 0 ? Vec<2>(shortest / length) : normal, item.body};
}

Approach Obstacles::nearest(const Vec<2>& point) const
{
    Approach best;
    for (std::size_t k = 0; k < size(); ++k) {
        const Approach other = approach(k, point);
        if (other.distance < best.distance) best = other;
    }
    return best;
}

Approach Obstacles::nearest(std::span<const std::int32_t> items, const Vec<2>& point) const
{
    Approach best;
    for (const std::int32_t k : items) {
        const Approach other = approach(std::size_t(k), point);
        if (other.distance < best.distance) best = other;
    }
    return best;
}

Outline Obstacles::outline(const Bounds<2>& extent) const
{
    Outline outline;
    for (const Item& item : items_) {
        if (item.kind == Kind::half_plane) {
            const Vec<2> middle = 0.5 * (extent.lower + extent.upper);
            const Vec<2> foot = middle - item.direction.dot(middle - item.centre) * item.direction;
            const Vec<2> along = (extent.upper - extent.lower).norm() * Vec<2>(-item.direction.y(), item.direction.x());
            outline.lines.push_back({foot - along, foot + along});
        }
        if (item.kind == Kind::disk || item.kind == Kind::hollow_disk) {
            outline.circles.push_back({item.centre, item.radius});
        }
        for (const Edge& edge : std::span(edges_).subspan(item.first, item.count)) {
            const Vec<2> to = edge.from + edge.along, aside = item.radius * edge.normal;
            outline.lines.push_back({edge.from + aside, to + aside});
            if (item.radius == 0) continue;
            outline.lines.push_back({edge.from - aside, to - aside});
            outline.circles.push_back({edge.from, item.radius});
            outline.circles.push_back({to, item.radius});
        }
    }
    return outline;
}

std::vector<std::int32_t> fixed_bodies(const BodyTable<2>& bodies)
{
    std::vector<std::int32_t> places;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        if (bodies.is_passive(i)) places.push_back(std::int32_t(i));
    }
    return places;
}

Obstacles obstacles_of(const BodyTable<2>& bodies, const ShapeTable<2>& shapes, std::span<const std::int32_t> places)
{
    Obstacles obstacles;
    for (const std::int32_t place : places) {
        const Vec<2>& centre = bodies.position[place];
        const Mat<2> turn = bodies.orientation[place].matrix();
        const Shape<2>& shape = shapes[bodies.shape[place]];
        const auto add_polytope = [&](const Polytope<2>& polytope) {
            std::vector<Vec<2>> corners;
            for (const Vec<2>& vertex : polytope.vertices) corners.push_back(centre + turn * vertex);
            obstacles.add_polygon(corners, place);
        };
        switch (shape.kind) {
        case ShapeKind::ball:
            obstacles.add_disk(centre, shape.radius, place);
            break;
        case ShapeKind::hollow_ball:
            obstacles.add_hollow_disk(centre, shape.radius, place);
            break;
        case ShapeKind::half_space:
            obstacles.add_half_plane(centre, turn * shapes.half_spaces[shape.detail].normal, place);
            break;
        case ShapeKind::segment: {
            const Vec<2> half = turn * shapes.segments[shape.detail].half;
            obstacles.add_wall(centre - half, centre + half, shape.radius, place);
            break;
        }
        case ShapeKind::polytope:
            add_polytope(shapes.polytopes[shape.detail]);
            break;
        case ShapeKind::cluster: {
            const Cluster& cluster = shapes.clusters[shape.detail];
            for (std::int32_t k = 0; k < cluster.count; ++k) add_polytope(shapes.polytopes[cluster.first + k]);
            break;
        }
        case ShapeKind::hollow_cylinder:
        case ShapeKind::mesh: // 3D
            break;
        }
    }
    return obstacles;
}

} // namespace talus
