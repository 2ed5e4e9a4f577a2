#include "talus/drivers/long_range/inverse_square.hpp"

#include "talus/detection/bounding_balls.hpp"
#include "talus/exec/parallel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace talus {

template <int D>
InverseSquare<D>::InverseSquare(const scene::Value& driver, double constant)
    : given_(driver), acting_(driver), constant_(constant), softening_(driver.at("softening").number()),
      summation_(read_summation<D>(driver))
{
}

template <int D>
void InverseSquare<D>::find(const BodyTable<D>& bodies, std::size_t count)
{
    body_.clear();
    next_.place.clear();
    next_.strength.clear();
    for_sources(bodies, count, [&](std::int32_t body, double strength) {
        const Vec<D>& place = bodies.position[std::size_t(body)];
        if (!is_finite<D>(place)) return; // the step says so
        body_.push_back(body);
        next_.place.push_back(place);
        next_.strength.push_back(strength);
    });
    if (next_ == sources_) return;
    std::swap(next_, sources_);
    summation_->sum(sources_, softening_, felt_);
}

template <int D>
void InverseSquare<D>::load(BodyTable<D>& bodies, const TimeSpan& during)
{
    force_.assign(bodies.size(), Vec<D>::Zero());
    if (!acting_.contains(during)) return;
    find(bodies, bodies.size());
    parallel_for(body_.size(), [&](std::size_t k) {
        const auto i = std::size_t(body_[k]);
        force_[i] = (constant_ * sources_.strength[k]) * felt_.pull[k];
        if (!bodies.is_passive(i)) bodies.force[i] += force_[i];
    });
}

// forces that come or go are loads
template <int D>
Vec<D> InverseSquare<D>::field(const BodyTable<D>&, std::size_t i) const
{
    return acting_.is_always() && i < force_.size() ? force_[i] : Vec<D>(Vec<D>::Zero());
}

template <int D>
double InverseSquare<D>::energy(const BodyTable<D>& bodies, std::size_t count)
{
    if (!acting_.is_always()) return 0;
    find(bodies, count);
    return 0.5 * constant_ *
           parallel_sum(body_.size(), 0.0, [&](std::size_t k) { return sources_.strength[k] * felt_.potential[k]; });
}

// Two bodies at one place have no force that one could name.
template <int D>
std::vector<Mistake> InverseSquare<D>::examine(const BodyTable<D>& bodies, const ShapeTable<D>&)
{
    std::vector<Mistake> mistakes;
    if (softening_ > 0) return mistakes;
    std::vector<std::int32_t> order;
    for_sources(bodies, bodies.size(), [&](std::int32_t body, double) { order.push_back(body); });
    const auto place_of = [&](std::int32_t body) -> const Vec<D>& { return bodies.position[std::size_t(body)]; };
    std::ranges::stable_sort(order, [&](std::int32_t a, std::int32_t b) {
        return std::lexicographical_compare(place_of(a).begin(), place_of(a).end(), place_of(b).begin(),
                                            place_of(b).end());
    });
    for (std::size_t k = 1; k < order.size() && mistakes.size() < 10; ++k) { // the first ten tell enough
        const Vec<D>& place = place_of(order[k]);
        if (place_of(order[k - 1]) != place) continue;
        std::string where;
        for (const double x : place) where += (where.empty() ? "" : ", ") + scene::number_text(x);
        mistakes.push_back(
            mistake_of_key(given_, fmt::format("bodies {} and {} are both at [{}] m, where their force has no limit: "
                                               "all must be at places of their own, or softening > 0",
                                               order[k - 1], order[k], where)));
    }
    return mistakes;
}

template class InverseSquare<2>;
template class InverseSquare<3>;

} // namespace talus
