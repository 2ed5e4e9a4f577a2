// Balls in a text file, one per line: radius x y z, in 2D radius x y, in metres. Lines that begin with # are passed
// over, and so is a first line of words. A name that ends with .gz is of a compressed file.
#pragma once

#include "talus/sampling/shape_files.hpp"

#include <filesystem>

namespace talus::io {

// InputError with every mistake, by line.
std::vector<ListedBall> read_balls(const std::filesystem::path& file, int dimension);

} // namespace talus::io
