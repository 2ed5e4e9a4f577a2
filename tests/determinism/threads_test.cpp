// The same scene gives the same bits for any number of threads.
#include "scenes_in_tests.hpp"
#include "talus/exec/parallel.hpp"

using namespace talus;

namespace {

template <int D>
void same_hash_for_any_number_of_threads(const std::string& scene, const std::vector<std::string>& sets, int steps)
{
    const int before = thread_count();
    std::uint64_t expected = 0;
    for (const int threads : {1, 2, 4}) {
        set_thread_count(threads);
        auto simulation = library_simulation<D>(scene, sets);
        for (int step = 0; step < steps; ++step) simulation.step();
        EXPECT_GT(simulation.contacts.size(), 1000u);
        if (threads == 1) expected = simulation.state_hash();
        EXPECT_EQ(simulation.state_hash(), expected) << threads << " threads";
    }
    set_thread_count(before);
}

} // namespace

TEST(Threads, DoNotChangeTheBitsOfABoxOfSpheres)
{
    same_hash_for_any_number_of_threads<3>("moreau/box-of-spheres", {}, 80);
}

TEST(Threads, DoNotChangeTheBitsOfABoxOfDisks)
{
    same_hash_for_any_number_of_threads<2>("moreau/box-of-disks", {}, 60);
}

// small enough for the thread sanitizer, large enough to be shared out
TEST(Threads, DoNotRace)
{
    const int before = thread_count();
    set_thread_count(4);
    auto simulation = library_simulation<3>("moreau/box-of-spheres", {"generators[1].count=9000", "solver.sweeps=20"});
    for (int step = 0; step < 12; ++step) simulation.step();
    EXPECT_EQ(simulation.step().non_finite, -1);
    set_thread_count(before);
}
