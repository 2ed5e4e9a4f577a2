// talus new: a starter scene from the library, commented line by line.
#include "benchmarks/bench_scene.hpp"
#include "commands.hpp"
#include "talus/base/error.hpp"
#include "terminal/scene_library.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <filesystem>
#include <fstream>

namespace {

// the first comment line of a scene says what it is
std::string about(const LibraryScene& scene)
{
    const std::size_t start = scene.text.find("# ");
    const std::size_t end = scene.text.find('\n', start);
    return start == std::string::npos ? "" : scene.text.substr(start + 2, end - start - 2);
}

int list_scenes()
{
    for (const LibraryScene& scene : scene_library()) fmt::print("{:<22} {}\n", scene.name, about(scene));
    return 0;
}

// What the scene reads lies beside it in data/, and is copied along.
void copy_data(const LibraryScene& scene)
{
    namespace fs = std::filesystem;
    const std::string key = "file = \"data/";
    for (std::size_t at = scene.text.find(key); at != std::string::npos; at = scene.text.find(key, at + 1)) {
        const std::size_t begin = scene.text.find('"', at) + 1;
        const fs::path file = scene.text.substr(begin, scene.text.find('"', begin) - begin);
        if (fs::exists(file)) continue;
        fs::create_directories(file.parent_path());
        std::error_code error;
        fs::copy_file(talus::bench::scenes_folder() / fs::path(scene.file).parent_path() / file, file, error);
        if (error) throw talus::RunError("cannot write " + file.string() + ": " + error.message());
        fmt::print("{}\n", file.string());
    }
}

int write_scene(const std::string& name, bool force)
{
    for (const LibraryScene& scene : scene_library()) {
        if (scene.name != name) continue;
        const std::filesystem::path file = name + ".toml";
        if (std::filesystem::exists(file) && !force) {
            throw talus::InputError(file.string() + " exists: --force replaces it");
        }
        std::ofstream out(file);
        out << scene.text;
        if (!out.flush()) throw talus::RunError("cannot write " + file.string());
        copy_data(scene);
        fmt::print("{}: {}\nnext: talus run {}\n", file.string(), about(scene), file.string());
        return 0;
    }
    throw talus::InputError("the library has no scene \"" + name + "\": talus new --list shows those it has");
}

} // namespace

void add_new_command(CLI::App& app, Action& action)
{
    struct Options {
        std::string name = "sandpile";
        bool list = false, force = false;
    };
    auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand("new", "write a starter scene from the library");
    command->add_option("name", options->name, "which scene")->capture_default_str();
    command->add_flag("--list", options->list, "show the library");
    command->add_flag("--force", options->force, "replace a file of that name");
    command->callback([&action, options] {
        action = [options] { return options->list ? list_scenes() : write_scene(options->name, options->force); };
    });
}
