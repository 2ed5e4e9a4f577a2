// V36: every detection method gives the same pairs as all pairs, exactly, on random and adversarial scenes.
#include "random_balls.hpp"
#include "talus/base/error.hpp"
#include "talus/exec/parallel.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace talus::test {
namespace {

template <class Dimension>
class Detectors : public testing::Test {
  protected:
    void TearDown() override { set_thread_count(threads_before_); }

  private:
    int threads_before_ = thread_count();
};

using Dimensions = testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 3>>;
TYPED_TEST_SUITE(Detectors, Dimensions);

// those this build has
std::vector<std::string> methods()
{
    std::vector<std::string> names;
    for (const std::string& name : detector_names()) {
        try {
            make_detector<2>(name);
            names.push_back(name);
        } catch (const InputError&) {
        }
    }
    return names;
}

template <int D>
std::vector<Pair> found_by(Detector<D>& detector, const Scene<D>& scene)
{
    std::vector<Pair> pairs;
    detector.find(scene.seen(), pairs);
    return pairs;
}

TYPED_TEST(Detectors, AgreeWithAllPairsOnAdversarialScenes)
{
    constexpr int D = TypeParam::value;
    for (const std::uint64_t seed : {1, 2, 3}) {
        for (const Scene<D>& scene : adversarial_scenes<D>(seed)) {
            const std::vector<Pair> expected = promised_pairs(scene.seen());
            for (const std::string& method : methods()) {
                const auto detector = make_detector<D>(method);
                EXPECT_EQ(found_by(*detector, scene), expected) << method << " on " << scene.name << ", seed " << seed;
            }
        }
    }
}

TYPED_TEST(Detectors, AnswerTheNextSceneWithoutMemoryOfTheLast)
{
    constexpr int D = TypeParam::value;
    for (const std::string& method : methods()) {
        const auto detector = make_detector<D>(method);
        for (const Scene<D>& scene : adversarial_scenes<D>(7)) {
            EXPECT_EQ(found_by(*detector, scene), promised_pairs(scene.seen())) << method << " on " << scene.name;
        }
    }
}

TYPED_TEST(Detectors, AgreeOnManySmallRandomScenes)
{
    constexpr int D = TypeParam::value;
    for (std::uint64_t seed = 100; seed < 300; ++seed) {
        Random random(seed);
        const std::size_t balls = 5 + std::size_t(random.uniform(0, 80));
        Scene<D> scene = random.uniform() < 0.5
                             ? equal_grains<D>(balls, random.uniform(0.01, 2.0), random.uniform(0, 0.3), seed)
                             : mixed_grains<D>(balls, random.uniform(2, 50), random.uniform(0, 0.3), seed);
        for (std::uint8_t& passive : scene.passive) passive = random.uniform() < 0.2;
        scene.add_half_space(random_point<D>(random, 0, 1), random_point<D>(random, -1, 1), random.uniform() < 0.5);
        const std::vector<Pair> expected = promised_pairs(scene.seen());
        for (const std::string& method : methods()) {
            const auto detector = make_detector<D>(method);
            EXPECT_EQ(found_by(*detector, scene), expected) << method << ", seed " << seed;
        }
    }
}

TYPED_TEST(Detectors, GiveTheSameForAnyNumberOfThreads)
{
    constexpr int D = TypeParam::value;
    for (Scene<D> scene : {equal_grains<D>(9000, 0.6, 0.02, 5), mixed_grains<D>(9000, 20, 0.02, 6)}) {
        scene.add_half_space(Vec<D>::Constant(0.3), Vec<D>::Ones());
        for (const std::string& method : methods()) {
            std::vector<std::vector<Pair>> answers;
            for (const int threads : {1, 2, 4}) {
                set_thread_count(threads);
                answers.push_back(found_by(*make_detector<D>(method), scene));
            }
            EXPECT_FALSE(answers[0].empty());
            EXPECT_EQ(answers[0], answers[1]) << method << " on " << scene.name;
            EXPECT_EQ(answers[0], answers[2]) << method << " on " << scene.name;
        }
    }
}

TYPED_TEST(Detectors, FollowMovingGrainsAndWalls)
{
    constexpr int D = TypeParam::value;
    for (const double pace : {0.0, 1e-4, 0.003, 0.03, 0.3, 2.0}) { // diameters per call
        for (const std::string& method : methods()) {
            Random random(11);
            Scene<D> scene = mixed_grains<D>(250, 6, 0.03, 12);
            scene.add_half_space(Vec<D>::Constant(-3), Vec<D>::Ones());
            double floor = -4; // moves on its own, whatever the grains do
            scene.add_wall([&floor](const Vec<D>& x) { return x[D - 1] - floor; }, false);
            std::vector<Vec<D>> velocity;
            for (std::size_t k = 0; k < scene.centre.size(); ++k)
                velocity.push_back(random_point<D>(random, -pace, pace));
            const auto detector = make_detector<D>(method);
            for (int call = 0; call < 25; ++call) {
                ASSERT_EQ(found_by(*detector, scene), promised_pairs(scene.seen()))
                    << method << ", call " << call << ", pace " << pace;
                for (std::size_t k = 0; k < scene.centre.size(); ++k) scene.centre[k] += velocity[k];
                floor += call % 2 == 0 ? -1.5 : 1.4;
            }
        }
    }
}

TYPED_TEST(Detectors, NoticeNewBodiesRadiiReachAndPassiveBodies)
{
    constexpr int D = TypeParam::value;
    for (const std::string& method : methods()) {
        Random random(21);
        Scene<D> scene = equal_grains<D>(150, 0.4, 0.02, 22);
        const auto detector = make_detector<D>(method);
        const auto check = [&](const char* what) {
            ASSERT_EQ(found_by(*detector, scene), promised_pairs(scene.seen())) << method << " after " << what;
        };
        for (int round = 0; round < 6; ++round) {
            check("motion");
            scene.add(random_point<D>(random, 0, 5), 0.4);
            check("a new body");
            scene.radius[std::size_t(round)] *= 2.5;
            check("growth");
            scene.reach += 0.1;
            check("a longer reach");
            scene.passive[std::size_t(10 + round)] = 1;
            scene.passive[std::size_t(20 + round)] = 1;
            check("fixing bodies");
            std::swap(scene.centre[3], scene.centre[90]);
            check("a jump");
            scene.centre.pop_back();
            scene.radius.pop_back();
            scene.passive.pop_back();
            check("a body less");
            scene.centre[40][0] = std::numeric_limits<double>::quiet_NaN();
            check("a body lost");
            scene.centre[40] = random_point<D>(random, 0, 5);
            check("a body found again");
            if (round == 3) scene.add_half_space(Vec<D>::Ones(), Vec<D>::Unit(1), false);
        }
    }
}

TYPED_TEST(Detectors, DelaunayCompletesDeepOverlapsInOrdinaryScenes)
{
    constexpr int D = TypeParam::value;
    if (std::ranges::count(methods(), "delaunay") == 0) GTEST_SKIP() << "built without Qhull";
    const auto detector = make_detector<D>("delaunay");
    for (const double fraction : {0.3, 1.0, 3.0}) { // from barely to several times overlapping
        const Scene<D> scene = mixed_grains<D>(400, 5, 0.1, 31);
        Scene<D> dense = scene;
        for (Vec<D>& centre : dense.centre) centre *= std::pow(0.6 / fraction, 1.0 / D);
        EXPECT_EQ(found_by(*detector, dense), promised_pairs(dense.seen())) << "solid fraction " << fraction;
        EXPECT_TRUE(detector->remark().empty()) << detector->remark();
    }
}

TYPED_TEST(Detectors, DelaunaySaysWhenItCannotAnswerItself)
{
    constexpr int D = TypeParam::value;
    if (std::ranges::count(methods(), "delaunay") == 0) GTEST_SKIP() << "built without Qhull";
    Scene<D> scene = equal_grains<D>(100, 0.5, 0, 41);
    const auto detector = make_detector<D>("delaunay");
    scene.centre[0] = Vec<D>::Constant(1e9);
    EXPECT_EQ(found_by(*detector, scene), promised_pairs(scene.seen()));
    EXPECT_NE(detector->remark().find("too far apart"), std::string::npos);
}

TYPED_TEST(Detectors, LinkedCellsStayLinearWithGiantsDustAndLostGrains)
{
    constexpr int D = TypeParam::value;
    Scene<D> scene = mixed_grains<D>(20000, 20, 0.02, 51);
    for (int k = 0; k < 50; ++k) scene.add(Vec<D>::Constant(std::pow(10.0, k)), 0.5);
    scene.add(Vec<D>::Constant(-20), 30);
    // quadratic search would need minutes here: the test is that it ends, and agrees with an independent method
    EXPECT_EQ(found_by(*make_detector<D>("linked_cells"), scene),
              found_by(*make_detector<D>("sweep_and_prune"), scene));
}

TEST(DetectorRegistry, RefusesUnknownMethodsByName)
{
    try {
        make_detector<2>("octree");
        FAIL() << "no exception";
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("octree"), std::string::npos);
        EXPECT_NE(std::string(error.what()).find("linked_cells"), std::string::npos);
    }
}

TEST(DetectorRegistry, BuildsEveryMethodItNamesOrNamesTheMissingLibrary)
{
    for (const std::string& name : detector_names()) {
        try {
            EXPECT_NE(make_detector<3>(name), nullptr);
        } catch (const InputError& error) {
            EXPECT_EQ(name, "delaunay");
            EXPECT_NE(std::string(error.what()).find("Qhull"), std::string::npos);
        }
    }
}

} // namespace
} // namespace talus::test
