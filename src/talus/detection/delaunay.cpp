#ifdef TALUS_WITH_QHULL

#include "talus/detection/delaunay.hpp"

#include "talus/detection/all_pairs.hpp"
#include "talus/detection/bounding_balls.hpp"
#include "talus/exec/parallel.hpp"
#include "talus/exec/shared_counters.hpp"

extern "C" {
#include <libqhull_r/libqhull_r.h>
}

#include <algorithm>
#include <cstdio>
#include <limits>

namespace talus {

namespace {

constexpr std::size_t few_balls = 16; // all pairs are quicker, and no degenerate case is left
constexpr double least_margin = 1e-5; // of the extent: Qhull keeps heights to about 1e-13 of its square
constexpr double most_margin = 0.5;   // of the mean radius: beyond it every ball would have hundreds of neighbours

template <int D>
double power(const Vec<D>& point, const Vec<D>& centre, double radius)
{
    return squared_distance<D>(point, centre) - radius * radius;
}

// Qhull's memory, given back on every path.
class HullRun {
  public:
    HullRun() : messages_(std::fopen("/dev/null", "w")) {}
    HullRun(const HullRun&) = delete;
    HullRun& operator=(const HullRun&) = delete;
    ~HullRun()
    {
        release();
        if (messages_ != nullptr) std::fclose(messages_);
    }
    // "Qt": facets are simplices; "QJ": joggled input, where rounding defeats the exact one
    bool hull(int dimension, std::vector<double>& points, const char* options)
    {
        if (messages_ == nullptr) return false;
        release();
        qh_zero(&qh_, messages_);
        started_ = true;
        std::string command = options; // Qhull wants to write into it
        const int points_given = int(points.size() / std::size_t(dimension));
        return qh_new_qhull(&qh_, dimension, points_given, points.data(), False, command.data(), nullptr, messages_) ==
               0;
    }
    qhT* get() { return &qh_; }

  private:
    void release()
    {
        if (!started_) return;
        qh_freeqhull(&qh_, !qh_ALL);
        int kept = 0, total = 0;
        qh_memfreeshort(&qh_, &kept, &total);
        started_ = false;
    }
    qhT qh_{};
    std::FILE* messages_;
    bool started_ = false;
};

} // namespace

// false where the cloud is too spread out for double precision
template <int D>
bool Delaunay<D>::gather(const BallsAndWalls<D>& seen)
{
    ball_.clear();
    Vec<D> low = Vec<D>::Constant(std::numeric_limits<double>::infinity()), high = -low;
    double smallest = std::numeric_limits<double>::infinity(), sum = 0;
    for (std::size_t body = 0; body < seen.centre.size(); ++body) {
        if (!is_ball(seen, body)) continue;
        const double radius = seen.radius[body] + 0.5 * seen.reach;
        ball_.push_back({seen.centre[body], radius, std::int32_t(body)});
        low = low.cwiseMin(seen.centre[body]);
        high = high.cwiseMax(seen.centre[body]);
        smallest = std::min(smallest, radius);
        sum += radius;
    }
    if (ball_.size() <= few_balls) return true;
    const double largest_extent = (high - low).maxCoeff();
    const double mean = sum / double(ball_.size());
    // with all centres in one place any scale does
    const double extent = largest_extent > mean ? largest_extent : std::max(mean, std::numeric_limits<double>::min());
    const double margin = std::max(0.02 * smallest, least_margin * extent);
    if (!std::isfinite(extent * extent) || margin > most_margin * mean) return false;
    const Vec<D> middle = 0.5 * (low + high);
    for (Ball& ball : ball_) {
        ball.centre = (ball.centre - middle) / extent;
        ball.radius = (ball.radius + margin) / extent;
    }
    return true;
}

// Edges of the lower hull. A far simplex around all makes the hull full-dimensional whatever the scene, and keeps the
// upper hull to one facet; its points have no weight and overlap nothing.
template <int D>
bool Delaunay<D>::triangulate()
{
    std::vector<double> points;
    points.reserve((ball_.size() + D + 1) * (D + 1));
    const auto lift = [&](const Vec<D>& centre, double radius) {
        for (int axis = 0; axis < D; ++axis) points.push_back(centre[axis]);
        points.push_back(centre.squaredNorm() - radius * radius);
    };
    for (const Ball& ball : ball_) lift(ball.centre, ball.radius);
    for (int axis = 0; axis < D; ++axis) lift(4 * Vec<D>::Unit(axis), 0);
    lift(Vec<D>::Constant(-4), 0);

    HullRun run;
    if (!run.hull(D + 1, points, "qhull Qt Pp") && !run.hull(D + 1, points, "qhull QJ Pp")) return false;
    qhT* const qh = run.get();
    auto& found = sorter_.clear(1);
    std::array<std::int32_t, D + 1> corner;
    facetT* facet;
    vertexT *vertex, **vertexp;
    FORALLfacets
    {
        if (facet->upperdelaunay || facet->normal == nullptr || facet->normal[D] >= 0) continue;
        std::size_t corners = 0;
        FOREACHvertex_(facet->vertices)
        {
            const std::int32_t id = qh_pointid(qh, vertex->point);
            if (id >= 0 && id < std::int32_t(ball_.size()) && corners < corner.size()) corner[corners++] = id;
        }
        for (std::size_t a = 0; a < corners; ++a) {
            for (std::size_t b = 0; b < a; ++b) found[0].push_back(ordered(corner[a], corner[b]));
        }
    }
    return true;
}

template <int D>
void Delaunay<D>::join_edges()
{
    sorter_.sort(ball_.size(), edges_);
    neighbours_.start.assign(ball_.size() + 1, 0);
    neighbours_.second.resize(2 * edges_.second.size());
    SharedCounters counters(neighbours_.start, 0);
    const auto for_edges = [&](auto&& f) {
        for (std::size_t ball = 0; ball < ball_.size(); ++ball) {
            for (std::uint32_t k = edges_.start[ball]; k < edges_.start[ball + 1]; ++k)
                f(std::int32_t(ball), edges_.second[k]);
        }
    };
    for_edges([&](std::int32_t a, std::int32_t b) {
        counters.count(std::size_t(a));
        counters.count(std::size_t(b));
    });
    counters.scan();
    for_edges([&](std::int32_t a, std::int32_t b) {
        neighbours_.second[counters.take(std::size_t(a))] = b;
        neighbours_.second[counters.take(std::size_t(b))] = a;
    });
}

// The ball in whose power cell the centre of `ball` lies: downhill along edges, since cells are convex.
template <int D>
std::int32_t Delaunay<D>::owner_of_centre(std::int32_t ball, std::int32_t start) const
{
    const Vec<D> centre = ball_[ball].centre;
    std::int32_t owner = start;
    double least = power<D>(centre, ball_[owner].centre, ball_[owner].radius);
    for (bool lower = true; lower;) {
        lower = false;
        const std::int32_t from = owner;
        for (std::uint32_t k = neighbours_.start[from]; k < neighbours_.start[from + 1]; ++k) {
            const std::int32_t other = neighbours_.second[k];
            const double value = power<D>(centre, ball_[other].centre, ball_[other].radius);
            if (value < least) {
                least = value;
                owner = other;
                lower = true;
            }
        }
    }
    return owner;
}

template <int D>
void Delaunay<D>::walk()
{
    const std::size_t balls = ball_.size();
    const auto is_hidden = [&](std::size_t ball) { return neighbours_.start[ball] == neighbours_.start[ball + 1]; };
    std::size_t some_vertex = 0;
    while (some_vertex + 1 < balls && is_hidden(some_vertex)) ++some_vertex;

    auto& found = sorter_.clear((balls + parallel_chunk - 1) / parallel_chunk);
    parallel_chunks(balls, [&](std::size_t begin, std::size_t end) {
        auto& buffer = found[begin / parallel_chunk];
        std::vector<std::int32_t> reached;
        std::vector<std::uint32_t> mark(balls, 0); // of the last walk that came by
        std::int32_t last_owner = std::int32_t(some_vertex);
        for (std::size_t i = begin; i < end; ++i) {
            const Ball& me = ball_[i];
            const std::uint32_t stamp = std::uint32_t(i - begin + 1);
            last_owner = owner_of_centre(std::int32_t(i), is_hidden(i) ? last_owner : std::int32_t(i));
            reached.assign(1, last_owner);
            mark[last_owner] = stamp;
            for (std::size_t next = 0; next < reached.size(); ++next) {
                const std::int32_t at = reached[next];
                buffer.push_back({at, std::int32_t(i)});
                for (std::uint32_t k = neighbours_.start[at]; k < neighbours_.start[at + 1]; ++k) {
                    const std::int32_t other = neighbours_.second[k];
                    if (mark[other] == stamp) continue;
                    mark[other] = stamp;
                    const Ball& ball = ball_[other];
                    if (balls_within<D>(me.centre, me.radius, ball.centre, ball.radius, 0)) reached.push_back(other);
                }
            }
        }
    });
    sorter_.sort(balls, visitors_);
}

template <int D>
void Delaunay<D>::answer_by_cells(const BallsAndWalls<D>& seen, std::vector<Pair>& pairs, const std::string& why)
{
    remark_ = "delaunay: " + why + "; linked cells answered instead";
    cells_.find(seen, pairs);
}

template <int D>
void Delaunay<D>::find(const BallsAndWalls<D>& seen, std::vector<Pair>& pairs)
{
    remark_.clear();
    if (!gather(seen)) {
        return answer_by_cells(seen, pairs, "the bodies are too far apart for a triangulation in double precision");
    }
    if (ball_.size() <= few_balls) {
        AllPairs<D>().find(seen, pairs);
        return;
    }
    if (!triangulate()) return answer_by_cells(seen, pairs, "Qhull could not triangulate the centres");
    join_edges();
    walk();

    // all pairs among the visitors of each ball, by a sweep: a giant may have thousands
    auto& found = sorter_.clear((ball_.size() + parallel_chunk - 1) / parallel_chunk + 1);
    parallel_chunks(ball_.size(), [&](std::size_t begin, std::size_t end) {
        auto& buffer = found[begin / parallel_chunk];
        std::vector<std::pair<double, std::int32_t>> visitor; // lower end along the first axis
        for (std::size_t ball = begin; ball < end; ++ball) {
            visitor.clear();
            for (std::uint32_t k = visitors_.start[ball]; k < visitors_.start[ball + 1]; ++k) {
                const Ball& other = ball_[visitors_.second[k]];
                visitor.emplace_back(other.centre[0] - other.radius, visitors_.second[k]);
            }
            std::sort(visitor.begin(), visitor.end());
            for (std::size_t a = 0; a < visitor.size(); ++a) {
                const Ball& me = ball_[visitor[a].second];
                const double high = me.centre[0] + me.radius;
                const std::int32_t i = me.body;
                for (std::size_t b = a + 1; b < visitor.size() && visitor[b].first <= high; ++b) {
                    const std::int32_t j = ball_[visitor[b].second].body;
                    if (!balls_within<D>(seen.centre[i], seen.radius[i], seen.centre[j], seen.radius[j], seen.reach)) {
                        continue;
                    }
                    if (!is_passive(seen, i) || !is_passive(seen, j)) buffer.push_back(ordered(i, j));
                }
            }
        }
    });
    test_every_wall(seen, found.back());
    sorter_.sort(seen.centre.size(), rows_);
    list_pairs(rows_, pairs);
}

template class Delaunay<2>;
template class Delaunay<3>;

} // namespace talus

#endif
