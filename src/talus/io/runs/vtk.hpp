// For ParaView: run.pvd lists, frame by frame, vtk/grains_NNNNNN.vtp (balls as points with their radius, for glyphs),
// vtk/contacts_NNNNNN.vtp and, where there are any, vtk/solids_NNNNNN.vtp (polygons, polyhedra, clusters,
// meshes and rods as cells).
// PolyData as XML with raw appended arrays; pictures need no more than single precision. In 2D z = 0.
#pragma once

#include "talus/simulation/simulation.hpp"

#include <cstdint>
#include <filesystem>
#include <vector>

namespace talus::io {

class VtkWriter {
  public:
    explicit VtkWriter(const std::filesystem::path& run_folder);
    // Continues: files of frames from times.size() on are deleted, the others listed again.
    VtkWriter(const std::filesystem::path& run_folder, const std::vector<double>& times);

    template <int D>
    void frame(const Simulation<D>& simulation, std::int64_t index);

  private:
    void write_list() const;
    std::filesystem::path file_of(const char* part, std::int64_t index) const;

    struct Moment {
        std::int64_t index;
        double time; // [s]
    };
    std::filesystem::path folder_;
    std::vector<Moment> moments_;
};

} // namespace talus::io
