// The pages that were bundled from viewer/ and are part of the command; empty in a build without Node.
#pragma once

#include "report/html_report.hpp"

talus::report::WebPage report_page();
