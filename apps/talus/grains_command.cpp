// talus grains: make, inspect and convert grain libraries (docs/grains.md).
#include "commands.hpp"
#include "grain_options.hpp"
#include "output_file.hpp"
#include "talus/base/error.hpp"
#include "talus/base/version.hpp"
#include "talus/io/meshes/mesh_file.hpp"
#include "talus/report/drawing/grain_sheet.hpp"
#include "talus/sampling/ballast_grains.hpp"
#include "talus/sampling/grain_shapes.hpp"
#include "talus/sampling/library_grain.hpp"
#include "talus/sampling/library_summary.hpp"
#include "talus/shapes/length_units.hpp"
#include "talus/shapes/mesh_checks.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <memory>

using namespace talus;
namespace fs = std::filesystem;

namespace {

const char* kind_name(int dimension, std::size_t count)
{
    if (dimension == 2) return count == 1 ? "polygon" : "polygons";
    return count == 1 ? "polyhedron" : "polyhedra";
}

struct LibraryOptions {
    GrainOptions grains;
    fs::path out;
    bool force = false;
};

// Seed and parameters at the head of the file: what it takes to make it again.
template <int D>
std::vector<std::string> header_of(const GrainOptions& options, const GrainRecipe& recipe)
{
    std::vector<std::string> lines{fmt::format("talus {} grain library, {}D, lengths in metres", version(), D)};
    if (options.is_ballast) lines.push_back(fmt::format("ballast library version {}", ballast_version));
    lines.push_back(fmt::format("seed {}, {} grains", options.seed, options.count));
    lines.push_back(fmt::format("vertices {}:{}, elongation {}, flatness {}, angularity {:g}", recipe.least_vertices,
                                recipe.most_vertices, text_of(recipe.elongation), text_of(recipe.flatness),
                                recipe.angularity));
    lines.push_back(options.is_ballast      ? "grading " + options.sieve
                    : options.sieve.empty() ? "size " + options.size + ", " + options.distribution
                                            : "sieve " + options.sieve);
    return lines;
}

template <int D>
int write_library(const std::vector<Polytope<D>>& grains, const LibraryOptions& options, const GrainRecipe& recipe)
{
    std::vector<io::NamedSurface> surfaces;
    for (std::size_t k = 0; k < grains.size(); ++k) {
        surfaces.push_back(io::surface_of(fmt::format("grain_{:04}", k + 1), grains[k]));
    }
    io::write_surfaces(options.out, surfaces, header_of<D>(options.grains, recipe));
    fmt::print("{}: {} {}, seed {}\n", options.out.string(), grains.size(), kind_name(D, grains.size()),
               options.grains.seed);
    return 0;
}

template <int D>
int make_library(const LibraryOptions& options)
{
    const GrainOrder order = order_of(options.grains);
    const auto sizes = !order.sieve.empty() ? SizeDistribution<D>::sieved(order.sieve)
                       : order.by_volume    ? SizeDistribution<D>::by_volume(order.size.low, order.size.high)
                                            : SizeDistribution<D>::uniform(order.size.low, order.size.high);
    Random random{std::uint64_t(options.grains.seed)};
    return write_library(random_grains<D>(order.recipe, sizes, options.grains.count, random), options, order.recipe);
}

int make_ballast(const LibraryOptions& options)
{
    const GrainOrder order = order_of(options.grains);
    const BallastOrder ballast{options.grains.count, std::uint64_t(options.grains.seed), order.sieve, order.recipe};
    return write_library(ballast_grains(ballast), options, order.recipe);
}

std::string spread_text(const Spread& spread, const char* format)
{
    return fmt::format(fmt::runtime(fmt::format("{{:{0}}} to {{:{0}}}, mean {{:{0}}}", format)), spread.least,
                       spread.most, spread.mean);
}

void print_summary(const fs::path& file, const LibrarySummary& all)
{
    const bool flat = all.dimension == 2;
    fmt::print("{}: {} {}\n", file.string(), all.grains.size(), kind_name(all.dimension, all.grains.size()));
    fmt::print("  vertices     {}\n", spread_text(all.vertices, ".3g"));
    if (!flat) fmt::print("  faces        {}\n", spread_text(all.faces, ".3g"));
    fmt::print("  sieve size   {:.4g} mm to {:.4g} mm; by mass d10 {:.4g} mm, d50 {:.4g} mm, d90 {:.4g} mm\n",
               1e3 * all.sieve_size.least, 1e3 * all.sieve_size.most, 1e3 * all.size_passing(0.1),
               1e3 * all.size_passing(0.5), 1e3 * all.size_passing(0.9));
    fmt::print("  elongation   {}\n", spread_text(all.elongation, ".2f"));
    if (!flat) fmt::print("  flatness     {}\n", spread_text(all.flatness, ".2f"));
    fmt::print("  {}  {}\n", flat ? "circularity" : "sphericity ", spread_text(all.sphericity, ".3f"));
    fmt::print("  {}  {:.4g} {} in all, mean {:.4g}\n", flat ? "area       " : "volume     ",
               all.volume.mean * double(all.grains.size()), flat ? "m²" : "m³", all.volume.mean);
    fmt::print("  sieve curve  mesh [mm]   passing by mass\n");
    for (const double opening : sieve_openings(all.sieve_size.least, all.sieve_size.most)) {
        fmt::print("               {:<9.4g}   {:5.1f} %\n", 1e3 * opening, 100 * all.share_passing(opening));
    }
}

template <int D>
int show_library(const fs::path& file, const std::vector<NamedMesh>& objects, const fs::path& plot)
{
    std::vector<Polytope<D>> grains;
    std::vector<Mistake> mistakes;
    for (const NamedMesh& object : objects) {
        try {
            grains.push_back(library_grain<D>(object));
        } catch (const InputError& error) {
            for (Mistake found : error.mistakes()) {
                found.where.file = file.string();
                mistakes.push_back(std::move(found));
            }
        }
    }
    if (!mistakes.empty()) throw InputError(std::move(mistakes));
    const LibrarySummary summary = summary_of(grains);
    print_summary(file, summary);
    if (!plot.empty()) {
        report::write_png(report::paint_grain_sheet<D>(grains, summary, file.filename().string()), plot);
        fmt::print("  plot         {}\n", plot.string());
    }
    return 0;
}

int show_libraries(const std::vector<fs::path>& files, const fs::path& plot, bool force)
{
    if (!plot.empty()) {
        if (files.size() > 1) throw InputError("--plot draws one library: give one file");
        if (plot.extension() != ".png")
            throw InputError(fmt::format("--plot {}: pictures are written as .png", plot.string()));
        refuse_overwriting_file(plot, force);
    }
    for (const fs::path& file : files) {
        const std::vector<NamedMesh> objects = io::read_meshes(file);
        const bool flat = !objects.front().outline.empty();
        flat ? show_library<2>(file, objects, plot) : show_library<3>(file, objects, plot);
    }
    return 0;
}

struct ConvertOptions {
    fs::path in, out;
    std::string unit = "m";
    bool hull = false, parts = false, repair = false, force = false;
};

template <int D>
io::NamedSurface converted(const NamedMesh& object, const ConvertOptions& options)
{
    if (options.hull) return io::surface_of(object.name, hull_of_object<D>(object));
    if (options.parts) return io::surface_of(object.name, library_grain<D>(object));
    if (!object.outline.empty()) return io::surface_of(object);
    std::vector<Mistake> mistakes;
    for (const std::string& fault : mesh_faults(object.mesh, {true, largest_grain})) {
        mistakes.push_back({{}, {}, {}, object.name + ": " + fault});
    }
    if (!mistakes.empty()) throw InputError(std::move(mistakes));
    return io::surface_of(object);
}

int convert(const ConvertOptions& options)
{
    io::check_mesh_name(options.out);
    refuse_overwriting_file(options.out, options.force);
    std::vector<io::NamedSurface> surfaces;
    std::vector<Mistake> mistakes;
    for (NamedMesh& object : io::read_meshes(options.in, metres_in(options.unit))) {
        if (options.repair && object.outline.empty()) {
            for (const std::string& done : repair(object.mesh)) fmt::print("repaired {}: {}\n", object.name, done);
        }
        try {
            surfaces.push_back(object.outline.empty() ? converted<3>(object, options) : converted<2>(object, options));
        } catch (const InputError& error) {
            for (Mistake found : error.mistakes()) {
                found.where.file = options.in.string();
                mistakes.push_back(std::move(found));
            }
        }
    }
    if (!mistakes.empty() && !options.repair && !options.hull) {
        mistakes.push_back({{},
                            {},
                            {},
                            "nothing was written; --repair merges equal vertices, drops faces without area and turns "
                            "inverted ones, --hull takes the convex hull of the points"});
    }
    if (!mistakes.empty()) throw InputError(std::move(mistakes));
    io::write_surfaces(
        options.out, surfaces,
        {fmt::format("talus {}, from {}, lengths in metres", version(), options.in.filename().string())});
    std::size_t vertices = 0;
    for (const io::NamedSurface& surface : surfaces) vertices += surface.vertices.size();
    fmt::print("{}: {} {}{}, {} vertices\n", options.out.string(), surfaces.size(),
               surfaces.size() == 1 ? "object" : "objects",
               options.hull    ? " (hulls)"
               : options.parts ? " (convex parts of one grain)"
                               : "",
               vertices);
    return 0;
}

// What `make` and `ballast` have in common.
void share_library_options(CLI::App& command, const std::shared_ptr<LibraryOptions>& options, Action& action,
                           int (*make)(const LibraryOptions&))
{
    GrainOptions& of = options->grains;
    command.add_option("--out", options->out, "file to write, .obj or .stl")->required();
    command.add_option("--count", of.count, "grains")->check(CLI::Range(1, 1000000))->capture_default_str();
    command.add_option("--seed", of.seed, "of the random numbers")
        ->check(CLI::Range(std::int64_t(0), INT64_MAX))
        ->capture_default_str();
    command
        .add_option(
            "--vertices", of.vertices,
            fmt::format("of a grain, one number or low:high{}", of.is_ballast ? "" : " (default 10:16, in 2D 5:10)"))
        ->capture_default_str();
    command
        .add_option("--elongation", of.elongation,
                    "width over length, one number, low:high, or low:mode:high where one is the most frequent")
        ->capture_default_str();
    command
        .add_option("--flatness", of.flatness,
                    fmt::format("{}thickness over width, in the same ways{}",
                                of.is_ballast ? "" : "3D: ", of.is_ballast ? "" : " (default 0.6:1)"))
        ->capture_default_str();
    command.add_option("--angularity", of.angularity, "0: rounded, 1: sharp")->capture_default_str();
    command.add_flag("--force", options->force, "replace a file that is there");
    command.callback([&action, options, make] {
        action = [options, make] {
            io::check_mesh_name(options->out);
            refuse_overwriting_file(options->out, options->force);
            return make(*options);
        };
    });
}

void add_make(CLI::App& grains, Action& action)
{
    auto options = std::make_shared<LibraryOptions>();
    GrainOptions& of = options->grains;
    CLI::App* make = grains.add_subcommand("make", "a library of random convex grains, the same for the same seed");
    share_library_options(*make, options, action, [](const LibraryOptions& asked) {
        return asked.grains.dimension == 2 ? make_library<2>(asked) : make_library<3>(asked);
    });
    make->add_option("--dimension", of.dimension, "2: polygons, 3: polyhedra")
        ->check(CLI::Range(2, 3))
        ->capture_default_str();
    make->add_option("--size", of.size, "sieve size, such as 40mm or 25mm:50mm");
    make->add_option("--sieve", of.sieve, "sieve curve by mass, such as \"25mm:0, 31.5mm:0.3, 40mm:0.7, 50mm:1\"");
    make->add_option("--distribution", of.distribution, "between two sizes: uniform by number, or by volume of solid")
        ->check(CLI::IsMember({"uniform", "volume"}))
        ->capture_default_str();
}

void add_ballast(CLI::App& grains, Action& action)
{
    auto options = std::make_shared<LibraryOptions>();
    options->grains = ballast_options();
    CLI::App* ballast =
        grains.add_subcommand("ballast", "a library of polyhedra with the statistics of railway ballast");
    share_library_options(*ballast, options, action, make_ballast);
    ballast->add_option("--grading", options->grains.sieve, "sieve curve by mass")->capture_default_str();
}

void add_info(CLI::App& grains, Action& action)
{
    struct Options {
        std::vector<fs::path> files;
        fs::path plot;
        bool force = false;
    };
    auto options = std::make_shared<Options>();
    CLI::App* info = grains.add_subcommand("info", "shapes, sizes and sieve curve of a library");
    info->add_option("files", options->files, "libraries: .obj, .stl, or folders of them")->required();
    info->add_option("--plot", options->plot, "draw it, FILE.png");
    info->add_flag("--force", options->force, "replace a picture that is there");
    info->callback([&action, options] {
        action = [options] { return show_libraries(options->files, options->plot, options->force); };
    });
}

void add_convert(CLI::App& grains, Action& action)
{
    auto options = std::make_shared<ConvertOptions>();
    CLI::App* command = grains.add_subcommand("convert", "STL and OBJ into each other, checked, in metres");
    command->add_option("in", options->in, ".obj, .stl, or a folder of them")->required();
    command->add_option("--out", options->out, "file to write, .obj or .stl")->required();
    CLI::Option* hull = command->add_flag("--hull", options->hull, "every object becomes its convex hull");
    command->add_flag("--parts", options->parts, "the objects are the convex parts of one grain (shape = \"cluster\")")
        ->excludes(hull);
    command->add_option("--unit", options->unit, "of the lengths in the file")
        ->check(CLI::IsMember(length_units()))
        ->capture_default_str();
    command->add_flag("--repair", options->repair,
                      "merge equal vertices, drop faces without area, turn inverted faces");
    command->add_flag("--force", options->force, "replace a file that is there");
    command->callback([&action, options] { action = [options] { return convert(*options); }; });
}

} // namespace

void add_grains_command(CLI::App& app, Action& action)
{
    CLI::App* grains = app.add_subcommand("grains", "make, inspect and convert grain libraries (STL, OBJ)");
    grains->require_subcommand(1);
    add_make(*grains, action);
    add_ballast(*grains, action);
    add_info(*grains, action);
    add_convert(*grains, action);
}
