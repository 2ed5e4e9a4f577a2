#include "talus/crowd/seen_area.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace talus {

namespace {

constexpr double missed = std::numeric_limits<double>::infinity();
constexpr double chord_angle = std::numbers::pi / 60; // of an arc in an outline

double cross_of(const Vec<2>& a, const Vec<2>& b) { return a.x() * b.y() - a.y() * b.x(); }

// The angles at which the nearest border may change.
class TurningAngles {
  public:
    void add(const Vec<2>& point)
    {
        if (!point.isZero(0)) angles_.push_back(std::atan2(point.y(), point.x()));
    }
    void add_crossing(const OutlineLine& a, const OutlineLine& b)
    {
        const Vec<2> u = a.to - a.from, v = b.to - b.from;
        const double turn = cross_of(u, v);
        if (turn == 0) return;
        const double where = cross_of(b.from - a.from, v) / turn, there = cross_of(b.from - a.from, u) / turn;
        if (where >= 0 && where <= 1 && there >= 0 && there <= 1) add(a.from + where * u);
    }
    void add_crossings(const OutlineLine& line, const OutlineCircle& circle)
    {
        const Vec<2> u = line.to - line.from, lever = line.from - circle.centre;
        const double a = u.squaredNorm(), b = lever.dot(u), c = lever.squaredNorm() - circle.radius * circle.radius;
        const double root = b * b - a * c;
        if (root < 0 || a == 0) return;
        for (const double sign : {-1.0, 1.0}) {
            const double where = (-b + sign * std::sqrt(root)) / a;
            if (where >= 0 && where <= 1) add(line.from + where * u);
        }
    }
    void add_crossings(const OutlineCircle& a, const OutlineCircle& b)
    {
        const Vec<2> apart = b.centre - a.centre;
        const double square = apart.squaredNorm();
        if (square == 0) return;
        const double share = 0.5 * (1 + (a.radius * a.radius - b.radius * b.radius) / square);
        const double half = a.radius * a.radius / square - share * share;
        if (half < 0) return;
        const Vec<2> across = std::sqrt(half) * Vec<2>(-apart.y(), apart.x());
        for (const double sign : {-1.0, 1.0}) add(a.centre + share * apart + sign * across);
    }
    void add_tangents(const OutlineCircle& circle)
    {
        const double square = circle.centre.squaredNorm() - circle.radius * circle.radius;
        if (square <= 0) return; // the point is inside
        const double cosine = std::sqrt(square) / circle.centre.norm(), sine = circle.radius / circle.centre.norm();
        const Vec<2>& c = circle.centre;
        for (const double sign : {-1.0, 1.0}) {
            add({cosine * c.x() - sign * sine * c.y(), sign * sine * c.x() + cosine * c.y()});
        }
    }
    std::span<const double> sorted()
    {
        // often enough that no arc between two of them turns by half a circle
        for (int eighth = -4; eighth <= 4; ++eighth) angles_.push_back(eighth * std::numbers::pi / 4);
        std::ranges::sort(angles_);
        return angles_;
    }

  private:
    std::vector<double> angles_; // [rad] from −π to π
};

struct Sector {
    double from, to;           // [rad]
    Vec<2> start, end, middle; // unit
};

class Borders {
  public:
    explicit Borders(const SeenFrom& seen) : seen_(seen)
    {
        const std::size_t count = seen.corners.size();
        for (std::size_t k = 0; k < count; ++k) sides_.push_back({seen.corners[k], seen.corners[(k + 1) % count]});
    }

    std::span<const double> turning_angles()
    {
        const OutlineCircle horizon{Vec<2>::Zero(), seen_.farthest};
        const auto& [lines, circles] = seen_.around;
        for (const OutlineLine& side : sides_) {
            angles_.add(side.from);
            angles_.add_crossings(side, horizon);
        }
        for (std::size_t k = 0; k < lines.size(); ++k) {
            angles_.add(lines[k].from);
            angles_.add(lines[k].to);
            angles_.add_crossings(lines[k], horizon);
            for (const OutlineLine& side : sides_) angles_.add_crossing(lines[k], side);
            for (std::size_t other = 0; other < k; ++other) angles_.add_crossing(lines[k], lines[other]);
            for (const OutlineCircle& circle : circles) angles_.add_crossings(lines[k], circle);
        }
        for (std::size_t k = 0; k < circles.size(); ++k) {
            angles_.add_tangents(circles[k]);
            angles_.add_crossings(circles[k], horizon);
            for (const OutlineLine& side : sides_) angles_.add_crossings(side, circles[k]);
            for (std::size_t other = 0; other < k; ++other) angles_.add_crossings(circles[k], circles[other]);
        }
        return angles_.sorted();
    }

    // Adds what lies before the nearest border in a sector.
    void add_sector(const Sector& sector, bool with_outline, SeenArea& seen) const
    {
        double nearest = seen_.farthest;
        const OutlineLine* line = nullptr;
        const OutlineCircle* circle = nullptr;
        const auto look = [&](const auto& borders, auto& chosen) {
            for (const auto& border : borders) {
                const double distance = distance_along(sector.middle, border);
                if (distance >= nearest) continue;
                nearest = distance;
                line = nullptr;
                circle = nullptr;
                chosen = &border;
            }
        };
        look(sides_, line);
        look(seen_.around.lines, line);
        look(seen_.around.circles, circle);
        const double turn = sector.to - sector.from;
        if (!line && !circle) {
            seen.area += 0.5 * seen_.farthest * seen_.farthest * turn;
            if (with_outline)
                add_arc(
                    sector, [&](const Vec<2>&) { return seen_.farthest; }, seen);
            return;
        }
        // on the whole line or circle: the ends of the sector may be its ends, and rounding would miss them
        const auto reach = [&](const Vec<2>& direction) {
            const double distance = line ? distance_to_line(direction, *line) : distance_to_circle(direction, *circle);
            return std::clamp(std::isfinite(distance) ? distance : nearest, 0.0, seen_.farthest);
        };
        const Vec<2> a = reach(sector.start) * sector.start, b = reach(sector.end) * sector.end;
        seen.area += 0.5 * a.norm() * b.norm() * std::sin(turn);
        if (circle) {
            const double chord = std::min(1.0, 0.5 * (b - a).norm() / circle->radius), angle = 2 * std::asin(chord);
            const double segment = 0.5 * circle->radius * circle->radius * (angle - std::sin(angle));
            seen.area += circle->centre.norm() < circle->radius ? segment : -segment;
        }
        if (!with_outline) return;
        if (circle) {
            add_arc(sector, reach, seen);
        } else {
            seen.outline.push_back(a);
            seen.outline.push_back(b);
        }
    }

  private:
    static double distance_to_line(const Vec<2>& direction, const OutlineLine& line)
    {
        const Vec<2> along = line.to - line.from;
        const double turn = cross_of(direction, along);
        return turn == 0 ? missed : cross_of(line.from, along) / turn;
    }
    static double distance_to_circle(const Vec<2>& direction, const OutlineCircle& circle)
    {
        const double along = direction.dot(circle.centre);
        const double square = circle.centre.squaredNorm() - circle.radius * circle.radius;
        const double root = std::sqrt(std::max(0.0, along * along - square)); // 0 on a tangent
        return square > 0 ? along - root : along + root;
    }
    template <class Reach>
    static void add_arc(const Sector& sector, Reach&& reach, SeenArea& seen)
    {
        const int chords = std::max(1, int(std::ceil((sector.to - sector.from) / chord_angle)));
        for (int k = 0; k <= chords; ++k) {
            const double angle = sector.from + (sector.to - sector.from) * k / chords;
            const Vec<2> direction(std::cos(angle), std::sin(angle));
            seen.outline.push_back(reach(direction) * direction);
        }
    }

    const SeenFrom& seen_;
    std::vector<OutlineLine> sides_;
    TurningAngles angles_;
};

} // namespace

double distance_to(const OutlineLine& line)
{
    const Vec<2> along = line.to - line.from;
    const double square = along.squaredNorm();
    const double share = square > 0 ? std::clamp(-line.from.dot(along) / square, 0.0, 1.0) : 0.0;
    return (line.from + share * along).norm();
}

double distance_to(const OutlineCircle& circle) { return std::abs(circle.centre.norm() - circle.radius); }

double distance_along(const Vec<2>& direction, const OutlineLine& line)
{
    const Vec<2> along = line.to - line.from;
    const double turn = cross_of(direction, along);
    if (turn == 0) return missed;
    const double distance = cross_of(line.from, along) / turn, where = cross_of(line.from, direction) / turn;
    return distance >= 0 && where >= 0 && where <= 1 ? distance : missed;
}

double distance_along(const Vec<2>& direction, const OutlineCircle& circle)
{
    const double along = direction.dot(circle.centre);
    const double square = circle.centre.squaredNorm() - circle.radius * circle.radius; // < 0: inside
    const double root = along * along - square;
    if (root < 0) return missed;
    const double distance = square > 0 ? along - std::sqrt(root) : along + std::sqrt(root);
    return distance >= 0 ? distance : missed;
}

SeenArea seen_area(const SeenFrom& seen, bool with_outline)
{
    SeenArea result;
    Borders borders(seen);
    const std::span<const double> angles = borders.turning_angles();
    const auto unit = [](double angle) { return Vec<2>(std::cos(angle), std::sin(angle)); };
    for (std::size_t k = 0; k + 1 < angles.size(); ++k) {
        const double from = angles[k], to = angles[k + 1];
        if (to - from < 1e-14) continue; // nothing is seen there
        borders.add_sector({from, to, unit(from), unit(to), unit(0.5 * (from + to))}, with_outline, result);
    }
    return result;
}

} // namespace talus
