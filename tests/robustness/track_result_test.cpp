// The track result of a run: its figures are those of the series of every step, and survive interruptions.
#include "robustness/small_scenes.hpp"
#include "robustness/small_track.hpp"
#include "talus/io/runs/run_text.hpp"
#include "talus/math/space.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace talus::robustness {
namespace {

constexpr double exact = 1e-9; // relative: the series has 12 digits at least

const std::string loaded_and_pushed = contents(TALUS_SCENES "/../tests/data/small-track/loaded-and-pushed.toml");

// Numbers of the list, or of all values, under this key: the first time that it comes after `from`.
std::vector<double> numbers_of(const std::string& json, const std::string& key, const std::string& from = "\"track\"")
{
    const auto place = json.find("\"" + key + "\": ", json.find(from));
    if (place == std::string::npos) return {};
    const auto begin = place + key.size() + 4;
    std::string list = json.substr(begin, json.find_first_of(json[begin] == '[' ? "]" : ",\n", begin) - begin);
    for (char& letter : list) {
        if (letter == '[' || letter == ',') letter = ' ';
    }
    std::istringstream in(list);
    std::vector<double> numbers;
    for (double number = 0; in >> number;) numbers.push_back(number);
    return numbers;
}

struct Series {
    io::SeriesColumns columns;
    explicit Series(const fs::path& run) : columns(io::read_series(run / "series.csv")) {}
    double at(const std::string& name, std::size_t line) const
    {
        const auto column = std::ranges::find(columns.names, name) - columns.names.begin();
        return *columns.values.at(std::size_t(column)).at(line);
    }
    Vec<3> force(const std::string& body, std::size_t line) const
    {
        return {at(body + ".reaction_x_N", line), at(body + ".reaction_y_N", line), at(body + ".reaction_z_N", line)};
    }
    Vec<3> displacement(const std::string& body, std::size_t line) const
    {
        const std::string name = body + ".displacement_";
        return {at(name + "x_m", line), at(name + "y_m", line), at(name + "z_m", line)};
    }
};

class TrackResults : public ::testing::Test {
  protected:
    void run(const std::string& scene)
    {
        here.write("scene.toml", with(scene, "series_every = \"1 ms\"", "series_every = \"0.5 ms\""));
        const Outcome outcome = talus_command(here, run_it);
        ASSERT_TRUE(went_to_its_end(outcome)) << outcome;
        told = outcome.err;
        summary = contents(here / "run/summary.json");
    }
    Workplace here;
    std::string told, summary;
};

TEST_F(TrackResults, AreThoseOfTheSeries)
{
    run(small_track + loaded_and_pushed);
    const Series series(here / "run");
    const std::size_t last = series.columns.lines() - 1;
    // the period of 100 Hz is 20 steps; the dive lasts one, the squeeze two
    const std::vector<double> times = numbers_of(summary, "time_s", "\"forces\"");
    const std::vector<double> means = numbers_of(summary, "mean_N", "\"forces\"");
    const std::vector<double> largest = numbers_of(summary, "largest_N", "\"forces\"");
    ASSERT_EQ(times.size(), 4u);
    EXPECT_NEAR(times[0], 0.015, 1e-9);
    for (std::size_t period = 0; period < 3; ++period) {
        const std::size_t end = std::size_t(std::llround(times[period] / 0.5e-3));
        double mean = 0, most = 0;
        for (const char* tool : {"tool 1", "tool 2"}) {
            Vec<3> sum = Vec<3>::Zero();
            for (std::size_t line = end - 19; line <= end; ++line) sum += series.force(tool, line);
            mean += sum.norm() / 20 / 2;
            most = std::max(most, sum.norm() / 20);
        }
        EXPECT_NEAR(means[period], mean, exact * mean) << period;
        EXPECT_NEAR(largest[period], most, exact * most) << period;
    }
    // work of tool 1 in the dive, from 5 to 15 ms
    double energy = 0;
    for (std::size_t line = 11; line <= 30; ++line) {
        energy -= series.force("tool 1", line)
                      .dot(series.displacement("tool 1", line) - series.displacement("tool 1", line - 1));
    }
    const std::string dive = summary.substr(summary.find("\"name\": \"penetration\"", summary.find("\"tools\": [")));
    EXPECT_NEAR(numbers_of(dive, "energy_J", "").at(0), energy, 1e-6 * std::abs(energy));
    EXPECT_NEAR(numbers_of(dive, "power_W", "").at(0), energy / 0.01, 1e-6 * std::abs(energy) / 0.01);
    const auto one = [&](const std::string& key) { return numbers_of(summary, key).at(0); };
    const auto settlement = [&](double time) {
        return series.at("sleeper 1.settlement_m", std::size_t(std::llround(time / 0.5e-3)));
    };
    EXPECT_NEAR(one("lift_asked_m"), 0.002, 1e-12);
    EXPECT_NEAR(one("lift_kept_m"), -settlement(0.2), 1e-9);
    EXPECT_NEAR(one("unloaded_m"), settlement(0.17) - settlement(0.07), 1e-9) << "of the train";
    double deepest = 0;
    for (double time = 0.07; time < 0.1701; time += 0.5e-3) deepest = std::max(deepest, settlement(time));
    EXPECT_NEAR(one("under_load_m"), deepest - settlement(0.07), 1e-9);
    const std::string below = "\"name\": \"below\"";
    EXPECT_NEAR(numbers_of(summary, "start", below).at(0), series.at("below.compacity", 0), 1e-9);
    EXPECT_NEAR(numbers_of(summary, "end", below).at(0), series.at("below.compacity", last), 1e-9);
    EXPECT_NEAR(numbers_of(summary, "after", below).at(0), series.at("below.compacity", 140), 1e-9) << "at 70 ms";
    // the mean over the push
    const std::vector<double> resistance = numbers_of(summary, "force_N", "\"resistances\"");
    const std::vector<double> way = numbers_of(summary, "displacement_m", "\"resistances\"");
    ASSERT_EQ(resistance.size(), way.size());
    double mean = 0, pushed = 0;
    for (const double force : resistance) mean += force / double(resistance.size());
    for (std::size_t line = 341; line <= 400; ++line) pushed -= series.force("sleeper 1", line).x() / 60;
    EXPECT_NEAR(mean, pushed, exact * std::abs(pushed));
    EXPECT_TRUE(std::ranges::is_sorted(way));
    EXPECT_LT(way.back(), 0.003 + 1e-9);
    for (const char* word :
         {"track: compacity below the sleeper ", " of a lift of 2.00 mm", " in the train", "resists a push with ",
          "is supported over ", "a tool pressed with ", "1 sleeper tamped"}) {
        EXPECT_TRUE(has(told, word)) << word << "\n" << told;
    }
}

TEST_F(TrackResults, SurviveInterruptionsToTheBit)
{
    run(small_track + loaded_and_pushed);
    for (const char* steps : {"29", "3", "200"}) {
        const Arguments first = steps == std::string("29") ? Arguments{} : Arguments{"--resume"};
        const Outcome part = talus_command(
            here, Arguments{"run", "scene.toml", "--out", "parts", "--threads", "2", "--steps", steps} + first);
        ASSERT_TRUE(went_to_its_end(part)) << part;
    }
    ASSERT_TRUE(went_to_its_end(talus_command(here, {"run", "scene.toml", "--out", "parts", "--resume"})));
    const auto track_of = [&](const std::string& text) {
        const auto begin = text.find("\"track\": ");
        return text.substr(begin, text.find("\"warnings\": [", text.find("\"forces\"")) - begin);
    };
    EXPECT_EQ(track_of(contents(here / "parts/summary.json")), track_of(summary));
    EXPECT_GT(track_of(summary).size(), 2000u);
}

TEST_F(TrackResults, AreThereWithoutToolsAndWithoutSteps)
{
    run(with(small_track,
             small_track.substr(small_track.find("[[operations]]"),
                                small_track.find("[solver]") - small_track.find("[[operations]]")),
             loaded_and_pushed));
    EXPECT_EQ(numbers_of(summary, "cycle_times_s").size(), 0u);
    EXPECT_FALSE(has(summary, "\"forces\""));
    EXPECT_TRUE(has(told, "resists a push with ")) << told;
    EXPECT_TRUE(went_to_its_end(talus_command(here, run_it + Arguments{"--force", "--steps", "0"})));
}

} // namespace
} // namespace talus::robustness
