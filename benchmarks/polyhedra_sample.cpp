#include "benchmarks/polyhedra_sample.hpp"

#include "benchmarks/bench_scene.hpp"
#include "talus/base/error.hpp"
#include "talus/io/files/hdf5_file.hpp"

#include <fmt/format.h>

#include <numeric>

namespace talus::bench {

namespace {

constexpr double tile = 0.56; // [m] sides of the recorded box

} // namespace

std::string box_of_sample(double width, double depth)
{
    return fmt::format(R"(
[scene]
dimension = 3
dt = 2e-4
duration = 1
[materials]
grain = {{ density = 2700 }}
wall = {{ density = 2700 }}
[contact]
friction = 0.7
[[contact.pairs]]
materials = ["grain", "wall"]
friction = 0.8
[[generators]]
type = "container"
lower = [0, 0, 0]
upper = [{}, {}, 3]
open = ["top"]
material = "wall"
[[drivers]]
type = "gravity"
[detection]
alert_distance = 1e-3
)",
                       width, depth);
}

std::filesystem::path data_file(const std::string& name)
{
    const auto prefix = std::filesystem::read_symlink("/proc/self/exe").parent_path().parent_path();
    for (const std::filesystem::path& folder :
         {prefix / TALUS_INSTALLED_DATA, std::filesystem::path(TALUS_SOURCE_DATA)}) {
        if (exists(folder / name)) return folder / name;
    }
    throw InputError("the benchmark's data " + name + " is neither installed nor in the source tree");
}

Simulation<3> polyhedra_sample(int tiles_x, int tiles_y, double share)
{
    const io::Hdf5Reader file(data_file("poly2000.h5"));
    const auto vertices = file.column<Vec<3>>("vertices");
    const auto start = file.column<std::int64_t>("vertex_start");
    const auto velocity = file.column<Vec<3>>("velocity");
    const auto spin = file.column<Vec<3>>("spin");

    std::vector<Body<3>> grains;
    std::vector<Polytope<3>> solids;
    for (std::size_t g = 0; g + 1 < start.size(); ++g) {
        const Polytope<3> hull =
            convex_hull<3>(std::span(vertices).subspan(std::size_t(start[g]), std::size_t(start[g + 1] - start[g])));
        const MassProperties<3> properties = mass_properties(hull);
        Body<3> grain;
        grain.position = properties.centre;
        grain.orientation = properties.axes;
        grain.velocity = velocity[g];
        grain.spin = spin[g];
        grain.mass = 2700 * properties.volume;
        grain.inertia = 2700 * properties.inertia;
        grain.shape = std::int32_t(g);
        grains.push_back(grain);
        solids.push_back(centred(hull, properties));
    }
    std::vector<std::size_t> order(grains.size()); // by x where only some are wanted
    std::iota(order.begin(), order.end(), 0);
    double width = tile;
    if (share < 1) {
        std::sort(order.begin(), order.end(),
                  [&](std::size_t a, std::size_t b) { return grains[a].position[0] < grains[b].position[0]; });
        order.resize(std::size_t(share * double(order.size())));
        width = grains[order.back()].position[0];
        std::sort(order.begin(), order.end());
    }
    Simulation<3> simulation = simulation_of_text<3>(box_of_sample(tiles_x * width, tiles_y * tile));
    const std::int32_t first_shape = std::int32_t(simulation.shapes.size());
    for (Polytope<3>& solid : solids) simulation.shapes.add_polytope(std::move(solid));
    for (int x = 0; x < tiles_x; ++x) {
        for (int y = 0; y < tiles_y; ++y) {
            for (const std::size_t g : order) {
                Body<3> grain = grains[g];
                grain.position += Vec<3>(x * width, y * tile, 0);
                grain.shape += first_shape;
                grain.material = simulation.materials.index("grain");
                simulation.bodies.add(grain);
            }
        }
    }
    return simulation;
}

} // namespace talus::bench
