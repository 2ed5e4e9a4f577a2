#include "fuzz/random_parts.hpp"

namespace talus::fuzz {

namespace {

std::string new_wall(Draft& draft)
{
    draft.walls.push_back("wall" + std::to_string(draft.walls.size()));
    return "\n[[bodies]]\n" + word("name", draft.walls.back()) + draft.material();
}

// A place outside the room: from its centre along −direction, `behind` the plane that touches it there.
Point beside(Draft& draft, const Point& direction, double behind)
{
    double reach = 0;
    for (std::size_t axis = 0; axis < direction.size(); ++axis) {
        reach += 0.5 * std::abs(direction[axis]) * (draft.room.upper[axis] - draft.room.lower[axis]);
    }
    const double distance = reach * draft.dice.between(1.0, 1.1) + behind;
    return sum(draft.room.centre(), scaled(direction, -distance));
}

void add_container(Draft& draft)
{
    std::string open;
    for (const char* side : {"left", "right", "top", "front", "back"}) {
        const bool deep = std::string(side) == "front" || std::string(side) == "back";
        const bool is_open = (!deep || draft.dimension == 3) && draft.dice.chance(0.15);
        if (is_open) {
            open += (open.empty() ? "\"" : ", \"") + std::string(side) + "\"";
        } else if (!deep || draft.dimension == 3) {
            draft.walls.push_back(std::string("box.") + side);
        }
    }
    draft.walls.push_back("box.bottom");
    draft.toml << "\n[[generators]]\n"
               << word("name", "box") << word("type", "container") << draft.material()
               << line("lower", draft.room.lower) << line("upper", draft.room.upper) << line("open", "[" + open + "]");
}

void add_half_space(Draft& draft, const Point& normal)
{
    draft.toml << new_wall(draft) << word("shape", "half_space") << line("normal", normal)
               << line("position", beside(draft, normal, 0)) << word("motion", "fixed");
}

// below the room, more or less
Point upward(Draft& draft)
{
    Point normal = scaled(draft.dice.direction(draft.dimension), draft.dice.between(0, 0.7));
    normal.back() += 1;
    return normal;
}

Point unit(const Point& vector)
{
    double squares = 0;
    for (const double x : vector) squares += x * x;
    return scaled(vector, 1 / std::sqrt(squares));
}

void add_half_spaces(Draft& draft)
{
    add_half_space(draft, unit(upward(draft)));
    const int more = draft.dice.whole(0, 4);
    for (int wall = 0; wall < more; ++wall) add_half_space(draft, draft.dice.direction(draft.dimension));
}

// The room lies in the ball, so in the cylinder too.
void add_hollow(Draft& draft)
{
    const bool cylinder = draft.dimension == 3 && draft.dice.chance(0.5);
    const double radius = draft.room.radius() * draft.dice.between(1.001, 1.3);
    draft.toml << new_wall(draft)
               << word("shape", cylinder               ? "hollow_cylinder"
                                : draft.dimension == 2 ? "hollow_disk"
                                                       : "hollow_sphere")
               << line("radius", radius) << line("position", draft.room.centre()) << word("motion", "fixed")
               << (cylinder ? line("axis", draft.dice.direction(3)) : "") << draft.rotation("rotation", 3);
}

void add_segments(Draft& draft)
{
    const int count = draft.dice.whole(1, 5);
    for (int wall = 0; wall < count; ++wall) {
        const double thickness = draft.dice.chance(0.3) ? 0.0 : draft.room.radius() * draft.dice.between(0, 0.1);
        const Point normal = wall == 0 ? unit(upward(draft)) : draft.dice.direction(draft.dimension);
        const Point place = beside(draft, normal, thickness);
        Point along = draft.dice.direction(draft.dimension); // across the normal
        double product = 0;
        for (std::size_t axis = 0; axis < along.size(); ++axis) product += along[axis] * normal[axis];
        along = sum(along, scaled(normal, -product));
        if (draft.dimension == 2) along = {-normal[1], normal[0]};
        along = scaled(along, draft.room.radius() * draft.dice.between(0.3, 2));
        draft.toml << new_wall(draft) << word("shape", "segment") << line("from", sum(place, scaled(along, -1)))
                   << line("to", sum(place, along)) << line("radius", thickness) << word("motion", "fixed");
    }
}

void add_obstacles(Draft& draft)
{
    const int count = draft.dice.whole(1, 4);
    for (int wall = 0; wall < count; ++wall) {
        const double radius = draft.room.radius() * draft.dice.between(0.2, 2);
        const Point normal = wall == 0 ? unit(upward(draft)) : draft.dice.direction(draft.dimension);
        draft.toml << new_wall(draft) << random_solid(draft, radius) << line("position", beside(draft, normal, radius))
                   << draft.rotation("rotation", 1.5) << word("motion", "fixed");
    }
}

// A field of triangles below the room: bumps, creases and flat stretches.
void add_mesh(Draft& draft)
{
    Dice& dice = draft.dice;
    const int cells = dice.whole(1, 6);
    const double half = draft.room.radius() * dice.between(1, 1.5);
    const double bump = dice.chance(0.3) ? 0.0 : half * dice.between(0, 0.4);
    const bool valley = dice.chance(0.3);
    std::string text;
    for (int j = 0; j <= cells; ++j) {
        for (int i = 0; i <= cells; ++i) {
            const double x = half * (2.0 * i / cells - 1), y = half * (2.0 * j / cells - 1);
            const double z = valley ? std::abs(x) * bump / half - bump : -bump * dice.between(0, 1);
            text += "v " + text_of(x) + " " + text_of(y) + " " + text_of(z) + "\n";
        }
    }
    for (int j = 0; j < cells; ++j) {
        for (int i = 0; i < cells; ++i) {
            const auto corner = [&](int x, int y) { return " " + std::to_string((j + y) * (cells + 1) + i + x + 1); };
            text += "f" + corner(0, 0) + corner(1, 0) + corner(1, 1) + "\n";
            text += "f" + corner(0, 0) + corner(1, 1) + corner(0, 1) + "\n";
        }
    }
    draft.scene.files.push_back({"wall.obj", text});
    Point place = draft.room.centre();
    place[2] = draft.room.lower[2] - draft.room.radius() * 0.01;
    draft.toml << new_wall(draft) << word("shape", "mesh") << word("file", "wall.obj") << line("position", place)
               << word("motion", "fixed") << line("rotation", Point{0, 0, dice.between(-3, 3)});
}

// A wall with a mass that a force presses on the grains.
void add_piston(Draft& draft)
{
    const int axis = draft.dice.whole(0, draft.dimension - 1);
    Point normal(std::size_t(draft.dimension), 0.0), force = normal;
    normal[std::size_t(axis)] = draft.dice.chance(0.5) ? 1 : -1;
    const double mass = draft.dice.log_between(0.1, 1000);
    draft.toml << "\n[[bodies]]\n"
               << word("name", "piston") << draft.material() << word("shape", "half_space") << line("normal", normal)
               << line("position", beside(draft, normal, 0)) << line("mass", mass)
               << line("motion", std::string("[\"") + "xyz"[axis] + "\"]");
    draft.toml << "\n[[drivers]]\n"
               << word("type", "force") << word("body", "piston")
               << line("force", scaled(normal, mass * draft.dice.log_between(1, 100)));
    draft.bodies += 1;
    draft.has_piston = true;
}

} // namespace

void add_walls(Draft& draft, double width)
{
    Dice& dice = draft.dice;
    const Point corner =
        dice.chance(0.5) ? Point(std::size_t(draft.dimension), 0.0) : dice.within(width, draft.dimension);
    draft.room = {corner, corner};
    for (double& x : draft.room.upper) x += width * dice.between(0.3, 1);
    const double kind = dice.between(0, 1);
    if (kind < 0.3) {
        draft.scene.arena = "box";
        add_container(draft);
    } else if (kind < 0.5) {
        draft.scene.arena = "half-spaces";
        add_half_spaces(draft);
    } else if (kind < 0.65) {
        draft.scene.arena = "hollow";
        add_hollow(draft);
    } else if (kind < 0.75) {
        draft.scene.arena = "segments";
        add_segments(draft);
    } else if (kind < 0.95) {
        const bool mesh = draft.dimension == 3 && dice.chance(0.6);
        draft.scene.arena = mesh ? "mesh" : "obstacles";
        mesh ? add_mesh(draft) : add_obstacles(draft);
    } else {
        draft.scene.arena = "none";
    }
    if (dice.chance(0.1)) add_obstacles(draft);
    if (dice.chance(0.1)) add_segments(draft);
    const bool may_press = draft.scene.arena != "mesh" && !draft.people; // no contact between mesh and half-space
    if (may_press && dice.chance(0.08)) add_piston(draft);
}

} // namespace talus::fuzz
