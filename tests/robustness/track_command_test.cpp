// talus prepare and talus run on a track: the sample is made once, kept, and never taken for another.
#include "robustness/command.hpp"
#include "robustness/same_runs.hpp"
#include "robustness/small_scenes.hpp"
#include "robustness/small_track.hpp"
#include "talus/io/scenes/scene_file.hpp"
#include "talus/railway/carving.hpp"
#include "talus/simulation/scene_schema.hpp"

#include <random>

namespace talus::robustness {
namespace {

std::int32_t bodies_called(const io::Frame<3>& frame, const std::string& name)
{
    for (const BodyGroup& group : frame.groups) {
        if (group.name == name) return group.count;
    }
    return -1;
}

Track track_in(const fs::path& file)
{
    scene::Value scene = io::read_scene(file);
    EXPECT_TRUE(check_scene(scene).empty());
    return *read_track(scene);
}

TEST(Prepare, MakesTheSampleOnceAndSaysWhere)
{
    const Workplace here;
    // a seed with which all solves of the preparation arrive: of 1 to 4, three
    here.write("scene.toml", with(small_track, "dimension = 3", "dimension = 3\nseed = 2"));
    const Outcome first = talus_command(here, prepare_it);
    ASSERT_EQ(first.status, 0) << first;
    EXPECT_EQ(first.out, "sample: prepared\n");
    EXPECT_TRUE(has(first.err, "sample") && has(first.err, "made and kept")) << first;
    for (const char* file : {"sample.toml", "ballast.obj", "deposit/summary.json", "track/summary.json"}) {
        EXPECT_TRUE(fs::exists(here / ("sample/" + std::string(file)))) << file;
    }
    EXPECT_EQ(summary_entry(here / "sample/track", "exit_reason"), "at rest");
    const auto before = all_files(here.path());
    const Outcome second = talus_command(here, prepare_it);
    EXPECT_EQ(second.status, 0) << second;
    EXPECT_EQ(second.out, "sample: was there already\n");
    EXPECT_TRUE(all_files(here.path()) == before) << "the sample was touched";
    const io::Frame<3> frame = io::read_frame<3>(here / "sample/track");
    for (const char* name : {"sleeper 1", "tool 1", "tool 2", "box.left", "box.bottom"}) {
        EXPECT_EQ(bodies_called(frame, name), 1) << name;
    }
    EXPECT_EQ(bodies_called(frame, "box.top"), -1);
    const Outcome check = talus_command(here, {"check", "sample/track"});
    EXPECT_EQ(check.status, 0) << check;
}

TEST(Prepare, LeavesTheNumberOfGrainsAskedFor)
{
    const Workplace here;
    here.write("scene.toml", small_track);
    const Outcome outcome = talus_command(here, prepare_it + Arguments{"--quiet"});
    ASSERT_EQ(outcome.status, 0) << outcome;
    EXPECT_EQ(outcome.err, "");
    EXPECT_EQ(bodies_called(io::read_frame<3>(here / "sample/track"), "ballast"), 150);
}

// [-] as `talus prepare` prints it
double compacity_of_sample(const std::string& settle_friction)
{
    const Workplace here;
    here.write("scene.toml", small_track);
    const Outcome outcome =
        talus_command(here, prepare_it + Arguments{"--set", "track.settle_friction=" + settle_friction});
    EXPECT_EQ(outcome.status, 0) << outcome;
    const std::string before = "grains, compacity ";
    return std::stod(outcome.err.substr(outcome.err.find(before) + before.size()));
}

// without friction single grains slide for ever: the scene's brings them to rest
TEST(Prepare, LessFrictionWhileItSettlesMakesADenserBed)
{
    // 0.001, 0.024, 0.026 and 0.051 with four seeds in this box of 150 grains; 0.14 in a large one
    EXPECT_GT(compacity_of_sample("0"), compacity_of_sample("0.8") + 0.01);
}

TEST(Prepare, FixesTheLowestGrainsAsSubLayer)
{
    const Workplace here;
    here.write("scene.toml", small_track);
    const Outcome outcome = talus_command(here, prepare_it + Arguments{"--quiet", "--set", "track.sublayer=grains"});
    ASSERT_EQ(outcome.status, 0) << outcome;
    const io::Frame<3> first = io::read_frame<3>(here / "sample/track", 0),
                       last = io::read_frame<3>(here / "sample/track");
    std::size_t fixed = 0;
    for (std::size_t i = 0; i < first.bodies.size(); ++i) {
        if (!first.bodies.is_passive(i) || first.shapes[first.bodies.shape[i]].kind != ShapeKind::polytope) continue;
        EXPECT_EQ(last.bodies.position[i], first.bodies.position[i]);
        ++fixed;
    }
    EXPECT_GT(fixed, 10u);
}

TEST(Prepare, InterruptedAndCalledAgainGivesTheSameSample)
{
    const Workplace here;
    here.write("scene.toml", small_track);
    Running running(here, command_line(prepare_it));
    ASSERT_TRUE(running.wait_for([&] { return lines_in(here / "sample/deposit/series.csv") > 20; }));
    const Outcome stopped = running.end(SIGINT);
    EXPECT_EQ(stopped.status, 130) << stopped;
    EXPECT_FALSE(has(stopped.out, "prepared")) << stopped;
    const Outcome again = talus_command(here, prepare_it);
    EXPECT_EQ(again.status, 0) << again;
    EXPECT_EQ(again.out, "sample: prepared\n");
    here.write("scene.toml", with(small_track, "sample = \"sample\"", "sample = \"whole\""));
    ASSERT_EQ(talus_command(here, prepare_it).status, 0);
    EXPECT_NE(state_hash(here / "whole/track"), "");
    EXPECT_EQ(state_hash(here / "sample/track"), state_hash(here / "whole/track"));
}

// as two runs of a study do that start at once; and a stage that was killed before its first file holds nobody up
TEST(Prepare, ByTwoAtOnceIsDoneOnce)
{
    const Workplace here;
    here.write("scene.toml", with(small_track, "dimension = 3", "dimension = 3\nseed = 7"));
    fs::create_directories(here / "sample/deposit/frames");
    here.write("sample/deposit/scene.toml", "");
    Running first(here, command_line(prepare_it));
    ASSERT_TRUE(first.wait_for([&] { return lines_in(here / "sample/deposit/series.csv") > 5; }));
    // 400 steps of 0.05 ms bring H̄ to 3.4e-4: into the range of 2.65e-4 to 5e-4 where BALLAST fitted its eq. 10.3
    const Outcome second = talus_command(
        here, run_it + Arguments{"--steps", "400", "--set", "scene.dt=0.05 ms", "--set", "solver.sweeps=50"});
    const Outcome ended = first.outcome();
    EXPECT_EQ(ended.status, 0) << ended;
    ASSERT_TRUE(went_to_its_end(second)) << second;
    EXPECT_TRUE(has(second.err, "it is being made by process " + std::to_string(first.id()) + " on ")) << second;
    EXPECT_FALSE(has(second.err, "1. deposit")) << second;
    EXPECT_FALSE(fs::exists(here / "sample/.talus.lock"));
    EXPECT_TRUE(has(second.err, "BALLAST eq. 10.3 gives") && has(second.err, "ranks")) << second;
    EXPECT_EQ(summary_entry(here / "run", "process"), "tamping");
    EXPECT_EQ(summary_entry(here / "run", "n_t"), "400");
    // 3e-3 in the 0.5 ms of the scene: out of it
    const Outcome far = talus_command(here, run_it + Arguments{"--force", "--steps", "20"});
    ASSERT_TRUE(went_to_its_end(far)) << far;
    EXPECT_FALSE(has(far.err, "10.3") || has(contents(here / "run/summary.json"), "10_3")) << far;
}

TEST(Prepare, RefusesWhatIsNoTrack)
{
    const Workplace here;
    here.write("scene.toml", one_sphere);
    const auto before = all_files(here.path());
    const Outcome outcome = talus_command(here, prepare_it);
    EXPECT_EQ(outcome.status, 2) << outcome;
    EXPECT_TRUE(has(outcome.err, "[track]")) << outcome;
    here.write("scene.toml", with(small_track, "grains = 150", "grains = -3"));
    const Outcome negative = talus_command(here, prepare_it);
    EXPECT_EQ(negative.status, 2) << negative;
    EXPECT_TRUE(has(negative.err, "scene.toml:19:10: track.grains = -3")) << negative;
    EXPECT_EQ(all_files(here.path()).size(), before.size()) << "something was written";
    EXPECT_EQ(talus_command(here, {"prepare", "nowhere.toml"}).status, 2);
    EXPECT_NE(talus_command(here, {"prepare"}).status, 0);
}

TEST(TrackRun, MakesAMissingSampleAndKeepsIt)
{
    const Workplace here;
    here.write("scene.toml", with(small_track, "sample = \"sample\"\n", "")); // where it lies by itself
    const Outcome run = talus_command(here, run_it);
    ASSERT_TRUE(went_to_its_end(run)) << run;
    EXPECT_TRUE(has(run.err, "out/samples/track-")) << run;
    EXPECT_TRUE(has(run.err, "operations[0].frequency = 100 Hz is outside the working range")) << run;
    const auto samples = fs::directory_iterator(here / "out/samples");
    EXPECT_EQ(std::distance(fs::begin(samples), fs::end(samples)), 1);
    const auto kept = all_files(here / "out/samples");
    const std::string summary = contents(here / "run/summary.json");
    for (const char* gauge : {"below left", "below", "below right", "crib right", "crib left", "end right", "end left",
                              "sleeper 1", "tool 1", "tool 2"}) {
        EXPECT_TRUE(has(summary, "\"" + std::string(gauge) + "\": {")) << gauge;
    }
    EXPECT_EQ(summary_entry(here / "run", "simulated_time_s"), "0.05") << "\"auto\": to the end of the operation";
    const Outcome measured = talus_command(here, {"measure", "run"});
    EXPECT_EQ(measured.status, 0) << measured;
    EXPECT_TRUE(has(measured.out, "below left") && has(measured.out, "sleeper 1")) << measured;
    const Outcome again = talus_command(here, run_it + Arguments{"--force"});
    EXPECT_EQ(again.status, run.status) << again;
    EXPECT_FALSE(has(again.err, "made and kept")) << again;
    EXPECT_TRUE(all_files(here / "out/samples") == kept) << "the sample was touched";
    const Outcome told = talus_command(here, prepare_it);
    EXPECT_TRUE(has(told.out, "was there already")) << "prepare and run agree where it lies\n" << told;
}

TEST(TrackRun, ASampleOfAnotherSceneIsRefusedByTheKeyThatDiffers)
{
    const Workplace here;
    here.write("scene.toml", small_track);
    ASSERT_EQ(talus_command(here, prepare_it).status, 0);
    const auto before = all_files(here.path());
    const auto expect_refused = [&](const std::string& set, const std::string& key) {
        for (const char* command : {"run", "prepare"}) {
            const Outcome outcome = talus_command(here, {command, "scene.toml", "--set", set});
            EXPECT_EQ(outcome.status, 2) << outcome;
            EXPECT_TRUE(has(outcome.err, "track.sample = \"sample\"")) << outcome;
            EXPECT_TRUE(has(outcome.err, key)) << key << "\n" << outcome;
            EXPECT_TRUE(all_files(here.path()) == before) << "something was written";
        }
    };
    expect_refused("scene.seed=2", "seed = 1 (the scene has 2)");
    expect_refused("track.grains=160", "track.grains = 150 (the scene has 160)");
    expect_refused("track.sleepers.mass=9", "track.sleepers.mass = \"auto\" (the scene has 9)");
    expect_refused("contact.friction=0.7", "contact.friction = 0.8 (the scene has 0.7)");
    expect_refused("track.sieve=[[0.03, 0], [0.06, 1]]", "track.sieve");
    // what is done to the track and what is measured may differ
    const Outcome run = talus_command(
        here, run_it + Arguments{"--set", "operations[0].lift=0", "--set", "track.gauges=false", "--steps", "5"});
    EXPECT_TRUE(went_to_its_end(run)) << run;
}

TEST(TrackRun, ASampleWithMoreThanTheSceneSaysIsRefused)
{
    const Workplace here;
    here.write("scene.toml", with(small_track, "variety = 10", "variety = 10\nsieve = [[0.03, 0], [0.06, 1]]"));
    ASSERT_EQ(talus_command(here, prepare_it).status, 0);
    here.write("scene.toml", small_track); // the usual grading
    const auto before = all_files(here.path());
    const Outcome outcome = talus_command(here, run_it);
    EXPECT_EQ(outcome.status, 2) << outcome;
    EXPECT_TRUE(has(outcome.err, "track.sieve")) << outcome;
    EXPECT_TRUE(all_files(here.path()) == before) << "something was written";
}

// a sample may take hours: what is wrong with the run is told before
TEST(TrackRun, AnOccupiedFolderIsRefusedBeforeTheSampleIsMade)
{
    const Workplace here;
    here.write("scene.toml", small_track);
    fs::create_directories(here / "run");
    here.write("run/mine.txt", "not a run");
    const auto before = all_files(here.path());
    const Outcome outcome = talus_command(here, run_it);
    EXPECT_EQ(outcome.status, 2) << outcome;
    EXPECT_TRUE(all_files(here.path()) == before) << "the sample was made first";
}

// 5 ms of lift, 10 ms down, 20 ms of squeeze, 5 ms of hold, 10 ms up
TEST(TrackRun, InterruptedInEveryPhaseItGoesOnWithTheSameBits)
{
    const Workplace here;
    here.write("scene.toml", small_track);
    const Outcome whole = talus_command(here, {"run", "scene.toml", "--out", "whole", "--threads", "1"});
    ASSERT_TRUE(went_to_its_end(whole)) << whole;
    ASSERT_TRUE(went_to_its_end(talus_command(here, run_it + Arguments{"--steps", "4"})));
    for (const char* steps : {"17", "31", "52", "73", "88", "97"}) {
        const Outcome part = talus_command(here, run_it + Arguments{"--resume", "--steps", steps});
        EXPECT_TRUE(went_to_its_end(part)) << part;
    }
    const Outcome last = talus_command(here, run_it + Arguments{"--resume"});
    EXPECT_TRUE(went_to_its_end(last)) << last;
    // each part ends with a frame of its own: the states are compared, not the files
    EXPECT_NE(state_hash(here / "whole"), "");
    EXPECT_EQ(state_hash(here / "whole"), state_hash(here / "run"));
    expect_same_bodies(io::read_frame<3>(here / "whole").bodies, io::read_frame<3>(here / "run").bodies);
}

// what is known of the bed before it is there is an estimate; what is refused is what would strike
TEST(TrackRun, DivesDownToTheSubLayerAndNoFurther)
{
    const Workplace here;
    here.write("scene.toml", small_track);
    ASSERT_EQ(talus_command(here, prepare_it).status, 0);
    const io::Frame<3> frame = io::read_frame<3>(here / "sample/track");
    const Track track = track_in(here / "scene.toml");
    const std::size_t first = 0;
    const double level = tool_level(frame.bodies, frame.shapes, track, std::span(&first, 1));
    const auto dive = [&](double depth) {
        return talus_command(here, {"run", "scene.toml", "--out", "deep", "--steps", "0", "--force", "--set",
                                    "operations[0].penetration_depth=" + std::to_string(depth)});
    };
    const auto before = all_files(here.path());
    const Outcome through = dive(level + 1e-3);
    EXPECT_EQ(through.status, 2) << through;
    EXPECT_TRUE(has(through.err, "operations[0].penetration_depth")) << through;
    EXPECT_TRUE(has(through.err, "sub-layer")) << through;
    EXPECT_TRUE(all_files(here.path()) == before) << "something was written";
    const Outcome above = dive(level - 5e-3);
    EXPECT_TRUE(went_to_its_end(above)) << "the tips start " << level << " m above the sub-layer\n" << above;
}

TEST(TrackCheck, SaysWhichPresetsAreUsedAndWhatTheySet)
{
    const Workplace here;
    const Outcome check = talus_command(here, {"check", TALUS_SCENES "/ballast/bourrage-1b1c.toml", "--set",
                                               "operations[0].squeeze_time=0.8 s", "--set", "track.grains=16000"});
    ASSERT_EQ(check.status, 0) << check;
    for (const char* line :
         {"machine   preset \"ballast-8.2\"\n", "          operations[0]: frequency = 35 Hz", "squeeze_force = 6 kN",
          "squeeze_time = 0.8 s (the scene's, not 1.2 s)", "track     preset \"ballast-8.2\"\n",
          "          track: width = 2 m", "grains = 16000 (the scene's, not 17000)", "track.sleepers: type = block"}) {
        EXPECT_TRUE(has(check.out, line)) << line << "\n" << check;
    }
    EXPECT_FALSE(has(check.out, "warning")) << check;
}

// the number after the first of these words, without its unit
double number_after(const Outcome& outcome, const std::string& words)
{
    const std::size_t at = outcome.out.find(words);
    EXPECT_NE(at, std::string::npos) << words << "\n" << outcome;
    return at == std::string::npos ? 0 : std::stod(outcome.out.substr(at + words.size()));
}

TEST(TrackCheck, TellsWhatATrackWillCostBeforeItsSampleIsThere)
{
    const Workplace here;
    here.write("scene.toml", small_track);
    const Outcome before = talus_command(here, {"check", "scene.toml", "--threads", "1"});
    ASSERT_EQ(before.status, 0) << before;
    EXPECT_TRUE(has(before.out, "is not there yet: talus run makes it first, in about ")) << before;
    const Outcome run = talus_command(here, run_it);
    ASSERT_TRUE(went_to_its_end(run)) << run;
    const Outcome after = talus_command(here, {"check", "scene.toml", "--threads", "1"});
    ASSERT_EQ(after.status, 0) << after;
    // two digits are told
    EXPECT_NEAR(number_after(before, "contacts  about "), number_after(after, "contacts  about "), 50);
    for (const char* words : {"memory    about ", "disk      about "}) {
        const double ratio = number_after(before, words) / number_after(after, words);
        EXPECT_TRUE(ratio > 0.7 && ratio < 1.5) << words << ratio;
    }
    EXPECT_TRUE(has(before.out, "time      about ") && has(after.out, "time      about ")) << before;
}

// any scene of a track, at any scale: nothing to say against it, or the scale that would do
TEST(TrackCheck, OfAnyScaleIsSoundOrTellsTheSmallest)
{
    const Workplace here;
    std::mt19937 random(17);
    std::uniform_real_distribution<double> scales(0.005, 0.16);
    int refused = 0;
    for (const char* name : {"bourrage-1b1c", "bourrage-7b1c", "tamping-monobloc", "tamping-row", "stabilisation-0.02",
                             "tamping-stabilisation-push", "maintenance", "academic"}) {
        for (int round = 0; round < 3; ++round) {
            const auto check_at = [&](double scale) {
                return talus_command(here, {"check", TALUS_SCENES "/ballast/" + std::string(name) + ".toml", "--set",
                                            "scene.scale=" + std::to_string(scale)});
            };
            const Outcome outcome = check_at(scales(random));
            if (outcome.status == 0) continue;
            ++refused;
            ASSERT_EQ(outcome.status, 2) << name << outcome;
            const std::string words = "; scene.scale = ";
            const std::size_t at = outcome.err.find(words);
            ASSERT_NE(at, std::string::npos) << name << outcome;
            const Outcome fits = check_at(std::stod(outcome.err.substr(at + words.size())));
            EXPECT_EQ(fits.status, 0) << name << outcome << fits;
        }
    }
    EXPECT_GT(refused, 4);
}

} // namespace
} // namespace talus::robustness
