#include "talus/smooth/ball_pairs.hpp"

#include "talus/integrators/motion.hpp"

#include <algorithm>
#include <span>
#include <utility>

namespace talus {

void BallPairs::reserve(std::size_t pairs)
{
    for (std::vector<std::int32_t>* column : {&first, &second, &bundle}) column->reserve(pairs + wide_count);
}

void BallPairs::add(std::int32_t i, std::int32_t j, std::int32_t where)
{
    first.push_back(i);
    second.push_back(j);
    bundle.push_back(where);
    ++size_;
}

void BallPairs::add_posted(std::int32_t i, std::int32_t j, std::uint32_t part)
{
    std::size_t number = 0;
    while (number < bundles.size() && bundles[number].to != part) ++number;
    if (number == bundles.size()) bundles.push_back({part, 0, 0});
    ++bundles[number].count;
    add(i, j, std::int32_t(number));
}

void BallPairs::seal(const SmoothLaws& laws)
{
    const std::size_t eights = (size_ + wide_count - 1) / wide_count;
    if (size_ > 0) {
        first.resize(wide_count * eights, first.back());
        second.resize(wide_count * eights, second.back());
    }
    std::uint32_t letters = 0;
    for (Bundle& sent : bundles) {
        sent.begin = letters;
        letters += std::exchange(sent.count, 0);
    }
    outbox.resize(2 * record_size * letters);
    addressee.resize(letters);
    touching_.assign(eights, 0);
    slip.assign(laws.has_slip() ? record_size * size_ : 0, 0);
    roll.assign(laws.has_roll() ? record_size * size_ : 0, 0);
}

void BallPairs::take_history(std::size_t pair, const BallPairs& from, std::size_t row)
{
    set_touching(pair);
    const auto copy = [&](const LaneColumn& old, LaneColumn& now) {
        if (!old.empty()) std::copy_n(&old[record_size * row], record_size, &now[record_size * pair]);
    };
    copy(from.slip, slip);
    copy(from.roll, roll);
}

double BallPairs::touch(std::size_t eight, std::uint8_t bits)
{
    double freed = 0;
    const unsigned lost = unsigned(touching_[eight]) & ~unsigned(bits);
    touching_[eight] = bits;
    for (std::size_t k = 0; lost >> k; ++k) {
        if (!(lost >> k & 1)) continue;
        const std::size_t pair = wide_count * eight + k;
        for (LaneColumn* history : {&slip, &roll}) {
            if (history->empty()) continue;
            freed += (*history)[record_size * pair + 3];
            std::fill_n(history->begin() + std::ptrdiff_t(record_size * pair), record_size, 0.0);
        }
    }
    return freed;
}

namespace {

constexpr int block = 4; // batches that the laws work on at a time: they stay in the first cache

struct Geometry {
    Wide lever[2];      // [m] from each centre to the contact
    Wide sum, product;  // [m], [m²] of the radii; their quotient is one over the effective radius
    WideVec<3> of_wall; // [m/s] velocity there
    std::uint32_t pair[wide_count];
    std::int32_t first[wide_count], second[wide_count];
    int count; // of contacts: all but the last batch are full
};

TALUS_INLINE Lanes load_four(const double* from)
{
    return *reinterpret_cast<const Lanes __attribute__((may_alias))*>(from);
}
TALUS_INLINE void store_four(double* to, const Lanes& four)
{
    *reinterpret_cast<Lanes __attribute__((may_alias))*>(to) = four;
}

// four numbers each of eight bodies or pairs, as four times eight
template <class Index>
TALUS_INLINE void gather(const double* column, const Index* index, Wide numbers[4])
{
    Lanes m[wide_count];
    for (int k = 0; k < wide_count; ++k) m[k] = load_four(column + record_size * std::size_t(index[k]));
    transpose(m[0], m[1], m[2], m[3]);
    transpose(m[4], m[5], m[6], m[7]);
    for (int c = 0; c < 4; ++c) numbers[c] = {m[c], m[4 + c]};
}

// ... and back
TALUS_INLINE void scatter(const Wide numbers[4], Lanes out[wide_count])
{
    for (int c = 0; c < 4; ++c) {
        out[c] = numbers[c].low;
        out[4 + c] = numbers[c].high;
    }
    transpose(out[0], out[1], out[2], out[3]);
    transpose(out[4], out[5], out[6], out[7]);
}

TALUS_INLINE WideVec<3> three_of(const Wide numbers[4]) { return {numbers[0], numbers[1], numbers[2]}; }

// Pairs that are looked at before those that are near are worked on, in the first cache still; and how far ahead
// bodies are asked for from memory: first balls come one after another, second ones do not.
constexpr std::size_t look_at = 512, look_ahead = 128;

// Of the pairs from `from` to `to`, those within the range of the laws; returns how many.
TALUS_WIDE std::size_t find_near(const BallView& view, double range, BallPairs& pairs, std::size_t from, std::size_t to,
                                 std::uint32_t* out, double& freed)
{
    const std::int32_t *first = pairs.first.data(), *second = pairs.second.data();
    const double* const slip = pairs.slip.data();
    const std::size_t last = pairs.first.size() - wide_count;
    std::size_t found = 0;
    for (std::size_t begin = from, eight = from / wide_count; begin < to; begin += wide_count, ++eight) {
        Wide i[4], j[4];
        gather(view.place, first + begin, i);
        gather(view.place, second + begin, j);
        const WideVec<3> offset = three_of(i) - three_of(j);
        const Wide reach = i[3] + j[3] + range;
        const WideMask is_near = dot(offset, offset) < reach * reach;
        unsigned bits = mask_bits(is_near.low) | mask_bits(is_near.high) << lane_count;
        if (to - begin < wide_count) bits &= (1u << (to - begin)) - 1;
        const std::size_t ahead = std::min(begin + look_ahead, last);
        for (std::uint32_t k = 0; k < wide_count; ++k) {
            out[found] = std::uint32_t(begin) + k;
            found += bits >> k & 1;
            const std::size_t body = record_size * std::size_t(second[ahead + k]);
            __builtin_prefetch(view.place + body);
            __builtin_prefetch(view.velocity + body);
            __builtin_prefetch(view.spin + body);
            if (k % 2 == 0 && slip) __builtin_prefetch(slip + record_size * (ahead + k), 1);
        }
        if (view.keeps_history) freed += pairs.touch(eight, std::uint8_t(bits));
    }
    return found;
}

TALUS_INLINE void place_balls(const BallView& view, Geometry& at, ContactBatch& batch)
{
    Wide i[4], j[4], vi[4], vj[4], wi[4], wj[4];
    gather(view.place, at.first, i);
    gather(view.place, at.second, j);
    gather(view.velocity, at.first, vi);
    gather(view.velocity, at.second, vj);
    gather(view.spin, at.first, wi);
    gather(view.spin, at.second, wj);
    const WideVec<3> offset = three_of(i) - three_of(j);
    const Wide distance = sqrt(dot(offset, offset));
    const Wide inverse = 1.0 / larger(distance, broadcast(1e-300));
    const WideVec<3> n = inverse * offset;
    const Wide overlap = i[3] + j[3] - distance;
    const Wide half = view.lever_is_radius ? broadcast(0.0) : 0.5 * overlap;
    at.lever[0] = i[3] - half;
    at.lever[1] = j[3] - half;
    at.sum = i[3] + j[3];
    at.product = i[3] * j[3];
    const WideVec<3> wi3 = three_of(wi), wj3 = three_of(wj);
    const WideVec<3> velocity = three_of(vi) - three_of(vj);
    const Wide parting = dot(velocity, n);
    batch.normal = n;
    batch.overlap = overlap;
    batch.rate = -parting;
    batch.mass = 1.0 / (wi[3] + wj[3]);
    if (view.needs_radius) batch.radius = at.product / at.sum;
    batch.sliding = velocity - parting * n - cross(at.lever[0] * wi3 + at.lever[1] * wj3, n);
    batch.turning = wi3 - wj3;
    batch.time = broadcast(view.time);
}

// The second of each pair is a wall.
TALUS_INLINE void place_walls(const BallView& view, Geometry& at, const double* contacts, ContactBatch& batch)
{
    constexpr std::uint32_t in_order[wide_count] = {0, 1, 2, 3, 4, 5, 6, 7};
    Wide contact[4], i[4], j[4], vi[4], vj[4], wi[4], wj[4];
    gather(contacts, in_order, contact);
    gather(view.place, at.first, i);
    gather(view.place, at.second, j);
    gather(view.velocity, at.first, vi);
    gather(view.velocity, at.second, vj);
    gather(view.spin, at.first, wi);
    gather(view.spin, at.second, wj);
    const WideVec<3> n = three_of(contact), wi3 = three_of(wi), wj3 = three_of(wj);
    const Wide overlap = contact[3];
    at.lever[0] = view.lever_is_radius ? i[3] : i[3] - 0.5 * overlap;
    at.lever[1] = broadcast(0.0);
    const WideMask is_round = j[3] > 0.0; // a ball that is held; else flat
    at.sum = select(is_round, i[3] + j[3], broadcast(1.0));
    at.product = select(is_round, i[3] * j[3], i[3]);
    const WideVec<3> arm = three_of(i) - at.lever[0] * n - three_of(j); // from the wall's centre to the contact
    at.of_wall = three_of(vj) + cross(wj3, arm);
    const WideVec<3> velocity = three_of(vi) - at.lever[0] * cross(wi3, n) - at.of_wall;
    const Wide parting = dot(velocity, n);
    batch.normal = n;
    batch.overlap = overlap;
    batch.rate = -parting;
    batch.mass = 1.0 / wi[3];
    if (view.needs_radius) batch.radius = at.product / at.sum;
    batch.sliding = velocity - parting * n;
    batch.turning = wi3 - wj3;
    batch.time = broadcast(view.time);
}

// `walls` has what their shapes say of each near pair, where the second ones are walls.
TALUS_WIDE void place_contacts(const BallView& view, const BallPairs& pairs, const std::uint32_t* near,
                               std::size_t count, const double* walls, Geometry* at, ContactBatch* batches)
{
    for (std::size_t b = 0; b * wide_count < count; ++b) {
        at[b].count = int(std::min<std::size_t>(wide_count, count - b * wide_count));
        for (int k = 0; k < wide_count; ++k) {
            const std::uint32_t pair = near[b * wide_count + std::size_t(std::min(k, at[b].count - 1))];
            at[b].pair[k] = pair;
            at[b].first[k] = pairs.first[pair];
            at[b].second[k] = pairs.second[pair];
        }
        if (walls) {
            const double* const contacts = walls + record_size * wide_count * b;
            place_walls(view, at[b], contacts, batches[b]);
        } else {
            place_balls(view, at[b], batches[b]);
        }
        Wide history[4];
        if (!pairs.slip.empty()) {
            gather(pairs.slip.data(), at[b].pair, history);
            batches[b].slip = three_of(history);
            batches[b].slip_energy = history[3];
        }
        if (!pairs.roll.empty()) {
            gather(pairs.roll.data(), at[b].pair, history);
            batches[b].roll = three_of(history);
            batches[b].roll_energy = history[3];
        }
    }
}

TALUS_WIDE void add_forces(const BallView& view, BallPairs& pairs, bool rolls, bool on_walls, Geometry* at,
                           ContactBatch* batches, int count, ContactEnergy& energy)
{
    const Wide zero = broadcast(0.0);
    for (int b = 0; b < count; ++b) {
        const ContactBatch& batch = batches[b];
        const Wide along = batch.push + batch.damping + batch.cohesion;
        const WideVec<3> f = along * batch.normal + batch.friction;
        const WideVec<3> twist = cross(batch.friction, batch.normal); // torque per length of the lever
        const WideVec<3> m = rolls ? batch.moment : WideVec<3>{zero, zero, zero};
        const WideVec<3> ti = at[b].lever[0] * twist + m, tj = at[b].lever[1] * twist - m;
        const Wide four[4] = {f[0], f[1], f[2], zero}, of_i[4] = {ti[0], ti[1], ti[2], zero},
                   of_j[4] = {tj[0], tj[1], tj[2], zero};
        Lanes force[wide_count], torque_i[wide_count], torque_j[wide_count];
        scatter(four, force);
        scatter(of_i, torque_i);
        scatter(of_j, torque_j);
        for (int k = 0; k < at[b].count; ++k) {
            const std::size_t i = record_size * std::size_t(at[b].first[k]),
                              j = record_size * std::size_t(at[b].second[k]);
            store_four(view.force + i, load_four(view.force + i) + force[k]);
            store_four(view.torque + i, load_four(view.torque + i) + torque_i[k]);
            const std::int32_t to = pairs.bundle[at[b].pair[k]];
            if (to == BallPairs::here) {
                store_four(view.force + j, load_four(view.force + j) - force[k]);
                store_four(view.torque + j, load_four(view.torque + j) + torque_j[k]);
            } else if (to >= 0) {
                Bundle& bundle = pairs.bundles[std::size_t(to)];
                const std::size_t letter = bundle.begin + bundle.count++;
                double* const out = pairs.outbox.data() + 2 * record_size * letter;
                pairs.addressee[letter] = at[b].second[k];
                store_four(out, force[k]);
                store_four(out + record_size, torque_j[k]);
            }
        }
        if (!view.keeps_history) continue;
        alignas(64) double lost[4][wide_count];
        store(lost[0], batch.lost_impact);
        store(lost[1], batch.lost_friction);
        store(lost[2], batch.stored);
        store(lost[3], on_walls ? view.time * dot(f, at[b].of_wall) : zero);
        for (int k = 0; k < at[b].count; ++k) {
            energy.impact += lost[0][k];
            energy.friction += lost[1][k];
            energy.stored += lost[2][k];
            energy.imposed += lost[3][k];
        }
        const Wide depth = (on_walls ? 1.0 : 0.5) * (batch.overlap * at[b].sum);
        if (any(depth > energy.deepest * at[b].product)) { // seldom: else no division
            energy.deepest = std::max(energy.deepest, largest_lane(depth / at[b].product));
        }
        const auto keep = [&](const WideVec<3>& history, const Wide& held, LaneColumn& column) {
            if (column.empty()) return;
            const Wide numbers[4] = {history[0], history[1], history[2], held};
            Lanes kept[wide_count];
            scatter(numbers, kept);
            for (int k = 0; k < at[b].count; ++k) store_four(column.data() + record_size * at[b].pair[k], kept[k]);
        };
        keep(batch.slip, batch.slip_energy, pairs.slip);
        keep(batch.roll, batch.roll_energy, pairs.roll);
    }
}

void set_numbers(const BallView& view, const SmoothLaws& laws, const Geometry* at, ContactBatch* batches, int count)
{
    for (int b = 0; b < count; ++b) {
        std::int32_t index[wide_count];
        for (int k = 0; k < wide_count; ++k) {
            index[k] = laws.index(view.material[at[b].first[k]], view.material[at[b].second[k]]);
        }
        laws.set_numbers(batches[b], index);
    }
}

double lane(const Wide& wide, int k) { return k < lane_count ? wide.low[k] : wide.high[k - lane_count]; }
Vec<3> lane(const WideVec<3>& wide, int k) { return {lane(wide[0], k), lane(wide[1], k), lane(wide[2], k)}; }

void append_rows(const BallView& view, const SmoothLaws& laws, const Geometry* at, const ContactBatch* batches,
                 int count, std::vector<SmoothRow>& rows)
{
    for (int b = 0; b < count; ++b) {
        for (int k = 0; k < at[b].count; ++k) {
            const ContactBatch& batch = batches[b];
            const double overlap = lane(batch.overlap, k);
            SmoothRow row;
            row.candidate = at[b].first[k];
            row.antagonist = at[b].second[k];
            row.normal = lane(batch.normal, k);
            row.gap = -overlap;
            const double* centre = view.place + record_size * std::size_t(row.candidate);
            row.point = Vec<3>(centre[0], centre[1], centre[2]) - (centre[3] - 0.5 * overlap) * row.normal;
            const double along = lane(batch.push, k) + lane(batch.damping, k) + lane(batch.cohesion, k);
            row.force = along * row.normal + lane(batch.friction, k);
            if (laws.has_slip()) {
                row.slip = lane(batch.slip, k);
                row.slip_energy = lane(batch.slip_energy, k);
            }
            if (laws.has_roll()) {
                row.roll = lane(batch.roll, k);
                row.roll_energy = lane(batch.roll_energy, k);
                row.moment = lane(batch.moment, k);
            }
            rows.push_back(row);
        }
    }
}

} // namespace

class BallForces::Batches {
  public:
    Batches(const BallView& view, const SmoothLaws& laws) : view_(view), laws_(laws) { laws.prepare(batches_, block); }

    // Forces of pairs of one part: those that find_near finds.
    ContactEnergy add(BallPairs& pairs, std::vector<SmoothRow>* rows)
    {
        for (Bundle& sent : pairs.bundles) sent.count = 0;
        ContactEnergy energy;
        constexpr std::size_t whole = block * wide_count;
        std::uint32_t near[look_at + whole + wide_count];
        std::size_t waiting = 0; // fewer than a whole block, until the next have been looked at
        for (std::size_t from = 0; from < pairs.size(); from += look_at) {
            const std::size_t to = std::min(pairs.size(), from + look_at);
            waiting += find_near(view_, laws_.range(), pairs, from, to, near + waiting, energy.friction);
            const std::size_t ready = to == pairs.size() ? waiting : waiting / whole * whole;
            add({near, ready}, nullptr, pairs, rows, energy);
            std::copy(near + ready, near + waiting, near);
            waiting -= ready;
        }
        return energy;
    }

    // ... of these; on walls where their contacts are given.
    void add(std::span<const std::uint32_t> near, const double* walls, BallPairs& pairs, std::vector<SmoothRow>* rows,
             ContactEnergy& energy)
    {
        for (std::size_t begin = 0; begin < near.size(); begin += block * wide_count) {
            const std::size_t contacts = std::min<std::size_t>(near.size() - begin, block * wide_count);
            const int count = int((contacts + wide_count - 1) / wide_count);
            place_contacts(view_, pairs, near.data() + begin, contacts, walls ? walls + record_size * begin : nullptr,
                           at_, batches_);
            if (!laws_.is_uniform()) set_numbers(view_, laws_, at_, batches_, count);
            laws_.apply(batches_, count);
            add_forces(view_, pairs, laws_.has_roll(), walls != nullptr, at_, batches_, count, energy);
            if (rows) append_rows(view_, laws_, at_, batches_, count, *rows);
        }
    }

  private:
    const BallView& view_;
    const SmoothLaws& laws_;
    ContactBatch batches_[block];
    Geometry at_[block];
};

BallForces::BallForces(const BallView& view, const SmoothLaws& laws) : batches_(std::make_unique<Batches>(view, laws))
{
}

BallForces::~BallForces() = default;

ContactEnergy BallForces::add(BallPairs& pairs, std::vector<SmoothRow>* rows) { return batches_->add(pairs, rows); }

ContactEnergy BallForces::add_on_walls(BallPairs& pairs, const NearWalls& near, std::vector<SmoothRow>* rows)
{
    ContactEnergy energy;
    batches_->add(near.pair, near.contact.data(), pairs, rows, energy);
    return energy;
}

} // namespace talus
