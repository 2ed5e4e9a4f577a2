#include "sampling/placement.hpp"

#include "sampling/vectors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

namespace talus {

template <int D>
void place_on_lattice(const scene::Value& generator, const GrainSource<D>& source, Random& random, BodyTable<D>& bodies,
                      ShapeTable<D>& shapes)
{
    const Vec<D> lower = vector_of<D>(generator.at("lower")), upper = vector_of<D>(generator.at("upper"));
    const double largest = source.radii().largest();
    const bool automatic = generator.at("spacing").is_text();
    // 5 % of room by default: neighbours do not touch, and a jitter has something to work with
    const double spacing = automatic ? 2.1 * largest : generator.at("spacing").number();
    const double jitter = generator.at("jitter").number();
    if (spacing < 2 * largest) {
        throw InputError({problem(generator.at("spacing"), fmt::format("grains of radius {} would overlap: at least {}",
                                                                       largest, 2 * largest))});
    }
    Eigen::Matrix<std::int64_t, D, 1> cells;
    std::int64_t room = 1;
    for (int axis = 0; axis < D; ++axis) {
        cells[axis] = std::int64_t(std::floor((upper[axis] - lower[axis]) / spacing * (1 + 1e-12)));
        room *= std::max<std::int64_t>(cells[axis], 0);
    }
    const std::int64_t count = generator.at("count").is_text() ? room : generator.at("count").integer();
    if (room == 0 || count > room) {
        throw InputError({problem(generator.at("count").is_text() ? generator.at("upper") : generator.at("count"),
                                  fmt::format("the box holds {} grains at a spacing of {} m", room, spacing))});
    }
    for (std::int64_t n = 0; n < count; ++n) { // layer by layer: the last axis is the slowest
        Vec<D> position;
        std::int64_t rest = n;
        const double radius = source.radii().draw(random);
        for (int axis = 0; axis < D; ++axis) {
            const double play = jitter * (spacing - 2 * radius);
            position[axis] = lower[axis] + (double(rest % cells[axis]) + 0.5) * spacing + random.uniform(-play, play);
            rest /= cells[axis];
        }
        source.add(bodies, shapes, position, radius);
    }
}

namespace {

// Grains placed so far, by cell of the largest diameter.
template <int D>
class Occupied {
  public:
    explicit Occupied(double cell) : cell_(cell) {}
    bool is_free(const Vec<D>& position, double radius) const
    {
        bool free = true;
        visit_neighbours(position, [&](const Vec<D>& other, double other_radius) {
            const double apart = radius + other_radius;
            if ((position - other).squaredNorm() < apart * apart) free = false;
        });
        return free;
    }
    void add(const Vec<D>& position, double radius) { grains_[key(cell_of(position))].push_back({position, radius}); }

  private:
    using Cell = Eigen::Matrix<std::int64_t, D, 1>;
    struct Grain {
        Vec<D> position;
        double radius;
    };
    Cell cell_of(const Vec<D>& position) const
    {
        return (position / cell_).array().floor().template cast<std::int64_t>();
    }
    static std::uint64_t key(const Cell& cell)
    {
        std::uint64_t key = 0;
        for (int axis = 0; axis < D; ++axis) key = key * 0x1000003ull + std::uint64_t(cell[axis]);
        return key;
    }
    template <class Visit>
    void visit_neighbours(const Vec<D>& position, Visit&& visit) const
    {
        const Cell centre = cell_of(position);
        constexpr int around = D == 2 ? 9 : 27;
        for (int n = 0; n < around; ++n) {
            Cell cell = centre;
            for (int axis = 0, rest = n; axis < D; ++axis, rest /= 3) cell[axis] += rest % 3 - 1;
            if (const auto found = grains_.find(key(cell)); found != grains_.end()) {
                for (const Grain& grain : found->second) visit(grain.position, grain.radius);
            }
        }
    }
    double cell_;
    std::unordered_map<std::uint64_t, std::vector<Grain>> grains_;
};

} // namespace

template <int D>
void place_at_random(const scene::Value& generator, const GrainSource<D>& source, Random& random, BodyTable<D>& bodies,
                     ShapeTable<D>& shapes)
{
    const Vec<D> lower = vector_of<D>(generator.at("lower")), upper = vector_of<D>(generator.at("upper"));
    const std::int64_t count = generator.at("count").integer();
    std::vector<double> radii(count);
    for (double& radius : radii) radius = source.radii().draw(random);
    std::sort(radii.begin(), radii.end(), std::greater<>()); // large ones first: they need the room most
    Occupied<D> occupied(2 * source.radii().largest());
    constexpr int tries = 1000;
    for (std::int64_t n = 0; n < count; ++n) {
        const double radius = radii[n];
        bool placed = false;
        for (int attempt = 0; attempt < tries && !placed; ++attempt) {
            Vec<D> position;
            for (int axis = 0; axis < D; ++axis) {
                position[axis] = random.uniform(lower[axis] + radius, upper[axis] - radius);
            }
            if (((upper - lower).array() < 2 * radius).any() || !occupied.is_free(position, radius)) continue;
            occupied.add(position, radius);
            source.add(bodies, shapes, position, radius);
            placed = true;
        }
        if (!placed) {
            throw InputError(
                {problem(generator.at("count"), fmt::format("only {} grains found a free place in the box after {} "
                                                            "tries each: a larger box, fewer grains, or a lattice",
                                                            n, tries))});
        }
    }
}

#define TALUS_INSTANTIATE(D)                                                                                           \
    template void place_on_lattice(const scene::Value&, const GrainSource<D>&, Random&, BodyTable<D>&,                 \
                                   ShapeTable<D>&);                                                                    \
    template void place_at_random(const scene::Value&, const GrainSource<D>&, Random&, BodyTable<D>&, ShapeTable<D>&);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

} // namespace talus
