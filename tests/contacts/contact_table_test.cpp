#include "talus/contacts/contact_table.hpp"

#include <gtest/gtest.h>

using namespace talus;

namespace {

// a row of balls of radius 0.5 one apart, on a floor; the floor is the first body
struct Row {
    ShapeTable<2> shapes;
    BodyTable<2> bodies;
    std::unique_ptr<Detector<2>> detector = make_detector<2>("all_pairs");

    explicit Row(int balls)
    {
        Body<2> floor;
        floor.shape = shapes.add_half_space({0, 1});
        floor.imposed = all_imposed<2>;
        bodies.add(floor);
        const std::int32_t ball = shapes.add_ball(0.5);
        for (int i = 0; i < balls; ++i) {
            Body<2> body;
            body.position = {double(i), 0.5};
            body.mass = 1;
            body.inertia.setConstant(1);
            body.shape = ball;
            bodies.add(body);
        }
    }
};

} // namespace

TEST(ContactTable, KeepsContactsUpToTheAlertDistanceInOrder)
{
    Row row(4);
    row.bodies.position[4] = {3.05, 0.5}; // 0.05 from its neighbour
    ContactTable<2> contacts;
    contacts.detect(row.bodies, row.shapes, *row.detector, 0.01);
    contacts.forget();
    ASSERT_EQ(contacts.size(), 6u); // four on the floor, two between balls
    contacts.detect(row.bodies, row.shapes, *row.detector, 0.1);
    contacts.forget();
    ASSERT_EQ(contacts.size(), 7u);
    for (std::size_t k = 0; k < contacts.size(); ++k) {
        const auto low = std::min(contacts.candidate[k], contacts.antagonist[k]);
        if (low == 0) {
            EXPECT_EQ(contacts.antagonist[k], 0); // the grain is the candidate against a wall
        }
        if (k > 0) {
            EXPECT_LE(std::min(contacts.candidate[k - 1], contacts.antagonist[k - 1]), low);
        }
    }
}

TEST(ContactTable, LooksAtAPairUpToWhatItsBodiesReach)
{
    Row row(4);
    row.bodies.position[4] = {3.05, 0.5}; // 0.05 from its neighbour
    ContactTable<2> contacts;
    const std::vector<double> slow(5, 0.01);
    contacts.detect(row.bodies, row.shapes, *row.detector, 0.1, slow);
    EXPECT_EQ(contacts.size(), 6u); // 0.01 + 0.01 < 0.05
    contacts.forget();
    std::vector<double> last_is_fast = slow;
    last_is_fast[4] = 0.045;
    contacts.detect(row.bodies, row.shapes, *row.detector, 0.1, last_is_fast);
    EXPECT_EQ(contacts.size(), 7u);
}

TEST(ContactTable, CarriesImpulsesOfContactsThatPersist)
{
    Row row(3);
    ContactTable<2> contacts;
    contacts.detect(row.bodies, row.shapes, *row.detector, 0.01);
    contacts.forget();
    for (std::size_t k = 0; k < contacts.size(); ++k) {
        contacts.impulse[k] = {double(contacts.candidate[k]), double(contacts.antagonist[k])};
    }
    row.bodies.position[2][1] = 1.5; // the middle ball leaves its contacts
    contacts.detect(row.bodies, row.shapes, *row.detector, 0.01);
    contacts.inherit();
    ASSERT_EQ(contacts.size(), 2u);
    row.bodies.position[2][1] = 0.5; // and comes back: these contacts are new
    contacts.detect(row.bodies, row.shapes, *row.detector, 0.01);
    contacts.inherit();
    ASSERT_EQ(contacts.size(), 5u);
    for (std::size_t k = 0; k < contacts.size(); ++k) {
        const bool touches_middle = contacts.candidate[k] == 2 || contacts.antagonist[k] == 2;
        const Vec<2> own(double(contacts.candidate[k]), double(contacts.antagonist[k]));
        EXPECT_EQ((contacts.impulse[k] - (touches_middle ? Vec<2>(0, 0) : own)).norm(), 0) << k;
    }
}

TEST(ContactTable, LeavesOutPairsThatCannotMove)
{
    Row row(2);
    row.bodies.imposed[1] = row.bodies.imposed[2] = all_imposed<2>;
    ContactTable<2> contacts;
    contacts.detect(row.bodies, row.shapes, *row.detector, 0.01);
    EXPECT_EQ(contacts.size(), 0u);
}

namespace {

// A square of side 1 on a fixed slab, free to be shifted.
struct SquareOnSlab {
    ShapeTable<2> shapes;
    BodyTable<2> bodies;
    std::unique_ptr<Detector<2>> detector = make_detector<2>("all_pairs");
    ContactTable<2> contacts;

    explicit SquareOnSlab(double slab_width)
    {
        Body<2> slab;
        slab.shape = shapes.add_polytope(box<2>({slab_width, 1}));
        slab.imposed = all_imposed<2>;
        slab.position = {0, -0.5};
        bodies.add(slab);
        Body<2> square;
        square.shape = shapes.add_polytope(box<2>({1, 1}));
        square.position = {0, 0.5};
        square.mass = 1;
        square.inertia.setConstant(1);
        bodies.add(square);
    }
    void detect()
    {
        contacts.detect(bodies, shapes, *detector, 0.01);
        contacts.inherit();
    }
};

} // namespace

TEST(ContactTable, PointsOfAFaceKeepTheirImpulsesWhileTheBodySlides)
{
    SquareOnSlab scene(3);
    scene.detect();
    ASSERT_EQ(scene.contacts.size(), 2u);
    EXPECT_EQ(scene.contacts.points, (std::vector<std::uint8_t>{2, 2}));
    const bool left_first = scene.contacts.point[0][0] < 0;
    scene.contacts.impulse = {{0, 1}, {0, 2}};
    scene.bodies.position[1] += Vec<2>(0.02, -1e-6);
    scene.bodies.orientation[1] = Rotation<2>(1e-4);
    scene.detect();
    ASSERT_EQ(scene.contacts.size(), 2u);
    EXPECT_EQ(scene.contacts.point[0][0] < 0, left_first);
    EXPECT_EQ(scene.contacts.impulse[0], Vec<2>(0, 1));
    EXPECT_EQ(scene.contacts.impulse[1], Vec<2>(0, 2));
}

TEST(ContactTable, APointThatChangesItsFeatureKeepsItsImpulseByItsPlace)
{
    // slab and square are equally wide: shifted by a hair, a corner of the one takes over from a corner of the other
    SquareOnSlab scene(1);
    scene.bodies.position[1][0] = 1e-5;
    scene.detect();
    ASSERT_EQ(scene.contacts.size(), 2u);
    const auto features = scene.contacts.feature;
    const bool left_first = scene.contacts.point[0][0] < 0;
    scene.contacts.impulse = {{0, 1}, {0, 2}};
    scene.bodies.position[1][0] = -1e-5;
    scene.detect();
    ASSERT_EQ(scene.contacts.size(), 2u);
    EXPECT_NE(scene.contacts.feature, features); // other corners
    const std::size_t left = scene.contacts.point[0][0] < 0 ? 0 : 1;
    EXPECT_EQ(scene.contacts.impulse[left], Vec<2>(0, left_first ? 1 : 2));
    EXPECT_EQ(scene.contacts.impulse[1 - left], Vec<2>(0, left_first ? 2 : 1));
}

TEST(ContactTable, FindsGrainsOnASlabThatIsMuchLargerThanThem)
{
    // a slab among grains is found like a wall; two large bodies find each other too
    ShapeTable<3> shapes;
    BodyTable<3> bodies;
    const auto add = [&](const Vec<3>& size, const Vec<3>& position, FreedomMask imposed) {
        Body<3> body;
        body.shape = shapes.add_polytope(box<3>(size));
        body.position = position;
        body.imposed = imposed;
        body.mass = 1;
        body.inertia.setConstant(1);
        bodies.add(body);
    };
    add({20, 20, 1}, {0, 0, -0.5}, all_imposed<3>);
    add({10, 10, 1}, {0, 0, 0.5}, 0);
    for (int i = 0; i < 40; ++i) add({0.1, 0.1, 0.1}, {-4 + 0.2 * i, 0, 1.05}, 0);
    for (const std::string& method : detector_names()) {
        if (method == "delaunay") continue; // needs a library that may be missing
        const auto detector = make_detector<3>(method);
        ContactTable<3> contacts;
        contacts.detect(bodies, shapes, *detector, 1e-3);
        EXPECT_EQ(contacts.size(), 4u + 40 * 4) << method;
    }
}
