#include "talus/base/version.hpp"

namespace talus {

const char* version() { return TALUS_VERSION; }

std::string build_description()
{
    std::string text = TALUS_BUILD;
#ifdef TALUS_WITH_QHULL
    text += ", Qhull";
#else
    text += ", no Qhull";
#endif
#ifdef TALUS_WITH_CAIRO
    text += ", cairo";
#else
    text += ", no cairo";
#endif
    return text;
}

} // namespace talus
