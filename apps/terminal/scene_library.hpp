// The scenes of scenes/, built into the command; the source file is made by cmake/EmbedScenes.cmake.
#pragma once

#include <string>
#include <vector>

struct LibraryScene {
    std::string name; // "sandpile"
    std::string file; // "moreau/sandpile.toml"
    std::string text;
};

const std::vector<LibraryScene>& scene_library();
