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
Simulation<D> simulation_of_text(const std::string& toml, const std::vector<std::string>& sets)
{
    scene::Value scene = io::parse_scene(toml, "benchmark");
    io::apply_overrides(scene, sets);
    std::vector<Mistake> mistakes = check_scene(scene);
    if (!mistakes.empty()) throw InputError(std::move(mistakes));
    return assemble<D>(scene);
}

template <int D>
Simulation<D> simulation_of(const std::string& library_name, const std::vector<std::string>& sets)
{
    for (const LibraryScene& scene : scene_library()) {
        if (scene.name == library_name) return simulation_of_text<D>(scene.text, sets);
    }
    throw InputError("the library has no scene \"" + library_name + "\"");
}

template Simulation<2> simulation_of_text<2>(const std::string&, const std::vector<std::string>&);
template Simulation<3> simulation_of_text<3>(const std::string&, const std::vector<std::string>&);
template Simulation<2> simulation_of<2>(const std::string&, const std::vector<std::string>&);
template Simulation<3> simulation_of<3>(const std::string&, const std::vector<std::string>&);

} // namespace talus::bench
