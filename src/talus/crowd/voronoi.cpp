#include "talus/crowd/voronoi.hpp"

#include "talus/crowd/seen_area.hpp"
#include "talus/exec/grouping.hpp"
#include "talus/exec/parallel.hpp"

#include <algorithm>
#include <cmath>

namespace talus {

namespace {

// Squares over all persons, at least one; persons in the squares of a ring around one of them.
class Squares {
  public:
    Squares(std::span<const Vec<2>> places, double side)
    {
        constexpr double most = 4e6;
        lower_ = upper_ = places.empty() ? Vec<2>(Vec<2>::Zero()) : places[0];
        for (const Vec<2>& place : places) {
            lower_ = lower_.cwiseMin(place);
            upper_ = upper_.cwiseMax(place);
        }
        const Vec<2> size = upper_ - lower_;
        side_ = std::max({side, size.maxCoeff() / most, std::sqrt(size.x() * size.y() / most)}); // who ran far away
        nx_ = int(size.x() / side_) + 1;
        ny_ = int(size.y() / side_) + 1;
        group_items(members_, places.size(), std::size_t(nx_) * std::size_t(ny_),
                    [&](std::size_t i) { return std::int32_t(index(column(places[i]), row(places[i]))); });
    }
    double side() const { return side_; }
    std::size_t count() const { return std::size_t(nx_) * std::size_t(ny_); }
    int column(const Vec<2>& point) const { return clamp((point.x() - lower_.x()) / side_, nx_); }
    int row(const Vec<2>& point) const { return clamp((point.y() - lower_.y()) / side_, ny_); }
    Vec<2> middle(std::size_t square) const
    {
        const std::size_t across = square % std::size_t(nx_), up = square / std::size_t(nx_);
        return lower_ + side_ * Vec<2>(double(across) + 0.5, double(up) + 0.5);
    }
    std::size_t index(int i, int j) const { return std::size_t(j) * std::size_t(nx_) + std::size_t(i); }
    bool has_ring(int i, int j, int ring) const
    {
        return i - ring >= 0 || j - ring >= 0 || i + ring < nx_ || j + ring < ny_;
    }
    // Everybody in the squares that are `ring` away from (i, j), always in the same order.
    template <class Tell>
    void on_ring(int i, int j, int ring, Tell&& tell) const
    {
        for (int y = std::max(0, j - ring); y <= std::min(ny_ - 1, j + ring); ++y) {
            const bool whole = y == j - ring || y == j + ring;
            const int stride = whole || ring == 0 ? 1 : 2 * ring;
            for (int x = i - ring; x <= i + ring; x += stride) {
                if (x < 0 || x >= nx_) continue;
                for (const std::int32_t other : members_.of(index(x, y))) tell(std::size_t(other));
            }
        }
    }

  private:
    static int clamp(double place, int count) { return int(std::clamp(place, 0.0, count - 1.0)); }

    Vec<2> lower_, upper_;
    double side_;
    int nx_, ny_;
    Grouped members_;
};

// The side n·x ≤ distance of a convex polygon, x from the origin.
void cut(std::vector<Vec<2>>& corners, const Vec<2>& normal, double distance, std::vector<Vec<2>>& scratch)
{
    scratch.clear();
    for (std::size_t k = 0; k < corners.size(); ++k) {
        const Vec<2>&a = corners[k], &b = corners[(k + 1) % corners.size()];
        const double from = normal.dot(a) - distance, to = normal.dot(b) - distance;
        if (from <= 0) scratch.push_back(a);
        if ((from < 0 && to > 0) || (from > 0 && to < 0)) scratch.push_back(a + from / (from - to) * (b - a));
    }
    corners.swap(scratch);
}

double farthest_corner(std::span<const Vec<2>> corners)
{
    double square = 0;
    for (const Vec<2>& corner : corners) square = std::max(square, corner.squaredNorm());
    return std::sqrt(square);
}

OutlineLine moved(const OutlineLine& line, const Vec<2>& by) { return {line.from + by, line.to + by}; }
OutlineCircle moved(const OutlineCircle& circle, const Vec<2>& by) { return {circle.centre + by, circle.radius}; }

// What of an outline is near to a point, moved so that the point is the origin.
Outline near_part(const Outline& all, const Vec<2>& point, double distance)
{
    Outline near;
    const auto take = [&](const auto& from, auto& to) {
        for (const auto& border : from) {
            const auto seen = moved(border, -point);
            if (distance_to(seen) < distance) to.push_back(seen);
        }
    };
    take(all.lines, near.lines);
    take(all.circles, near.circles);
    return near;
}

bool is_hidden(const Vec<2>& other, double distance, const Outline& around)
{
    const Vec<2> direction = other / distance;
    const auto hides = [&](const auto& border) { return distance_along(direction, border) < distance; };
    return std::ranges::any_of(around.lines, hides) || std::ranges::any_of(around.circles, hides);
}

class CellMaker {
  public:
    CellMaker(std::vector<Vec<2>> places, const Outline& outline, const CellOptions& options)
        : places_(std::move(places)), options_(options), squares_(places_, 0.25 * options.farthest),
          near_square_(squares_.count())
    {
        const double reach = 2 * options.farthest + squares_.side(); // from anywhere in a square
        // each square's part of the outline, so that long lists of obstacles are not gone through for each person
        std::vector<std::uint8_t> is_used(squares_.count(), 0);
        for (const Vec<2>& place : places_) is_used[square_of(place)] = 1;
        parallel_chunks(
            places_.empty() ? 0 : squares_.count(),
            [&](std::size_t begin, std::size_t end) {
                for (std::size_t s = begin; s < end; ++s) {
                    if (is_used[s]) near_square_[s] = near_part(outline, squares_.middle(s), reach);
                }
            },
            8);
    }

    PersonCell make(std::size_t person, std::int32_t body) const
    {
        const Vec<2>& place = places_[person];
        PersonCell cell{body, 0, {}};
        if (options_.within &&
            ((place - options_.within->lower).minCoeff() < 0 || (options_.within->upper - place).minCoeff() < 0)) {
            return cell;
        }
        const std::size_t square = square_of(place);
        const Outline around = near_part(near_square_[square], place - squares_.middle(square), 2 * options_.farthest);
        const std::vector<Vec<2>> corners = nearest_ground(person, around);
        SeenFrom seen{corners, {}, options_.farthest};
        const double far = std::min(options_.farthest, farthest_corner(corners));
        seen.around = near_part(around, Vec<2>::Zero(), far);
        const bool is_whole =
            seen.around.lines.empty() && seen.around.circles.empty() && farthest_corner(corners) <= options_.farthest;
        if (is_whole) {
            cell.area = area_of(corners);
            if (options_.with_outlines) cell.outline = corners;
        } else {
            SeenArea part = seen_area(seen, options_.with_outlines);
            cell.area = part.area;
            cell.outline = std::move(part.outline);
        }
        for (Vec<2>& corner : cell.outline) corner += place;
        return cell;
    }

  private:
    std::size_t square_of(const Vec<2>& place) const
    {
        return squares_.index(squares_.column(place), squares_.row(place));
    }
    // Half-planes of those who are seen, the nearest squares first, until nobody can cut any more.
    std::vector<Vec<2>> nearest_ground(std::size_t person, const Outline& around) const
    {
        const Vec<2>& place = places_[person];
        const double r = options_.farthest;
        std::vector<Vec<2>> corners{{-r, -r}, {r, -r}, {r, r}, {-r, r}}, scratch;
        if (options_.within) {
            for (int axis = 0; axis < 2; ++axis) {
                cut(corners, Vec<2>::Unit(axis), options_.within->upper[axis] - place[axis], scratch);
                cut(corners, -Vec<2>::Unit(axis), place[axis] - options_.within->lower[axis], scratch);
            }
        }
        double far = std::min(r, farthest_corner(corners));
        const int column = squares_.column(place), row = squares_.row(place);
        for (int ring = 0; (ring - 1) * squares_.side() < 2 * far && squares_.has_ring(column, row, ring); ++ring) {
            squares_.on_ring(column, row, ring, [&](std::size_t other) {
                const Vec<2> apart = places_[other] - place;
                const double distance = apart.norm();
                if (other == person || distance == 0 || distance >= 2 * far) return;
                if (is_hidden(apart, distance, around)) return;
                cut(corners, apart / distance, 0.5 * distance, scratch);
            });
            far = std::min(r, farthest_corner(corners));
        }
        return corners;
    }

    std::vector<Vec<2>> places_;
    CellOptions options_;
    Squares squares_;
    std::vector<Outline> near_square_; // from its middle
};

} // namespace

bool is_person(const BodyTable<2>& bodies, const ShapeTable<2>& shapes, std::size_t i)
{
    return !bodies.is_passive(i) && shapes[bodies.shape[i]].kind == ShapeKind::ball;
}

std::vector<PersonCell> person_cells(const BodyTable<2>& bodies, const ShapeTable<2>& shapes,
                                     const CellOptions& options)
{
    std::vector<std::int32_t> persons;
    std::vector<Vec<2>> places;
    constexpr double far = std::numeric_limits<double>::infinity();
    Bounds<2> extent{Vec<2>::Constant(far), Vec<2>::Constant(-far)};
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        if (!is_person(bodies, shapes, i)) continue;
        persons.push_back(std::int32_t(i));
        places.push_back(bodies.position[i]);
        extent.lower = extent.lower.cwiseMin(Vec<2>(bodies.position[i].array() - 2 * options.farthest));
        extent.upper = extent.upper.cwiseMax(Vec<2>(bodies.position[i].array() + 2 * options.farthest));
    }
    std::vector<PersonCell> cells(persons.size());
    if (persons.empty()) return cells;
    const CellMaker maker(std::move(places), obstacles_of(bodies, shapes, fixed_bodies(bodies)).outline(extent),
                          options);
    parallel_chunks(
        cells.size(),
        [&](std::size_t begin, std::size_t end) {
            for (std::size_t k = begin; k < end; ++k) cells[k] = maker.make(k, persons[k]);
        },
        64);
    return cells;
}

double area_of(std::span<const Vec<2>> corners)
{
    double twice = 0;
    for (std::size_t k = 0; k < corners.size(); ++k) {
        const Vec<2>&a = corners[k], &b = corners[(k + 1) % corners.size()];
        twice += a.x() * b.y() - a.y() * b.x();
    }
    return 0.5 * twice;
}

// Sutherland and Hodgman: edges along the box that it leaves twice cancel in the area.
double area_within(std::span<const Vec<2>> corners, const Bounds<2>& box)
{
    std::vector<Vec<2>> part, scratch;
    for (const Vec<2>& corner : corners) part.push_back(corner - box.lower); // area_of() is exact near the origin
    const Vec<2> size = box.upper - box.lower;
    for (int axis = 0; axis < 2; ++axis) {
        cut(part, Vec<2>::Unit(axis), size[axis], scratch);
        cut(part, -Vec<2>::Unit(axis), 0, scratch);
    }
    return area_of(part);
}

} // namespace talus
