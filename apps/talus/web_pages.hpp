// The pages that were bundled from viewer/ and are part of the command; empty in a build without Node.
#pragma once

#include "talus/report/pages/page_text.hpp"

#include <string>

talus::report::WebPage report_page();
talus::report::WebPage view_page();

// InputError: who needs a page that this build has not.
[[noreturn]] void refuse_without_page(const std::string& who);
