#include "talus/crowd/convex_pieces.hpp"

#include "talus/crowd/rings.hpp"

#include <algorithm>
#include <map>

namespace talus {

namespace {

using Corners = std::vector<Vec<2>>;
using Piece = std::vector<std::int32_t>; // corners by number, counter-clockwise

// The direction from `corner` to `to` leads into a ring that runs from `before` over `corner` to `after`.
bool leads_inside(const Vec<2>& before, const Vec<2>& corner, const Vec<2>& after, const Vec<2>& to)
{
    const bool is_left_of_first = turn_of(before, corner, to) > 0, is_left_of_second = turn_of(corner, after, to) > 0;
    return turn_of(before, corner, after) > 0 ? is_left_of_first && is_left_of_second
                                              : is_left_of_first || is_left_of_second;
}

class Cutter {
  public:
    explicit Cutter(const WktPolygon& polygon)
    {
        for (const WktRing& ring : polygon.rings) {
            Piece numbers;
            for (const Vec<2>& corner : ring.corners) {
                numbers.push_back(std::int32_t(corners_.size()));
                corners_.push_back(corner);
            }
            rings_.push_back(std::move(numbers));
        }
        Vec<2> lower = corners_[0], upper = corners_[0];
        for (const Vec<2>& corner : corners_) {
            lower = lower.cwiseMin(corner);
            upper = upper.cwiseMax(corner);
        }
        least_turn_ = 1e-14 * (upper - lower).squaredNorm(); // round-off of a turn
    }

    std::vector<Corners> run()
    {
        for (Piece& ring : rings_) drop_flat_corners(ring);
        while (rings_.size() > 1) bridge();
        clip_ears(rings_[0]);
        join_pieces();
        std::vector<Corners> pieces;
        for (const Piece& piece : pieces_) {
            if (piece.empty()) continue;
            Corners corners;
            for (const std::int32_t k : piece) corners.push_back(corners_[k]);
            pieces.push_back(std::move(corners));
        }
        return pieces;
    }

  private:
    double turn(std::int32_t a, std::int32_t b, std::int32_t c) const
    {
        return turn_of(corners_[a], corners_[b], corners_[c]);
    }

    // Corners on a straight side: no piece needs them.
    void drop_flat_corners(Piece& ring) const
    {
        for (std::size_t k = 0; k < ring.size() && ring.size() > 3;) {
            const std::size_t n = ring.size();
            const bool is_flat = std::abs(turn(ring[(k + n - 1) % n], ring[k], ring[(k + 1) % n])) <= least_turn_;
            if (is_flat) {
                ring.erase(ring.begin() + std::ptrdiff_t(k));
            } else {
                ++k;
            }
        }
    }

    bool is_clear(std::int32_t from, std::int32_t to) const
    {
        for (const Piece& ring : rings_) {
            for (std::size_t k = 0; k < ring.size(); ++k) {
                const std::int32_t a = ring[k], b = ring[(k + 1) % ring.size()];
                if (a == from || a == to || b == from || b == to) continue; // the cones have seen to these
                if (segments_meet(corners_[from], corners_[to], corners_[a], corners_[b])) return false;
            }
        }
        return true;
    }

    // There and back between two corners.
    struct Bridge {
        double square;      // [m²] of its length
        std::size_t at, of; // places in the outer ring and in the hole
    };

    bool is_good(const Bridge& bridge, const Piece& hole) const
    {
        const auto leads = [&](const Piece& ring, std::size_t k, std::int32_t to) {
            const std::size_t n = ring.size();
            return leads_inside(corners_[ring[(k + n - 1) % n]], corners_[ring[k]], corners_[ring[(k + 1) % n]],
                                corners_[to]);
        };
        const Piece& outer = rings_[0];
        return leads(outer, bridge.at, hole[bridge.of]) && leads(hole, bridge.of, outer[bridge.at]) &&
               is_clear(outer[bridge.at], hole[bridge.of]);
    }

    // Makes a hole part of the outer ring, by the shortest bridge that crosses nothing. Some hole has one: the
    // outermost.
    void bridge()
    {
        for (std::size_t h = rings_.size() - 1; h > 0; --h) {
            std::vector<Bridge> bridges;
            for (std::size_t i = 0; i < rings_[0].size(); ++i) {
                for (std::size_t j = 0; j < rings_[h].size(); ++j) {
                    bridges.push_back({(corners_[rings_[0][i]] - corners_[rings_[h][j]]).squaredNorm(), i, j});
                }
            }
            std::ranges::stable_sort(bridges, {}, &Bridge::square);
            auto best = std::ranges::find_if(bridges, [&](const Bridge& one) { return is_good(one, rings_[h]); });
            if (best == bridges.end() && h > 1) continue;
            build_bridge(best == bridges.end() ? bridges[0] : *best, h); // none only where round-off hides all
            return;
        }
    }
    void build_bridge(const Bridge& bridge, std::size_t h)
    {
        const Piece outer = rings_[0], hole = rings_[h];
        const auto foot = outer.begin() + std::ptrdiff_t(bridge.at);
        Piece joined(outer.begin(), foot + 1);
        for (std::size_t k = 0; k <= hole.size(); ++k) joined.push_back(hole[(bridge.of + k) % hole.size()]);
        joined.insert(joined.end(), foot, outer.end());
        rings_[0] = std::move(joined);
        rings_.erase(rings_.begin() + std::ptrdiff_t(h));
    }

    bool is_ear(const Piece& ring, std::size_t k) const
    {
        const std::size_t n = ring.size();
        const std::int32_t a = ring[(k + n - 1) % n], b = ring[k], c = ring[(k + 1) % n];
        if (turn(a, b, c) <= least_turn_) return false;
        return std::ranges::none_of(ring, [&](std::int32_t p) {
            if (p == a || p == b || p == c) return false; // or the other side of a bridge
            return turn(a, b, p) >= 0 && turn(b, c, p) >= 0 && turn(c, a, p) >= 0;
        });
    }

    void clip_ears(Piece ring)
    {
        std::size_t k = 0, misses = 0;
        while (ring.size() >= 3) {
            const std::size_t n = ring.size();
            k %= n;
            const std::int32_t a = ring[(k + n - 1) % n], b = ring[k], c = ring[(k + 1) % n];
            const bool is_flat = std::abs(turn(a, b, c)) <= least_turn_;
            // on a straight side, or the end of a bridge: nothing is cut off; round-off may also hide the last ears
            if (is_flat || misses > n || is_ear(ring, k)) {
                if (turn(a, b, c) > least_turn_) pieces_.push_back({a, b, c});
                ring.erase(ring.begin() + std::ptrdiff_t(k));
                misses = 0;
            } else {
                ++misses;
            }
            ++k; // not the neighbour next: ears would be slivers around one corner
        }
    }

    // Two pieces on either side of a cut, as one where that is convex.
    void join_pieces()
    {
        std::map<std::pair<std::int32_t, std::int32_t>, std::size_t> owner; // of each directed edge
        for (std::size_t p = 0; p < pieces_.size(); ++p) own(owner, p);
        const auto cuts = owner;
        for (const auto& [cut, first] : cuts) {
            const auto [a, b] = cut;
            if (a > b || !owner.contains({b, a})) continue;
            const std::size_t p = owner.at({a, b}), q = owner.at({b, a});
            Piece joined;
            if (p == q || !join(pieces_[p], pieces_[q], a, b, joined)) continue;
            pieces_[p] = std::move(joined);
            pieces_[q].clear();
            owner.erase({a, b});
            owner.erase({b, a});
            own(owner, p);
        }
    }
    void own(std::map<std::pair<std::int32_t, std::int32_t>, std::size_t>& owner, std::size_t p) const
    {
        const Piece& piece = pieces_[p];
        for (std::size_t k = 0; k < piece.size(); ++k) owner[{piece[k], piece[(k + 1) % piece.size()]}] = p;
    }

    // `first` has the edge from a to b, `second` that from b to a.
    bool join(const Piece& first, const Piece& second, std::int32_t a, std::int32_t b, Piece& joined) const
    {
        const auto from = [](const Piece& piece, std::int32_t corner) { // all but the last, which begins the other
            Piece turned = piece;
            std::rotate(turned.begin(), std::ranges::find(turned, corner), turned.end());
            turned.pop_back();
            return turned;
        };
        joined = from(first, b); // b ... and not a
        const Piece rest = from(second, a);
        joined.insert(joined.end(), rest.begin(), rest.end());
        const std::size_t n = joined.size();
        for (std::size_t k = 0; k < n; ++k) {
            if (joined[k] != a && joined[k] != b) continue;
            if (turn(joined[(k + n - 1) % n], joined[k], joined[(k + 1) % n]) <= least_turn_) return false;
        }
        return true;
    }

    Corners corners_;
    std::vector<Piece> rings_;
    std::vector<Piece> pieces_;
    double least_turn_ = 0; // [m²]
};

} // namespace

std::vector<std::vector<Vec<2>>> convex_pieces(const WktPolygon& polygon) { return Cutter(polygon).run(); }

} // namespace talus
