#include "fuzz/random_parts.hpp"

#include <algorithm>

namespace talus::fuzz {

namespace {

std::vector<Point> corners_of_box(const Point& lower, const Point& upper)
{
    std::vector<Point> corners;
    for (std::size_t bits = 0; bits < (1u << lower.size()); ++bits) {
        Point corner;
        for (std::size_t axis = 0; axis < lower.size(); ++axis) {
            corner.push_back(bits >> axis & 1 ? upper[axis] : lower[axis]);
        }
        corners.push_back(corner);
    }
    return corners;
}

// An L or a T of two boxes that touch, inside a ball.
std::string cluster(Draft& draft, double radius)
{
    const auto axes = std::size_t(draft.dimension);
    const double half = radius / std::sqrt(double(draft.dimension));
    const double seam = draft.dice.between(-0.5, 0.5) * half;
    Point first_lower(axes, -half), first_upper(axes, half), second_lower = first_lower, second_upper = first_upper;
    first_upper[0] = second_lower[0] = seam;
    for (std::size_t axis = 1; axis < axes; ++axis) {
        second_lower[axis] = draft.dice.between(-1, 0) * half;
        second_upper[axis] = second_lower[axis] + draft.dice.between(0.2, 1) * half;
    }
    return word("shape", "cluster") + line("parts", "[" + text_of(corners_of_box(first_lower, first_upper)) + ", " +
                                                        text_of(corners_of_box(second_lower, second_upper)) + "]");
}

// Corners on a ball; the first ones are those of a regular simplex, slightly moved, so that it is not flat.
std::string hull(Draft& draft, double radius)
{
    std::vector<Point> corners;
    if (draft.dimension == 2) {
        for (const double angle : {0.0, 2.1, 4.2}) corners.push_back({std::cos(angle), std::sin(angle)});
    } else {
        const double third = 1 / std::sqrt(3.0);
        corners = {{third, third, third}, {third, -third, -third}, {-third, third, -third}, {-third, -third, third}};
    }
    const int more = draft.dice.whole(0, 8);
    for (int corner = 0; corner < more; ++corner) corners.push_back(draft.dice.direction(draft.dimension));
    const double flat = draft.dice.chance(0.3) ? draft.dice.between(0.2, 1) : 1.0;
    for (Point& corner : corners) {
        corner = scaled(corner, radius);
        corner[0] *= flat;
    }
    return word("shape", draft.dimension == 2 ? "polygon" : "polyhedron") + line("vertices", text_of(corners));
}

std::string cuboid(Draft& draft, double radius)
{
    Point size;
    double squares = 0;
    for (int axis = 0; axis < draft.dimension; ++axis) {
        size.push_back(draft.dice.chance(0.3) ? 1.0 : draft.dice.between(0.2, 1));
        squares += size.back() * size.back();
    }
    return word("shape", "box") + line("size", scaled(size, 2 * radius / std::sqrt(squares)));
}

std::string ball(Draft& draft, double radius)
{
    return word("shape", draft.dimension == 2 ? "disk" : "sphere") + line("radius", radius);
}

// Of n grains with radii evenly between R/ratio and R that fill a share of the volume.
double largest_radius(const Draft& draft, const Room& room, int count, double ratio, double share)
{
    double volume = 1, narrowest = 1e300;
    for (std::size_t axis = 0; axis < room.lower.size(); ++axis) {
        volume *= room.upper[axis] - room.lower[axis];
        narrowest = std::min(narrowest, room.upper[axis] - room.lower[axis]);
    }
    const double d = draft.dimension;
    const double unit_ball = draft.dimension == 2 ? M_PI : 4 * M_PI / 3;
    const double mean_power =
        ratio > 1.001 ? (1 - std::pow(ratio, -(d + 1))) / ((d + 1) * (1 - 1 / ratio)) : 1.0; // of (r/R)^D
    return std::min(0.45 * narrowest, std::pow(share * volume / (count * unit_ball * mean_power), 1 / d));
}

void note_sizes(Draft& draft, double largest, double ratio)
{
    draft.largest = std::max(draft.largest, largest);
    draft.smallest = draft.smallest > 0 ? std::min(draft.smallest, largest / ratio) : largest / ratio;
}

std::string motion(Draft& draft)
{
    if (!draft.guided || draft.dice.chance(0.7)) return "";
    std::string free;
    const std::vector<std::string> names = draft.dimension == 2
                                               ? std::vector<std::string>{"x", "y", "rotation"}
                                               : std::vector<std::string>{"x", "y", "z", "rx", "ry", "rz"};
    for (const std::string& name : names) {
        if (draft.dice.chance(0.6)) free += (free.empty() ? "\"" : ", \"") + name + "\"";
    }
    return free.empty() ? "" : line("motion", "[" + free + "]");
}

// Bodies one by one, of all shapes, apart from each other by the balls around them.
void add_single_bodies(Draft& draft, const Room& room, int count)
{
    Dice& dice = draft.dice;
    const double ratio = dice.log_between(1, 20);
    const double largest = largest_radius(draft, room, count, ratio, dice.between(0.05, 0.3));
    note_sizes(draft, largest, ratio);
    struct Placed {
        Point place;
        double radius;
    };
    std::vector<Placed> placed;
    const auto is_free = [&](const Point& place, double radius) {
        return std::ranges::none_of(placed, [&](const Placed& other) {
            double squares = 0;
            for (std::size_t axis = 0; axis < place.size(); ++axis)
                squares += std::pow(place[axis] - other.place[axis], 2);
            return squares < std::pow(1.001 * (radius + other.radius), 2);
        });
    };
    const bool move = dice.chance(0.7);
    for (int body = 0; body < count; ++body) {
        const double radius = body == 0 ? largest : largest * dice.between(1 / ratio, 1);
        for (int attempt = 0; attempt < 100; ++attempt) {
            Point place;
            for (std::size_t axis = 0; axis < room.lower.size(); ++axis) {
                place.push_back(dice.between(room.lower[axis] + radius, room.upper[axis] - radius));
            }
            if (!is_free(place, radius)) continue;
            placed.push_back({place, radius});
            const bool rod = dice.chance(0.08);
            const std::string name = "body" + std::to_string(draft.bodies++);
            draft.movers.push_back(name);
            draft.toml << "\n[[bodies]]\n" << word("name", name) << draft.material();
            if (rod) {
                const Point half = scaled(dice.direction(draft.dimension), 0.8 * radius);
                draft.toml << word("shape", "segment") << line("from", sum(place, scaled(half, -1)))
                           << line("to", sum(place, half)) << line("radius", 0.2 * radius)
                           << line("mass", 1000 * std::pow(radius, draft.dimension));
            } else {
                draft.toml << (dice.chance(0.3) ? ball(draft, radius) : random_solid(draft, radius))
                           << line("position", place) << draft.rotation("rotation", 3);
            }
            draft.toml << motion(draft);
            if (move) {
                draft.toml << line("velocity", dice.within(draft.speed / 2, draft.dimension))
                           << draft.rotation("spin", draft.speed / (2 * largest));
            }
            break;
        }
    }
}

// keys of grains of one kind, by a generator
std::string grain_keys(Draft& draft, double largest, double ratio)
{
    Dice& dice = draft.dice;
    const bool corners = dice.chance(0.45);
    Toml keys;
    if (corners) {
        // a ball around a grain of sieve size 1 has a radius below 1
        keys << word("shape", draft.dimension == 2 ? "polygon" : "polyhedron")
             << line("size", Point{largest / ratio, largest}) << line("angularity", dice.between(0, 1));
        if (dice.chance(0.3)) keys << line("vertices", draft.dimension == 2 ? 4 : 6);
        if (dice.chance(0.3)) keys << line("elongation", dice.between(0.4, 1));
    } else {
        keys << word("shape", draft.dimension == 2 ? "disk" : "sphere")
             << line("radius", Point{largest / ratio, largest});
    }
    draft.scene.grains += corners ? "corners " : "balls ";
    if (dice.chance(0.3)) keys << word("distribution", dice.pick({"uniform", "volume"}));
    if (dice.chance(0.5)) {
        keys << line("velocity", dice.within(draft.speed / 2, draft.dimension))
             << draft.rotation("spin", draft.speed / (2 * largest));
    }
    return keys.text;
}

void add_generator(Draft& draft, const Room& room, int count)
{
    Dice& dice = draft.dice;
    const std::string type = dice.pick({"random", "lattice", "deposit", "deposit", "feeder"});
    double ratio = dice.chance(0.2) ? 1.0 : dice.log_between(1, 20);
    double largest = 0;
    if (type == "lattice") { // as many cells as grains along each axis
        const double cells = std::ceil(std::pow(double(count), 1.0 / draft.dimension));
        double narrowest = 1e300;
        for (std::size_t axis = 0; axis < room.lower.size(); ++axis) {
            narrowest = std::min(narrowest, room.upper[axis] - room.lower[axis]);
        }
        largest = narrowest / cells / 2.2;
    } else {
        const double share = type == "deposit" ? dice.between(0.1, 0.35) : dice.between(0.05, 0.3);
        largest = largest_radius(draft, room, count, ratio, share);
    }
    note_sizes(draft, largest, ratio);
    const std::string name = "grains" + std::to_string(draft.lots++);
    draft.toml << "\n[[generators]]\n"
               << word("name", name) << word("type", type) << draft.material() << line("lower", room.lower)
               << line("upper", room.upper) << line("count", count);
    if (type == "feeder") {
        draft.toml << line("rate", "RATE"); // known when dt is
        draft.fed = true;
    } else {
        draft.bodies += count;
        draft.movers.push_back(name);
    }
    if (type == "lattice" && dice.chance(0.7)) draft.toml << line("jitter", dice.between(0, 0.49));
    if (type == "deposit" && dice.chance(0.5)) draft.toml << line("gap", dice.between(0, 0.1));
    draft.toml << grain_keys(draft, largest, ratio);
}

} // namespace

std::string random_solid(Draft& draft, double radius)
{
    const double kind = draft.dice.between(0, 1);
    return kind < 0.35 ? hull(draft, radius) : kind < 0.7 ? cuboid(draft, radius) : cluster(draft, radius);
}

void add_grains(Draft& draft, int count)
{
    Dice& dice = draft.dice;
    const int lots = count < 4 ? 1 : dice.whole(1, 3); // one above the other
    for (int lot = 0; lot < lots; ++lot) {
        Room room = draft.room;
        const double height = room.upper.back() - room.lower.back();
        room.upper.back() = room.lower.back() + height * (lot + 1) / lots;
        room.lower.back() += height * lot / lots;
        const int share = std::max(1, count / lots);
        if (share <= 40 && dice.chance(0.5)) {
            draft.scene.grains += "single ";
            add_single_bodies(draft, room, share);
        } else {
            add_generator(draft, room, share);
        }
    }
}

} // namespace talus::fuzz
