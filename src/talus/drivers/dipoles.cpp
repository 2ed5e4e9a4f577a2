// Magnetic dipoles at the centres of bodies (FORCES, dipolar interaction). With n from j to i,
//   F = 3μ₀/(4π r⁴) [n (M_i·M_j) + M_i (n·M_j) + M_j (n·M_i) − 5 n (n·M_i)(n·M_j)] on i
//   U = μ₀/(4π r³) [M_i·M_j − 3 (n·M_i)(n·M_j)],   torque M_i × B with B = μ₀/(4π r³) [3 n (n·M_j) − M_j]
// Beyond r_c = (R_i + R_j) α^(−1/4) nothing is felt. A moment turns with its body; in the plane it lies in the plane.
#include "talus/base/random.hpp"
#include "talus/detection/ball_grid.hpp"
#include "talus/detection/bounding_balls.hpp"
#include "talus/drivers/driver_kind.hpp"
#include "talus/drivers/long_range/carriers.hpp"
#include "talus/exec/parallel.hpp"
#include "talus/sampling/vectors.hpp"

#include <fmt/format.h>

namespace talus {

namespace {

constexpr double dipole_constant = 1e-7; // [T m/A] μ₀/4π, with μ₀ = 4π·1e-7
constexpr std::size_t dipoles_per_chunk = 64;

// evenly over all directions
template <int D>
Vec<D> random_direction(Random& random)
{
    for (;;) {
        Vec<D> v;
        for (int axis = 0; axis < D; ++axis) v[axis] = random.uniform(-1, 1);
        const double square = v.squaredNorm();
        if (square < 1 && square > 1e-4) return v / std::sqrt(square);
    }
}

// [m] between walls that nothing moves and that face each other, or across a drum; infinite where there are none
template <int D>
double width_between_walls(const BodyTable<D>& bodies, const ShapeTable<D>& shapes)
{
    double width = std::numeric_limits<double>::infinity();
    std::vector<std::size_t> planes;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        if (!bodies.is_passive(i)) continue;
        const Shape<D>& shape = shapes[bodies.shape[i]];
        if (shape.kind == ShapeKind::half_space) planes.push_back(i);
        if (shape.kind == ShapeKind::hollow_ball || shape.kind == ShapeKind::hollow_cylinder) {
            width = std::min(width, 2 * shape.radius);
        }
    }
    const auto normal_of = [&](std::size_t i) {
        return Vec<D>(bodies.orientation[i] * shapes.half_spaces[shapes[bodies.shape[i]].detail].normal);
    };
    for (const std::size_t a : planes) {
        const Vec<D> normal = normal_of(a);
        for (const std::size_t b : planes) {
            const double apart = normal.dot(bodies.position[b] - bodies.position[a]);
            if (b > a && normal.dot(normal_of(b)) < -0.999 && apart > 0) width = std::min(width, apart);
        }
    }
    return width;
}

template <int D>
struct Feels {                     // one dipole, of the others
    Vec<D> force = Vec<D>::Zero(); // [N]
    Vec<D> field = Vec<D>::Zero(); // [T]
};

template <int D>
class Dipoles final : public Driver<D> {
  public:
    Dipoles(const scene::Value& driver, std::vector<BodyList> groups)
        : given_(driver), acting_(driver), uniform_(vector_of<D>(driver.at("field"))),
          cutoff_(std::pow(driver.at("alpha").number(), -0.25))
    {
        Random random(std::uint64_t(driver.at("seed").integer()));
        for (std::size_t k = 0; k < groups.size(); ++k) {
            const scene::Value& group = driver.at("groups").list()[k];
            const Vec<D> moment = vector_of<D>(group.at("moment"));
            const bool is_random = group.at("directions").is_text("random");
            for (const BodyId id : groups[k].ids()) {
                carriers_.add(id, is_random ? Vec<D>(moment.norm() * random_direction<D>(random)) : moment);
            }
        }
    }

    std::vector<Mistake> examine(const BodyTable<D>& bodies, const ShapeTable<D>& shapes) override
    {
        look_at_shapes(bodies, shapes);
        std::vector<Mistake> mistakes;
        const double farthest = 2 * largest_ * cutoff_, width = width_between_walls(bodies, shapes);
        if (!std::isfinite(largest_)) {
            mistakes.push_back(mistake(given_.at("groups"), "names a body without bounds: dipoles must have a size"));
        } else if (farthest > width) {
            const double least = std::pow(2 * largest_ / width, 4);
            const std::string allowed =
                least <= 0.1 ? fmt::format("alpha must be at least {:.3g}", least)
                             : std::string("with alpha of at most 0.1, bodies must be smaller or the box larger");
            mistakes.push_back(mistake(given_.at("alpha"), fmt::format("the cut-off of the largest dipoles, {:.3g} m, "
                                                                       "is larger than the box of {:.3g} m: {}",
                                                                       farthest, width, allowed)));
        }
        return mistakes;
    }

    void apply(BodyTable<D>& bodies, ShapeTable<D>& shapes, const Clock&) override { look_at_shapes(bodies, shapes); }
    void find_bodies(const BodyTable<D>& bodies) override { carriers_.find(bodies); }

    void load(BodyTable<D>& bodies, const TimeSpan& during) override
    {
        force_.assign(bodies.size(), Vec<D>::Zero());
        torque_.assign(bodies.size(), Ang<D>::Zero());
        if (!acting_.contains(during)) return;
        place_moments(bodies, bodies.size());
        for_dipoles([&](std::size_t ball, std::size_t i) {
            const Feels<D> felt = feel(ball);
            force_[i] = felt.force;
            torque_[i] = moment(moment_[i], Vec<D>(felt.field + uniform_));
            if (bodies.is_passive(i)) return;
            bodies.force[i] += force_[i];
            bodies.torque[i] += torque_[i];
        });
    }

    // magnets that come or go are loads
    Vec<D> field(const BodyTable<D>&, std::size_t i) const override
    {
        return acting_.is_always() && i < force_.size() ? force_[i] : Vec<D>(Vec<D>::Zero());
    }
    Ang<D> field_torque(const BodyTable<D>&, std::size_t i) const override
    {
        return acting_.is_always() && i < torque_.size() ? torque_[i] : Ang<D>(Ang<D>::Zero());
    }
    bool is_mutual() const override { return true; }

    // U = −½ Σ M·B of the others − Σ M·B of the uniform field
    double energy(const BodyTable<D>& bodies, std::size_t count) override
    {
        if (!acting_.is_always()) return 0;
        place_moments(bodies, count);
        energy_.assign(grid_.size(), 0);
        for_dipoles([&](std::size_t ball, std::size_t i) {
            energy_[ball] = -moment_[i].dot(Vec<D>(0.5 * feel(ball).field + uniform_));
        });
        return parallel_sum(energy_.size(), 0.0, [&](std::size_t ball) { return energy_[ball]; });
    }

  private:
    void look_at_shapes(const BodyTable<D>& bodies, const ShapeTable<D>& shapes)
    {
        largest_ = 0;
        size_.assign(bodies.size(), 0);
        for (const auto& carrier : carriers_) {
            if (carrier.body < 0) continue;
            const double radius = bounding_radius(shapes, bodies.shape[std::size_t(carrier.body)]);
            size_[std::size_t(carrier.body)] = radius;
            largest_ = std::max(largest_, radius);
        }
    }

    // Moments in the world, and who is near whom.
    void place_moments(const BodyTable<D>& bodies, std::size_t count)
    {
        moment_.assign(bodies.size(), Vec<D>::Zero());
        radius_.assign(bodies.size(), -1); // no dipole
        for (const auto& carrier : carriers_) {
            if (carrier.body < 0 || std::size_t(carrier.body) >= count) continue;
            const auto i = std::size_t(carrier.body);
            moment_[i] = bodies.orientation[i] * carrier.carried;
            if (is_finite<D>(bodies.position[i])) radius_[i] = size_[i];
        }
        grid_.file(bodies.position, radius_, 2 * largest_ * (cutoff_ - 1));
    }

    // use(ball of the grid, body)
    template <class Use>
    void for_dipoles(Use&& use)
    {
        parallel_chunks(
            grid_.size(),
            [&](std::size_t begin, std::size_t end) {
                for (std::size_t ball = begin; ball < end; ++ball) use(ball, std::size_t(grid_.body(ball)));
            },
            dipoles_per_chunk);
    }

    // gather, not scatter: the order of the sum must not depend on the number of threads
    Feels<D> feel(std::size_t ball) const
    {
        const auto place_of = [&](std::size_t b) {
            Vec<D> place;
            for (int axis = 0; axis < D; ++axis) place[axis] = grid_.coordinate(axis)[b];
            return place;
        };
        const Vec<D> here = place_of(ball), &own = moment_[std::size_t(grid_.body(ball))];
        const double radius = grid_.radius()[ball];
        Feels<D> sum;
        grid_.for_rows_near(ball, [&](std::size_t begin, std::size_t end) {
            for (std::size_t b = begin; b < end; ++b) {
                const Vec<D> apart = here - place_of(b);
                const double square = apart.squaredNorm(), reach = (radius + grid_.radius()[b]) * cutoff_;
                if (b == ball || square > reach * reach) continue;
                const Vec<D>& other = moment_[std::size_t(grid_.body(b))];
                const double distance = std::sqrt(square), third = dipole_constant / (square * distance);
                const Vec<D> n = apart / distance;
                const double along = n.dot(own), along_other = n.dot(other);
                sum.field += third * (3 * along_other * n - other);
                sum.force += 3 * third / distance *
                             (n * (own.dot(other) - 5 * along * along_other) + own * along_other + other * along);
            }
        });
        return sum;
    }

    scene::Value given_; // for messages
    ActingTime acting_;
    Vec<D> uniform_;            // [T]
    double cutoff_;             // over the sum of two radii
    Carriers<Vec<D>> carriers_; // [A m²] in the frame of the body
    double largest_ = 0;        // [m]
    // of each body
    std::vector<double> size_, radius_; // [m] −1: it is no dipole
    std::vector<Vec<D>> moment_;        // [A m²] in the world
    std::vector<Vec<D>> force_;         // [N] by the last load
    std::vector<Ang<D>> torque_;        // [N m]
    BallGrid<D> grid_;
    std::vector<double> energy_; // [J] scratch, kept to reuse its memory
};

} // namespace

DriverKind dipoles_driver()
{
    using namespace scene;
    return driver_kind<Dipoles>(
        "dipoles", "magnetic dipoles: force and torque between bodies up to a cut-off, energy in the ledger",
        {tables("groups", "Who is magnetic.",
                {text("body", "name of a body or of a group of grains").required(),
                 vector("moment", "of each of them, in its own frame").in("A m^2").required(),
                 choice("directions", "as the moment says (given), or of that size and random (random)",
                        {"given", "random"})
                     .otherwise(Value("given"))})
             .required(),
         integer("seed", "of random directions").at_least(0).otherwise(Value(std::int64_t(1))),
         number("alpha", "α: nothing is felt beyond (R_i + R_j) α^(-1/4)").above(0).at_most(0.1).otherwise(Value(0.01)),
         vector("field", "uniform field from outside").in("T").otherwise_zero()});
}

} // namespace talus
