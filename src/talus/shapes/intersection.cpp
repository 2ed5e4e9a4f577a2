#include "talus/shapes/intersection.hpp"

#include "talus/shapes/cut_solid.hpp"

#include <algorithm>
#include <utility>

namespace talus {

namespace {

// A ball around the mean vertex, in the frame of the polytope.
template <int D>
struct Surrounding {
    Vec<D> centre;
    double radius;
};

template <int D>
Surrounding<D> surrounding(const Polytope<D>& polytope)
{
    Vec<D> sum = Vec<D>::Zero();
    for (const Vec<D>& vertex : polytope.vertices) sum += vertex;
    const Vec<D> centre = sum / double(polytope.vertices.size());
    double square = 0;
    for (const Vec<D>& vertex : polytope.vertices) square = std::max(square, (vertex - centre).squaredNorm());
    return {centre, std::sqrt(square)};
}

template <int D>
CutSolid<D>& workspace()
{
    thread_local CutSolid<D> solid;
    return solid;
}

template <int D>
double whole_volume(const Polytope<D>& polytope)
{
    CutSolid<D>& solid = workspace<D>();
    solid.load(polytope, polytope.vertices[0]);
    return solid.volume();
}

// Planes that cut a ball of `radius` around the origin, the deepest cut first: it leaves the least work for the others.
template <int D>
class Cuts {
  public:
    explicit Cuts(double radius) : radius_(radius) { planes().clear(); }

    void add(const Plane<D>& plane)
    {
        if (plane.offset >= radius_) return;
        if (!(plane.offset > -radius_)) leave_nothing_ = true;
        planes().push_back(plane);
        if (plane.offset < planes().front().offset) std::swap(planes().front(), planes().back());
    }
    bool leave_nothing() const { return leave_nothing_; }
    bool leave_all() const { return planes().empty(); }

    double volume_left(const Polytope<D>& polytope, const Vec<D>& origin) const
    {
        CutSolid<D>& solid = workspace<D>();
        solid.load(polytope, origin);
        for (const Plane<D>& plane : planes()) {
            if (!solid.cut(plane)) return 0;
        }
        return solid.volume();
    }

  private:
    static std::vector<Plane<D>>& planes()
    {
        thread_local std::vector<Plane<D>> list;
        return list;
    }
    double radius_;
    bool leave_nothing_ = false;
};

} // namespace

template <int D>
double intersection_volume(const PlacedPolytope<D>& first, const PlacedPolytope<D>& second)
{
    Surrounding<D> ball_a = surrounding(first.polytope), ball_b = surrounding(second.polytope);
    const double reach = ball_a.radius + ball_b.radius;
    const Vec<D> between = second.position - first.position;
    if ((between + second.orientation * ball_b.centre - first.orientation * ball_a.centre).norm() > reach) return 0;

    // the one with less volume is cut: a thin plate keeps its thickness to the last digit
    const double volume_a = whole_volume(first.polytope), volume_b = whole_volume(second.polytope);
    const bool in_order = volume_a <= volume_b;
    const PlacedPolytope<D>&a = in_order ? first : second, &b = in_order ? second : first;
    if (!in_order) std::swap(ball_a, ball_b);

    // everything as seen from the centre of the smaller solid, along its own axes
    const Mat<D> to_a = a.orientation.matrix().transpose();
    const Mat<D> turn = to_a * b.orientation.matrix();
    const Vec<D> shift = to_a * (b.position - a.position) - ball_a.centre;
    Cuts<D> cuts(ball_a.radius);
    for (const Plane<D>& plane : b.polytope.planes) {
        const Vec<D> normal = turn * plane.normal;
        cuts.add({normal, plane.offset + normal.dot(shift)});
        if (cuts.leave_nothing()) return 0;
    }
    return within(cuts.volume_left(a.polytope, ball_a.centre), std::min(volume_a, volume_b));
}

template <int D>
double volume_inside(const PlacedPolytope<D>& solid, std::span<const Plane<D>> half_spaces)
{
    const Surrounding<D> ball = surrounding(solid.polytope);
    const Mat<D> to_body = solid.orientation.matrix().transpose();
    Cuts<D> cuts(ball.radius);
    for (const Plane<D>& plane : half_spaces) {
        const Vec<D> normal = to_body * plane.normal;
        cuts.add({normal, plane.offset - plane.normal.dot(solid.position) - normal.dot(ball.centre)});
        if (cuts.leave_nothing()) return 0;
    }
    const double whole = whole_volume(solid.polytope);
    return cuts.leave_all() ? whole : within(cuts.volume_left(solid.polytope, ball.centre), whole);
}

#define TALUS_INSTANTIATE(D)                                                                                           \
    template double intersection_volume(const PlacedPolytope<D>&, const PlacedPolytope<D>&);                           \
    template double volume_inside(const PlacedPolytope<D>&, std::span<const Plane<D>>);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

} // namespace talus
