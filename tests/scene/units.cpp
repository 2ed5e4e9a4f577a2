#include "talus/scene/units.hpp"

#include <gtest/gtest.h>

#include <numbers>

namespace talus::scene {
namespace {

struct Case {
    const char* text;
    double value; // SI
    Dimension dimension;
};

class Units : public testing::TestWithParam<Case> {};

TEST_P(Units, AreReadInSi)
{
    Quantity quantity;
    EXPECT_EQ(parse_quantity(GetParam().text, quantity), "");
    // conversion is one product of the number with a scale that is itself rounded
    EXPECT_NEAR(quantity.value, GetParam().value, 4e-16 * std::abs(GetParam().value));
    EXPECT_EQ(quantity.dimension, GetParam().dimension);
}

INSTANTIATE_TEST_SUITE_P(
    Table, Units,
    testing::Values(
        Case{"25 mm", 0.025, {1, 0, 0, 0}}, Case{"25mm", 0.025, {1, 0, 0, 0}}, Case{"3 µm", 3e-6, {1, 0, 0, 0}},
        Case{"3 μm", 3e-6, {1, 0, 0, 0}}, Case{"3 um", 3e-6, {1, 0, 0, 0}}, Case{"35 Hz", 35, {0, 0, -1, 0}},
        Case{"20 1/s", 20, {0, 0, -1, 0}}, Case{"20 s^-1", 20, {0, 0, -1, 0}}, Case{"20 s⁻¹", 20, {0, 0, -1, 0}},
        Case{"16 kN", 16e3, {1, 1, -2, 0}}, Case{"2 %", 0.02, {0, 0, 0, 0}},
        Case{"45 deg", std::numbers::pi / 4, {0, 0, 0, 1}}, Case{"45°", std::numbers::pi / 4, {0, 0, 0, 1}},
        Case{"1 rev", 2 * std::numbers::pi, {0, 0, 0, 1}}, Case{"60 rpm", 2 * std::numbers::pi, {0, 0, -1, 1}},
        Case{"2700 kg/m^3", 2700, {-3, 1, 0, 0}}, Case{"2700 kg/m³", 2700, {-3, 1, 0, 0}},
        Case{"2.7 g/cm3", 2700, {-3, 1, 0, 0}}, Case{"2.7 t/m^3", 2700, {-3, 1, 0, 0}},
        Case{"1.6 m/s", 1.6, {1, 0, -1, 0}}, Case{"36 km/h", 10, {1, 0, -1, 0}},
        Case{"-9.81 m/s^2", -9.81, {1, 0, -2, 0}}, Case{"-9.81 m s-2", -9.81, {1, 0, -2, 0}},
        Case{"+9.81 m/(s s)", 9.81, {1, 0, -2, 0}}, Case{"0.5 h", 1800, {0, 0, 1, 0}}, Case{"2 min", 120, {0, 0, 1, 0}},
        Case{"25 kPa", 25e3, {-1, 1, -2, 0}}, Case{"25 kN/m^2", 25e3, {-1, 1, -2, 0}}, Case{"3 N m", 3, {2, 1, -2, 0}},
        Case{"3 N*m", 3, {2, 1, -2, 0}}, Case{"3 N·m", 3, {2, 1, -2, 0}}, Case{"2 kg m²/s", 2, {2, 1, -1, 0}},
        Case{"1e-3 s", 1e-3, {0, 0, 1, 0}}, Case{"7", 7, {0, 0, 0, 0}}));

class BadUnits : public testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(BadUnits, SayWhatIsWrong)
{
    Quantity quantity;
    EXPECT_EQ(parse_quantity(GetParam().first, quantity), GetParam().second);
}

INSTANTIATE_TEST_SUITE_P(Table, BadUnits,
                         testing::Values(std::pair{"mm", "does not begin with a number"},
                                         std::pair{"", "does not begin with a number"},
                                         std::pair{"5 mn", "unknown unit \"mn\", did you mean \"m\"?"},
                                         std::pair{"5 furlong", "unknown unit \"furlong\""},
                                         std::pair{"5 m/", "the unit is incomplete"},
                                         std::pair{"5 m^", "a power of the unit is incomplete"},
                                         std::pair{"5 m^12", "a power of the unit is too large"},
                                         std::pair{"5 (m", "a parenthesis of the unit is not closed"},
                                         std::pair{"5 m)", "cannot read the unit from \")\" on"},
                                         std::pair{"1e999 m", "the number is out of range"}));

TEST(Units, NameTheirDimensionWithAnExample)
{
    EXPECT_EQ(described({1, 0, 0, 0}), "a length such as \"25 mm\"");
    EXPECT_EQ(described({4, -1, 0, 0}), "a quantity in m^4/kg");
    EXPECT_EQ(si_unit({-1, 0, -2, 0}), "1/(m s^2)");
}

TEST(Units, OfTheExamplesFitTheDimensionTheyExplain)
{
    for (const char* unit : {"m", "s", "kg", "rad", "1/s", "rad/s", "m/s", "m/s^2", "N", "N m", "Pa", "kg/m^3",
                             "kg/m^2", "kg/s", "kg m^2/s", "N/m", "m^2", "m^3"}) {
        const Dimension dimension = unit_of(unit).dimension;
        const std::string description = described(dimension);
        const std::size_t begin = description.find('"') + 1;
        Quantity example;
        EXPECT_EQ(parse_quantity(description.substr(begin, description.find('"', begin) - begin), example), "") << unit;
        EXPECT_EQ(example.dimension, dimension) << description;
    }
}

} // namespace
} // namespace talus::scene
