#include "benchmarks/heap_measures.hpp"

#include "benchmarks/bench.hpp"
#include "talus/probes/cut.hpp"
#include "talus/probes/sample.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>

namespace talus::bench {

namespace {

template <int D>
constexpr int sectors = D == 2 ? 2 : 8;

// Outward and horizontal, in the middle of a sector.
template <int D>
Vec<D> outward(int sector)
{
    const double angle = 2 * std::numbers::pi * sector / sectors<D>;
    Vec<D> direction = Vec<D>::Zero();
    direction[0] = std::cos(angle);
    if (D == 3) direction[1] = std::sin(angle);
    return direction;
}

double radius_of(const Vec<2>& point) { return std::abs(point[0]); }
double radius_of(const Vec<3>& point) { return point.head<2>().norm(); }

struct Column {
    double radius = 0, height = 0; // [m] of the highest grain, its upper end
};

// Highest grains of columns two diameters wide, all of the same section: where more grains compete, the highest is
// higher. Columns of less than two grains are not a flank.
template <int D>
std::vector<Column> columns(const Simulation<D>& simulation, double diameter)
{
    const Sample<D> sample{simulation.bodies, simulation.shapes};
    constexpr double fall = 0.5; // [m/s] a grain on its way down is not part of the heap
    std::map<std::array<double, D - 1>, Column> highest;
    for (std::size_t i = 0; i < simulation.bodies.size(); ++i) {
        if (!sample.is_grain(i) || simulation.bodies.velocity[i].norm() > fall) continue;
        const Vec<D>& centre = simulation.bodies.position[i];
        std::array<double, D - 1> place;
        for (int k = 0; k < D - 1; ++k) place[std::size_t(k)] = std::floor(centre[k] / (2 * diameter));
        Column& column = highest[place];
        const double top = centre[D - 1] + 0.5 * diameter;
        if (top > column.height) column = {radius_of(centre), top};
    }
    std::vector<Column> all;
    for (const auto& [place, column] : highest) {
        if (column.height > 2 * diameter) all.push_back(column);
    }
    return all;
}

Flank straight_line(const std::vector<Column>& columns)
{
    std::vector<double> radius, height;
    for (const Column& column : columns) {
        radius.push_back(column.radius);
        height.push_back(column.height);
    }
    const Line line = fitted_line(radius, height);
    return {std::atan(-line.slope), line.offset};
}

template <int D>
RadialForce in_radial_plane(const Vec<D>& force, const Vec<D>& out)
{
    return {force.dot(out), force[D - 1]};
}

constexpr double places[] = {0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65}; // of the way down, middle of a flank

// From the floor to the surface: a line in 2D, in 3D a disk that fits between the two.
template <int D>
PlaneCut<D> upright_cut(const Flank& flank, const Vec<D>& out, double radius)
{
    const double half = 0.5 * flank.height(radius);
    PlaneCut<D> cut{radius * out + half * Vec<D>::Unit(D - 1), out};
    if (D == 3) cut.radius = half;
    return cut;
}

// At a part of the depth below the surface, over a third of the flank.
template <int D>
PlaneCut<D> surface_cut(const Flank& flank, const Vec<D>& out, double depth)
{
    const double radius = 0.5 * flank.foot();
    const Vec<D> up = Vec<D>::Unit(D - 1);
    const Vec<D> normal = std::sin(flank.slope) * out + std::cos(flank.slope) * up;
    return {radius * out + (1 - depth) * flank.height(radius) * up, normal, flank.foot() / 6 / std::cos(flank.slope)};
}

// Of contacts that push between grains, the normals turned to the first sector.
template <int D>
void add_fabric(HeapForces& sum, const Simulation<D>& simulation, const Flank& flank)
{
    const ContactTable<D>& contacts = simulation.contacts;
    const Sample<D> sample{simulation.bodies, simulation.shapes};
    for (std::size_t k = 0; k < contacts.size(); ++k) {
        const double radius = radius_of(contacts.point[k]);
        if (contacts.impulse[k].dot(contacts.normal[k]) <= 0) continue;
        if (radius < 0.2 * flank.foot() || radius > 0.8 * flank.foot()) continue;
        if (!sample.is_grain(std::size_t(contacts.candidate[k]))) continue;
        if (!sample.is_grain(std::size_t(contacts.antagonist[k]))) continue;
        Vec<D> out = contacts.point[k];
        out[D - 1] = 0;
        const RadialForce normal = in_radial_plane<D>(contacts.normal[k], out.normalized());
        if (normal.norm() == 0) continue;
        sum.fabric += normal.normalized() * normal.normalized().transpose();
        const double turn = std::atan2(normal[1], normal[0]) / std::numbers::pi + 1; // 0 to 2; n and −n are alike
        sum.rose[std::size_t(turn * double(sum.rose.size())) % sum.rose.size()] += 1;
        sum.contacts += 1;
    }
}

} // namespace

double Flank::foot() const { return top / std::tan(slope); }
double Flank::height(double r) const { return top - r * std::tan(slope); }

void HeapForces::add(const HeapForces& other)
{
    vertical_cut += other.vertical_cut;
    parallel_cut += other.parallel_cut;
    fabric += other.fabric;
    for (std::size_t k = 0; k < rose.size(); ++k) rose[k] += other.rose[k];
    contacts += other.contacts;
    instants += other.instants;
}

double HeapForces::vertical_cut_angle() const { return std::atan2(vertical_cut[1], -vertical_cut[0]); }
double HeapForces::parallel_cut_tilt() const { return std::atan2(parallel_cut[0], -parallel_cut[1]); }

double HeapForces::anisotropy() const
{
    const Mat<2> mean = fabric / contacts;
    return 2 * std::hypot(mean(0, 0) - mean(1, 1), 2 * mean(0, 1));
}
double HeapForces::direction() const { return 0.5 * std::atan2(2 * fabric(0, 1), fabric(0, 0) - fabric(1, 1)); }

template <int D>
Flank mean_flank(const Simulation<D>& simulation, double grain_diameter)
{
    std::vector<Column> all = columns(simulation, grain_diameter);
    const double foot = straight_line(all).foot();
    std::erase_if(all, [&](const Column& c) { return c.radius < 0.2 * foot || c.radius > 0.8 * foot; });
    return straight_line(all);
}

template <int D>
HeapForces heap_forces(const Simulation<D>& simulation, const Flank& flank)
{
    const Sample<D> sample{simulation.bodies, simulation.shapes};
    const auto through = [&](const PlaneCut<D>& cut, const Vec<D>& out) {
        return in_radial_plane<D>(force_through(cut, sample, simulation.contacts, simulation.clock.dt), out);
    };
    HeapForces sum;
    sum.instants = 1;
    for (int sector = 0; sector < sectors<D>; ++sector) {
        const Vec<D> out = outward<D>(sector);
        for (const double place : places) {
            sum.vertical_cut += through(upright_cut<D>(flank, out, place * flank.foot()), out);
        }
        for (const double depth : {0.3, 0.4, 0.5, 0.6}) {
            sum.parallel_cut += through(surface_cut<D>(flank, out, depth), out);
        }
    }
    add_fabric(sum, simulation, flank);
    return sum;
}

template Flank mean_flank(const Simulation<2>&, double);
template Flank mean_flank(const Simulation<3>&, double);
template HeapForces heap_forces(const Simulation<2>&, const Flank&);
template HeapForces heap_forces(const Simulation<3>&, const Flank&);

} // namespace talus::bench
