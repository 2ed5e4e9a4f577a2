// Two run folders that must hold the same numbers to the bit, however often one of them was interrupted.
#pragma once

#include "robustness/command.hpp"
#include "talus/io/runs/run_folder.hpp"

#include <cstring>

namespace talus::robustness {

inline std::size_t lines_in(const fs::path& file)
{
    const std::string text = contents(file);
    return std::size_t(std::count(text.begin(), text.end(), '\n'));
}

template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b)
{
    return a.size() == b.size() &&
           (a.empty() || std::memcmp(static_cast<const void*>(a.data()), static_cast<const void*>(b.data()),
                                     a.size() * sizeof(T)) == 0);
}

template <int D>
void expect_same_bodies(const BodyTable<D>& a, const BodyTable<D>& b)
{
    EXPECT_EQ(a.size(), b.size());
    EXPECT_TRUE(same_bits(a.position, b.position));
    EXPECT_TRUE(same_bits(a.orientation, b.orientation));
    EXPECT_TRUE(same_bits(a.velocity, b.velocity));
    EXPECT_TRUE(same_bits(a.spin, b.spin));
    EXPECT_TRUE(same_bits(a.mass, b.mass));
}

template <int D>
void expect_same_runs(const fs::path& a, const fs::path& b)
{
    EXPECT_NE(state_hash(a), "");
    EXPECT_EQ(state_hash(a), state_hash(b));
    EXPECT_EQ(lines_in(a / "series.csv"), lines_in(b / "series.csv"));
    EXPECT_TRUE(contents(a / "series.csv") == contents(b / "series.csv"));
    EXPECT_EQ(io::read_run_info(a).times, io::read_run_info(b).times);
    for (const char* entry : {"outcome", "steps", "bodies", "simulated_time_s", "worst"}) {
        EXPECT_EQ(summary_entry(a, entry), summary_entry(b, entry)) << entry;
    }
    const io::Frame<D> last_a = io::read_frame<D>(a), last_b = io::read_frame<D>(b);
    EXPECT_EQ(last_a.clock.step, last_b.clock.step);
    EXPECT_EQ(last_a.clock.time(), last_b.clock.time());
    expect_same_bodies(last_a.bodies, last_b.bodies);
    EXPECT_TRUE(same_bits(last_a.contacts.candidate, last_b.contacts.candidate));
    EXPECT_TRUE(same_bits(last_a.contacts.impulse, last_b.contacts.impulse));
    EXPECT_TRUE(same_bits(last_a.contacts.rolling_impulse, last_b.contacts.rolling_impulse));
}

} // namespace talus::robustness
