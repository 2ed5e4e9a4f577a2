// talus view: a picture of one frame of a run.
#include "base/error.hpp"
#include "commands.hpp"
#include "io/durable_file.hpp"
#include "io/run_folder.hpp"
#include "report/html_report.hpp"
#include "report/picture.hpp"
#include "report/slice.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <optional>

using namespace talus;

namespace {

const std::map<std::string, report::View> views = {{"iso", report::View::iso},
                                                   {"front", report::View::front},
                                                   {"side", report::View::side},
                                                   {"top", report::View::top}};
const std::map<std::string, report::Quantity> quantities = {{"speed", report::Quantity::speed},
                                                            {"load", report::Quantity::load},
                                                            {"size", report::Quantity::size},
                                                            {"material", report::Quantity::material},
                                                            {"rotation", report::Quantity::rotation}};

template <class Value>
std::vector<std::string> names(const std::map<std::string, Value>& choices)
{
    std::vector<std::string> list;
    for (const auto& [name, value] : choices) list.push_back(name);
    return list;
}

template <int D>
int save_picture(const std::filesystem::path& folder, std::int64_t index, const report::PictureOptions& options,
                 const std::filesystem::path& file)
{
    const io::Frame<D> frame = io::read_frame<D>(folder, index);
    if (file.extension() == ".svg") {
        io::write_durably(file, report::draw_svg(frame, options));
    } else {
        report::write_png(report::paint(frame, options), file);
    }
    fmt::print("{}: frame {}, t = {:g} s, {} pixels wide\n", file.string(), frame.index, frame.time, options.width);
    return 0;
}

} // namespace

void add_view_command(CLI::App& app, Action& action)
{
    struct Options {
        std::filesystem::path folder, image;
        std::optional<double> time;
        std::string view = "iso", colour;
        std::optional<std::string> slice;
        report::PictureOptions picture;
    };
    auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand("view", "a picture of one frame of a run");
    command->add_option("folder", options->folder, "the run's folder")->required();
    command->add_option("--image", options->image, "the picture to write, FILE.png or FILE.svg");
    command->add_option("--time", options->time, "of the frame, in seconds; the last frame without it");
    CLI::Option* view = command->add_option("--view", options->view, "from where a 3D run is seen");
    view->check(CLI::IsMember(names(views)))->capture_default_str();
    command->add_option("--slice", options->slice, "cut a 3D run by a plane, such as x=0.1 or y=5cm, and look along it")
        ->excludes(view);
    command
        ->add_option("--colour,--color", options->colour,
                     "what colours mean, speed without it; load: sum of the normal forces")
        ->check(CLI::IsMember(names(quantities)));
    command->add_flag("--bands", options->picture.bands,
                      "colours in six classes, white to dark, whose bounds halve from the largest value downwards; of "
                      "the load without --colour");
    command->add_option("--width", options->picture.width, "of the picture, in pixels")
        ->check(CLI::Range(report::least_width, report::largest_width))
        ->capture_default_str();
    command->add_flag("--chains", options->picture.chains,
                      "draw the force chains: lines as wide as the normal force is strong");
    command->callback([&action, options] {
        action = [options] {
            const int dimension = io::read_dimension(options->folder);
            if (options->image.empty()) throw InputError("talus view needs --image FILE.png or FILE.svg for now");
            if (options->image.extension() != ".png" && options->image.extension() != ".svg") {
                throw InputError(
                    fmt::format("--image {}: pictures are written as .png or .svg", options->image.string()));
            }
            if (options->slice) options->picture.slice = report::parse_slice(*options->slice);
            const std::int64_t index = options->time ? io::frame_at(options->folder, *options->time) : io::last_frame;
            options->picture.view = views.at(options->view);
            if (options->colour.empty()) options->colour = options->picture.bands ? "load" : "speed";
            options->picture.colour = quantities.at(options->colour);
            options->picture.title = report::run_title(options->folder);
            return dimension == 2 ? save_picture<2>(options->folder, index, options->picture, options->image)
                                  : save_picture<3>(options->folder, index, options->picture, options->image);
        };
    });
}
