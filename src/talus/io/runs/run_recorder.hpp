// The observer that writes a run's folder: frames, series, checkpoints, recorded problems, log, summary.
#pragma once

#include "talus/base/stopwatch.hpp"
#include "talus/io/files/folder_lock.hpp"
#include "talus/io/files/log.hpp"
#include "talus/io/runs/run_folder.hpp"

namespace talus::io {

template <int D>
class RunRecorder final : public Observer<D> {
  public:
    RunRecorder(RunWriter<D> writer, Log log) : writer_(std::move(writer)), log_(std::move(log)) {}
    void hold(FolderLock lock) { lock_.emplace(std::move(lock)); } // as long as it is there

    void on_start(Run<D>& run) override;
    void on_line(const Run<D>& run, const StepReport& report, std::span<const GaugeLine> gauges) override;
    void on_step(const Run<D>& run, const StepReport& report) override;
    void on_stop(const Run<D>& run) override;
    void on_warning(const std::string& line) override { log_.warning(line); }
    void on_info(const std::string& line) override { log_.info(line); }
    void on_tolerance(const std::string& line) override { log_.info(line); }
    void on_end(const Run<D>& run, const RunEnd& end) override;

  private:
    void keep_problems(Run<D>& run); // of the steps that the plan names, as problems/NNNNNN.h5

    std::optional<FolderLock> lock_; // first, and so given back last
    RunWriter<D> writer_;
    Log log_;
    Stopwatch since_checkpoint_;
};

struct RunFolder {
    std::filesystem::path path;
    std::string command_line;
    bool vtk = false;
};

Provenance provenance_of(const std::string& command_line, const scene::Value& scene);

// The recorder of a run from its first step, into a folder that is empty or missing.
template <int D>
std::unique_ptr<RunRecorder<D>> new_recorder(const Run<D>& run, const scene::Value& scene, const RunFolder& folder);

} // namespace talus::io
