// What was built: version, compiler, options.
#pragma once

#include <string>

namespace talus {

const char* version();
std::string build_description(); // compiler, build type, optional libraries

} // namespace talus
