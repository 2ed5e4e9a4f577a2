// talus info: what this program is, and the scene reference that documents are made from.
#include "commands.hpp"
#include "talus/base/version.hpp"
#include "talus/exec/parallel.hpp"
#include "talus/io/runs/provenance.hpp"
#include "talus/scene/schema.hpp"
#include "talus/simulation/scene_schema.hpp"

#include <CLI/CLI.hpp>
#include <Eigen/Core>
#include <fmt/format.h>

using namespace talus;

namespace {

int info()
{
    const io::Provenance here = io::provenance_here();
    fmt::print("talus {}\n", version());
    fmt::print("build      {}\n", build_description());
    fmt::print("machine    {}, {} cores\n", here.cpu, here.cores);
    fmt::print("threads    {}\n", thread_count());
    fmt::print("device     none\n");
    fmt::print("ranks      1\n");
    fmt::print("libraries  Eigen {}.{}.{}, fmt {}.{}.{}\n", EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION,
               EIGEN_MINOR_VERSION, FMT_VERSION / 10000, FMT_VERSION / 100 % 100, FMT_VERSION % 100);
    return 0;
}

} // namespace

void add_info_command(CLI::App& app, Action& action)
{
    auto reference = std::make_shared<bool>(false);
    CLI::App* command = app.add_subcommand("info", "version, build, machine, libraries");
    command->add_flag("--scene-reference", *reference, "print every key of a scene (docs/scene-reference.md)");
    command->callback([&action, reference] {
        action = [reference] {
            if (!*reference) return info();
            fmt::print("{}", scene::reference_markdown(scene_schema()));
            return 0;
        };
    });
}
