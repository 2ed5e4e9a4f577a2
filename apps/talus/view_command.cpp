// talus view: a picture of one frame of a run.
#include "base/error.hpp"
#include "commands.hpp"
#include "io/run_folder.hpp"
#include "io/scene_file.hpp"
#include "report/picture.hpp"

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

// The frame nearest to a time; times up to half a frame beyond the first and the last one count as theirs.
std::int64_t frame_at(const std::filesystem::path& folder, double time)
{
    std::vector<double> times; // [s]
    std::vector<std::int64_t> numbers;
    for (const io::FrameBlock& block : io::list_blocks(folder)) {
        const io::FrameTimes found = io::read_times(block);
        for (std::size_t f = 0; f < found.time.size(); ++f) {
            times.push_back(found.time[f]);
            numbers.push_back(found.first + std::int64_t(f));
        }
    }
    if (times.empty()) throw InputError(fmt::format("{}: has no frames", folder.string()));
    const double spacing = (times.back() - times.front()) / double(std::max<std::size_t>(times.size() - 1, 1));
    const double slack = 0.5 * spacing + 1e-9 * std::abs(times.back());
    if (!(time >= times.front() - slack && time <= times.back() + slack)) {
        throw InputError(fmt::format("{}: --time {:g}: has {} frame{} from t = {:g} s to {:g} s", folder.string(), time,
                                     times.size(), times.size() == 1 ? "" : "s", times.front(), times.back()));
    }
    const auto nearest = std::min_element(
        times.begin(), times.end(), [time](double a, double b) { return std::abs(a - time) < std::abs(b - time); });
    return numbers[std::size_t(nearest - times.begin())];
}

template <class Value>
std::vector<std::string> names(const std::map<std::string, Value>& choices)
{
    std::vector<std::string> list;
    for (const auto& [name, value] : choices) list.push_back(name);
    return list;
}

// The name of the scene; the folder's where it has none or its scene cannot be read any more.
std::string title_of(const std::filesystem::path& folder)
{
    try {
        const scene::Value root = io::read_scene(folder / "scene.toml");
        const scene::Value* table = root.find("scene");
        const scene::Value* name = table ? table->find("name") : nullptr;
        if (name && name->is_text() && !name->text().empty()) return name->text();
    } catch (const InputError&) { // a picture needs no title
    }
    const std::filesystem::path whole = std::filesystem::absolute(folder).lexically_normal();
    return (whole.has_filename() ? whole : whole.parent_path()).filename().string();
}

template <int D>
int save_picture(const std::filesystem::path& folder, std::int64_t index, const report::PictureOptions& options,
                 const std::filesystem::path& file)
{
    const io::Frame<D> frame = io::read_frame<D>(folder, index);
    const report::Picture picture = report::paint(frame, options);
    report::write_png(picture, file);
    fmt::print("{}: frame {}, t = {:g} s, {} x {} pixels\n", file.string(), frame.index, frame.time, picture.width,
               picture.height);
    return 0;
}

} // namespace

void add_view_command(CLI::App& app, Action& action)
{
    struct Options {
        std::filesystem::path folder, image;
        std::optional<double> time;
        std::string view = "iso", colour = "speed";
        report::PictureOptions picture;
    };
    auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand("view", "a picture of one frame of a run");
    command->add_option("folder", options->folder, "the run's folder")->required();
    command->add_option("--image", options->image, "the picture to write, FILE.png");
    command->add_option("--time", options->time, "of the frame, in seconds; the last frame without it");
    command->add_option("--view", options->view, "from where a 3D run is seen")
        ->check(CLI::IsMember(names(views)))
        ->capture_default_str();
    command->add_option("--colour,--color", options->colour, "what colours mean; load: sum of the normal forces")
        ->check(CLI::IsMember(names(quantities)))
        ->capture_default_str();
    command->add_option("--width", options->picture.width, "of the picture, in pixels")
        ->check(CLI::Range(report::least_width, report::largest_width))
        ->capture_default_str();
    command->add_flag("--chains", options->picture.chains, "draw the force chains of a 2D run");
    command->callback([&action, options] {
        action = [options] {
            const int dimension = io::read_dimension(options->folder);
            if (options->image.empty()) throw InputError("talus view needs --image FILE.png for now");
            if (options->image.extension() != ".png") {
                throw InputError(fmt::format("--image {}: pictures are written as .png", options->image.string()));
            }
            const std::int64_t index = options->time ? frame_at(options->folder, *options->time) : io::last_frame;
            options->picture.view = views.at(options->view);
            options->picture.colour = quantities.at(options->colour);
            options->picture.title = title_of(options->folder);
            return dimension == 2 ? save_picture<2>(options->folder, index, options->picture, options->image)
                                  : save_picture<3>(options->folder, index, options->picture, options->image);
        };
    });
}
