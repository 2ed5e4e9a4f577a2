// From a scene to a run folder, from the first step: what `talus run` and `talus compare` share.
#pragma once

#include "talus/io/files/folder_lock.hpp"
#include "talus/io/runs/run_figures.hpp"
#include "talus/scene/value.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

struct RunOptions {
    std::filesystem::path scene, out;
    std::vector<std::string> sets;
    std::optional<std::string> until;
    std::optional<std::int64_t> steps;
    int threads = 0;
    bool force = false, resume = false, vtk = false, quiet = false;
    std::string command_line;
};

// The scene and those of the options that a user finds with both commands.
void add_run_options(CLI::App& command, RunOptions& options);
// Takes the threads asked for, and makes --until a key of the scene.
void apply_run_options(RunOptions& options);

talus::RunPlan plan_run(const RunOptions& options, const talus::scene::Value& scene);
void announce(const RunOptions& options, const std::filesystem::path& scene);

// InputError where a file is in the way of the folder.
void check_out(const std::filesystem::path& out);

// Goes on from a checkpoint, or begins: also where a run was ended before its first step, by a kill or a full disk.
enum class Entry { resume, begin };
// InputError where the folder is not to be written.
Entry entry_into(const RunOptions& options);
bool is_free(const std::filesystem::path& out); // for a run to begin in

talus::io::FolderLock take_lock(const std::filesystem::path& out);

// Runs to the end; the exit status. Nothing is written before the scene is assembled: until then it throws InputError
// where the scene is bad for its method. `figures`: what the run came to, where asked for.
int run_from_start(const RunOptions& options, const talus::scene::Value& scene,
                   std::optional<talus::io::FolderLock> lock, talus::io::RunFigures* figures = nullptr);
