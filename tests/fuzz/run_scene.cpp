#include "fuzz/run_scene.hpp"

#include "scenes_in_tests.hpp"
#include "talus/base/stopwatch.hpp"
#include "talus/exec/parallel.hpp"
#include "talus/io/meshes/mesh_file.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <fstream>

namespace talus::fuzz {

namespace {

std::filesystem::path folder_of(std::uint64_t seed)
{
    const char* given = std::getenv("TALUS_FUZZ_FOLDER");
    const std::filesystem::path folder = given ? std::filesystem::path(given) : std::filesystem::temp_directory_path();
    return folder / ("talus-fuzz-" + std::to_string(seed));
}

void write(const std::filesystem::path& file, const std::string& text)
{
    std::ofstream out(file);
    out << text;
    if (!out.flush()) throw std::runtime_error("cannot write " + file.string());
}

// All claims on one thread; the same bits on two, where the solver says that it gives the same bits each time.
template <int D>
Verdict judge_on_threads(const scene::Value& scene)
{
    const int before = thread_count();
    set_thread_count(1);
    auto alone = assemble<D>(scene, io::SceneShapeFiles());
    const scene::Value& times = scene.at("scene");
    Verdict verdict = judge(alone, int(std::lround(times.at("duration").number() / times.at("dt").number())));
    if (verdict.faults.empty()) {
        set_thread_count(2);
        auto together = assemble<D>(scene, io::SceneShapeFiles());
        if (verdict.reproducible) {
            const std::uint64_t hash = hash_of_run(together, verdict.steps);
            if (hash != verdict.hash) {
                verdict.faults.push_back(fmt::format("threads: {:016x} on one, {:016x} on two", verdict.hash, hash));
            }
        } else {
            for (const std::string& fault : judge(together, verdict.steps).faults) {
                verdict.faults.push_back("on two threads, " + fault);
            }
        }
    }
    set_thread_count(before);
    return verdict;
}

// Grains that found no room are the generator's bad luck, not a fault.
bool has_no_room(const InputError& error)
{
    for (const Mistake& problem : error.mistakes()) {
        const std::string& message = problem.message;
        const auto says = [&](const char* words) { return message.find(words) != std::string::npos; };
        const bool is_crowded =
            says("overlap") || says("found a free place") || says("the box holds") || says("the box is");
        const bool is_walled_in = says("has no way to any exit") || says("lets nobody of radius") || says("... and ");
        if (!is_crowded && !is_walled_in) return false;
    }
    return true;
}

} // namespace

Verdict try_file(const std::filesystem::path& file)
{
    const scene::Value scene = checked(io::read_scene(file));
    return scene::dimension_of(scene) == 2 ? judge_on_threads<2>(scene) : judge_on_threads<3>(scene);
}

Trial try_seed(std::uint64_t seed)
{
    Trial trial;
    trial.seed = seed;
    const std::filesystem::path folder = folder_of(seed);
    std::filesystem::create_directories(folder);
    trial.file = folder / "scene.toml";
    Stopwatch watch;
    for (int attempt = 0;; ++attempt) {
        trial.scene = random_scene(seed, attempt);
        write(trial.file, trial.scene.toml);
        for (const auto& [name, text] : trial.scene.files) write(folder / name, text);
        try {
            trial.verdict = try_file(trial.file);
            break;
        } catch (const InputError& error) {
            if (attempt < 30 && has_no_room(error)) continue;
            trial.verdict.faults.push_back(std::string("generator: ") + error.what());
            break;
        } catch (const std::exception& error) {
            trial.verdict.faults.push_back(std::string("exception: ") + error.what());
            break;
        }
    }
    trial.seconds = watch.lap();
    if (trial.verdict.faults.empty()) std::filesystem::remove_all(folder);
    return trial;
}

std::string Trial::row() const
{
    const std::string fault = verdict.faults.empty() ? "-" : verdict.faults.front();
    return fmt::format("{}\t{}\t{}\t{}\t{}\t{}\t{:.2e}\t{}\t{:.2e}\t{:.2e}\t{:.2e}\t{}\t{:.2f}\t{}", seed,
                       scene.dimension, scene.arena, scene.grains, scene.solver, verdict.contacts, verdict.imbalance,
                       verdict.missed, verdict.law_gain, verdict.solver_gain, verdict.turning,
                       verdict.reproducible ? "same" : "free", seconds, fault);
}

} // namespace talus::fuzz
