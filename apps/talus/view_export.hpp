// The viewer's page with a run inside: one file that needs neither a server nor a network.
#pragma once

#include "talus/report/view/view_data.hpp"
#include "view_options.hpp"

#include <filesystem>
#include <string>

// talus view DIR --export FILE.html; refuses, before anything is written, what would pass the limit.
int export_view(const ViewOptions& options);

// A page of chosen frames, written durably; `extra` is one more script. Returns its size in bytes.
struct PageContent {
    talus::report::ViewSelection selection;
    bool contacts = true;
    std::string extra;
};
std::size_t write_view_page(talus::report::ViewedRun& run, const PageContent& content,
                            const std::filesystem::path& file);

// InputError where the file is a folder or lies in none.
void refuse_bad_place(const std::filesystem::path& file);
