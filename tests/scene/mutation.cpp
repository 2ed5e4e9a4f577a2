// Whatever the file: a list of problems, never a crash. Run under the sanitizers too.
#include "scenes.hpp"
#include "talus/base/random.hpp"

#include <gtest/gtest.h>

namespace talus {
namespace {

constexpr int trials = 20000;

// Where a mutation still parses, the schema and the cross checks get to see it, and what they accept can be written.
void read_check_write(const std::string& text)
{
    scene::Value root;
    try {
        root = io::parse_scene(text, "mutant.toml");
    } catch (const InputError& error) {
        ASSERT_FALSE(error.mistakes().empty());
        return;
    }
    const bool accepted = check_scene(root).empty();
    const std::string written = io::to_toml(root);
    if (accepted) {
        ASSERT_EQ(io::parse_scene(written, "again.toml"), root) << text;
    }
}

TEST(Mutation, CorruptedBytesNeverCrash)
{
    Random random(2026);
    for (int trial = 0; trial < trials; ++trial) {
        std::string text = test::full_scene;
        const int changes = 1 + int(random.bits() % 4);
        for (int change = 0; change < changes && !text.empty(); ++change) {
            const std::size_t at = random.bits() % text.size();
            switch (random.bits() % 5) {
            case 0:
                text[at] = char(random.bits());
                break;
            case 1:
                text[at] = "[]{}=.,\"'#\n\\-+0123456789eabcxyz"[random.bits() % 32];
                break;
            case 2:
                text.resize(at);
                break;
            case 3:
                text.erase(at, random.bits() % 8);
                break;
            default:
                text.insert(at, text.substr(random.bits() % text.size(), random.bits() % 40));
                break;
            }
        }
        ASSERT_NO_FATAL_FAILURE(read_check_write(text)) << "trial " << trial << ":\n" << text;
    }
}

// Bytes seldom make another valid TOML; values of the wrong kind in the right places always do.
TEST(Mutation, ExchangedValuesNeverCrash)
{
    const std::vector<std::string> values = {"0",
                                             "-1",
                                             "1e400",
                                             "nan",
                                             "-inf",
                                             "true",
                                             "\"\"",
                                             "[]",
                                             "{}",
                                             "[[]]",
                                             "[{}]",
                                             "\"5 mm\"",
                                             "\"auto\"",
                                             "\"box\"",
                                             "\"x\"",
                                             "[0, 0]",
                                             "[1, 2, 3]",
                                             "2",
                                             "3",
                                             "[\"top\"]",
                                             "1979-05-27",
                                             "\"1e308 km\"",
                                             "9223372036854775807",
                                             "[nan, \"a\"]",
                                             "{ x = [1] }"};
    std::vector<std::string> lines;
    for (std::size_t begin = 0; begin < test::full_scene.size();) {
        const std::size_t end = test::full_scene.find('\n', begin);
        lines.push_back(test::full_scene.substr(begin, end - begin));
        begin = end + 1;
    }
    Random random(11);
    for (int trial = 0; trial < trials; ++trial) {
        std::vector<std::string> changed = lines;
        for (int change = 0; change < 3; ++change) {
            std::string& line = changed[random.bits() % changed.size()];
            const std::size_t equals = line.find(" = ");
            if (equals != std::string::npos && random.bits() % 4 != 0) {
                line = line.substr(0, equals + 3) + values[random.bits() % values.size()];
            } else {
                line = lines[random.bits() % lines.size()];
            }
        }
        std::string text;
        for (const std::string& line : changed) text += line + "\n";
        ASSERT_NO_FATAL_FAILURE(read_check_write(text)) << "trial " << trial << ":\n" << text;
    }
}

TEST(Mutation, CorruptedOverridesNeverCrash)
{
    const std::string assignment = "bodies[1].\"radius\"=\"5 mm\"";
    const scene::Value root = io::parse_scene(test::full_scene, "f.toml");
    Random random(5);
    for (int trial = 0; trial < trials / 10; ++trial) {
        std::string text = assignment;
        for (int change = 0; change < 3; ++change) text[random.bits() % text.size()] = char(random.bits());
        text.resize(random.bits() % (text.size() + 1));
        scene::Value changed = root;
        try {
            io::apply_overrides(changed, {text});
            check_scene(changed);
        } catch (const InputError& error) {
            EXPECT_FALSE(error.mistakes().empty());
        }
    }
}

} // namespace
} // namespace talus
