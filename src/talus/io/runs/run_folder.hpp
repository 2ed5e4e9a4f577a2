// A run's folder as a whole: who writes what when, what is in it, whether it is sound. Layout: docs/run-file.md.
// When a frame, a line or a checkpoint is due is the recorder's decision (run_recorder.hpp).
#pragma once

#include "talus/io/runs/checkpoint.hpp"
#include "talus/io/runs/frames.hpp"
#include "talus/io/runs/provenance.hpp"
#include "talus/io/runs/series.hpp"
#include "talus/io/runs/summary.hpp"
#include "talus/io/runs/vtk.hpp"
#include "talus/scene/value.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace talus::io {

// true where the folder holds anything but a lock: a run is written to an empty place
bool is_occupied(const std::filesystem::path& folder);
// true where the folder looks like a run's
bool is_run_folder(const std::filesystem::path& folder);
// true where the folder holds what no run writes
bool has_foreign_files(const std::filesystem::path& folder);
bool has_checkpoint(const std::filesystem::path& folder);
// true where no step can be lost: nothing is there, or a run that was ended before its first checkpoint
bool has_no_step(const std::filesystem::path& folder);
// Deletes the files of a run (--force) and nothing else; or all but its scene, to begin it again.
enum class SceneFile { remove, keep };
void clear_run_folder(const std::filesystem::path& folder, SceneFile scene = SceneFile::remove);

template <int D>
class RunWriter {
  public:
    // Begins a folder: scene.toml, run.h5, the header of series.csv. InputError where there is a run.
    RunWriter(std::filesystem::path folder, const scene::Value& scene, const Simulation<D>& simulation,
              Provenance provenance, bool vtk);
    // Continues one from the state that read_checkpoint() restored: what was written after the checkpoint is cut off.
    static RunWriter resume(std::filesystem::path folder, const Simulation<D>& simulation, const Restored& restored,
                            const Provenance& provenance, bool vtk);

    void frame(const Simulation<D>& simulation);
    void series(const Simulation<D>& simulation, const StepReport& report, std::span<const GaugeLine> gauges);
    // Everything before it is on disk when it is there.
    void checkpoint(const Simulation<D>& simulation, const Tally& tally);
    void tables(const Simulation<D>& simulation); // of the meters, at the end
    void flush();                                 // frames that wait in memory and the series
    void finish(const Summary& summary);
    void give_up(const Summary& summary); // of a run that failed: what there is room for

    const std::filesystem::path& folder() const { return folder_; }
    std::int64_t frames() const { return frames_.count(); }

  private:
    RunWriter(std::filesystem::path folder, Provenance provenance, std::int64_t frames, SeriesFile series);
    void write_run_file(const Simulation<D>& simulation);
    void keep_room_for_the_end();

    std::filesystem::path folder_;
    Provenance provenance_;
    FrameWriter<D> frames_;
    SeriesFile series_;
    std::optional<VtkWriter> vtk_;
    void add_to_roster(const BodyTable<D>& bodies);
    // in run.h5
    std::int32_t known_bodies_ = 0; // that have ever come
    std::size_t known_shapes_ = 0;
    BodyTable<D> roster_; // what is constant of all bodies that were in a frame, since one has left
};

struct RunInfo {
    int dimension = 0;
    Provenance provenance;
    std::vector<std::string> materials;
    std::int64_t frames = 0;
    std::vector<double> times;        // [s] of the frames
    std::vector<std::int64_t> bodies; // number in each frame
    std::string outcome;              // of summary.json; empty: still running, or killed
    bool can_resume = false;          // there is a checkpoint
};

// InputError where this is no run's folder or run.h5 or a block is damaged.
int read_dimension(const std::filesystem::path& folder);
RunInfo read_run_info(const std::filesystem::path& folder);

// Every problem of a run's folder; empty: sound. A run that goes on or was killed is no problem.
std::vector<std::string> verify_run(const std::filesystem::path& folder);

} // namespace talus::io
