#include "talus/crowd/density.hpp"

#include "talus/base/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace talus {

namespace {

constexpr double least_area = 1e-3; // [m²] of somebody whose centre lies on a wall
constexpr double most_squares = 4e6;
constexpr double nobody = std::numeric_limits<double>::quiet_NaN();

} // namespace

std::vector<double> person_densities(const BodyTable<2>& bodies, const ShapeTable<2>& shapes,
                                     const CellOptions& options)
{
    std::vector<double> density(bodies.size(), 0.0);
    for (const PersonCell& cell : person_cells(bodies, shapes, options)) {
        const bool is_left_out = cell.area == 0 && options.within;
        density[std::size_t(cell.body)] = is_left_out ? 0 : 1 / std::max(cell.area, least_area);
    }
    return density;
}

int level_of_service(double density)
{
    return int(std::ranges::upper_bound(fruin_bounds, density) - std::begin(fruin_bounds));
}

CrowdMap::CrowdMap(const Bounds<2>& extent, double side) : lower_(extent.lower), side_(side)
{
    const Vec<2> count = ((extent.upper - extent.lower) / side).array() - 1e-9; // 10 m are ten squares of 1 m
    if (!(side > 0) || !count.allFinite() || std::ceil(count.x()) * std::ceil(count.y()) > most_squares) {
        throw InputError(
            fmt::format("a map of {:g} × {:g} m in squares of {:g} m: squares must be > 0, and at most {:g}",
                        extent.upper.x() - extent.lower.x(), extent.upper.y() - extent.lower.y(), side, most_squares));
    }
    nx_ = std::max(1, int(std::ceil(count.x())));
    ny_ = std::max(1, int(std::ceil(count.y())));
    count_.assign(std::size_t(nx_) * std::size_t(ny_), 0);
    speed_sum_.assign(count_.size(), 0);
}

void CrowdMap::add(const BodyTable<2>& bodies, const ShapeTable<2>& shapes)
{
    ++moments_;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        if (!is_person(bodies, shapes, i)) continue;
        const Vec<2> place = ((bodies.position[i] - lower_) / side_).array().floor();
        if (place.x() < 0 || place.y() < 0 || !(place.x() < nx_) || !(place.y() < ny_)) continue;
        const std::size_t square = index(int(place.x()), int(place.y()));
        ++count_[square];
        speed_sum_[square] += bodies.velocity[i].norm();
    }
}

std::vector<double> CrowdMap::density() const
{
    std::vector<double> density(count_.size(), 0.0);
    const double measured = side_ * side_ * double(std::max<std::size_t>(1, moments_)); // [m²] times moments
    std::ranges::transform(count_, density.begin(), [&](std::int64_t count) { return double(count) / measured; });
    return density;
}

std::vector<double> CrowdMap::speed() const
{
    std::vector<double> speed(count_.size(), nobody);
    for (std::size_t k = 0; k < count_.size(); ++k) {
        if (count_[k] > 0) speed[k] = speed_sum_[k] / double(count_[k]);
    }
    return speed;
}

std::vector<double> CrowdMap::service() const
{
    std::vector<double> level = density();
    for (std::size_t k = 0; k < count_.size(); ++k) level[k] = count_[k] > 0 ? level_of_service(level[k]) : nobody;
    return level;
}

} // namespace talus
