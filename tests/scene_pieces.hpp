// Scenes of tests, put together from pieces of TOML: what every scene begins with, then an entry at a time.
#pragma once

#include <fmt/format.h>

#include <string>

namespace talus::piece {

// Values are written as in a file: dt = 1e-3 or dt = "1 ms".
struct Start {
    int dimension = 2;
    std::string dt = "1e-3", duration = "1";
    std::string more = ""; // keys of [scene]
    std::string materials = "stone = { density = 2000 }";
    std::string contact = "friction = 0.5"; // empty: no such table
};

// Keys on lines of their own, and no empty line where there are none: messages name lines.
inline std::string lines(const std::string& keys) { return keys.empty() ? "" : keys + "\n"; }

inline std::string start(const Start& with)
{
    return fmt::format("[scene]\ndimension = {}\ndt = {}\nduration = {}\n{}[materials]\n{}", with.dimension, with.dt,
                       with.duration, lines(with.more), lines(with.materials)) +
           lines(with.contact.empty() ? "" : "[contact]\n" + with.contact);
}

inline std::string body(const std::string& shape, const std::string& keys, const std::string& material = "stone")
{
    return fmt::format("[[bodies]]\nshape = \"{}\"\nmaterial = \"{}\"\n", shape, material) + lines(keys);
}

// A half-space below z = 0, y = 0 in 2D; `more`: further keys, such as its name.
inline std::string floor(int dimension, const std::string& material = "stone", const std::string& more = "")
{
    return body("half_space", dimension == 2 ? "normal = [0, 1]" : "normal = [0, 0, 1]", material) +
           "motion = \"fixed\"\n" + lines(more);
}

// A container, or grains in a box.
inline std::string generator(const std::string& type, const std::string& lower, const std::string& upper,
                             const std::string& keys = "", const std::string& material = "stone")
{
    return fmt::format("[[generators]]\ntype = \"{}\"\nlower = {}\nupper = {}\nmaterial = \"{}\"\n", type, lower, upper,
                       material) +
           lines(keys);
}

// [materials] of a track.
inline const std::string track_materials = "ballast = { preset = \"ballast\" }\nwall = { density = 2700 }\n"
                                           "concrete = { preset = \"concrete\" }\nsteel = { preset = \"steel\" }";

inline const std::string gravity = "[[drivers]]\ntype = \"gravity\"\n";

} // namespace talus::piece
