// What [dem] takes where the scene says how fast bodies get.
#include "scenes_in_tests.hpp"

namespace talus {
namespace {

// a grain 5 m above a floor: it would arrive at 9.9 m/s
std::string high_grain(const std::string& dem)
{
    return "[scene]\ndimension = 3\nmethod = \"dem\"\ndt = \"1 ms\"\nduration = 1\n"
           "[materials]\nM1 = { density = 2500, young = 1e9, poisson = 0.2 }\n[contact]\nrestitution = 0.5\n"
           "[dem]\nnormal = \"hertz_material\"\ntangential = \"mindlin\"\ndt = \"1.5 us\"\n" +
           dem +
           "[[bodies]]\nshape = \"sphere\"\nradius = \"2 mm\"\nposition = [0, 0, 5]\nmaterial = \"M1\"\n"
           "[[bodies]]\nshape = \"half_space\"\nnormal = [0, 0, 1]\nmotion = \"fixed\"\nmaterial = \"M1\"\n"
           "[[drivers]]\ntype = \"gravity\"\n";
}

TEST(DemAdvice, AGivenSpeedDecidesTheStepOfHertzToo)
{
    EXPECT_TRUE(has(refusal<3>(high_grain("")), "dem.dt = \"1.5 us\": is too long"));
    EXPECT_EQ(refusal<3>(high_grain("fastest = \"2 m/s\"\n")), "");
}

} // namespace
} // namespace talus
