#include "web_pages.hpp"

#include "talus/base/error.hpp"

void refuse_without_page(const std::string& who)
{
    throw talus::InputError(who + " needs the web part, and this build of talus has none (CMake option TALUS_WEB; "
                                  "scripts/setup installs Node and what viewer/ needs)");
}
