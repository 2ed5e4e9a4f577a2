#include "talus/sampling/size_distribution.hpp"

#include <cmath>

namespace talus {

template <int D>
SizeDistribution<D> SizeDistribution<D>::uniform(double smallest, double largest)
{
    SizeDistribution sizes(smallest, largest);
    sizes.classes_.push_back({smallest, largest, -1, 0, 1});
    return sizes;
}

template <int D>
SizeDistribution<D> SizeDistribution<D>::by_volume(double smallest, double largest)
{
    SizeDistribution sizes(smallest, largest);
    sizes.classes_.push_back({smallest, largest, D - 1, 0, 1}); // n(d) ∝ d^−D: as much solid in every interval
    return sizes;
}

template <int D>
SizeDistribution<D> SizeDistribution<D>::sieved(const std::vector<SievePoint>& curve)
{
    SizeDistribution sizes(curve.front().size, curve.back().size);
    double all = 0;
    for (std::size_t k = 0; k + 1 < curve.size(); ++k) {
        const double mass = curve[k + 1].passing - curve[k].passing;
        if (mass <= 0) continue;
        const double from = curve[k].size, to = curve[k + 1].size;
        // dm = mass dln(d) / ln(to/from), dn = dm / d^D
        const double number = mass / std::log(to / from) * (std::pow(from, -D) - std::pow(to, -D)) / D;
        sizes.classes_.push_back({from, to, D, all, number});
        all += number;
    }
    for (Class& part : sizes.classes_) {
        part.below /= all;
        part.share /= all;
    }
    sizes.smallest_ = sizes.classes_.front().from;
    sizes.largest_ = sizes.classes_.back().to;
    return sizes;
}

template <int D>
double SizeDistribution<D>::quantile(double share) const
{
    const Class* part = &classes_.front();
    for (const Class& candidate : classes_) {
        if (candidate.below <= share) part = &candidate;
    }
    const double u = (share - part->below) / part->share;
    if (part->power == -1) return part->from + u * (part->to - part->from);
    const double a = std::pow(part->from, -part->power), b = std::pow(part->to, -part->power);
    return std::min(std::pow(a + u * (b - a), -1 / part->power), part->to);
}

template <int D>
double SizeDistribution<D>::draw(Random& random) const
{
    return smallest_ == largest_ ? smallest_ : quantile(random.uniform());
}

template class SizeDistribution<2>;
template class SizeDistribution<3>;

} // namespace talus
