// Units that the lengths in a file of shapes may be in.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace talus {

std::vector<std::string> length_units();
double metres_in(std::string_view unit);

} // namespace talus
