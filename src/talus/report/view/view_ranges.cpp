#include "talus/report/view/view_ranges.hpp"

#include "talus/io/files/json_writer.hpp"
#include "talus/probes/snapshot.hpp"
#include "talus/report/drawing/colouring.hpp"
#include "talus/report/pages/page_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace talus::report {

namespace {

constexpr std::int64_t most_looks = 24, least_looks = 3;
constexpr std::int64_t bodies_looked_at = 300'000; // in all: a second or so

// [N] between bodies that push each other, the strongest of two hundred pairs
template <int D>
double strong_force(const ContactTable<D>& contacts, double dt)
{
    std::vector<double> force; // rows of a pair follow each other
    for (std::size_t k = 0; k < contacts.size(); ++k) {
        const double here = contacts.impulse[k].dot(contacts.normal[k]) / dt;
        const bool is_same = k > 0 && contacts.candidate[k] == contacts.candidate[k - 1] &&
                             contacts.antagonist[k] == contacts.antagonist[k - 1];
        if (is_same) {
            force.back() += here;
        } else {
            force.push_back(here);
        }
    }
    std::erase_if(force, [](double value) { return !(value > 0); });
    if (force.empty()) return 0;
    const auto place = force.begin() + std::ptrdiff_t(0.995 * double(force.size() - 1));
    std::nth_element(force.begin(), place, force.end());
    return *place;
}

} // namespace

std::int64_t looks_at(std::int64_t frames, std::size_t bodies)
{
    const std::int64_t affordable = bodies_looked_at / std::max<std::int64_t>(1, std::int64_t(bodies));
    return std::min(frames, std::clamp(affordable, least_looks, most_looks));
}

template <int D>
void reach(ViewRanges& ranges, const io::Frame<D>& frame, const std::vector<std::uint8_t>& gone, const CrowdLook* crowd)
{
    std::vector<std::size_t> free;
    for (std::size_t i = 0; i < frame.bodies.size(); ++i) {
        if ((gone.empty() || gone[i] == 0) && moves_freely(frame, i)) free.push_back(i);
    }
    if (free.empty()) return;
    const auto values_of = [&](const auto& value) {
        std::vector<double> values;
        for (const std::size_t i : free) values.push_back(value(i));
        return values;
    };
    const auto widen = [&](const std::string& name, const ValueRange& range) {
        std::optional<ValueRange>& known = ranges.of[name];
        known = joined(known, range);
    };
    const auto widen_by = [&](const char* name, Quantity quantity) {
        const std::vector<double> values = body_values(frame, quantity, crowd);
        widen(name, range_of(values_of([&](std::size_t i) { return values[i]; }), quantity != Quantity::size));
    };
    widen_by("speed", Quantity::speed);
    widen_by("load", Quantity::load);
    widen_by("size", Quantity::size);
    widen_by("rotation", Quantity::rotation);
    if (crowd) widen_by("density", Quantity::density);
    for (int axis = 0; axis < D; ++axis) { // as far down as up
        const auto along = [&](std::size_t i) { return std::abs(frame.bodies.velocity[i][axis]); };
        const ValueRange sizes = range_of(values_of(along), true);
        widen(std::string("velocity_") + "xyz" [axis],
              { -sizes.upper, sizes.upper, sizes.is_cut, sizes.is_cut, sizes.is_made_up });
    }
    const Snapshot<D> snapshot(frame.bodies, frame.shapes, frame.contacts, frame.clock.dt);
    const auto pushing = values_of([&](std::size_t i) { return double(snapshot.neighbours().pushing()[i]); });
    widen("coordination", {0, std::max(1.0, *std::ranges::max_element(pushing)), false});
    ranges.strong = std::max(ranges.strong, strong_force(frame.contacts, frame.clock.dt));
}

std::string ranges_json(const ViewRanges& ranges, std::int64_t frames)
{
    std::string list;
    for (const auto& [name, range] : ranges.of) {
        if (!range || range->is_made_up) continue;
        list +=
            fmt::format(R"({}{}:{{"lower":{},"upper":{},"is_cut":{}}})", list.empty() ? "" : ",", io::json_quoted(name),
                        json_number(range->lower, 6), json_number(range->upper, 6), range->is_cut);
    }
    return fmt::format(R"({{"frames":{},"ranges":{{{}}},"strong":{}}})", frames, list, json_number(ranges.strong, 6));
}

template void reach(ViewRanges&, const io::Frame<2>&, const std::vector<std::uint8_t>&, const CrowdLook*);
template void reach(ViewRanges&, const io::Frame<3>&, const std::vector<std::uint8_t>&, const CrowdLook*);

} // namespace talus::report
