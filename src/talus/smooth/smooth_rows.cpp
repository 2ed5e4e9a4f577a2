#include "talus/smooth/smooth_rows.hpp"

#include <algorithm>

namespace talus {

// By the two bodies and the feature: the order of the contact table.
template <int D>
void SmoothRows<D>::sort(const PackedBodies<D>& pack)
{
    begin_.clear();
    std::size_t count = 0;
    for (const std::vector<SmoothRow>& rows : of_parts) {
        begin_.push_back(count);
        count += rows.size();
    }
    begin_.push_back(count);
    keys_.resize(count + of_shapes.size());
    const auto set_keys = [&](const std::vector<SmoothRow>& rows, std::size_t begin) {
        for (std::size_t k = 0; k < rows.size(); ++k) {
            const auto [low, high] = std::minmax(pack.body[rows[k].candidate], pack.body[rows[k].antagonist]);
            keys_[begin + k] = {low, high, &rows[k]};
        }
    };
    parallel_chunks(
        of_parts.size(), [&](std::size_t part, std::size_t) { set_keys(of_parts[part], begin_[part]); }, 1);
    set_keys(of_shapes, count);
    group_items(of_bodies_, keys_.size(), pack.size(), [&](std::size_t k) { return keys_[k].low; });
    parallel_for(pack.size(), [&](std::size_t body) {
        const auto at = [&](std::size_t k) { return of_bodies_.items.begin() + std::ptrdiff_t(k); };
        std::sort(at(of_bodies_.begin[body]), at(of_bodies_.begin[body + 1]), [&](std::int32_t a, std::int32_t b) {
            const Key &left = keys_[std::size_t(a)], &right = keys_[std::size_t(b)];
            if (left.high != right.high) return left.high < right.high;
            if (left.row->feature != right.row->feature) return left.row->feature < right.row->feature;
            return a < b;
        });
    });
}

// What cannot be moved feels its contacts all the same.
template <int D>
void SmoothRows<D>::add_to_passive(const PackedBodies<D>& pack, BodyTable<D>& bodies) const
{
    const auto is_passive = [&](std::size_t place) { return pack.motion.spin[record_size * place + 3] == 0; };
    for (const std::int32_t place : pack.guided) {
        if (!is_passive(std::size_t(place))) continue;
        bodies.reaction[std::size_t(pack.body[std::size_t(place)])].setZero();
        bodies.reaction_torque[std::size_t(pack.body[std::size_t(place)])].setZero();
    }
    const auto add = [&](const std::vector<SmoothRow>& rows) {
        for (const SmoothRow& row : rows) {
            if (std::size_t(std::max(row.candidate, row.antagonist)) < pack.balls) continue; // both can move
            for (const bool candidate : {true, false}) {
                const std::size_t p = std::size_t(candidate ? row.candidate : row.antagonist);
                if (!is_passive(p)) continue;
                const std::size_t i = std::size_t(pack.body[p]);
                const double sign = candidate ? 1 : -1;
                const Vec<D> force = sign * row.force.template head<D>();
                const Vec<D> point = row.point.template head<D>();
                bodies.reaction[i] += force;
                bodies.reaction_torque[i] += moment(Vec<D>(point - bodies.position[i]), force);
                bodies.reaction_torque[i] += sign * row.moment.template tail<angular<D>>();
            }
        }
    };
    for (const std::vector<SmoothRow>& rows : of_parts) add(rows);
    add(of_shapes);
}

template <int D>
void SmoothRows<D>::publish(const PackedBodies<D>& pack, const SmoothLaws& laws, double dt, BodyTable<D>& bodies,
                            ContactTable<D>& contacts)
{
    sort(pack);
    ContactColumns<D> columns = std::move(static_cast<ContactColumns<D>&>(contacts)); // to reuse their memory
    for_columns<ContactColumns<D>>([&]<class Owner, class T>(const Column<Owner, T>& column) {
        const std::string_view name = column.name;
        const bool slips = name.starts_with("slip") && laws.has_slip();
        const bool rolls = name.starts_with("roll") && laws.has_roll(); // and rolling_impulse
        const bool is_used = !column.is_optional || slips || rolls;
        (columns.*column.data).resize(is_used ? keys_.size() : 0);
    });
    parallel_for(keys_.size(), [&](std::size_t k) {
        const SmoothRow& row = *keys_[std::size_t(of_bodies_.items[k])].row;
        const auto turn = [&](const Vec<3>& v) -> Ang<D> { return v.template tail<angular<D>>(); };
        // of two balls the lower number is the candidate, as everywhere
        const bool both_balls = std::size_t(std::max(row.candidate, row.antagonist)) < pack.balls;
        const bool swapped = both_balls && pack.body[row.candidate] > pack.body[row.antagonist];
        const double sign = swapped ? -1 : 1;
        columns.candidate[k] = pack.body[swapped ? row.antagonist : row.candidate];
        columns.antagonist[k] = pack.body[swapped ? row.candidate : row.antagonist];
        columns.feature[k] = row.feature;
        columns.points[k] = row.points;
        columns.point[k] = row.point.template head<D>();
        columns.normal[k] = sign * row.normal.template head<D>();
        columns.gap[k] = row.gap;
        columns.impulse[k] = sign * dt * row.force.template head<D>();
        if (!columns.slip.empty()) {
            columns.slip[k] = sign * row.slip.template head<D>();
            columns.slip_energy[k] = row.slip_energy;
        }
        if (!columns.roll.empty()) {
            columns.roll[k] = sign * turn(row.roll);
            columns.roll_energy[k] = row.roll_energy;
            columns.rolling_impulse[k] = sign * dt * turn(row.moment);
        }
    });
    contacts.take(std::move(columns));
    parallel_for(pack.size(), [&](std::size_t p) {
        const std::size_t i = std::size_t(pack.body[p]);
        bodies.reaction[i] = vector_in<D>(pack.force, p);
        bodies.reaction_torque[i] = turn_in<D>(pack.torque, p);
    });
    add_to_passive(pack, bodies);
}

template class SmoothRows<2>;
template class SmoothRows<3>;

} // namespace talus
