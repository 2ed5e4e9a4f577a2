#include "talus/probes/view.hpp"

#include "talus/exec/parallel.hpp"
#include "talus/probes/pair_overlap.hpp"

#include <limits>

namespace talus {

namespace {

// Bounding box of the grains, cut back to half-spaces that look along an axis and cross it.
template <int D>
Region<D> bounding_region(const Sample<D>& sample)
{
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const Bounds<D> nothing{Vec<D>::Constant(infinity), Vec<D>::Constant(-infinity)};
    Bounds<D> all = parallel_reduce(
        sample.bodies.size(), nothing,
        [&](std::size_t i) -> Bounds<D> { return sample.is_grain(i) ? bounds_of_grain(sample, i) : nothing; },
        [](const Bounds<D>& a, const Bounds<D>& b) -> Bounds<D> {
            return {a.lower.cwiseMin(b.lower), a.upper.cwiseMax(b.upper)};
        });
    if (!(all.lower.array() <= all.upper.array()).all()) return {}; // no grain
    for (std::size_t i = 0; i < sample.bodies.size(); ++i) {
        if (sample.shape(i).kind != ShapeKind::half_space) continue;
        const Vec<D> normal = sample.bodies.orientation[i] * sample.shapes.half_spaces[sample.shape(i).detail].normal;
        int axis = 0;
        if (normal.cwiseAbs().maxCoeff(&axis) < 1 - 1e-12) continue;
        const double place = sample.bodies.position[i][axis];
        if (!(place > all.lower[axis] && place < all.upper[axis])) continue;
        (normal[axis] > 0 ? all.lower : all.upper)[axis] = place;
    }
    return Region<D>::box(all.lower, all.upper);
}

// The indices below `count` that are in, in order: judged on threads, listed by one.
template <class IsIn>
std::vector<std::int32_t> listed(std::size_t count, IsIn&& is_in)
{
    std::vector<std::uint8_t> in(count);
    parallel_for(count, [&](std::size_t i) { in[i] = is_in(i); });
    std::vector<std::int32_t> list;
    for (std::size_t i = 0; i < count; ++i) {
        if (in[i]) list.push_back(std::int32_t(i));
    }
    return list;
}

} // namespace

template <int D>
View<D>::View(const Snapshot<D>& snapshot_, const Region<D>& region_, bool is_whole_, std::int32_t body_,
              const BodyStart<D>& start_)
    : snapshot(snapshot_), region(region_), is_whole(is_whole_), body(body_), start(start_), volume(region_.volume())
{
}

template <int D>
View<D> View<D>::of_sample(const Snapshot<D>& snapshot)
{
    return View(snapshot, bounding_region(snapshot.sample), true);
}

template <int D>
View<D> View<D>::of_body(const Snapshot<D>& snapshot, std::int32_t body, const BodyStart<D>& start)
{
    return View(snapshot, {}, false, body, start);
}

template <int D>
const std::vector<std::int32_t>& View<D>::grains() const
{
    if (!grains_) {
        grains_ = listed(sample().bodies.size(), [&](std::size_t i) {
            return sample().is_grain(i) && (is_whole || region.contains(sample().bodies.position[i]));
        });
    }
    return *grains_;
}

template <int D>
double View<D>::mean_diameter() const
{
    double sum = 0;
    for (const std::int32_t i : grains()) {
        sum += 2 * bounding_radius(sample().shapes, sample().bodies.shape[std::size_t(i)]);
    }
    return grains().empty() ? 0 : sum / double(grains().size());
}

template <int D>
const std::vector<typename View<D>::Part>& View<D>::parts() const
{
    if (!parts_) {
        std::vector<double> within(sample().bodies.size()), share(within.size(), 1.0);
        const auto cut = [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                if (!sample().is_grain(i)) continue;
                within[i] = volume_within(region, sample(), i);
                if (within[i] > 0 && !is_inside(region, sample(), i)) share[i] = within[i] / sample().volume(i);
            }
        };
        parallel_chunks(within.size(), cut, 256);
        parts_.emplace();
        for (std::size_t i = 0; i < within.size(); ++i) {
            if (within[i] > 0) parts_->push_back({std::int32_t(i), within[i], share[i]});
        }
    }
    return *parts_;
}

template <int D>
const std::vector<std::int32_t>& View<D>::rows() const
{
    if (!rows_) {
        rows_ = listed(contacts().size(), [&](std::size_t k) {
            const bool of_grain = sample().is_grain(std::size_t(contacts().candidate[k])) ||
                                  sample().is_grain(std::size_t(contacts().antagonist[k]));
            return of_grain && (is_whole || region.contains(contacts().point[k]));
        });
    }
    return *rows_;
}

template class View<2>;
template class View<3>;

} // namespace talus
