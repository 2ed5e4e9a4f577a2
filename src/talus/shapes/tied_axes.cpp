#include "talus/shapes/tied_axes.hpp"

#include "talus/shapes/projection.hpp"

#include <limits>

namespace talus {

namespace {

// The smallest ball so far that holds all axes.
template <int D>
class SmallestBall {
  public:
    explicit SmallestBall(std::span<const Axis<D>> axes) : axes_(axes) {}
    bool found() const { return radius_ < std::numeric_limits<double>::infinity(); }
    const Vec<D>& centre() const { return centre_; }

    // with these two at the ends of a diameter
    void try_pair(std::size_t i, std::size_t j) { offer(0.5 * (at(i) + at(j)), {i, j, j}); }
    // with these three on a great circle
    void try_triple(std::size_t i, std::size_t j, std::size_t k)
    {
        const Vec<3> u = at(j) - at(i), w = at(k) - at(i), normal = u.cross(w);
        const double square = normal.squaredNorm();
        if (!(square > 0)) return;
        offer(at(i) + (u.squaredNorm() * w.cross(normal) + w.squaredNorm() * normal.cross(u)) / (2 * square),
              {i, j, k});
    }

  private:
    const Vec<D>& at(std::size_t k) const { return axes_[k].direction; }
    void offer(const Vec<D>& centre, const std::array<std::size_t, 3>& surface)
    {
        const double radius = (at(surface[0]) - centre).norm();
        if (!(radius < radius_)) return;
        const double limit = radius * (1 + 1e-13) + 1e-15; // rounding, also of directions that almost agree
        for (std::size_t k = 0; k < axes_.size(); ++k) {
            if (k == surface[0] || k == surface[1] || k == surface[2]) continue;
            if ((at(k) - centre).squaredNorm() > limit * limit) return;
        }
        radius_ = radius;
        centre_ = centre;
    }

    std::span<const Axis<D>> axes_;
    Vec<D> centre_ = Vec<D>::Zero();
    double radius_ = std::numeric_limits<double>::infinity();
};

} // namespace

// The smallest cap is cut out by the smallest ball around the directions: two of them span a diameter of it, or three
// a great circle.
template <int D>
bool middle_of(std::span<const Axis<D>> axes, Vec<D>& middle)
{
    SmallestBall<D> ball(axes);
    const std::size_t count = axes.size();
    for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t j = 0; j < i; ++j) ball.try_pair(i, j);
    }
    if constexpr (D == 3) {
        const bool spanned_by_two = ball.found();
        for (std::size_t i = 0; i < count && !spanned_by_two; ++i) {
            for (std::size_t j = 0; j < i; ++j) {
                for (std::size_t k = 0; k < j; ++k) ball.try_triple(i, j, k);
            }
        }
    }
    const double cosine = ball.centre().norm(); // of half the angle of the cap
    if (!ball.found() || !(cosine > 1e-3)) return false;
    middle = ball.centre() / cosine;
    return true;
}

template <int D>
ChosenAxis<D> choose_axis(const Convex<D>& a, const Convex<D>& b, const Vec<D>& offset, std::span<const Axis<D>> axes,
                          const Vec<D>* previous)
{
    const Axis<D>*best = &axes[0], *chosen = best;
    for (const Axis<D>& axis : axes) {
        if (axis.separation > best->separation) best = &axis;
        if (previous && axis.direction.dot(*previous) > chosen->direction.dot(*previous)) chosen = &axis;
    }
    if (!previous) chosen = best;
    const bool one = std::all_of(axes.begin(), axes.end(), [&](const Axis<D>& axis) {
        return (axis.direction - chosen->direction).squaredNorm() <= same_axis * same_axis;
    });
    Vec<D> middle;
    if (one || !middle_of<D>(axes, middle)) return {*chosen, false};
    if (previous && chosen->direction.dot(*previous) > middle.dot(*previous)) return {*chosen, false};
    const double separation = separation_along<D>(a, b, offset, middle);
    if (separation < -shallow * std::min(a.reach(), b.reach())) return {*chosen, false};
    return {{middle, separation}, true};
}

#define TALUS_INSTANTIATE(D)                                                                                           \
    template bool middle_of(std::span<const Axis<D>>, Vec<D>&);                                                        \
    template ChosenAxis<D> choose_axis(const Convex<D>&, const Convex<D>&, const Vec<D>&, std::span<const Axis<D>>,    \
                                       const Vec<D>*);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

} // namespace talus
