#include "talus/report/crowd/crowd_history.hpp"

#include "talus/base/error.hpp"

#include <algorithm>
#include <cmath>

namespace talus::report {

namespace {

constexpr std::size_t most_places = 3'000'000; // in memory; beyond them every second moment is forgotten
constexpr double walking = 0.4;                // [m/s] slower ones would turn with every push
constexpr double some_way = 0.5;               // [m] from which a direction can be told

Vec<2> place_at(const std::array<float, 2>& place) { return {double(place[0]), double(place[1])}; }

} // namespace

template <int D>
void CrowdHistory<D>::refresh(const io::Frame<D>& constants, std::int64_t frames)
{
    const std::vector<io::FrameBlock> blocks = io::list_blocks(folder_);
    for (; next_ < frames; ++next_) {
        const bool is_first = std::ranges::find(blocks, next_, &io::FrameBlock::first) != blocks.end();
        const io::SealCheck check = is_first ? io::SealCheck::contents : io::SealCheck::length; // once for a block
        try {
            add(io::read_moving<D>(folder_, next_, check, io::Moving::bodies), constants);
        } catch (const InputError&) { // whoever asks for this frame is told
        }
    }
}

template <int D>
void CrowdHistory<D>::add(const io::Frame<D>& frame, const io::Frame<D>& constants)
{
    const double time = frame.clock.time();
    const BodyTable<D>& bodies = frame.bodies;
    const bool is_moment = next_ % stride_ == 0;
    const auto moment = std::int64_t(moments_.size());
    std::vector<std::int32_t> now;
    const std::vector<std::int32_t> rows = io::rows_of(bodies, constants.bodies);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const auto number = std::size_t(bodies.id(i));
        if (rows[i] < 0 || bodies.is_passive(i) || !bodies.position[i].allFinite()) continue;
        if (constants.shapes[constants.bodies.shape[std::size_t(rows[i])]].kind != ShapeKind::ball) continue;
        if (tracks_.size() <= number) tracks_.resize(number + 1);
        Track& track = tracks_[number];
        if (!track.is_person()) {
            track.first = moment;
            track.came = time;
        }
        track.last = time;
        track.last_place = bodies.position[i].template head<2>();
        track.last_velocity = bodies.velocity[i].template head<2>();
        lower_ = lower_.cwiseMin(track.last_place);
        upper_ = upper_.cwiseMax(track.last_place);
        now.push_back(std::int32_t(number));
        if (!is_moment) continue;
        track.places.push_back({float(track.last_place[0]), float(track.last_place[1])});
        ++places_;
    }
    if (is_moment) moments_.push_back(time);
    std::swap(now, present_); // both ascend: numbers are given in the order of coming
    std::vector<std::int32_t> gone;
    std::ranges::set_difference(now, present_, std::back_inserter(gone));
    for (const std::int32_t number : gone) {
        Track& track = tracks_[std::size_t(number)];
        track.has_left = true;
        const Vec<2> onward = track.last_place + (time - track.last) * track.last_velocity;
        track.exit = scene_.exit_near(track.last_place, onward, track.last);
    }
    if (places_ > most_places) thin();
}

template <int D>
void CrowdHistory<D>::thin()
{
    stride_ *= 2;
    places_ = 0;
    for (Track& track : tracks_) {
        if (!track.is_person()) continue;
        std::vector<std::array<float, 2>> kept;
        for (std::size_t k = 0; k < track.places.size(); ++k) {
            if ((track.first + std::int64_t(k)) % 2 == 0) kept.push_back(track.places[k]);
        }
        track.first = (track.first + 1) / 2;
        track.places = std::move(kept);
        places_ += track.places.size();
    }
    std::vector<double> moments;
    for (std::size_t k = 0; k < moments_.size(); k += 2) moments.push_back(moments_[k]);
    moments_ = std::move(moments);
}

template <int D>
Vec<2> CrowdHistory<D>::heading_of_standing(std::int32_t number, const Vec<2>& place, double time) const
{
    if (std::size_t(number) < tracks_.size()) {
        const Track& track = tracks_[std::size_t(number)];
        const auto after = std::int64_t(std::ranges::upper_bound(moments_, time) - moments_.begin()) - track.first;
        const auto count = std::int64_t(track.places.size());
        for (std::int64_t k = std::max<std::int64_t>(after, 0); k < count; ++k) {
            const Vec<2> way = place_at(track.places[std::size_t(k)]) - place;
            if (way.norm() >= some_way) return way.normalized();
        }
        for (std::int64_t k = std::min(after, count) - 1; k >= 0 && track.exit < 0; --k) {
            const Vec<2> way = place - place_at(track.places[std::size_t(k)]);
            if (way.norm() >= some_way) return way.normalized();
        }
    }
    std::int32_t exit = std::size_t(number) < tracks_.size() ? tracks_[std::size_t(number)].exit : -1;
    if (exit < 0) exit = scene_.exit_near(place, place, time);
    if (exit < 0) return Vec<2>::UnitX();
    const ExitMark& mark = scene_.exits[std::size_t(exit)];
    const Vec<2> way = 0.5 * (mark.from + mark.to) - place;
    return way.norm() > 0 ? Vec<2>(way.normalized()) : Vec<2>(Vec<2>::UnitX());
}

template <int D>
std::vector<Vec<2>> CrowdHistory<D>::headings(const io::Frame<D>& frame, const std::vector<std::int32_t>& numbers) const
{
    std::vector<Vec<2>> headings(frame.bodies.size(), Vec<2>::UnitX());
    for (std::size_t i = 0; i < headings.size(); ++i) {
        if (!is_person(frame, i)) continue;
        const Vec<2> velocity = frame.bodies.velocity[i].template head<2>();
        const double speed = velocity.norm();
        if (std::isfinite(speed) && speed >= walking) {
            headings[i] = velocity / speed;
        } else {
            headings[i] =
                heading_of_standing(numbers[i], frame.bodies.position[i].template head<2>(), frame.clock.time());
        }
    }
    return headings;
}

template <int D>
std::size_t CrowdHistory<D>::left_before(double time) const
{
    return std::size_t(std::ranges::count_if(
        tracks_, [&](const Track& track) { return track.is_person() && track.has_left && track.last < time - 1e-9; }));
}

template class CrowdHistory<2>;
template class CrowdHistory<3>;

} // namespace talus::report
