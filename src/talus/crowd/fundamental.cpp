#include "talus/crowd/fundamental.hpp"

namespace talus {

FundamentalSample measure_fundamental(const BodyTable<2>& bodies, const ShapeTable<2>& shapes, const Bounds<2>& area,
                                      CellOptions options)
{
    FundamentalSample sample;
    const double size = (area.upper - area.lower).prod(); // [m²]
    double speeds = 0, shares = 0, weighted = 0, covered = 0;
    options.with_outlines = true;
    for (const PersonCell& cell : person_cells(bodies, shapes, options)) {
        const auto i = std::size_t(cell.body);
        const Vec<2>& place = bodies.position[i];
        const double speed = bodies.velocity[i].norm();
        if ((place.array() >= area.lower.array()).all() && (place.array() < area.upper.array()).all()) {
            ++sample.persons;
            speeds += speed;
        }
        const double whole = area_of(cell.outline);
        if (!(whole > 0)) continue;
        const double inside = area_within(cell.outline, area);
        shares += inside / whole;
        weighted += inside * speed;
        covered += inside;
    }
    sample.density = double(sample.persons) / size;
    sample.speed = ratio(speeds, double(sample.persons));
    sample.voronoi_density = shares / size;
    sample.voronoi_speed = ratio(weighted, covered);
    return sample;
}

} // namespace talus
