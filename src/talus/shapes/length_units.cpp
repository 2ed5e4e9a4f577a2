#include "talus/shapes/length_units.hpp"

#include <stdexcept>

namespace talus {

namespace {

struct LengthUnit {
    const char* name;
    double metres;
};
constexpr LengthUnit units[] = {{"m", 1}, {"dm", 0.1}, {"cm", 0.01}, {"mm", 0.001}, {"um", 1e-6}};

} // namespace

std::vector<std::string> length_units()
{
    std::vector<std::string> names;
    for (const LengthUnit& unit : units) names.push_back(unit.name);
    return names;
}

double metres_in(std::string_view unit)
{
    for (const LengthUnit& known : units) {
        if (unit == known.name) return known.metres;
    }
    throw std::logic_error("no such unit of length: " + std::string(unit));
}

} // namespace talus
