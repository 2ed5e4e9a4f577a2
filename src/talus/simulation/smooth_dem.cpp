#include "talus/simulation/smooth_dem.hpp"

#include "talus/base/stopwatch.hpp"
#include "talus/simulation/simulation.hpp"

#include <fmt/format.h>

#include <bit>
#include <cmath>

namespace talus {

namespace {

constexpr double sort_after = 2;      // diameters that bodies travel before they are sorted anew
constexpr double deep_overlap = 0.25; // of a radius: beyond that grains may pass through each other

template <int D>
double mean_diameter(const PackedBodies<D>& pack)
{
    double sum = 0;
    for (std::size_t p = 0; p < pack.balls; ++p) sum += 2 * pack.motion.place[record_size * p + 3];
    return pack.balls > 0 ? sum / double(pack.balls) : std::numeric_limits<double>::infinity();
}

} // namespace

// What the integrator asks within a step of the clock.
template <int D>
class SmoothDem<D>::Asked final : public Accelerations {
  public:
    Asked(SmoothDem& dem, Simulation<D>& simulation, std::int64_t parts)
        : dem_(dem), simulation_(simulation), parts_(parts), h_(simulation.clock.dt / double(parts)),
          drivers_hold_(simulation.drivers_hold()), looks_at_places_(simulation.has_mutual_loads())
    {
    }

    void begin_step() override
    {
        PackedBodies<D>& pack = dem_.forces.pack;
        // small turns add up only while they are small
        const auto turn = [&](std::int32_t place) {
            const std::size_t p = std::size_t(place), i = std::size_t(pack.body[p]);
            simulation_.bodies.orientation[i] =
                simulation_.bodies.orientation[i].turned(turn_in<D>(pack.motion.angle, p));
            put_turn(pack.motion.angle, p, Ang<D>(Ang<D>::Zero()));
        };
        if (looks_at_places_) { // loads may follow the orientation of any body
            for (std::size_t p = 0; p < pack.size(); ++p) turn(std::int32_t(p));
        } else {
            for (const std::int32_t place : pack.others) turn(place);
            for (const std::int32_t place : pack.rotors) turn(place);
        }
        if (part_ > 0 && !drivers_hold_) {
            simulation_.impose_motions({h_, simulation_.clock.step * parts_ + part_});
            pack.load_guided(simulation_.bodies);
        }
        ++part_;
    }

    bool is_steady() const override { return drivers_hold_; }

    void find(double time, Moment moment, const Then& then) override
    {
        const bool ends = moment == Moment::end;
        if (!drivers_hold_) ask_for_loads(time);
        if (ends && part_ == parts_) dem_.forces.record_next();
        dem_.forces.find(simulation_.bodies, simulation_.shapes, h_, time, ends, then);
        if (!ends) return;
        const ContactEnergy& energy = dem_.forces.energy();
        simulation_.energy.impact += energy.impact;
        simulation_.energy.friction += energy.friction;
        simulation_.energy.driver_work += energy.imposed;
        dem_.stored_ = energy.stored;
        dem_.deepest_ = std::max(dem_.deepest_, energy.deepest);
    }

  private:
    void ask_for_loads(double time)
    {
        dem_.forces.pack.store_motion(simulation_.bodies);
        if (looks_at_places_) before_ = turn_bodies();
        clear_loads(simulation_.bodies);
        const double begin = simulation_.clock.time() + double(part_ - 1) * h_;
        simulation_.add_loads({begin + (time - h_), h_}); // of the step that ends here
        dem_.load(simulation_);
        if (looks_at_places_) simulation_.bodies.orientation.swap(before_);
    }

    // To where the angles of the step so far bring them; returns the orientations that these count from.
    std::vector<Rotation<D>> turn_bodies()
    {
        const PackedBodies<D>& pack = dem_.forces.pack;
        std::vector<Rotation<D>> before = simulation_.bodies.orientation;
        parallel_for(pack.size(), [&](std::size_t p) {
            const std::size_t i = std::size_t(pack.body[p]);
            simulation_.bodies.orientation[i] = before[i].turned(turn_in<D>(pack.motion.angle, p));
        });
        return before;
    }

    SmoothDem& dem_;
    Simulation<D>& simulation_;
    std::int64_t parts_, part_ = 0;
    double h_; // [s]
    bool drivers_hold_;
    bool looks_at_places_; // a driver does, whatever the shape of bodies
    std::vector<Rotation<D>> before_;
};

template <int D>
std::int64_t SmoothDem<D>::parts_of(double clock_dt) const
{
    return std::max<std::int64_t>(1, std::int64_t(std::ceil(clock_dt / dt - 1e-9)));
}

template <int D>
StepReport SmoothDem<D>::step(Simulation<D>& simulation)
{
    StepReport report;
    Stopwatch watch;
    const auto finish = [&](Phase phase) { report.seconds[std::size_t(phase)] += watch.lap(); };
    const double clock_dt = simulation.clock.dt;

    simulation.begin_step(); // what the experimenter imposes
    simulation.add_loads(next_step(simulation.clock));
    finish(Phase::drivers);

    take(simulation); // bodies, neighbours side by side
    load(simulation);
    const std::int64_t parts = parts_of(clock_dt);
    if (!has_forces_) { // the first time nobody knows them yet
        forces.find(simulation.bodies, simulation.shapes, clock_dt / double(parts), 0, false);
        if (simulation.clock.step == 0) simulation.energy.start += forces.energy().stored;
        has_forces_ = true;
    } else {
        parallel_chunks(forces.pack.size(), [&](std::size_t begin, std::size_t end) {
            forces.pack.accelerate(simulation.bodies, begin, end);
        });
    }
    finish(Phase::detection);

    Asked asked(*this, simulation, parts);
    integrator->advance(forces.pack.motion, clock_dt / double(parts), parts, asked); // forces and motion, in turn
    finish(Phase::solver);

    forces.pack.store_motion(simulation.bodies);
    forces.pack.store_orientation(simulation.bodies);
    forces.publish(simulation.bodies, simulation.contacts, clock_dt); // contacts, and reactions of the bodies
    simulation.energy.load_work += std::exchange(forces.load_work, 0);
    simulation.energy.driver_work += std::exchange(forces.guided_work, 0);
    report.contacts = simulation.contacts.size();
    const double square = parallel_sum(simulation.bodies.size(), 0.0, [&](std::size_t i) {
        return simulation.bodies.is_passive(i) ? 0.0 : simulation.bodies.velocity[i].squaredNorm();
    });
    travelled_ += clock_dt * std::sqrt(square / double(std::max<std::size_t>(1, simulation.bodies.size())));
    sort_next_ = travelled_ > sort_after * mean_diameter(forces.pack);
    simulation.end_step();
    report.non_finite = first_non_finite(simulation.bodies);
    finish(Phase::motion);
    return report;
}

template <int D>
void SmoothDem<D>::take(Simulation<D>& simulation)
{
    const bool same = has_bodies_ && forces.pack.size() == simulation.bodies.size() && !sort_next_;
    if (same) {
        forces.pack.load_motion(simulation.bodies);
        return;
    }
    if (own_columns_.empty() && has_bodies_) own_columns_ = memory_by_body();
    if (sort_next_) order_.clear();
    if (sort_next_ || order_.size() != simulation.bodies.size()) travelled_ = 0;
    forces.take(simulation.bodies, simulation.shapes, simulation.contacts, order_);
    order_.clear();
    const std::vector<LaneColumn*> columns = integrator->memory();
    for (std::size_t k = 0; k < columns.size() && k < own_columns_.size(); ++k) {
        if (own_columns_[k].empty()) continue;
        columns[k]->assign(record_size * forces.pack.size(), 0);
        for (std::size_t p = 0; p < forces.pack.size(); ++p) {
            const std::size_t i = std::size_t(forces.pack.body[p]);
            if (record_size * i >= own_columns_[k].size()) continue; // it has just come
            std::copy_n(own_columns_[k].begin() + std::ptrdiff_t(record_size * i), record_size,
                        columns[k]->begin() + std::ptrdiff_t(record_size * p));
        }
    }
    own_columns_.clear();
    has_bodies_ = true;
    sort_next_ = false;
}

// [m/s²] that loads give to each body, where it is the same for all of them and nothing twists: weight alone.
template <int D>
std::optional<Vec<3>> SmoothDem<D>::uniform_load() const
{
    const PackedBodies<D>& pack = forces.pack;
    if (pack.balls == 0) return {};
    const Vec<3> first = pack.vector(pack.load, 0) * pack.motion.spin[3];
    const bool is_uniform = parallel_reduce(
        pack.size(), true,
        [&](std::size_t p) {
            const double inverse = pack.motion.spin[record_size * p + 3];
            if (inverse == 0) return true;
            const Vec<3> difference = pack.vector(pack.load, p) * inverse - first;
            return pack.vector(pack.load_torque, p).isZero(0) && difference.norm() <= 1e-14 * first.norm();
        },
        [](bool a, bool b) { return a && b; });
    return is_uniform ? std::optional(first) : std::nullopt;
}

template <int D>
void SmoothDem<D>::load(Simulation<D>& simulation)
{
    PackedBodies<D>& pack = forces.pack;
    pack.load_loads(simulation.bodies);
    forces.field.assign(record_size * pack.size(), 0);
    forces.field_torque.assign(record_size * pack.size(), 0);
    pack.uniform = uniform_load();
    forces.has_loads = parallel_reduce(
        pack.size(), false,
        [&](std::size_t p) {
            const std::size_t i = std::size_t(pack.body[p]);
            const FieldLoad<D> field = simulation.field_load(i);
            put(forces.field, p, field.force);
            put_turn(forces.field_torque, p, field.torque);
            if (simulation.bodies.is_passive(i)) return false;
            return simulation.bodies.force[i] != field.force || simulation.bodies.torque[i] != field.torque;
        },
        [](bool a, bool b) { return a || b; });
}

// Columns of the integrator in the order of the bodies.
template <int D>
std::vector<LaneColumn> SmoothDem<D>::memory_by_body() const
{
    std::vector<LaneColumn> all;
    for (const LaneColumn* column : integrator->memory()) {
        all.emplace_back(column->size(), 0.0);
        for (std::size_t p = 0; record_size * p < column->size(); ++p) {
            std::copy_n(column->begin() + std::ptrdiff_t(record_size * p), record_size,
                        all.back().begin() + std::ptrdiff_t(record_size * std::size_t(forces.pack.body[p])));
        }
    }
    return all;
}

template <int D>
void SmoothDem<D>::follow(std::span<const std::int32_t> place)
{
    if (!has_bodies_) return;
    own_columns_ = memory_by_body();
    for (LaneColumn& column : own_columns_) {
        std::size_t kept = 0;
        for (std::size_t i = 0; i < place.size() && record_size * i < column.size(); ++i) {
            if (place[i] < 0) continue;
            std::copy_n(column.begin() + std::ptrdiff_t(record_size * i), record_size,
                        column.begin() + std::ptrdiff_t(record_size * kept));
            ++kept;
        }
        column.resize(record_size * kept);
    }
    // the others keep their order
    order_.clear();
    for (const std::int32_t body : forces.pack.body) {
        if (place[std::size_t(body)] >= 0) order_.push_back(place[std::size_t(body)]);
    }
    has_bodies_ = false;
}

template <int D>
EngineMemory SmoothDem<D>::save() const
{
    EngineMemory memory;
    memory.numbers = {{"dem_has_forces", double(has_forces_)},
                      {"dem_travelled", travelled_},
                      {"dem_sort_next", double(sort_next_)},
                      {"dem_stored", stored_},
                      {"dem_deepest", deepest_}};
    std::vector<std::uint64_t> order;
    for (const std::int32_t body : has_bodies_ ? forces.pack.body : order_) order.push_back(std::uint64_t(body));
    memory.columns.emplace_back("dem_order", std::move(order));
    for (const LaneColumn& column :
         has_bodies_ ? memory_by_body() : std::vector<LaneColumn>(integrator->memory().size())) {
        std::vector<std::uint64_t> words;
        for (const double number : column) words.push_back(std::bit_cast<std::uint64_t>(number));
        memory.columns.emplace_back(fmt::format("dem_memory_{}", memory.columns.size()), std::move(words));
    }
    return memory;
}

template <int D>
std::string SmoothDem<D>::restore(const EngineMemory& memory)
{
    std::vector<std::int32_t> order;
    std::vector<std::uint8_t> seen(memory.columns.front().second.size(), 0);
    for (const std::uint64_t body : memory.columns.front().second) {
        if (body >= seen.size() || seen[body]++) return "has no sound order of bodies";
        order.push_back(std::int32_t(body));
    }
    has_forces_ = memory.numbers[0].second != 0;
    travelled_ = memory.numbers[1].second;
    sort_next_ = memory.numbers[2].second != 0;
    stored_ = memory.numbers[3].second;
    deepest_ = memory.numbers[4].second;
    order_ = std::move(order);
    own_columns_.clear();
    for (std::size_t k = 1; k < memory.columns.size(); ++k) {
        own_columns_.emplace_back();
        for (const std::uint64_t word : memory.columns[k].second)
            own_columns_.back().push_back(std::bit_cast<double>(word));
    }
    has_bodies_ = false;
    return {};
}

template <int D>
std::string SmoothDem<D>::remark() const
{
    if (deepest_ < deep_overlap) return {};
    std::string advice = "a stiffer law";
    if (stiffness > 0) { // overlaps of an impact go as 1/√k
        const double enough = stiffness * std::pow(deepest_ / 0.01, 2);
        advice = fmt::format("dem.stiffness = {:.1e} N/m instead of {:.1e}", enough, stiffness);
    }
    return fmt::format("grains overlap by {:.2g} of a radius and may pass through each other: {} keeps overlaps near a "
                       "hundredth",
                       deepest_, advice);
}

template class SmoothDem<2>;
template class SmoothDem<3>;

} // namespace talus
