#include "benchmarks/bench_scene.hpp"

#include "talus/io/scenes/scene_file.hpp"
#include "talus/simulation/scene_schema.hpp"
#include "terminal/scene_library.hpp"

namespace talus::bench {

std::filesystem::path scenes_folder()
{
    namespace fs = std::filesystem;
    const fs::path prefix = fs::read_symlink("/proc/self/exe").parent_path().parent_path();
    for (const fs::path& folder :
         {prefix / TALUS_INSTALLED_DATA / "../scenes", fs::path(TALUS_SOURCE_DATA) / "../../scenes"}) {
        if (exists(folder)) return folder.lexically_normal();
    }
    throw InputError("the folder of scenes is neither installed nor in the source tree");
}

template <int D>
RunSetup<D> setup_of_text(const std::string& toml, const std::vector<std::string>& sets)
{
    scene::Value scene = io::parse_scene(toml, "benchmark");
    io::apply_overrides(scene, sets);
    std::vector<Mistake> mistakes = check_scene(scene);
    if (!mistakes.empty()) throw InputError(std::move(mistakes));
    Simulation<D> simulation = assemble<D>(scene);
    RunPlan plan = plan_of(scene);
    return {std::move(simulation), std::move(plan), std::move(scene)};
}

template <int D>
RunSetup<D> setup_of(const std::string& library_name, const std::vector<std::string>& sets)
{
    for (const LibraryScene& scene : scene_library()) {
        if (scene.name == library_name) return setup_of_text<D>(scene.text, sets);
    }
    throw InputError("the library has no scene \"" + library_name + "\"");
}

template <int D>
Simulation<D> simulation_of_text(const std::string& toml, const std::vector<std::string>& sets)
{
    return setup_of_text<D>(toml, sets).simulation;
}

template <int D>
Simulation<D> simulation_of(const std::string& library_name, const std::vector<std::string>& sets)
{
    return setup_of<D>(library_name, sets).simulation;
}

std::vector<std::string> sets_of_method(const Options& options, const std::vector<std::string>& dem)
{
    std::vector<std::string> sets;
    if (options.method == default_method) return sets;
    sets.push_back("scene.method=" + options.method);
    sets.insert(sets.end(), dem.begin(), dem.end());
    return sets;
}

std::string path_of_method(const Options& options, const std::string& path)
{
    return options.method == default_method ? path : path + "/" + options.method;
}

template <int D>
void take_step(Run<D>& run)
{
    const std::int64_t step = run.state().clock.step;
    const std::optional<RunEnd> end = run.advance_to(double(step + 1) * run.state().clock.dt);
    if (end && (end->status == 1 || run.state().clock.step == step)) throw RunError(end->reason);
}

#define TALUS_INSTANTIATE(D)                                                                                           \
    template RunSetup<D> setup_of_text<D>(const std::string&, const std::vector<std::string>&);                        \
    template RunSetup<D> setup_of<D>(const std::string&, const std::vector<std::string>&);                             \
    template Simulation<D> simulation_of_text<D>(const std::string&, const std::vector<std::string>&);                 \
    template Simulation<D> simulation_of<D>(const std::string&, const std::vector<std::string>&);                      \
    template void take_step(Run<D>&);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

} // namespace talus::bench
