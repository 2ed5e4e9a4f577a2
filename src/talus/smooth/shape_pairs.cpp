#include "talus/smooth/shape_pairs.hpp"

#include "talus/exec/parallel.hpp"

#include <algorithm>
#include <map>

namespace talus {

namespace {

constexpr double match_radius = 0.05; // of the mean radius

// Lanes of a batch, one by one.
class Lane {
  public:
    Lane(ContactBatch& batch, int k) : batch_(batch), k_(k) {}
    void set(Wide& wide, double x) const { (k_ < lane_count ? wide.low[k_] : wide.high[k_ - lane_count]) = x; }
    void set(WideVec<3>& wide, const Vec<3>& v) const
    {
        for (int axis = 0; axis < 3; ++axis) set(wide[axis], v[axis]);
    }
    double get(const Wide& wide) const { return k_ < lane_count ? wide.low[k_] : wide.high[k_ - lane_count]; }
    Vec<3> get(const WideVec<3>& wide) const { return {get(wide[0]), get(wide[1]), get(wide[2])}; }
    ContactBatch* operator->() const { return &batch_; }

  private:
    ContactBatch& batch_;
    int k_;
};

} // namespace

template <int D>
void ShapePairs<D>::set_pairs(const std::vector<Pair>& pairs, const BodyTable<D>& bodies, const ShapeTable<D>& shapes,
                              const PackedBodies<D>& pack, double mean_radius)
{
    match_distance_ = match_radius * mean_radius;
    std::map<std::pair<std::int32_t, std::int32_t>, std::vector<Contact>> old;
    for (const Chunk& one : chunks_) {
        for (const Contact& contact : one.old()) {
            const Listed& pair = pairs_[contact.pair];
            old[{pair.candidate, pair.antagonist}].push_back(contact);
        }
    }
    shaped_.clear();
    std::vector<std::int32_t> place_among(bodies.size(), 0);
    for (const std::int32_t place : pack.others) {
        const std::int32_t body = pack.body[std::size_t(place)];
        place_among[std::size_t(body)] = std::int32_t(shaped_.size());
        shaped_.push_back(body);
    }
    shape_.resize(shaped_.size());
    for (std::size_t k = 0; k < shaped_.size(); ++k) shape_[k] = bodies.shape[shaped_[k]];
    pairs_.clear();
    for (const Pair& pair : pairs) {
        std::int32_t c = pair.first, a = pair.second;
        if (second_is_candidate(shapes[bodies.shape[c]].kind, shapes[bodies.shape[a]].kind)) std::swap(c, a);
        pairs_.push_back({c, a, {place_among[c], place_among[a]}, Vec<D>::Zero()});
    }
    chunks_.assign((pairs_.size() + chunk - 1) / chunk, {});
    for (std::size_t k = 0; k < pairs_.size(); ++k) {
        std::vector<Contact>& kept = chunks_[k / chunk].contacts[0];
        pairs_[k].first = std::uint32_t(kept.size());
        if (const auto found = old.find({pairs_[k].candidate, pairs_[k].antagonist}); found != old.end()) {
            for (Contact& contact : found->second) {
                contact.pair = std::uint32_t(k);
                kept.push_back(contact);
            }
        }
        pairs_[k].count = std::uint32_t(kept.size()) - pairs_[k].first;
    }
    link_bodies(pack);
}

template <int D>
void ShapePairs<D>::link_bodies(const PackedBodies<D>& pack)
{
    pairs_begin_.assign(pack.size() + 1, 0);
    const auto for_sides = [&](auto&& do_side) {
        for (std::size_t k = 0; k < pairs_.size(); ++k) {
            do_side(pack.place_of[std::size_t(pairs_[k].candidate)], std::uint32_t(2 * k));
            do_side(pack.place_of[std::size_t(pairs_[k].antagonist)], std::uint32_t(2 * k + 1));
        }
    };
    for_sides([&](std::int32_t place, std::uint32_t) { ++pairs_begin_[std::size_t(place)]; });
    exclusive_scan(pairs_begin_);
    pairs_of_.resize(2 * pairs_.size());
    std::vector<std::uint32_t> next = pairs_begin_;
    for_sides([&](std::int32_t place, std::uint32_t side) { pairs_of_[next[std::size_t(place)]++] = side; });
}

template <int D>
void ShapePairs<D>::take_history(const ContactTable<D>& contacts, const PackedBodies<D>&)
{
    std::map<std::pair<std::int32_t, std::int32_t>, std::uint32_t> place;
    for (std::size_t k = 0; k < pairs_.size(); ++k) {
        place[{pairs_[k].candidate, pairs_[k].antagonist}] = std::uint32_t(k);
    }
    std::vector<std::vector<Contact>> of_pair(pairs_.size());
    for (std::size_t row = 0; row < contacts.size(); ++row) {
        const auto found = place.find({contacts.candidate[row], contacts.antagonist[row]});
        if (found == place.end()) continue;
        Contact contact;
        contact.pair = found->second;
        contact.feature = contacts.feature[row];
        contact.point = in_space(contacts.point[row]);
        contact.normal = in_space(contacts.normal[row]);
        if (!contacts.slip.empty()) contact.slip = in_space(contacts.slip[row]);
        if (!contacts.slip_energy.empty()) contact.slip_energy = contacts.slip_energy[row];
        if (!contacts.roll_energy.empty()) contact.roll_energy = contacts.roll_energy[row];
        if (!contacts.roll.empty()) {
            for (int axis = 0; axis < angular<D>; ++axis)
                contact.roll[3 - angular<D> + axis] = contacts.roll[row][axis];
        }
        of_pair[found->second].push_back(contact);
    }
    for (Chunk& one : chunks_) one = {};
    for (std::size_t k = 0; k < pairs_.size(); ++k) {
        std::vector<Contact>& kept = chunks_[k / chunk].contacts[0];
        pairs_[k].first = std::uint32_t(kept.size());
        pairs_[k].count = std::uint32_t(of_pair[k].size());
        kept.insert(kept.end(), of_pair[k].begin(), of_pair[k].end());
    }
}

template <int D>
void ShapePairs<D>::place_shapes(const PackedBodies<D>& pack, const BodyTable<D>& bodies)
{
    position_.resize(shaped_.size());
    orientation_.resize(shaped_.size());
    inverse_inertia_.resize(shaped_.size());
    parallel_for(shaped_.size(), [&](std::size_t k) {
        const std::size_t place = std::size_t(pack.place_of[std::size_t(shaped_[k])]);
        position_[k] = vector_in<D>(pack.motion.place, place);
        orientation_[k] = bodies.orientation[std::size_t(shaped_[k])].turned(turn_in<D>(pack.motion.angle, place));
        inverse_inertia_[k] = inverse_inertia(bodies, std::size_t(shaped_[k]), orientation_[k]);
    });
}

// The history of the same feature; else of the nearest old point of the pair that no other takes.
template <int D>
void ShapePairs<D>::recall(const Listed& pair, const Chunk& from, std::size_t first_new,
                           std::vector<Contact>& contacts) const
{
    if (pair.count == 0) return;
    const Contact* const old = from.old().data() + pair.first;
    std::uint64_t taken = 0; // bits; a pair has few points
    const std::uint32_t count = std::min<std::uint32_t>(pair.count, 64);
    std::uint64_t served = 0;
    const auto take = [&](std::size_t row, std::uint32_t k) {
        taken |= std::uint64_t(1) << k;
        if (row - first_new < 64) served |= std::uint64_t(1) << (row - first_new);
        contacts[row].inherit(old[k]);
    };
    for (std::size_t row = first_new; row < contacts.size(); ++row) {
        for (std::uint32_t k = 0; k < count; ++k) {
            if (old[k].feature == contacts[row].feature && !(taken >> k & 1)) {
                take(row, k);
                break;
            }
        }
    }
    for (std::size_t row = first_new; row < std::min(contacts.size(), first_new + 64); ++row) {
        if (served >> (row - first_new) & 1) continue;
        double nearest = match_distance_;
        std::uint32_t found = count;
        for (std::uint32_t k = 0; k < count; ++k) {
            const double distance = (old[k].point - contacts[row].point).norm();
            if ((taken >> k & 1) || !(distance < nearest)) continue;
            nearest = distance;
            found = k;
        }
        if (found < count) take(row, found);
    }
}

template <int D>
void ShapePairs<D>::add_contact(std::uint32_t number, const ContactPoint<D>& point, const PackedBodies<D>& pack,
                                const ExactStage<D>& stage, const BodyTable<D>& bodies,
                                std::vector<Contact>& contacts) const
{
    const Listed& pair = pairs_[number];
    Contact& contact = contacts.emplace_back();
    contact.pair = number;
    contact.candidate = pack.place_of[std::size_t(pair.candidate)];
    contact.antagonist = pack.place_of[std::size_t(pair.antagonist)];
    contact.feature = point.feature;
    contact.points = point.points;
    contact.point = in_space(point.point);
    contact.normal = in_space(point.normal);
    contact.gap = point.gap;
    contact.inverse_mass = 0;
    for (const int side : {0, 1}) {
        const std::size_t place = std::size_t(side == 0 ? contact.candidate : contact.antagonist);
        contact.lever[side] = contact.point - pack.vector(pack.motion.place, place);
        const double inverse = pack.motion.spin[record_size * place + 3];
        contact.inverse_mass += inverse;
        // a ball is pushed through its centre
        const std::int32_t body = side == 0 ? pair.candidate : pair.antagonist;
        if (inverse == 0 || stage.shapes[bodies.shape[body]].kind == ShapeKind::ball) continue;
        const Ang<D> arm = moment(Vec<D>(contact.lever[side].template head<D>()), point.normal);
        contact.inverse_mass += arm.dot(inverse_inertia_[pair.shaped[side]] * arm);
    }
}

template <int D>
void ShapePairs<D>::find_points(std::size_t number, const PackedBodies<D>& pack, const BodyTable<D>& bodies,
                                ExactStage<D> stage)
{
    thread_local std::vector<ContactPoint<D>> points;
    thread_local std::vector<std::uint64_t> features;
    thread_local std::vector<Vec<D>> normals;
    Chunk& one = chunks_[number];
    one.latest = 1 - one.kept;
    std::vector<Contact>& found = one.contacts[one.latest];
    found.clear();
    one.first.clear();
    const std::size_t begin = number * chunk, end = std::min(pairs_.size(), begin + chunk);
    for (std::size_t k = begin; k < end; ++k) {
        Listed& pair = pairs_[k];
        one.first.push_back(std::uint32_t(found.size()));
        Vec<D> centre[2]; // of balls: what is placed refers to them
        const auto placed = [&](std::int32_t body, std::int32_t among, Vec<D>& centre_of) ->
            typename ExactStage<D>::Body {
                static const Rotation<D> unturned;
                const Shape<D>& shape = stage.shapes[bodies.shape[body]];
                if (shape.kind != ShapeKind::ball)
                    return {std::size_t(among), {shape, position_[among], orientation_[among]}};
                centre_of = vector_in<D>(pack.motion.place, std::size_t(pack.place_of[body]));
                return {0, {shape, centre_of, unturned}};
            };
        const auto candidate = placed(pair.candidate, pair.shaped[0], centre[0]);
        const auto antagonist = placed(pair.antagonist, pair.shaped[1], centre[1]);
        if (candidate.placed.shape.kind == ShapeKind::ball && has_ball_formula(antagonist.placed.shape.kind)) {
            const ContactPoint<D> point = ball_contact<D>(stage.shapes, candidate.placed, antagonist.placed);
            if (!(point.gap <= stage.alert)) continue;
            add_contact(std::uint32_t(k), point, pack, stage, bodies, found);
            if (pair.count == 0) continue; // else its only point is the one it had
            found.back().inherit(one.old()[pair.first]);
            continue;
        }
        if (pair.witness.squaredNorm() > 0 && stage.parts(candidate, antagonist, pair.witness)) continue;
        features.clear();
        normals.clear();
        for (std::uint32_t old = pair.first; old < pair.first + pair.count; ++old) {
            features.push_back(one.old()[old].feature);
            normals.push_back(one.old()[old].normal.template head<D>());
        }
        points.clear();
        pair.witness.setZero();
        stage.collide(candidate, antagonist, {nullptr, features, normals}, pair.witness, points);
        const std::size_t first = found.size();
        for (const ContactPoint<D>& point : points) add_contact(std::uint32_t(k), point, pack, stage, bodies, found);
        recall(pair, one, first, found);
    }
    one.first.push_back(std::uint32_t(found.size()));
}

template <int D>
void ShapePairs<D>::find_chunk_forces(Chunk& one, const PackedBodies<D>& pack, const SmoothLaws& laws, double time)
{
    one.energy = {};
    one.inherited = 0;
    std::vector<Contact>& found = one.contacts[one.latest];
    for (const Contact& contact : found) one.inherited += contact.slip_energy + contact.roll_energy;
    ContactBatch batch;
    laws.prepare(&batch, 1);
    const auto column = [](const LaneColumn& numbers, std::int32_t place) {
        return Vec<3>(numbers[record_size * std::size_t(place)], numbers[record_size * std::size_t(place) + 1],
                      numbers[record_size * std::size_t(place) + 2]);
    };
    const auto radius_of = [&](std::int32_t place) { return pack.motion.place[record_size * std::size_t(place) + 3]; };
    const auto inverse_of = [&](std::int32_t place) { return pack.motion.spin[record_size * std::size_t(place) + 3]; };
    for (std::size_t begin = 0; begin < found.size(); begin += wide_count) {
        const int count = int(std::min<std::size_t>(wide_count, found.size() - begin));
        std::int32_t index[wide_count];
        Vec<3> imposed[wide_count][2]; // velocity at the contact of what cannot be moved
        for (int k = 0; k < wide_count; ++k) {
            const Contact& contact = found[begin + std::size_t(std::min(k, count - 1))];
            const Lane lane(batch, k);
            const std::int32_t c = contact.candidate, a = contact.antagonist;
            const Vec<3> wc = column(pack.motion.spin, c), wa = column(pack.motion.spin, a);
            const Vec<3> vc = column(pack.motion.velocity, c) + cross(wc, contact.lever[0]);
            const Vec<3> va = column(pack.motion.velocity, a) + cross(wa, contact.lever[1]);
            imposed[k][0] = inverse_of(c) == 0 ? vc : Vec<3>(Vec<3>::Zero());
            imposed[k][1] = inverse_of(a) == 0 ? va : Vec<3>(Vec<3>::Zero());
            const Vec<3> velocity = vc - va;
            const double parting = velocity.dot(contact.normal);
            lane.set(batch.normal, contact.normal);
            lane.set(batch.overlap, -contact.gap);
            lane.set(batch.rate, -parting);
            lane.set(batch.mass, 1 / contact.inverse_mass);
            const double rc = radius_of(c), ra = radius_of(a);
            lane.set(batch.radius, rc > 0 && ra > 0 ? rc * ra / (rc + ra) : rc + ra);
            lane.set(batch.sliding, velocity - parting * contact.normal);
            lane.set(batch.turning, wc - wa);
            lane.set(batch.time, time);
            lane.set(batch.slip, contact.slip);
            lane.set(batch.roll, contact.roll);
            lane.set(batch.slip_energy, contact.slip_energy);
            lane.set(batch.roll_energy, contact.roll_energy);
            index[k] = laws.index(pack.material[c], pack.material[a]);
        }
        if (!laws.is_uniform()) laws.set_numbers(batch, index);
        laws.apply(&batch, 1);
        for (int k = 0; k < count; ++k) {
            Contact& contact = found[begin + std::size_t(k)];
            const Lane lane(batch, k);
            const double along = lane.get(batch.push) + lane.get(batch.damping) + lane.get(batch.cohesion);
            contact.force = along * contact.normal + lane.get(batch.friction);
            if (laws.has_slip()) {
                contact.slip = lane.get(batch.slip);
                contact.slip_energy = lane.get(batch.slip_energy);
            }
            if (laws.has_roll()) {
                contact.roll = lane.get(batch.roll);
                contact.roll_energy = lane.get(batch.roll_energy);
                contact.moment = lane.get(batch.moment);
            }
            one.energy.impact += lane.get(batch.lost_impact);
            one.energy.friction += lane.get(batch.lost_friction);
            one.energy.stored += lane.get(batch.stored);
            one.energy.imposed += time * contact.force.dot(imposed[k][1] - imposed[k][0]);
            const double radius = lane.get(batch.radius);
            if (radius > 0) one.energy.deepest = std::max(one.energy.deepest, -contact.gap / radius);
        }
    }
}

template <int D>
ContactEnergy ShapePairs<D>::find_forces(const PackedBodies<D>& pack, const BodyTable<D>& bodies,
                                         const ShapeTable<D>& shapes, const SmoothLaws& laws, double time,
                                         bool keeps_history)
{
    if (pairs_.empty()) return {};
    place_shapes(pack, bodies);
    convex_.place(shapes, shape_, position_, orientation_);
    const ExactStage<D> stage{shapes, convex_, laws.range(), most_points};
    parallel_chunks(
        chunks_.size(),
        [&](std::size_t number, std::size_t) {
            find_points(number, pack, bodies, stage);
            find_chunk_forces(chunks_[number], pack, laws, time);
        },
        1);
    ContactEnergy energy;
    for (const Chunk& one : chunks_) {
        energy = energy + one.energy;
        // springs of contacts that ended lose what they held
        for (const Contact& old : one.old()) energy.friction += old.slip_energy + old.roll_energy;
        energy.friction -= one.inherited;
    }
    if (!keeps_history) return energy;
    parallel_for(pairs_.size(), [&](std::size_t k) {
        const std::vector<std::uint32_t>& first = chunks_[k / chunk].first;
        pairs_[k].first = first[k % chunk];
        pairs_[k].count = first[k % chunk + 1] - first[k % chunk];
    });
    for (Chunk& one : chunks_) one.kept = one.latest;
    return energy;
}

template <int D>
void ShapePairs<D>::add_forces(PackedBodies<D>& pack, std::size_t begin, std::size_t end) const
{
    if (pairs_.empty()) return;
    for (std::size_t p = begin; p < end; ++p) {
        if (pack.motion.spin[record_size * p + 3] == 0) continue; // nothing moves it
        for (std::uint32_t side = pairs_begin_[p]; side < pairs_begin_[p + 1]; ++side) {
            const std::size_t k = pairs_of_[side] / 2;
            const bool is_antagonist = pairs_of_[side] & 1;
            const double sign = is_antagonist ? -1 : 1;
            const Chunk& one = chunks_[k / chunk];
            for (std::uint32_t row = one.first[k % chunk]; row < one.first[k % chunk + 1]; ++row) {
                const Contact& contact = one.now()[row];
                const Vec<3> torque = cross(contact.lever[is_antagonist], contact.force) + contact.moment;
                for (int axis = 0; axis < 3; ++axis) {
                    pack.motion.acceleration[record_size * p + std::size_t(axis)] += sign * contact.force[axis];
                    pack.motion.turning[record_size * p + std::size_t(axis)] += sign * torque[axis];
                }
            }
        }
    }
}

template <int D>
void ShapePairs<D>::append_rows(std::vector<SmoothRow>& rows) const
{
    for (const Chunk& one : chunks_) rows.insert(rows.end(), one.now().begin(), one.now().end());
}

template class ShapePairs<2>;
template class ShapePairs<3>;

} // namespace talus
