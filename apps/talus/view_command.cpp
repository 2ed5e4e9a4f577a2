// talus view: a run in the browser, as a page that stands alone, or as pictures.
#include "commands.hpp"
#include "talus/base/error.hpp"
#include "talus/io/runs/run_folder.hpp"
#include "talus/report/crowd/crowd_scene.hpp"
#include "talus/report/pages/html_report.hpp"
#include "talus/report/slice.hpp"
#include "view_export.hpp"
#include "view_film.hpp"
#include "view_server.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <map>
#include <memory>

using namespace talus;

namespace {

const std::map<std::string, report::View> views = {{"iso", report::View::iso},
                                                   {"front", report::View::front},
                                                   {"side", report::View::side},
                                                   {"top", report::View::top}};
const std::map<std::string, report::Quantity> quantities = {
    {"speed", report::Quantity::speed},       {"load", report::Quantity::load},
    {"size", report::Quantity::size},         {"material", report::Quantity::material},
    {"rotation", report::Quantity::rotation}, {"density", report::Quantity::density},
    {"exit", report::Quantity::exit},         {"compacity", report::Quantity::compacity}};
const std::vector<std::string> colours_of_the_page = {"coordination", "part"};

std::vector<std::string> view_names()
{
    std::vector<std::string> list;
    for (const auto& [name, view] : views) list.push_back(name);
    return list;
}

std::vector<std::string> colour_names()
{
    std::vector<std::string> list;
    for (const auto& [name, quantity] : quantities) list.push_back(name);
    list.insert(list.end(), colours_of_the_page.begin(), colours_of_the_page.end());
    return list;
}

void refuse_without_people(const ViewOptions& options)
{
    std::string wish;
    if (options.colour == "density" || options.colour == "exit") wish = "--colour " + options.colour;
    if (options.trajectories) wish = "--trajectories";
    if (!options.map.empty()) wish = "--map " + options.map;
    if (wish.empty() || report::crowd_scene(options.folder)) return;
    throw InputError(fmt::format("{}: {}: shows people, and this run has none: its scene.method is not crowd-dem, nsm1 "
                                 "or nsm2",
                                 options.folder.string(), wish));
}

// What the own painter is told; the page takes the words as they are.
void complete(ViewOptions& options)
{
    if (options.slice) options.picture.slice = report::parse_slice(*options.slice);
    options.picture.view = views.at(options.view);
    if (options.colour.empty()) options.colour = options.picture.bands ? "load" : "speed";
    const auto quantity = quantities.find(options.colour);
    if (quantity != quantities.end()) {
        options.picture.colour = quantity->second;
    } else if (options.renderer == "own") {
        throw InputError(fmt::format("--colour {}: only --renderer page knows it", options.colour));
    }
    if (!options.map.empty()) {
        options.picture.map = options.map == "density" ? report::MapKind::density : report::MapKind::speed;
    }
    refuse_without_people(options);
    options.picture.title = report::run_title(options.folder);
}

int view(ViewOptions& options)
{
    io::read_dimension(options.folder);
    const bool chooses_frames = options.from || options.until || options.every != 1;
    const bool has_frames = !options.page.empty() || !options.images.empty() || !options.film.empty();
    if (chooses_frames && !has_frames) {
        throw InputError("--from, --until and --every choose the frames of --export, --images or --film");
    }
    if (!options.page.empty()) return export_view(options);
    if (!has_frames && options.image.empty()) return serve_view(options);
    complete(options);
    if (!options.image.empty()) return save_image(options);
    return options.film.empty() ? save_images(options) : save_film(options);
}

void add_server_options(CLI::App& command, ViewOptions& options)
{
    command
        .add_option("--port", options.port,
                    "where the page is served on 127.0.0.1; 8417 or the next free one without it")
        ->check(CLI::Range(1, 65535));
    command.add_flag("--no-open", options.no_open, "do not open a browser");
}

void add_page_options(CLI::App& command, ViewOptions& options)
{
    CLI::Option* page = command.add_option("--export", options.page, "write one HTML file with the run inside instead");
    command
        .add_option("--bodies", options.bodies,
                    "in the file: about so many bodies, those that are led or named and an even sample of the others")
        ->check(CLI::Range(1, 100'000'000))
        ->needs(page);
    command.add_flag("--no-contacts", options.no_contacts, "in the file: no contacts, hence no force chains")
        ->needs(page);
    command.add_option("--limit", options.size_limit, "[MB] of the file; a larger one is refused")
        ->check(CLI::Range(0.001, 1e6))
        ->capture_default_str()
        ->needs(page);
}

void add_picture_options(CLI::App& command, ViewOptions& options)
{
    CLI::Option* image =
        command.add_option("--image", options.image, "write one picture instead, FILE.png or FILE.svg");
    CLI::Option* images = command.add_option("--images", options.images, "write a folder of numbered pictures instead");
    CLI::Option* film = command.add_option("--film", options.film, "write a film instead, FILE.mp4 (needs ffmpeg)");
    CLI::Option* page = command.get_option("--export");
    image->excludes(images)->excludes(film)->excludes(page);
    images->excludes(film)->excludes(page);
    film->excludes(page);
    command.add_option("--fps", options.fps, "frames of the film per second")
        ->check(CLI::Range(0.1, 240.0))
        ->capture_default_str()
        ->needs(film);
    command
        .add_option("--renderer", options.renderer,
                    "who draws pictures: talus itself (own), or the viewer's page in Chromium (page)")
        ->check(CLI::IsMember({"own", "page"}))
        ->capture_default_str();
    command.add_option("--time", options.time, "of the picture, in seconds; the last frame without it")->needs(image);
}

void add_frame_options(CLI::App& command, ViewOptions& options)
{
    command.add_option("--from", options.from, "[s] first frame of a file, a sequence or a film");
    command.add_option("--until", options.until, "[s] last frame of them");
    command.add_option("--every", options.every, "take every so many frames only")
        ->check(CLI::Range(1, 1'000'000))
        ->capture_default_str();
}

void add_look_options(CLI::App& command, ViewOptions& options)
{
    CLI::Option* view = command.add_option("--view", options.view, "from where a 3D run is seen");
    view->check(CLI::IsMember(view_names()))->capture_default_str();
    command.add_option("--slice", options.slice, "cut a 3D run by a plane, such as x=0.1 or y=5cm, and look along it")
        ->excludes(view);
    command
        .add_option("--colour,--color", options.colour,
                    "what colours mean, speed without it; load: sum of the normal forces; compacity around grains; "
                    "density around people and the exit "
                    "by which they leave; coordination and part with --renderer page")
        ->check(CLI::IsMember(colour_names()));
    command.add_flag("--bands", options.picture.bands,
                     "colours in six classes, white to dark, whose bounds halve from the largest value downwards; of "
                     "the load without --colour");
    command.add_option("--width", options.picture.width, "of a picture, in pixels")
        ->check(CLI::Range(report::least_width, report::largest_width))
        ->capture_default_str();
    command.add_flag("--chains", options.picture.chains,
                     "draw the force chains: lines as wide as the normal force is strong");
    command.add_flag("--trajectories", options.trajectories, "of people: the ways they have gone so far");
    command
        .add_option("--map", options.map,
                    "below people: a map of density or of speed, by the ground that belongs to each")
        ->check(CLI::IsMember({"density", "speed"}));
}

} // namespace

void add_view_command(CLI::App& app, Action& action)
{
    auto options = std::make_shared<ViewOptions>();
    CLI::App* command = app.add_subcommand("view", "look at a run in the browser, or make pictures and films of it");
    command->add_option("folder", options->folder, "the run's folder")->required();
    add_server_options(*command, *options);
    add_page_options(*command, *options);
    add_picture_options(*command, *options);
    add_frame_options(*command, *options);
    add_look_options(*command, *options);
    command->callback([&action, options] { action = [options] { return view(*options); }; });
}
