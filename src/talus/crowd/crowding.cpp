#include "talus/crowd/crowding.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace talus {

namespace {

constexpr double gamma = 1.913, most = 5.4; // [1/m²] Weidmann
constexpr double correction = 1.3;          // c: calibrated with the preset (V35)
constexpr double slowest_share = 0.02;      // of the speed: even in the densest crowd people press on

} // namespace

void Crowding::see(const BodyTable<2>& bodies, std::span<const Pair> pairs)
{
    const auto is_of_people = [&](const Pair& pair) {
        return !bodies.is_passive(std::size_t(pair.first)) && !bodies.is_passive(std::size_t(pair.second));
    };
    first_.assign(bodies.size() + 1, 0);
    for (const Pair& pair : pairs) {
        if (!is_of_people(pair)) continue;
        ++first_[std::size_t(pair.first) + 1];
        ++first_[std::size_t(pair.second) + 1];
    }
    for (std::size_t i = 0; i < bodies.size(); ++i) first_[i + 1] += first_[i];
    near_.resize(std::size_t(first_.back()));
    std::vector<std::int32_t> next(first_.begin(), first_.end() - 1);
    for (const Pair& pair : pairs) {
        if (!is_of_people(pair)) continue;
        near_[std::size_t(next[std::size_t(pair.first)]++)] = pair.second;
        near_[std::size_t(next[std::size_t(pair.second)]++)] = pair.first;
    }
}

double Crowding::density_ahead(const BodyTable<2>& bodies, std::size_t i, const Vec<2>& way) const
{
    double sum = 0;
    for (std::int32_t k = first_[i]; k < first_[i + 1]; ++k) {
        const std::size_t other = std::size_t(near_[std::size_t(k)]);
        const Vec<2> offset = bodies.position[other] - bodies.position[i];
        const double distance = offset.norm();
        if (distance >= reach_ || offset.dot(way) <= 0) continue;
        sum += 1 - distance / reach_;
    }
    return correction * sum / (std::numbers::pi * reach_ * reach_ / 6);
}

double Crowding::share_of_speed(const BodyTable<2>& bodies, std::size_t i, const Vec<2>& way) const
{
    const double density = density_ahead(bodies, i, way);
    if (density <= 0) return 1;
    return std::clamp(1 - std::exp(-gamma * (1 / density - 1 / most)), slowest_share, 1.0);
}

} // namespace talus
