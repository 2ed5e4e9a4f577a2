#include "talus/io/track_sample.hpp"

#include "talus/base/hash.hpp"
#include "talus/io/files/durable_file.hpp"
#include "talus/io/files/folder_lock.hpp"
#include "talus/io/load.hpp"
#include "talus/io/meshes/mesh_file.hpp"
#include "talus/io/runs/frames.hpp"
#include "talus/io/runs/run_folder.hpp"
#include "talus/io/runs/run_recorder.hpp"
#include "talus/io/runs/run_text.hpp"
#include "talus/io/scenes/scene_file.hpp"
#include "talus/railway/carving.hpp"
#include "talus/railway/track_parts.hpp"
#include "talus/sampling/ballast_grains.hpp"
#include "talus/sampling/library_grain.hpp"
#include "talus/simulation/assembly.hpp"
#include "talus/simulation/scene_schema.hpp"

#include <fmt/format.h>

#include <chrono>
#include <optional>
#include <thread>

namespace talus::io {

namespace fs = std::filesystem;
using scene::Value;

namespace {

constexpr int sample_version = 3;     // raised when the same scene gives another sample
constexpr double longest_stage = 10;  // [s] simulated, of the deposit and of the relaxation
constexpr double settling = 2.5;      // [s] at most under settle_friction: at 0 single grains slide for ever
constexpr double deposit_height = 20; // [m] of the box into which grains are dropped

// What makes two samples differ.
Value identity_of(const Value& scene)
{
    Value identity = Value::table();
    identity.set("version", Value(sample_version));
    identity.set("grains", Value(ballast_version));
    for (const char* key : {"seed", "scale"}) identity.set(key, scene.at("scene").at(key));
    Value track = scene.at("track");
    std::erase_if(track.entries(), [](const Value::Entry& entry) {
        // where it is kept, what is measured later, and by which name its values came
        return entry.first == "sample" || entry.first == "gauges" || entry.first == "preset";
    });
    identity.set("track", std::move(track));
    identity.set("materials", scene.at("materials"));
    identity.set("contact", scene.at("contact"));
    return identity;
}

// Dotted keys under which two trees differ.
void compare(const Value& a, const Value& b, const std::string& path, std::vector<std::string>& different)
{
    if (!a.is_table() || !b.is_table()) {
        if (!(a == b)) different.push_back(fmt::format("{} = {} (the scene has {})", path, b.shown(), a.shown()));
        return;
    }
    for (const auto& [key, value] : a.entries()) {
        const Value* other = b.find(key);
        compare(value, other ? *other : Value(), scene::child_path(path, key), different);
    }
    for (const auto& [key, value] : b.entries()) {
        if (!a.find(key)) compare(Value(), value, scene::child_path(path, key), different);
    }
}

// The parts of a scene that all stages of a sample share.
Value stage_scene(const Value& scene, const std::string& name)
{
    Value stage = parse_scene(fmt::format("[scene]\nname = \"{}\"\ndimension = 3\ndt = {}\nduration = {}\n"
                                          "until = \"rest\"\nseed = {}\n"
                                          "[rest]\nkinetic = 1e-3\nunbalance = 0.05\nhold = 0.02\n"
                                          "[[drivers]]\ntype = \"gravity\"\n"
                                          "[output]\nframes_every = {}\nseries_every = \"10 ms\"\n",
                                          name, scene.at("track").at("settle_dt").number(), longest_stage,
                                          scene.at("scene").at("seed").integer(), longest_stage),
                              "the track's sample");
    stage.set("materials", scene.at("materials"));
    stage.set("contact", scene.at("contact"));
    return stage;
}

void validate(Value& stage)
{
    std::vector<Mistake> mistakes = check_scene(stage);
    if (!mistakes.empty()) throw InputError(std::move(mistakes));
}

fs::path library_file(const Value& track, const fs::path& sample)
{
    const Value* library = track.find("library");
    return library ? path_in_scene(*library) : sample / "ballast.obj";
}

void write_library(const Value& scene, const fs::path& file)
{
    const Value& track = scene.at("track");
    BallastOrder order;
    order.count = track.at("variety").integer();
    order.seed = std::uint64_t(scene.at("scene").at("seed").integer());
    order.sieve = grading_of(track);
    std::vector<NamedSurface> surfaces;
    for (const Polytope<3>& grain : ballast_grains(order)) {
        surfaces.push_back(surface_of(fmt::format("grain_{:04}", surfaces.size() + 1), grain));
    }
    write_surfaces(file, surfaces, {fmt::format("ballast library version {}, seed {}", ballast_version, order.seed)});
}

// Grains to deposit, so that enough are left after the carving.
std::int64_t deposit_count(const Track& track, const fs::path& library)
{
    const std::vector<NamedMesh> grains = io::read_meshes(library);
    double volume = 0;
    for (const NamedMesh& grain : grains) volume += mass_properties(library_grain<3>(grain)).volume;
    volume /= double(grains.size());
    return std::llround(track.grains_to_deposit(volume));
}

// One stage as a run of its own; 0 where it came to rest.
int run_stage(Run<3>& run, const fs::path& out, const SampleMaker& maker)
{
    clear_run_folder(out);
    run.observe(new_recorder(run, run.scene(), {out, maker.command_line}));
    maker.attach(run);
    const int status = run.advance().status;
    // a solve that missed its tolerance on the way down
    return status == 3 && run.simulation().is_at_rest() ? 0 : status;
}

bool is_finished(const fs::path& run)
{
    const std::string outcome = read_outcome(run / "summary.json"); // first: a killed stage may have nothing else
    if (outcome != "done" && outcome != "quality") return false; // "quality": a solve missed its tolerance on the way
    return read_run_info(run).times.back() < longest_stage;
}

// Waits while another process makes the same sample; none where a signal came first.
std::optional<FolderLock> lock_sample(const fs::path& sample, const SampleMaker& maker)
{
    bool told = false;
    while (maker.signal() == 0) {
        if (auto lock = FolderLock::try_take(sample)) return lock;
        if (!told) maker.say(fmt::format("it is being made by {}: waiting for it", lock_holder(sample)));
        told = true;
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    return {};
}

int deposit(const Value& scene, const Track& track, const fs::path& sample, const SampleMaker& maker)
{
    Value stage = stage_scene(scene, "deposit of ballast");
    const Value* friction = scene.at("track").find("settle_friction");
    if (friction) {
        stage.at("scene").set("duration", Value(settling));
        stage.at("contact").set("friction", *friction);
        for (Value& pair : stage.at("contact").at("pairs").list()) pair.set("friction", *friction);
    }
    const fs::path library = library_file(scene.at("track"), sample);
    const auto corner = [](double x, double y, double z) { return Value::numbers({x, y, z}); };
    Value box = Value::table(), grains = Value::table();
    for (Value* generator : {&box, &grains}) {
        generator->set("lower", corner(-0.5 * track.width, 0, 0));
        generator->set("upper", corner(0.5 * track.width, track.length, deposit_height));
    }
    box.set("type", Value("container"));
    box.set("name", Value("box"));
    box.set("open", Value(Value::List{Value("top")}));
    box.set("material", Value(scene.at("track").at("wall_material").text()));
    grains.set("type", Value("deposit"));
    grains.set("name", Value("ballast"));
    grains.set("shape", Value("polyhedron"));
    grains.set("library", Value(fs::absolute(library).string()));
    grains.set("count", Value(deposit_count(track, library)));
    grains.set("material", Value(scene.at("track").at("material").text()));
    stage.set("generators", Value(Value::List{box, grains}));
    validate(stage);
    Run<3> run(RunSetup<3>{load_simulation<3>(stage), plan_of(stage), stage});
    const int status = run_stage(run, sample / "deposit", maker);
    if (!friction || status != 3) return status;
    maker.say("single grains still slide: the scene's friction brings them to rest");
    return 0;
}

// In the layer from the sub-layer to the underside of the sleepers, or all of it where there are none.
std::string what_was_made(const Simulation<3>& simulation, const Track& track, std::int64_t grains)
{
    const double top = track.sleepers.empty() ? track.height : track.below;
    const auto layer = Gauge<3>::box("layer", {-0.5 * track.width, 0, 0}, {0.5 * track.width, track.length, top})
                           .showing({"compacity"});
    return fmt::format("{} grains, compacity {:.3f} up to {:g} m, {}", grains,
                       layer.measure(simulation.snapshot()).at("compacity"), top,
                       simulation.is_at_rest() ? "at rest" : "NOT at rest");
}

int relax(const Value& scene, const Track& track, const fs::path& sample, const SampleMaker& maker)
{
    const Value& given = scene.at("track");
    Frame<3> frame = read_frame<3>(sample / "deposit");
    NamedState<3> start = std::move(frame);
    keep_bodies(start, carved(start.bodies, start.shapes, track, given));
    const auto left = std::ranges::find(start.groups, std::string("ballast"), &BodyGroup::name)->count;
    if (track.grains && left < *track.grains) {
        maker.say(fmt::format("warning: {} grains are left of {} asked for", left, *track.grains));
    }
    if (given.at("sublayer").is_text("grains")) fix_lowest_grains(start.bodies, start.shapes);
    Value stage = stage_scene(scene, "prepared track");
    Value::List bodies = sleeper_bodies(track, given);
    if (track.has_tools()) {
        const std::size_t middle = track.sleepers.size() / 2;
        const double level = tool_level(start.bodies, start.shapes, track, std::span(&middle, 1));
        for (Value& tool : tool_bodies(track, given, middle, level)) bodies.push_back(std::move(tool));
    }
    stage.set("bodies", Value(std::move(bodies)));
    Value origin = Value::table();
    origin.set("run", Value(fs::absolute(sample / "deposit").string()));
    stage.set("start", std::move(origin));
    validate(stage);
    Simulation<3> simulation = assemble_from<3>(stage, std::move(start), SceneBodies::add, SceneShapeFiles());
    Run<3> run(RunSetup<3>{std::move(simulation), plan_of(stage), stage});
    const int status = run_stage(run, sample / "track", maker);
    maker.say(what_was_made(run.simulation(), track, std::int64_t(left)));
    return status;
}

} // namespace

fs::path sample_folder(const Value& scene)
{
    const Value& sample = scene.at("track").at("sample");
    if (!sample.is_text("auto")) return path_in_scene(sample);
    const std::string text = to_toml(identity_of(scene));
    Hash hash;
    hash.add_bytes(text.data(), text.size());
    return fs::path("out") / "samples" / fmt::format("track-{:08x}", std::uint32_t(hash.value()));
}

bool is_prepared(const fs::path& sample) { return is_finished(sample / "track"); }

void refuse_other_sample(const Value& scene)
{
    const fs::path folder = sample_folder(scene);
    if (!fs::exists(folder / "sample.toml")) return;
    const Value made_for = read_scene(folder / "sample.toml");
    std::vector<std::string> different;
    compare(identity_of(scene), made_for, "", different);
    if (different.empty()) return;
    std::string list;
    for (const std::string& line : different) list += (list.empty() ? "" : "; ") + line;
    throw InputError({mistake(scene.at("track").at("sample"),
                              fmt::format("{} was made for something else: {}; name another folder, or delete this one",
                                          folder.string(), list))});
}

int prepare_sample(const Value& scene, const SampleMaker& maker)
{
    const fs::path sample = sample_folder(scene);
    refuse_other_sample(scene);
    if (is_prepared(sample)) return 0;
    const Track track = *read_track(scene);
    maker.say(fmt::format("the sample {} is not there yet: it is made and kept", sample.string()));
    make_directory(sample);
    const std::optional<FolderLock> lock = lock_sample(sample, maker);
    if (!lock) return 128 + maker.signal();
    if (is_prepared(sample)) return 0; // by the one that was waited for
    if (!lock->remark().empty()) maker.say("warning: " + lock->remark());
    write_durably(sample / "sample.toml", to_toml(identity_of(scene)));
    const fs::path library = library_file(scene.at("track"), sample);
    if (!scene.at("track").find("library") && !fs::exists(library)) write_library(scene, library);
    if (!is_finished(sample / "deposit")) {
        maker.say("1. deposit");
        if (const int status = deposit(scene, track, sample, maker); status != 0) return status;
    }
    maker.say("2. carving, sleepers and tools, relaxation");
    return relax(scene, track, sample, maker);
}

void begin_with_sample(Value& scene)
{
    const fs::path folder = fs::absolute(sample_folder(scene) / "track");
    const Track track = *read_track(scene);
    Value start = Value::table();
    start.set("run", Value(folder.string()));
    scene.set("start", std::move(start));
    if (scene.at("track").at("gauges").boolean()) {
        const Frame<3> first = read_frame<3>(folder, 0), frame = read_frame<3>(folder);
        std::vector<Vec<3>> centres;
        for (const Sleeper& sleeper : track.sleepers) {
            const auto group = std::ranges::find(frame.groups, sleeper.name, &BodyGroup::name);
            if (group == frame.groups.end()) continue;
            const auto place = [&](const Frame<3>& at) -> const Vec<3>& {
                return at.bodies.position[std::size_t(at.bodies.find(BodyId(group->first)))];
            };
            centres.push_back(sleeper.centre + place(frame) - place(first));
        }
        for (Value& gauge : track_gauges(track, centres)) {
            const bool taken = std::ranges::any_of(scene.at("gauges").list(), [&](const Value& other) {
                return other.at("name").text() == gauge.at("name").text();
            });
            if (!taken) scene.at("gauges").list().push_back(std::move(gauge));
        }
    }
    validate(scene);
}

} // namespace talus::io
