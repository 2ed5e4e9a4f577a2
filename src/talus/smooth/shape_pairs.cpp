#include "talus/smooth/shape_pairs.hpp"

#include "talus/exec/parallel.hpp"
#include "talus/shapes/common_volume.hpp"
#include "talus/shapes/convex_parts.hpp"

#include <algorithm>

namespace talus {

namespace {

// Lanes of a batch, one by one.
class Lane {
  public:
    Lane(ContactBatch& batch, int k) : batch_(batch), k_(k) {}
    void set(Wide& wide, double x) const
    {
        if (k_ < lane_count) {
            wide.low[k_] = x;
        } else {
            wide.high[k_ - lane_count] = x;
        }
    }
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

// Solids whose common volume is known with its derivatives.
bool has_volume(ShapeKind kind)
{
    return kind == ShapeKind::polytope || kind == ShapeKind::cluster || kind == ShapeKind::half_space;
}

} // namespace

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
    contact.overlap = -point.gap;
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

// A force with the potential U = k q²/2 of q = V/A, V the common volume and A a reference area: a face of shadow A
// √2^{D−1} is as stiff as the 2^{D−1} points of its manifold. With S = |∮ n dA| the force is k q S/A, which is k δ for
// δ = q S/A: friction and dashpot act on this δ at the one point where the force does.
template <int D>
void ShapePairs<D>::add_volumes(std::uint32_t number, const typename ExactStage<D>::Body& candidate,
                                const typename ExactStage<D>::Body& antagonist, const PackedBodies<D>& pack,
                                const ExactStage<D>& stage, const BodyTable<D>& bodies, std::vector<Contact>& contacts)
{
    Listed& pair = pairs_[number];
    const auto parts = convex_parts(stage.shapes, bodies.shape[pair.candidate]);
    const auto others = convex_parts(stage.shapes, bodies.shape[pair.antagonist]);
    const bool is_wall = others.empty();
    const auto area_of = [&](const Polytope<D>& part) {
        return reference_area_[std::size_t(&part - stage.shapes.polytopes.data())];
    };
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const PlacedPolytope<D> part{parts[i], candidate.placed.position, candidate.placed.orientation};
        for (std::size_t j = 0; j < (is_wall ? 1 : others.size()); ++j) {
            const Placed<D>& other = antagonist.placed;
            const CommonVolume<D> common =
                is_wall
                    ? common_volume<D>(part, other.position,
                                       Vec<D>(other.orientation * stage.shapes.half_spaces[other.shape.detail].normal))
                    : common_volume<D>(part, {others[j], other.position, other.orientation});
            if (common.volume == 0) {
                if (parts.size() == 1 && others.size() == 1) pair.witness = common.apart_along;
                continue;
            }
            const double area = common.area.norm();
            const double reference = is_wall ? area_of(parts[i]) : std::min(area_of(parts[i]), area_of(others[j]));
            add_contact(number, {common.point, common.area / area, -common.volume / area, (i << 32 | j) + 1}, pack,
                        stage, bodies, contacts);
            Contact& contact = contacts.back();
            contact.gradient = area / reference;
            contact.overlap = common.volume / reference * contact.gradient;
            contact.twist.template tail<angular<D>>() = common.twist / area;
        }
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
        const std::size_t first = found.size();
        if (by_volume && has_volume(candidate.placed.shape.kind) && has_volume(antagonist.placed.shape.kind)) {
            pair.witness.setZero();
            add_volumes(std::uint32_t(k), candidate, antagonist, pack, stage, bodies, found);
            recall(pair, one, first, found);
            continue;
        }
        features.clear();
        normals.clear();
        for (std::uint32_t old = pair.first; old < pair.first + pair.count; ++old) {
            features.push_back(one.old()[old].feature);
            normals.push_back(one.old()[old].normal.template head<D>());
        }
        points.clear();
        pair.witness.setZero();
        stage.collide(candidate, antagonist, {nullptr, features, normals}, pair.witness, points);
        for (const ContactPoint<D>& point : points) add_contact(std::uint32_t(k), point, pack, stage, bodies, found);
        recall(pair, one, first, found);
    }
    one.first.push_back(std::uint32_t(found.size()));
}

template <int D>
void ShapePairs<D>::find_chunk_forces(Chunk& one, const PackedBodies<D>& pack, const SmoothLaws& laws, double time)
{
    one.energy = {};
    one.freed = 0;
    std::vector<Contact>& found = one.contacts[one.latest];
    for (const Contact& old : one.old()) one.freed += old.slip_energy + old.roll_energy;
    for (const Contact& contact : found) one.freed -= contact.slip_energy + contact.roll_energy;
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
            lane.set(batch.overlap, contact.overlap);
            lane.set(batch.rate, -contact.gradient * parting);
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
            if (by_volume) contact.moment += lane.get(batch.push) * contact.twist;
            // what the laws took for an overlap and its rate
            const double scale = 1 / contact.gradient;
            one.energy.impact += scale * lane.get(batch.lost_impact);
            one.energy.friction += lane.get(batch.lost_friction);
            // springs of friction and rolling hold what they hold, whatever the overlap is
            const double pushes = 0.5 * lane.get(batch.push) * contact.overlap;
            one.energy.stored += contact.gradient == 1
                                     ? lane.get(batch.stored)
                                     : scale * scale * pushes + contact.slip_energy + contact.roll_energy;
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
        energy.friction += one.freed;
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
