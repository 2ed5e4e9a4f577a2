// Fabric tensor F = ⟨n ⊗ n⟩ over the pairs of the gauge that transmit a force, its anisotropy, and the histogram of
// their normals (MOREAU §4): the angle from x over half a turn in 2D, the angle from the upward axis in 3D, where each
// band is divided by its solid angle.
#include "talus/probes/indicator_files.hpp"
#include "talus/probes/stress.hpp"

#include <algorithm>
#include <cmath>

namespace talus {

namespace {

constexpr int sectors = 36;

template <int D, class Visit>
void for_each_active_pair(const View<D>& view, Visit&& visit)
{
    const Neighbours<D>& neighbours = view.snapshot.neighbours();
    for (const std::int32_t row : view.rows()) {
        const std::size_t k = std::size_t(row);
        if (neighbours.is_active(k) && neighbours.opens_pair(k)) visit(view.contacts().normal[k]);
    }
}

// F has the trace 1. Anisotropy: difference of its extreme eigenvalues, times 2 in 2D (the amplitude a of the density
// (1 + a cos 2θ)/2π is twice it), times 5/2 in 3D.
template <int D>
std::vector<Maybe> measure_fabric(const View<D>& view)
{
    Mat<D> sum = Mat<D>::Zero();
    double pairs = 0;
    for_each_active_pair(view, [&](const Vec<D>& normal) {
        sum += normal * normal.transpose();
        ++pairs;
    });
    if (pairs == 0) return std::vector<Maybe>(D * (D + 1) / 2 + 1 + D);
    const Mat<D> fabric = sum / pairs;
    std::vector<Maybe> values;
    for (int i = 0; i < D; ++i) {
        for (int j = i; j < D; ++j) values.push_back(fabric(i, j));
    }
    const PrincipalStress<D> principal = principal_stress<D>(fabric);
    values.push_back((D == 2 ? 2.0 : 2.5) * (principal.value[D - 1] - principal.value[0]));
    for (int i = 0; i < D; ++i) values.push_back(principal.direction(i, D - 1));
    return values;
}

// where a normal belongs, of sectors over [0, 180°); n and −n are the same contact
int sector_of(const Vec<2>& normal)
{
    double angle = std::atan2(normal[1], normal[0]);
    if (angle < 0) angle += M_PI;
    return std::min(int(angle / M_PI * sectors), sectors - 1) % sectors;
}
int sector_of(const Vec<3>& normal)
{
    return std::min(int(std::acos(std::clamp(normal[2], -1.0, 1.0)) / M_PI * sectors), sectors - 1);
}
// what an isotropic sample would have there
double isotropic_share(const Vec<2>&, int) { return 1.0 / sectors; }
double isotropic_share(const Vec<3>&, int sector)
{
    return 0.5 * (std::cos(M_PI * sector / sectors) - std::cos(M_PI * (sector + 1) / sectors));
}

template <int D>
std::vector<Distribution> rose_of_normals(const View<D>& view)
{
    std::vector<double> count(sectors, 0.0);
    double pairs = 0;
    for_each_active_pair(view, [&](const Vec<D>& normal) {
        count[std::size_t(sector_of(normal))] += 0.5;
        count[std::size_t(sector_of(Vec<D>(-normal)))] += 0.5;
        ++pairs;
    });
    if (pairs == 0) return {};
    Distribution rose{"normals",
                      "Contact normals",
                      D == 2 ? "angle from x [°]" : "angle from the upward axis [°]",
                      "density, 1 where isotropic",
                      Distribution::Kind::rose,
                      {},
                      {}};
    for (int s = 0; s < sectors; ++s) {
        rose.x.push_back(180.0 * (s + 0.5) / sectors);
        rose.y.push_back(count[std::size_t(s)] / pairs / isotropic_share(Vec<D>(), s));
    }
    return {rose};
}

} // namespace

template <int D>
Indicator<D> fabric()
{
    std::vector<std::string> columns = tensor_columns<D>("fabric", "");
    columns.push_back("fabric_anisotropy");
    for (int i = 0; i < D; ++i) columns.push_back(std::string("fabric_along_") + axis_names[i]);
    return {"fabric",
            "fabric tensor of the contact normals, its anisotropy and major direction; rose of the normals",
            false,
            false,
            columns,
            measure_fabric<D>,
            rose_of_normals<D>};
}

template Indicator<2> fabric();
template Indicator<3> fabric();

} // namespace talus
