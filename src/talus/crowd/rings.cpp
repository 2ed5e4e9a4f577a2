#include "talus/crowd/rings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace talus {

double signed_area(const std::vector<Vec<2>>& corners)
{
    double twice = 0; // about a corner of its own: far from the origin the terms would cancel out
    for (std::size_t k = 1; k + 1 < corners.size(); ++k) twice += turn_of(corners[0], corners[k], corners[k + 1]);
    return 0.5 * twice;
}

bool segments_meet(const Vec<2>& a, const Vec<2>& b, const Vec<2>& c, const Vec<2>& d)
{
    if (std::max(a.x(), b.x()) < std::min(c.x(), d.x()) || std::max(c.x(), d.x()) < std::min(a.x(), b.x()) ||
        std::max(a.y(), b.y()) < std::min(c.y(), d.y()) || std::max(c.y(), d.y()) < std::min(a.y(), b.y())) {
        return false;
    }
    const auto sides = [](double first, double second) {
        return (first > 0 && second > 0) || (first < 0 && second < 0);
    };
    return !sides(turn_of(a, b, c), turn_of(a, b, d)) && !sides(turn_of(c, d, a), turn_of(c, d, b));
}

bool is_within(const std::vector<Vec<2>>& ring, const Vec<2>& point)
{
    bool inside = false;
    for (std::size_t k = 0; k < ring.size(); ++k) {
        const Vec<2>&a = ring[k], &b = ring[(k + 1) % ring.size()];
        if ((a.y() > point.y()) == (b.y() > point.y())) continue;
        const double turn = turn_of(a, b, point);
        if (b.y() > a.y() ? turn > 0 : turn < 0) inside = !inside;
    }
    return inside;
}

namespace {

struct RingEdge {
    Vec<2> from, to;
    std::size_t ring, edge; // indices
    double left, right;     // [m]
};

class RingChecker {
  public:
    RingChecker(const WktPolygon& polygon, const std::string& key) : polygon_(polygon), key_(key) {}

    std::vector<Mistake> run()
    {
        find_meetings();
        if (mistakes_.empty()) check_holes();
        return std::move(mistakes_);
    }

  private:
    void report(std::size_t ring, std::string message)
    {
        mistakes_.push_back(
            {polygon_.rings[ring].where, fmt::format("{}.ring[{}]", key_, ring), "", std::move(message)});
    }

    bool meet(const RingEdge& a, const RingEdge& b) const
    {
        const std::size_t count = polygon_.rings[a.ring].corners.size();
        if (a.ring == b.ring && (b.edge + 1) % count == a.edge) return meet(b, a);
        if (a.ring == b.ring && (a.edge + 1) % count == b.edge) { // they share a corner: back along itself?
            return turn_of(a.from, a.to, b.to) == 0 && (a.to - a.from).dot(b.to - b.from) < 0;
        }
        return segments_meet(a.from, a.to, b.from, b.to);
    }

    // Sweep along x: only edges whose ranges overlap are compared.
    void find_meetings()
    {
        std::vector<RingEdge> edges;
        for (std::size_t r = 0; r < polygon_.rings.size(); ++r) {
            const std::vector<Vec<2>>& corners = polygon_.rings[r].corners;
            for (std::size_t k = 0; k < corners.size(); ++k) {
                const Vec<2>&from = corners[k], &to = corners[(k + 1) % corners.size()];
                edges.push_back({from, to, r, k, std::min(from.x(), to.x()), std::max(from.x(), to.x())});
            }
        }
        std::ranges::stable_sort(edges, {}, &RingEdge::left);
        std::set<std::pair<std::size_t, std::size_t>> told;
        for (std::size_t i = 0; i < edges.size(); ++i) {
            for (std::size_t j = i + 1; j < edges.size() && edges[j].left <= edges[i].right; ++j) {
                const RingEdge &a = edges[i], &b = edges[j];
                const auto [first, second] = std::minmax(a.ring, b.ring);
                if (told.contains({first, second}) || !meet(a, b)) continue;
                told.insert({first, second});
                tell(a.ring <= b.ring ? a : b, a.ring <= b.ring ? b : a);
            }
        }
    }

    void tell(const RingEdge& a, const RingEdge& b)
    {
        const auto shown = [](const RingEdge& edge) {
            return fmt::format("({:g}, {:g}) to ({:g}, {:g})", edge.from.x(), edge.from.y(), edge.to.x(), edge.to.y());
        };
        const std::string other = a.ring == b.ring ? "itself" : fmt::format("ring[{}]", a.ring);
        report(b.ring,
               fmt::format("crosses or touches {}: the edge from {} meets that from {}", other, shown(a), shown(b)));
    }

    void check_holes()
    {
        for (std::size_t r = 1; r < polygon_.rings.size(); ++r) {
            const Vec<2>& corner = polygon_.rings[r].corners[0];
            if (!is_within(polygon_.rings[0].corners, corner)) {
                report(r, fmt::format("a hole must lie in the outer ring: ({:g}, {:g}) is outside", corner.x(),
                                      corner.y()));
            }
            for (std::size_t s = 1; s < polygon_.rings.size(); ++s) {
                if (s != r && is_within(polygon_.rings[s].corners, corner)) {
                    report(r, fmt::format("a hole in a hole: it lies in ring[{}]", s));
                }
            }
        }
    }

    const WktPolygon& polygon_;
    const std::string& key_;
    std::vector<Mistake> mistakes_;
};

} // namespace

std::vector<Mistake> mistakes_of_rings(const WktPolygon& polygon, const std::string& key)
{
    return RingChecker(polygon, key).run();
}

} // namespace talus
