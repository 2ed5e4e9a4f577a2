#include "contacts/contact_table.hpp"

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
