// What `talus view` was asked for.
#pragma once

#include "talus/report/picture.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

struct ViewOptions {
    std::filesystem::path folder;
    // served
    std::optional<int> port;
    bool no_open = false;
    // a page that stands alone
    std::filesystem::path page;
    std::optional<std::size_t> bodies;
    bool no_contacts = false;
    double size_limit = 100; // [MB] of the page
    // a picture, a sequence or a film
    std::filesystem::path image, images, film;
    std::string renderer = "own"; // "page"
    double fps = 25;
    std::optional<double> time; // [s] of the picture
    std::string view = "iso", colour;
    std::optional<std::string> slice;
    bool trajectories = false; // of people
    std::string map;           // of the ground below them: "density", "speed"; none: empty
    talus::report::PictureOptions picture;
    // which frames, of a page, a sequence or a film
    std::optional<double> from, until; // [s]
    std::int64_t every = 1;
};

// Frames from `from` to `until`, every so many of them. InputError where there are none.
std::vector<std::int64_t> chosen_frames(const ViewOptions& options, const std::vector<double>& times);
