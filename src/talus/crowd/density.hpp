// How dense a crowd is: by each person's Voronoi cell, and by squares of the ground over time; levels of service.
#pragma once

#include "talus/crowd/voronoi.hpp"

#include <string_view>

namespace talus {

// [1/m²] of each body: one over the area of its cell; 0 for what is no person.
std::vector<double> person_densities(const BodyTable<2>& bodies, const ShapeTable<2>& shapes,
                                     const CellOptions& options = {});

// Fruin's levels of service for walkways, A to F as 0 to 5, by persons per m². J. J. Fruin, Pedestrian Planning and
// Design (1971): A from 35 ft² per person on, then 25, 15, 10 and 5 ft².
inline constexpr double fruin_bounds[] = {0.308, 0.431, 0.718, 1.076, 2.153}; // [1/m²]
int level_of_service(double density);
inline constexpr std::string_view service_names = "ABCDEF";

// Means over moments, by square. Whoever's centre is in a square counts there: density is their mean number over the
// area of the square, walls included; speed is the mean over those counted.
class CrowdMap {
  public:
    CrowdMap(const Bounds<2>& extent, double side = 1); // made larger to whole squares; InputError: too many of them

    void add(const BodyTable<2>& bodies, const ShapeTable<2>& shapes); // a moment; persons outside do not count
    std::size_t moments() const { return moments_; }

    int nx() const { return nx_; }
    int ny() const { return ny_; }
    double side() const { return side_; } // [m]
    const Vec<2>& lower() const { return lower_; }
    // x runs fastest
    std::size_t index(int i, int j) const { return std::size_t(j) * std::size_t(nx_) + std::size_t(i); }
    std::vector<double> density() const; // [1/m²]
    std::vector<double> speed() const;   // [m/s]; NaN where nobody has been
    std::vector<double> service() const; // 0 to 5 for A to F; NaN where nobody has been

  private:
    Vec<2> lower_; // [m]
    double side_;  // [m]
    int nx_, ny_;
    std::size_t moments_ = 0;
    std::vector<std::int64_t> count_;
    std::vector<double> speed_sum_; // [m/s]
};

} // namespace talus
