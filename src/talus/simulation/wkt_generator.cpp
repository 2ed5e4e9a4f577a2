// Walls and obstacles from well-known text (crowd/wkt.hpp): a line is walls from point to point; a polygon is solid, as
// convex pieces without its holes, or a room: walls along its rings.
#include "talus/base/error.hpp"
#include "talus/crowd/convex_pieces.hpp"
#include "talus/simulation/body_shape.hpp"
#include "talus/simulation/generator_kind.hpp"
#include "talus/simulation/simulation.hpp"

#include <fmt/format.h>

namespace talus {

using namespace scene;

namespace {

// What is wrong in a text within the scene is said at its key: the text has lines of its own.
WktGeometry geometry_of(const Value& generator, const ShapeFiles& files)
{
    const Value *file = generator.find("file"), *text = generator.find("text");
    if (!file == !text) {
        throw InputError({mistake_of_missing(generator, "text", "give either text or file, the obstacles as WKT")});
    }
    if (file) return read_wkt(files.read_text(*file), file->text());
    try {
        return read_wkt(text->text());
    } catch (const InputError& error) {
        std::vector<Mistake> mistakes;
        for (const Mistake& found : error.mistakes()) {
            mistakes.push_back(mistake_of_key(
                *text, fmt::format("line {}, column {} of the text: {}: {}{}", found.where.line, found.where.column,
                                   found.key, found.value.empty() ? "" : found.value + ": ", found.message)));
        }
        throw InputError(std::move(mistakes));
    }
}

void add_walls(Simulation<2>& simulation, Body<2> body, const WktGeometry& geometry, double thickness)
{
    for (const auto& [from, to] : walls_of(geometry)) {
        body.position = 0.5 * (from + to);
        body.shape = simulation.shapes.add_segment(0.5 * (to - from), 0.5 * thickness);
        simulation.bodies.add(body);
    }
}

void add_solids(Simulation<2>& simulation, const Body<2>& body, const WktGeometry& geometry)
{
    for (const WktPolygon& polygon : geometry.polygons) {
        for (const std::vector<Vec<2>>& piece : convex_pieces(polygon)) {
            const Polytope<2> solid = convex_hull<2>(piece);
            const MassProperties<2> properties = mass_properties(solid);
            Body<2> placed = body;
            move_to_frame(placed, properties);
            placed.shape = simulation.shapes.add_polytope(centred(solid, properties));
            simulation.bodies.add(placed);
        }
    }
}

void add_obstacles(Simulation<2>& simulation, const Value& generator, std::uint64_t, const ShapeFiles& files)
{
    WktGeometry geometry = geometry_of(generator, files);
    Body<2> body;
    body.material = simulation.materials.index(generator.at("material").text());
    body.imposed = all_imposed<2>;
    if (generator.at("polygons").is_text("solid")) {
        add_solids(simulation, body, geometry);
        geometry.polygons.clear();
    }
    add_walls(simulation, body, geometry, generator.at("thickness").number());
}

void refuse_in_space(Simulation<3>&, const Value& generator, std::uint64_t, const ShapeFiles&)
{
    throw InputError({mistake(generator.at("type"), "is flat: needs scene.dimension = 2")});
}

} // namespace

GeneratorKind wkt_generator()
{
    return {
        {"wkt",
         "fixed walls and obstacles of a crowd from well-known text, in metres: LINESTRING, POLYGON, their MULTI "
         "forms, GEOMETRYCOLLECTION (2D)",
         {text("file", "path of the text from the scene's folder"), text("text", "the text itself"),
          number("thickness", "of walls").in("m").at_least(0).otherwise(Value(0.1)),
          choice("polygons", "are obstacles (solid), or rooms with walls along their rings (walls)", {"solid", "walls"})
              .otherwise(Value("solid"))},
         {add_obstacles, refuse_in_space}}};
}

} // namespace talus
