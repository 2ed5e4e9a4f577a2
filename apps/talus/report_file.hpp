// The HTML report as a file: `talus report` and `talus compare` write it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

// Says where it is. The build must have the page (report_page()). `comparison`: JSON, as html_report() takes it.
void write_report(const std::vector<std::filesystem::path>& folders, const std::filesystem::path& file,
                  const std::string& comparison = "null");
