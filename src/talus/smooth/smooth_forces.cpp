#include "talus/smooth/smooth_forces.hpp"

#include "talus/exec/shared_ranges.hpp"
#include "talus/exec/team.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>

namespace talus {

namespace {

// A list is worth the time of some evaluations, and each pair in it costs a little: the best skin is a mean of the way
// of a step and of a diameter (docs/smooth.md).
constexpr double list_cost = 12, least_skin = 0.02, most_skin = 0.4; // skins in diameters

template <int D>
double mean_diameter(const PackedBodies<D>& pack, double otherwise)
{
    double sum = 0;
    for (std::size_t p = 0; p < pack.balls; ++p) sum += 2 * pack.motion.place[record_size * p + 3];
    return pack.balls > 0 ? sum / double(pack.balls) : otherwise;
}

} // namespace

template <int D>
void SmoothForces<D>::take(const BodyTable<D>& bodies, const ShapeTable<D>& shapes, const ContactTable<D>& contacts,
                           std::span<const std::int32_t> order)
{
    pack.pack(bodies, shapes, order);
    parts_.assign(pack.parts(), {});
    on_walls_.assign(pack.parts(), {});
    rows_.of_parts.assign(pack.parts(), {});
    shapes_ = {};
    shapes_.most_points = contacts.most_points;
    shapes_.by_volume = by_volume;
    skin_ = -1;
    // histories wait in lists of the pairs that touch, until lists are made
    const auto places = [&](std::size_t k) {
        return std::minmax({pack.place_of[contacts.candidate[k]], pack.place_of[contacts.antagonist[k]]});
    };
    std::vector<Pair> shaped;
    std::vector<std::size_t> of_balls, of_walls;
    for (std::size_t k = 0; k < contacts.size(); ++k) {
        const auto [i, j] = places(k);
        if (std::size_t(j) < pack.balls) {
            of_balls.push_back(k);
        } else if (Walls<D>::takes(pack, bodies, shapes, i, j)) {
            of_walls.push_back(k);
        } else {
            const auto [a, b] = std::minmax(contacts.candidate[k], contacts.antagonist[k]);
            if (shaped.empty() || shaped.back() != Pair{a, b}) shaped.push_back({a, b});
        }
    }
    const auto in_order = [&](std::size_t a, std::size_t b) { return places(a) < places(b); };
    std::sort(of_balls.begin(), of_balls.end(), in_order);
    std::sort(of_walls.begin(), of_walls.end(), in_order);
    take_history(contacts, of_balls, parts_);
    take_history(contacts, of_walls, on_walls_);
    shapes_.set_pairs(shaped, bodies, shapes, pack, 0);
    shapes_.take_history(contacts, pack);
}

// Of these contacts, in the order of their pairs.
template <int D>
void SmoothForces<D>::take_history(const ContactTable<D>& contacts, std::span<const std::size_t> rows,
                                   std::vector<BallPairs>& parts)
{
    const auto places = [&](std::size_t k) {
        return std::minmax({pack.place_of[contacts.candidate[k]], pack.place_of[contacts.antagonist[k]]});
    };
    for (const std::size_t k : rows) {
        const auto [i, j] = places(k);
        parts[std::size_t(i) / pack.part_size()].add(i, j);
    }
    for (BallPairs& part : parts) part.seal(laws);
    std::vector<std::size_t> next(parts.size(), 0);
    for (const std::size_t k : rows) {
        const std::int32_t i = places(k).first;
        const double sign = pack.place_of[contacts.candidate[k]] == i ? 1 : -1; // histories are of the first
        BallPairs& part = parts[std::size_t(i) / pack.part_size()];
        std::size_t& row = next[std::size_t(i) / pack.part_size()];
        part.set_touching(row);
        if (!part.slip.empty() && !contacts.slip.empty()) put(part.slip, row, Vec<D>(sign * contacts.slip[k]));
        if (!part.roll.empty() && !contacts.roll.empty()) put_turn(part.roll, row, Ang<D>(sign * contacts.roll[k]));
        const auto keep_energy = [&](const std::vector<double>& held, LaneColumn& to) {
            if (!to.empty() && !held.empty()) to[record_size * row + 3] = held[k];
        };
        keep_energy(contacts.slip_energy, part.slip);
        keep_energy(contacts.roll_energy, part.roll);
        ++row;
    }
}

template <int D>
std::size_t SmoothForces<D>::listed() const
{
    std::size_t count = 0;
    for (const std::vector<BallPairs>* lists : {&parts_, &on_walls_}) {
        for (const BallPairs& part : *lists) count += part.size();
    }
    return count;
}

template <int D>
double SmoothForces<D>::choose_skin(double dt) const
{
    if (skin) return *skin;
    const double diameter = mean_diameter(pack, 2 * near_.mean_radius());
    if (!std::isfinite(diameter)) return 1;
    const double way = dt * fastest_ + dt * dt * strongest_;
    return diameter * std::clamp(std::sqrt(list_cost * way / diameter), least_skin, most_skin);
}

// Another list of the same kind, with the histories of pairs that stay.
template <int D>
template <class Add>
void SmoothForces<D>::relist(BallPairs& list, const std::vector<Pair>& pairs, Add&& add)
{
    BallPairs now;
    now.reserve(pairs.size());
    for (const Pair& pair : pairs) add(now, pair.first, pair.second);
    now.seal(laws);
    std::size_t k = 0;
    for (std::size_t row = 0; row < list.size(); ++row) {
        if (!list.touches(row)) continue;
        const std::pair wanted(list.first[row], list.second[row]);
        while (k < now.size() && std::pair(now.first[k], now.second[k]) < wanted) ++k;
        if (k < now.size() && std::pair(now.first[k], now.second[k]) == wanted) now.take_history(k, list, row);
    }
    list = std::move(now);
}

template <int D>
void SmoothForces<D>::make_lists(BodyTable<D>& bodies, const ShapeTable<D>& shapes, double dt)
{
    ++lists_made_;
    pack.store_motion(bodies);
    convex_.place(shapes, bodies.shape, bodies.position, bodies.orientation);
    if (skin_ < 0) { // the first: how far bodies go is not known yet
        fastest_ = parallel_reduce(
            bodies.size(), 0.0, [&](std::size_t i) { return bodies.velocity[i].norm(); },
            [](double a, double b) { return std::max(a, b); });
    }
    skin_ = choose_skin(dt);
    near_.find(bodies, shapes, convex_, *detector, skin_ + laws.range(), pairs_);
    // groups: pairs of balls by part, those on walls by part, all others
    const std::size_t parts = parts_.size();
    const auto places = [&](std::size_t k) {
        return std::minmax({pack.place_of[pairs_[k].first], pack.place_of[pairs_[k].second]});
    };
    group_items(groups_, pairs_.size(), 2 * parts + 1, [&](std::size_t k) {
        const auto [i, j] = places(k);
        const std::size_t part = std::size_t(i) / pack.part_size();
        if (std::size_t(j) < pack.balls) return std::int32_t(part);
        return std::int32_t(Walls<D>::takes(pack, bodies, shapes, i, j) ? parts + part : 2 * parts);
    });
    const auto sorted = [&](std::size_t group) {
        std::vector<Pair> pairs;
        pairs.reserve(groups_.of(group).size());
        for (const std::int32_t k : groups_.of(group)) {
            const auto [i, j] = places(std::size_t(k));
            pairs.push_back({i, j});
        }
        std::sort(pairs.begin(), pairs.end());
        return pairs;
    };
    parallel_chunks(
        parts,
        [&](std::size_t number, std::size_t) {
            relist(parts_[number], sorted(number), [&](BallPairs& list, std::int32_t i, std::int32_t j) {
                const std::size_t to = std::size_t(j) / pack.part_size();
                to == number ? list.add(i, j) : list.add_posted(i, j, std::uint32_t(to));
            });
            relist(on_walls_[number], sorted(parts + number),
                   [](BallPairs& list, std::int32_t i, std::int32_t j) { list.add_wall(i, j); });
        },
        1);
    std::vector<Pair> shaped;
    for (const std::int32_t k : groups_.of(2 * parts)) shaped.push_back(pairs_[std::size_t(k)]);
    senders_.assign(parts_.size(), {});
    for (std::size_t number = 0; number < parts; ++number) {
        const std::vector<Bundle>& bundles = parts_[number].bundles;
        for (std::size_t k = 0; k < bundles.size(); ++k) {
            senders_[bundles[k].to].push_back({std::uint32_t(number), std::uint32_t(k)});
        }
    }
    walls_.choose(on_walls_, pack);
    shapes_.set_pairs(shaped, bodies, shapes, pack, near_.mean_radius());
    listed_at_.resize(pack.motion.place.size());
    parallel_chunks(pack.size(), [&](std::size_t begin, std::size_t end) {
        std::copy_n(&pack.motion.place[record_size * begin], record_size * (end - begin),
                    &listed_at_[record_size * begin]);
    });
    moved_ = 0;
}

template <int D>
double SmoothForces<D>::moved_since_lists() const
{
    const double square = parallel_reduce(
        pack.size(), 0.0,
        [&](std::size_t p) { return (pack.vector(pack.motion.place, p) - pack.vector(listed_at_, p)).squaredNorm(); },
        [](double a, double b) { return a > b ? a : b; });
    return std::sqrt(square);
}

// Bodies have moved, or turned, by more than half the skin. A bound from the largest speeds is cheap; where it does not
// tell, places do.
template <int D>
bool SmoothForces<D>::lists_are_stale(const BodyTable<D>& bodies, const ShapeTable<D>& shapes, double dt)
{
    if (skin_ < 0) return true;
    double turning = 0; // [m/s] of the outside of shapes that turn
    for (const std::int32_t p : pack.others) {
        const Ang<D> spin = turn_in<D>(pack.motion.spin, std::size_t(p));
        if (spin.isZero()) continue;
        const Shape<D>& shape = shapes[bodies.shape[std::size_t(pack.body[std::size_t(p)])]];
        if (shape.kind == ShapeKind::hollow_ball || shape.kind == ShapeKind::polytope) continue; // ball to ball
        const bool is_cylinder = shape.kind == ShapeKind::hollow_cylinder;
        if (is_cylinder || shape.kind == ShapeKind::half_space) {
            // about its axis, or its normal, it stays the same
            const Vec<D> own = is_cylinder ? Vec<D>(shapes.hollow_cylinders[shape.detail].axis.template head<D>())
                                           : shapes.half_spaces[shape.detail].normal;
            const Vec<3> axis = in_space(Vec<D>(bodies.orientation[std::size_t(pack.body[std::size_t(p)])] * own));
            if (pack.vector(pack.motion.spin, std::size_t(p)).cross(axis).norm() < 1e-12 * spin.norm()) continue;
        }
        if (is_unbounded(shape.kind)) return true;
        turning = std::max(turning, spin.norm() * shape.radius);
    }
    moved_ += dt * (std::max(fastest_ + dt * strongest_, turning));
    if (moved_ <= 0.5 * skin_) return false;
    if (turning > 0) return true;
    moved_ = moved_since_lists();
    return !(moved_ <= 0.5 * skin_);
}

// [W] of what holds a body's spin about some axes: there Euler's equations leave a torque over.
template <int D>
double SmoothForces<D>::turn_power(const BodyTable<D>& bodies, std::size_t place) const
{
    const std::size_t i = std::size_t(pack.body[place]);
    if ((bodies.imposed[i] >> D) == 0) return 0;
    const Ang<D> spin = turn_in<D>(pack.motion.spin, place);
    const Rotation<D> now = bodies.orientation[i].turned(turn_in<D>(pack.motion.angle, place));
    const AngMat<D> inertia = inertia_in_world(now, bodies.inertia[i]);
    const Ang<D> acting = turn_in<D>(pack.motion.turning, place) + turn_in<D>(pack.load_torque, place) +
                          gyroscopic_torque(spin, Ang<D>(inertia * spin));
    const Ang<D> held = inertia * (inverse_inertia(bodies, i, now) * acting) - acting;
    return held.dot(spin);
}

template <int D>
void SmoothForces<D>::count_work(const BodyTable<D>& bodies, std::size_t begin, std::size_t end, double time,
                                 double& loads, double& guided) const
{
    const auto acts_on = [&](const LaneColumn& a, const LaneColumn& b, std::size_t p, int axis) {
        return a[record_size * p + std::size_t(axis)] * b[record_size * p + std::size_t(axis)];
    };
    if (has_loads) {
        for (std::size_t p = begin; p < end; ++p) {
            if (pack.motion.spin[record_size * p + 3] == 0) continue; // nothing moves it
            for (int axis = 0; axis < 3; ++axis) {
                const std::size_t i = record_size * p + std::size_t(axis);
                if (pack.inverse[i] != 0) loads += time * (pack.load[i] - field[i]) * pack.motion.velocity[i];
                loads += time * (pack.load_torque[i] - field_torque[i]) * pack.motion.spin[i];
            }
        }
    }
    // what holds a degree of freedom at its speed works against all other forces on it
    const auto first = std::lower_bound(pack.guided.begin(), pack.guided.end(), std::int32_t(begin));
    for (auto place = first; place != pack.guided.end() && *place < std::int32_t(end); ++place) {
        const std::size_t p = std::size_t(*place);
        if (pack.motion.spin[record_size * p + 3] == 0) { // contacts are counted one by one; here the field of others
            for (int axis = 0; axis < 3 && !field.empty(); ++axis) {
                guided -= time * (acts_on(field, pack.motion.velocity, p, axis) +
                                  acts_on(field_torque, pack.motion.spin, p, axis));
            }
            continue;
        }
        guided += time * turn_power(bodies, p);
        for (int axis = 0; axis < 3; ++axis) {
            const std::size_t i = record_size * p + std::size_t(axis);
            if (pack.inverse[i] != 0) continue;
            guided -= time * (acts_on(pack.motion.acceleration, pack.motion.velocity, p, axis) +
                              (field.empty() ? 0.0 : acts_on(field, pack.motion.velocity, p, axis)));
        }
    }
}

// What other parts found for balls of this one.
template <int D>
void SmoothForces<D>::take_mail(std::size_t number)
{
    for (const Sender& sender : senders_[number]) {
        const BallPairs& part = parts_[sender.part];
        const Bundle& bundle = part.bundles[sender.bundle];
        for (std::size_t letter = bundle.begin; letter < bundle.begin + bundle.count; ++letter) {
            const double* const sent = &part.outbox[2 * record_size * letter];
            const std::size_t to = record_size * std::size_t(part.addressee[letter]);
            for (std::size_t k = 0; k < 3; ++k) {
                pack.motion.acceleration[to + k] -= sent[k];
                pack.motion.turning[to + k] += sent[record_size + k];
            }
        }
    }
}

// All forces on the bodies of a part are known but for those of other parts and of shapes.
template <int D>
void SmoothForces<D>::finish_part(std::size_t number, const BodyTable<D>& bodies, double time, bool keeps_history,
                                  Found& found)
{
    const std::size_t begin = number * pack.part_size(), end = std::min(pack.size(), begin + pack.part_size());
    Motion& motion = pack.motion;
    take_mail(number);
    shapes_.add_forces(pack, begin, end);
    if (keeps_history) count_work(bodies, begin, end, time, found.loads, found.guided);
    if (records_) {
        const auto keep = [&](const LaneColumn& from, LaneColumn& to) {
            std::copy(from.begin() + std::ptrdiff_t(record_size * begin),
                      from.begin() + std::ptrdiff_t(record_size * end),
                      to.begin() + std::ptrdiff_t(record_size * begin));
        };
        keep(motion.acceleration, pack.force);
        keep(motion.turning, pack.torque);
    }
    pack.accelerate(bodies, begin, end);
    for (std::size_t i = record_size * begin; i < record_size * end; i += record_size) {
        const double *v = &motion.velocity[i], *a = &motion.acceleration[i];
        found.fastest = std::max(found.fastest, v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
        found.strongest = std::max(found.strongest, a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
    }
}

// A part sends mail to higher ones only, and its bodies are looked at by itself and by those that send it mail. When
// all of these are done it can be finished, and its bodies moved on, while they are in the cache. Parts that hold
// walls, which all may look at, wait for all.
template <int D>
void SmoothForces<D>::find(BodyTable<D>& bodies, const ShapeTable<D>& shapes, double dt, double time,
                           bool keeps_history, const Accelerations::Then& then)
{
    if (lists_are_stale(bodies, shapes, time > 0 ? dt : 0)) make_lists(bodies, shapes, dt);
    records_ = records_ && keeps_history;
    walls_.place(pack, bodies, shapes);
    energy_ = shapes_.find_forces(pack, bodies, shapes, laws, time, keeps_history);
    const BallView view{pack.motion.place.data(),
                        pack.motion.velocity.data(),
                        pack.motion.spin.data(),
                        pack.motion.acceleration.data(),
                        pack.motion.turning.data(),
                        pack.material.data(),
                        lever_is_radius,
                        time,
                        keeps_history,
                        laws.needs_radius()};
    const std::size_t parts = parts_.size();
    std::vector<Found> found(parts);
    const auto begin_part = [&](std::size_t number, BallForces& forces) {
        const std::size_t first = record_size * number * pack.part_size(),
                          count = std::min(record_size * pack.part_size(), record_size * pack.size() - first);
        std::fill_n(pack.motion.acceleration.begin() + std::ptrdiff_t(first), count, 0.0);
        std::fill_n(pack.motion.turning.begin() + std::ptrdiff_t(first), count, 0.0);
        rows_.of_parts[number].clear();
        std::vector<SmoothRow>* const rows = records_ ? &rows_.of_parts[number] : nullptr;
        thread_local NearWalls near;
        double freed = 0;
        walls_.find_near(view, shapes, laws.range(), on_walls_[number], near, freed);
        found[number].energy = forces.add(parts_[number], rows) + forces.add_on_walls(on_walls_[number], near, rows);
        found[number].energy.friction += freed;
    };
    const auto end_part = [&](std::size_t number) {
        finish_part(number, bodies, time, keeps_history, found[number]);
        if (then) then(number * pack.part_size(), std::min(pack.size(), (number + 1) * pack.part_size()));
    };
    const std::size_t of_balls = pack.balls / pack.part_size(); // parts without walls
    std::vector<std::atomic<std::uint32_t>> awaited(of_balls);
    for (std::size_t number = 0; number < of_balls; ++number) {
        awaited[number].store(std::uint32_t(senders_[number].size()) + 1, std::memory_order_relaxed);
    }
    const auto is_done_for = [&](std::size_t number) {
        if (number < of_balls && awaited[number].fetch_sub(1, std::memory_order_acq_rel) == 1) end_part(number);
    };
    constexpr std::size_t few = 4; // parts that are not worth waking other threads
    const int threads = parts <= few ? 1 : thread_count();
    SharedRanges ranges(parts, threads);
    Team::run(threads, [&](int thread, Barrier& barrier) {
        BallForces forces(view, laws);
        while (const std::optional<std::size_t> number = ranges.next(thread)) {
            begin_part(*number, forces);
            for (const Bundle& sent : parts_[*number].bundles) is_done_for(sent.to);
            is_done_for(*number);
        }
        barrier.wait();
        for (std::size_t number = of_balls + std::size_t(thread); number < parts; number += std::size_t(barrier.size()))
            end_part(number);
    });
    fastest_ = strongest_ = 0;
    for (const Found& part : found) {
        energy_ = energy_ + part.energy;
        fastest_ = std::max(fastest_, part.fastest);
        strongest_ = std::max(strongest_, part.strongest);
        load_work += part.loads;
        guided_work += part.guided;
    }
    fastest_ = std::sqrt(fastest_);
    strongest_ = std::sqrt(strongest_);
    rows_.of_shapes.clear();
    if (records_) shapes_.append_rows(rows_.of_shapes);
    records_ = false;
}

template class SmoothForces<2>;
template class SmoothForces<3>;

} // namespace talus
