// What colours mean: a number or a name per body, and its place in a palette with a legend.
#pragma once

#include "talus/io/runs/frames.hpp"
#include "talus/probes/sample.hpp"
#include "talus/report/crowd/crowd_look.hpp"
#include "talus/report/drawing/colours.hpp"

#include <optional>

namespace talus::report {

enum class Quantity { speed, load, compacity, size, material, rotation, density, exit };

struct Legend {
    std::string quantity, unit; // SI
    ValueRange range;
    std::vector<double> thresholds; // between classes, ascending; empty where colours are continuous
    struct Name {
        std::string text;
        std::int32_t colour;
    };
    std::vector<Name> names; // of materials or exits; empty where colours are numbers
};

struct Colouring {
    std::vector<std::int32_t> of_body; // its place in the palette
    std::vector<Rgb> palette;
    Legend legend;
    std::size_t grains = 0;
    bool has_imposed = false; // bodies in neutral grey, whose motion is imposed
};

// One number per body: speed [m/s], rate of rotation [rad/s], size (diameter of the bounding ball) [m], load (sum of
// the normal forces of its contacts) [N], compacity within two mean diameters, or the index of its material; of a crowd
// the density around a person [1/m²] and the index of the exit by which they leave, −1 of those who stay. InputError
// for the last two without a crowd.
template <int D>
std::vector<double> body_values(const io::Frame<D>& frame, Quantity quantity, const CrowdLook* crowd = nullptr);

// With `bands`, classes whose bounds halve from the largest value of a grain downwards, white to dark. InputError for
// bands of names. A range may be given, for pictures that are compared.
template <int D>
Colouring colouring_of(const io::Frame<D>& frame, Quantity quantity, bool bands,
                       const std::optional<ValueRange>& range = {}, const CrowdLook* crowd = nullptr);

// Walls have no centre and no size of their own.
template <int D>
bool is_wall(const io::Frame<D>& frame, std::size_t body)
{
    const ShapeKind kind = frame.shapes[frame.bodies.shape[body]].kind;
    return is_unbounded(kind) || kind == ShapeKind::mesh;
}
template <int D>
bool is_grain(const io::Frame<D>& frame, std::size_t body)
{
    return talus::is_grain(frame.bodies, frame.shapes, body);
}
// What has a colour of its own: grains and rods. Tools and sleepers are led.
template <int D>
bool moves_freely(const io::Frame<D>& frame, std::size_t body)
{
    return is_grain(frame, body) || (frame.bodies.imposed[body] == 0 && !is_wall(frame, body));
}
// [m] of the bounding balls; infinite where there are no grains
template <int D>
double mean_grain_diameter(const io::Frame<D>& frame);

} // namespace talus::report
