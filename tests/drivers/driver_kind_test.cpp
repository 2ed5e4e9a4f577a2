#include "scenes_in_tests.hpp"
#include "talus/drivers/driver_kind.hpp"

using namespace talus;

namespace {

// what the registry names is what a scene may name
TEST(DriverKind, NamesAreThoseOfTheSchema)
{
    std::string names;
    for (const DriverKind& kind : driver_kinds()) names += kind.name + " ";
    EXPECT_EQ(names, "gravity force velocity vibration drag outlet social_force dipoles charges gravitation ");
    const std::string refused =
        refusal<2>("[scene]\ndimension = 2\ndt = 1e-3\nduration = 1\n[[drivers]]\ntype = \"wind\"\n");
    for (const DriverKind& kind : driver_kinds()) EXPECT_NE(refused.find(kind.name), std::string::npos) << refused;
}

} // namespace
