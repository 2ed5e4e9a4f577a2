// Whole runs on sub-domains: the same bits for any number of threads, and after a checkpoint.
#include "io/made_up_run.hpp"
#include "scenes_in_tests.hpp"
#include "talus/exec/parallel.hpp"
#include "talus/io/runs/checkpoint.hpp"

using namespace talus;

namespace {

using Sets = std::vector<std::string>;

const Sets spheres = {"generators[1].count=3000", "solver.name=\"ddm\"", "solver.sweeps=60"};

Sets operator+(Sets a, const Sets& b)
{
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

template <int D>
void same_hash_on_1_to_4_threads(const std::string& scene, const Sets& sets, int steps)
{
    const int before = thread_count();
    std::uint64_t expected = 0;
    for (const int threads : {1, 2, 3, 4}) {
        set_thread_count(threads);
        auto simulation = library_simulation<D>(scene, sets);
        StepReport last;
        for (int step = 0; step < steps; ++step) last = simulation.step();
        EXPECT_GT(simulation.contacts.size(), 1000u);
        EXPECT_GT(last.partition.parts, 1);
        EXPECT_GT(last.partition.interface, 0);
        if (threads == 1) expected = simulation.state_hash();
        EXPECT_EQ(simulation.state_hash(), expected) << threads << " threads";
    }
    set_thread_count(before);
}

} // namespace

TEST(DdmRuns, AreTheSameOnOneToFourThreads3D)
{
    same_hash_on_1_to_4_threads<3>("moreau/box-of-spheres", spheres + Sets{"partition.parts=12"}, 70);
}

TEST(DdmRuns, AreTheSameOnOneToFourThreads2D)
{
    same_hash_on_1_to_4_threads<2>("moreau/box-of-disks",
                                   {"generators[1].count=3000", "solver.name=\"ddm\"", "solver.sweeps=60",
                                    "partition.boxes=[4,2]", "contact.rolling_friction=1e-4"},
                                   60);
}

// 77 steps: in the middle between two divisions of the sample
TEST(DdmRuns, GoOnWithTheSameBitsAfterACheckpoint)
{
    const int before = thread_count();
    set_thread_count(1);
    const Sets sets = spheres + Sets{"partition.method=\"rcb\"", "partition.parts=6"};
    auto whole = library_simulation<3>("moreau/box-of-spheres", sets);
    const io::Scratch scratch;
    std::filesystem::create_directories(scratch / "checkpoint");
    for (int step = 0; step < 77; ++step) whole.step();
    io::write_checkpoint(scratch.path(), whole, {}, {});
    auto resumed = library_simulation<3>("moreau/box-of-spheres", sets);
    io::read_checkpoint(scratch.path(), resumed);
    for (int step = 0; step < 40; ++step) {
        const StepReport a = whole.step(), b = resumed.step();
        ASSERT_EQ(a.partition.contacts, b.partition.contacts) << "step " << step;
        ASSERT_EQ(whole.state_hash(), resumed.state_hash()) << "step " << step;
    }
    set_thread_count(before);
}

// small enough for the thread sanitizer
TEST(DdmRuns, DoNotRace)
{
    const int before = thread_count();
    set_thread_count(2); // more than there are cores would wait for each other under the sanitizer
    for (const std::string name : {"ddm", "ddm_async", "ddm_free"}) {
        auto simulation = library_simulation<3>("moreau/box-of-spheres",
                                                {"generators[1].count=1500", "solver.sweeps=12", "partition.parts=6",
                                                 "contact.rolling_friction=1e-4", "solver.name=\"" + name + "\""});
        StepReport last;
        for (int step = 0; step < 45; ++step) last = simulation.step();
        EXPECT_EQ(last.non_finite, -1);
        EXPECT_GT(last.contacts, 512u); // enough to wake the threads
        EXPECT_EQ(last.reproducible, name == "ddm");
    }
    set_thread_count(before);
}
