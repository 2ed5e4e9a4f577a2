// Well-known text: what is read, what is refused and where; convex pieces of polygons.
#include "talus/base/random.hpp"
#include "talus/crowd/convex_pieces.hpp"
#include "talus/crowd/rings.hpp"
#include "talus/crowd/wkt.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

using namespace talus;

namespace {

std::vector<Mistake> mistakes_in(std::string_view text)
{
    try {
        read_wkt(text, "room.wkt");
    } catch (const InputError& error) {
        return error.mistakes();
    }
    return {};
}

struct Refusal {
    const char *text, *key, *part_of_message;
    int line, column;
};

TEST(Wkt, ReadsLinesAndPolygonsInAnyCaseAndSpacing)
{
    const WktGeometry geometry = read_wkt("LineString(0 0,1e0 +2.5E-1 ,\t-3 .5)\n\n"
                                          "polygon ((0 0, 4 0, 4 4, 0 4, 0 0), (1 1, 2 1, 2 2, 1 2, 1 1))\n"
                                          "MULTILINESTRING((0 0, 1 1), (2 2, 3 3, 4 4));\n"
                                          "MULTIPOLYGON(((0 0, 0 1, 1 1, 0 0)), ((5 5, 6 5, 6 6, 5 5)))\n"
                                          "GEOMETRYCOLLECTION(LINESTRING(7 7, 8 8), GEOMETRYCOLLECTION("
                                          "POLYGON((0 0, 1 0, 0 1, 0 0))))");
    ASSERT_EQ(geometry.lines.size(), 4u);
    ASSERT_EQ(geometry.polygons.size(), 4u);
    EXPECT_EQ(geometry.lines[0].points, (std::vector<Vec<2>>{{0, 0}, {1, 0.25}, {-3, 0.5}}));
    EXPECT_EQ(geometry.lines[2].points.size(), 3u);
    const WktPolygon& frame = geometry.polygons[0];
    ASSERT_EQ(frame.rings.size(), 2u);
    EXPECT_EQ(frame.rings[0].corners.size(), 4u);
    EXPECT_EQ(signed_area(frame.rings[0].corners), 16);
    EXPECT_EQ(signed_area(frame.rings[1].corners), -1) << "holes run clockwise";
    EXPECT_EQ(signed_area(geometry.polygons[1].rings[0].corners), 0.5) << "turned";
    EXPECT_EQ(frame.where.line, 3);
    EXPECT_EQ(frame.rings[1].where.column, 37);
    EXPECT_EQ(walls_of(geometry).size(), 2u + 1 + 2 + 1 + 8 + 3 + 3 + 3);
}

TEST(Wkt, NamesMistakesWithIndexAndPlace)
{
    const Refusal refusals[] = {
        {"", "", "is empty", 1, 1},
        {" \n ", "", "is empty", 2, 2},
        {"POLYGON EMPTY", "polygon[0]", "EMPTY", 1, 1},
        {"POLYGON((0 0, 1 0, 1 1, 0 1))", "polygon[0].ring[0]", "the ring is open", 1, 9},
        {"LINESTRING(0 0, 1 1)\nPOLYGON((0 0, 2 2, 2 0, 0 2, 0 0))", "polygon[0].ring[0]", "crosses or touches itself",
         2, 9},
        {"POLYGON((0 0, 4 0, 4 4, 0 0))\n  POLYGON((0 0, 2 0, 1 0, 1 1, 0 0))", "polygon[1].ring[0]", "itself", 2, 11},
        {"POLYGON((0 0, 4 0, 2 0, 2 2, 0 0))", "polygon[0].ring[0]", "itself", 1, 9},
        {"POLYGON((0 0, 1 0, 0 0))", "polygon[0].ring[0]", "three corners", 1, 9},
        {"POLYGON((0 0, 0 0, 0 0, 0 0))", "polygon[0].ring[0]", "this one has 1", 1, 9},
        {"POLYGON((0 0, 9 0, 9 9, 0 9, 0 0),\n(8 8, 10 8, 8 8.5, 8 8))", "polygon[0].ring[1]", "ring[0]", 2, 1},
        {"POLYGON((0 0, 9 0, 9 9, 0 9, 0 0), (10 8, 11 8, 11 9, 10 8))", "polygon[0].ring[1]", "outer ring", 1, 36},
        {"POLYGON((0 0, 9 0, 9 9, 0 9, 0 0), (1 1, 5 1, 1 5, 1 1), (2 2, 2.1 2, 2 2.1, 2 2))", "polygon[0].ring[2]",
         "a hole in a hole", 1, 58},
        {"LINESTRING(0 0, 0 0)", "line[0]", "two different points", 1, 1},
        {"LINESTRING(0 0, 1e999 0)", "line[0]", "finite", 1, 17},
        {"LINESTRING(0 0, 1 nan)", "line[0]", "finite", 1, 19},
        {"LINESTRING(0 0, 1 -inf)", "line[0]", "finite", 1, 19},
        {"LINESTRING Z (0 0 0, 1 1 1)", "line[0]", "flat", 1, 12},
        {"LINESTRING(0 0 0, 1 1 1)", "line[0]", "flat", 1, 16},
        {"POINT(1 2)", "POINT", "no obstacle", 1, 1},
        {"LINESTRING(0 0, 1 1", "line[0]", "')' expected", 1, 20},
        {"LINESTRING(0 0, x 1)", "line[0]", "number expected", 1, 17},
        {"LINESTRING 0 0, 1 1", "line[0]", "'(' expected", 1, 12},
        {"CIRCLE(0 0, 1)", "", "POLYGON", 1, 1},
        {"MULTIPOLYGON(((0 0, 4 0, 4 4, 0 0)), ((0 0, 1 0, 1 1, 0 1)))", "polygon[1].ring[0]", "open", 1, 39},
    };
    for (const Refusal& refusal : refusals) {
        const std::vector<Mistake> mistakes = mistakes_in(refusal.text);
        ASSERT_EQ(mistakes.size(), 1u) << refusal.text;
        EXPECT_EQ(mistakes[0].key, refusal.key) << refusal.text;
        EXPECT_NE(mistakes[0].message.find(refusal.part_of_message), std::string::npos)
            << refusal.text << ": " << mistakes[0].message;
        EXPECT_EQ(mistakes[0].where.line, refusal.line) << refusal.text;
        EXPECT_EQ(mistakes[0].where.column, refusal.column) << refusal.text;
        EXPECT_EQ(mistakes[0].where.file, "room.wkt");
    }
}

TEST(Wkt, NamesAllMistakesAtOnce)
{
    const std::vector<Mistake> mistakes = mistakes_in("POLYGON((0 0, 1 0, 1 1))\nPOINT(1 1)\nLINESTRING(0 0, inf 1)\n"
                                                      "POLYGON((0 0, 2 2, 2 0, 0 2, 0 0))");
    ASSERT_EQ(mistakes.size(), 4u);
    EXPECT_EQ(mistakes[3].key, "polygon[1].ring[0]") << "those that are wrong count";
}

TEST(Wkt, AnyTextIsReadOrRefused)
{
    const std::string text = "POLYGON((0 0, 4 0, 4 4, 0 4, 0 0), (1 1, 2 1, 2 2, 1 1)) MULTILINESTRING((0 0, 1e3 1))";
    const std::string_view letters = "()0129, .-+eEPMZaz\n;";
    Random random(4);
    for (int k = 0; k < 20000; ++k) {
        std::string changed = text;
        for (std::uint64_t n = 1 + random.bits() % 3; n > 0; --n) {
            const std::size_t place = random.bits() % changed.size();
            if (random.bits() % 2)
                changed.erase(place, 1 + random.bits() % 4);
            else
                changed.insert(place, 1, letters[random.bits() % letters.size()]);
        }
        try {
            read_wkt(changed);
        } catch (const InputError& error) {
            EXPECT_FALSE(error.mistakes().empty());
        }
    }
    std::string nested;
    for (int k = 0; k < 100000; ++k) nested += "GEOMETRYCOLLECTION(";
    EXPECT_THROW(read_wkt(nested), InputError);
}

TEST(Wkt, WalkableAreaIsOnePolygon)
{
    EXPECT_EQ(read_walkable_area("POLYGON((0 0, 9 0, 9 9, 0 9, 0 0), (1 1, 2 1, 2 2, 1 1))").rings.size(), 2u);
    EXPECT_THROW(read_walkable_area("LINESTRING(0 0, 1 1)"), InputError);
    EXPECT_THROW(read_walkable_area("POLYGON((0 0, 9 0, 9 9, 0 0)) POLYGON((0 0, 9 0, 9 9, 0 0))"), InputError);
}

double area_of(const WktPolygon& polygon)
{
    double area = 0;
    for (const WktRing& ring : polygon.rings) area += signed_area(ring.corners);
    return area;
}

bool holds_point(const std::vector<Vec<2>>& piece, const Vec<2>& point)
{
    for (std::size_t k = 0; k < piece.size(); ++k) {
        if (turn_of(piece[k], piece[(k + 1) % piece.size()], point) < 0) return false;
    }
    return true;
}

// The areas add up, each piece is convex, and a random point of the polygon lies in one piece.
void expect_pieces(const WktPolygon& polygon, Random& random)
{
    const std::vector<std::vector<Vec<2>>> pieces = convex_pieces(polygon);
    const double area = area_of(polygon);
    double sum = 0;
    for (const std::vector<Vec<2>>& piece : pieces) {
        ASSERT_GE(piece.size(), 3u);
        for (std::size_t k = 0; k < piece.size(); ++k) {
            const std::size_t n = piece.size();
            ASSERT_GT(turn_of(piece[k], piece[(k + 1) % n], piece[(k + 2) % n]), 0);
        }
        sum += signed_area(piece);
    }
    ASSERT_NEAR(sum, area, 1e-12 * area * double(pieces.size()));
    Vec<2> lower = polygon.rings[0].corners[0], upper = lower;
    for (const Vec<2>& corner : polygon.rings[0].corners) {
        lower = lower.cwiseMin(corner);
        upper = upper.cwiseMax(corner);
    }
    for (int k = 0; k < 100; ++k) { // never on an edge
        const Vec<2> point(random.uniform(lower.x(), upper.x()), random.uniform(lower.y(), upper.y()));
        int within = 0, rings = 0;
        for (const std::vector<Vec<2>>& piece : pieces) within += holds_point(piece, point);
        for (const WktRing& ring : polygon.rings) rings += is_within(ring.corners, point);
        ASSERT_EQ(within, rings == 1 ? 1 : 0) << point.transpose();
    }
}

WktRing star(Random& random, const Vec<2>& centre, double size, int corners)
{
    WktRing ring;
    for (int k = 0; k < corners; ++k) {
        const double angle = 2 * M_PI * (k + random.uniform(0, 0.9)) / corners, reach = size * random.uniform(0.2, 1);
        ring.corners.push_back(centre + reach * Vec<2>(std::cos(angle), std::sin(angle)));
    }
    return ring;
}

TEST(ConvexPieces, OfStarsAddUpAndDoNotOverlap)
{
    Random random(6);
    for (int repeat = 0; repeat < 400; ++repeat) {
        WktPolygon polygon;
        // far from the origin as well, as maps are
        const Vec<2> centre = repeat % 4 ? Vec<2>(0, 0) : Vec<2>(1000, -2000);
        polygon.rings.push_back(star(random, centre, 5, 4 + int(random.bits() % 60)));
        ASSERT_TRUE(mistakes_of_rings(polygon, "star").empty());
        if (repeat % 4 == 0) {
            double sum = 0; // the points of pieces are those of the polygon: round-off is that of the coordinates
            for (const auto& piece : convex_pieces(polygon)) sum += signed_area(piece);
            ASSERT_NEAR(sum, area_of(polygon), 1e-10 * area_of(polygon));
            continue;
        }
        expect_pieces(polygon, random);
    }
}

TEST(ConvexPieces, LeaveHolesOut)
{
    Random random(7);
    for (int repeat = 0; repeat < 100; ++repeat) {
        WktPolygon polygon;
        polygon.rings.push_back({{{-10, -10}, {10, -10}, {10, 10}, {-10, 10}}, {}});
        for (int k = 0; k < 9; ++k) {
            polygon.rings.push_back(
                star(random, Vec<2>(6 * (k % 3) - 6, 6 * (k / 3) - 6), 2.9, 4 + int(random.bits() % 9)));
            std::ranges::reverse(polygon.rings.back().corners);
        }
        ASSERT_TRUE(mistakes_of_rings(polygon, "stars").empty());
        expect_pieces(polygon, random);
    }
}

TEST(ConvexPieces, AreFewWhereThePolygonIsConvex)
{
    const auto pieces_of = [](const char* text) { return convex_pieces(read_wkt(text).polygons[0]).size(); };
    EXPECT_EQ(pieces_of("POLYGON((0 0, 2 0, 3 1, 2 2, 0 2, -1 1, 0 0))"), 1u);
    EXPECT_EQ(pieces_of("POLYGON((0 0, 1 0, 2 0, 2 2, 0 2, 0 0))"), 1u) << "a corner on a side";
    EXPECT_EQ(pieces_of("POLYGON((0 0, 2 0, 2 1, 1 1, 1 2, 0 2, 0 0))"), 2u) << "an L";
    // a hole that only another hole sees: a bracket around it
    EXPECT_GE(pieces_of("POLYGON((0 0, 9 0, 9 9, 0 9, 0 0), (1 1, 8 1, 8 8, 1 8, 1 4.6, 2 4.6, 2 7, 7 7, 7 2, 2 2, 2 "
                        "4.4, 1 4.4, 1 1),"
                        "(4 6, 5 6, 5 6.5, 4 6))"),
              6u);
}

} // namespace
