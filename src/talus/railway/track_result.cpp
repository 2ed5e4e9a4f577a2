#include "talus/railway/track_result.hpp"

#include "talus/railway/track.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace talus {

namespace {

constexpr int parts_of_period = 8;        // in which the highest force of a period is sought
constexpr int pieces_of_curve = 50;       // of an operation
constexpr double support_over = 0.02;     // [s] that what carries a sleeper is averaged over
constexpr double look_every = 0.1;        // [s] between two looks at compacities, beside those at operations
constexpr double underside = 0.02;        // [m] above it what touches from below is no side
constexpr double square = 0.06;           // [m] of the surface of a crib, with one highest grain
constexpr double strip_of_diameter = 1.5; // length of a strip of the foot, in mean diameters of grains

// Words of a checkpoint, written or read by the same walk through what they hold.
struct WordsOut {
    std::vector<std::uint64_t> words;
    void word(std::uint64_t& one) { words.push_back(one); }
    std::size_t count(std::size_t size)
    {
        words.push_back(size);
        return size;
    }
};
struct WordsIn {
    std::span<const std::uint64_t> words;
    bool is_whole = true;
    void word(std::uint64_t& one)
    {
        is_whole &= !words.empty();
        one = is_whole ? words.front() : 0;
        if (is_whole) words = words.subspan(1);
    }
    std::size_t count(std::size_t)
    {
        std::uint64_t size = 0;
        word(size);
        is_whole &= size <= words.size();
        return is_whole ? std::size_t(size) : 0;
    }
};

void pass(auto& words, double& number)
{
    std::uint64_t bits = std::bit_cast<std::uint64_t>(number);
    words.word(bits);
    number = std::bit_cast<double>(bits);
}
void pass(auto& words, bool& flag)
{
    std::uint64_t bits = flag;
    words.word(bits);
    flag = bits != 0;
}
void pass(auto& words, std::string& text)
{
    text.resize(words.count(text.size()));
    for (char& letter : text) {
        std::uint64_t bits = std::uint8_t(letter);
        words.word(bits);
        letter = char(bits);
    }
}
void pass(auto& words, Maybe& number)
{
    bool is_there = number.has_value();
    pass(words, is_there);
    double value = number.value_or(0);
    pass(words, value);
    number = is_there ? Maybe(value) : Maybe();
}
template <class T>
requires requires(T& one) { T::members(one); }
void pass(auto& words, T& one)
{
    std::apply([&](auto&... member) { (pass(words, member), ...); }, T::members(one));
}
template <class T>
void pass(auto& words, std::vector<T>& list)
{
    list.resize(words.count(list.size()));
    for (T& one : list) pass(words, one);
}
template <class T>
void pass(auto& words, std::map<std::string, T>& map)
{
    std::vector<std::string> names;
    for (const auto& [name, value] : map) names.push_back(name);
    pass(words, names);
    for (const std::string& name : names) pass(words, map[name]);
}

Vec<3> three(const std::vector<double>& list, std::size_t k) { return {list[3 * k], list[3 * k + 1], list[3 * k + 2]}; }
void set_three(std::vector<double>& list, std::size_t k, const Vec<3>& v) { std::ranges::copy(v, &list[3 * k]); }
void add_three(std::vector<double>& list, std::size_t k, const Vec<3>& v) { set_three(list, k, three(list, k) + v); }

// [N] on a body, of its contacts
Vec<3> load_on(const Snapshot<3>& now, std::size_t body)
{
    Vec<3> load = Vec<3>::Zero();
    for (const auto& side : now.contacts_of_bodies().of(body)) load += side.sign * now.force(side.contact);
    return load;
}

Maybe compacity_of(const Snapshot<3>& now, const Region<3>& region)
{
    const View<3> view = View<3>::of_region(now, region);
    if (view.grains().empty()) return {};
    double solid = 0;
    for (const auto& part : view.parts()) solid += part.volume;
    return ratio(solid, view.volume);
}

// [m] mean over squares of the ground of the highest centre of a grain there
Maybe surface_of(const Snapshot<3>& now, const Region<3>& region)
{
    std::map<std::pair<int, int>, double> highest;
    const Bounds<3> bounds = region.bounds();
    for (std::size_t i = 0; i < now.sample.bodies.size(); ++i) {
        if (!now.sample.is_grain(i)) continue;
        const Vec<3>& place = now.sample.bodies.position[i];
        if (place.x() < bounds.lower.x() || place.x() >= bounds.upper.x() || place.y() < bounds.lower.y() ||
            place.y() >= bounds.upper.y()) {
            continue;
        }
        const std::pair cell{int(std::floor((place.x() - bounds.lower.x()) / square)),
                             int(std::floor((place.y() - bounds.lower.y()) / square))};
        const auto found = highest.try_emplace(cell, place.z()).first;
        found->second = std::max(found->second, place.z());
    }
    double sum = 0;
    for (const auto& [cell, height] : highest) sum += height;
    return ratio(sum, double(highest.size()));
}

// Between the sleepers, and of a single one to its sides: where the ballast heaves.
std::vector<TrackResult::Place> cribs_of(const Track& track)
{
    std::vector<TrackResult::Place> cribs;
    const Vec<3> half = 0.5 * track.sleeper_size;
    const auto add = [&](std::string name, double from, double until) {
        if (until <= from) return;
        cribs.push_back({std::move(name), Region<3>::box({-half.x(), from, 0}, {half.x(), until, track.below})});
    };
    const auto& sleepers = track.sleepers;
    for (std::size_t k = 0; k + 1 < sleepers.size(); ++k) {
        add(fmt::format("crib {}-{}", k + 1, k + 2), sleepers[k].centre.y() + half.y(),
            sleepers[k + 1].centre.y() - half.y());
    }
    if (sleepers.size() != 1) return cribs;
    const double left = sleepers[0].centre.y() - half.y(), right = sleepers[0].centre.y() + half.y();
    const double beside = std::min({2 * half.y(), left, track.length - right});
    add("crib left", left - beside, left);
    add("crib right", right, right + beside);
    return cribs;
}

} // namespace

TrackResult::TrackResult(Subject subject) : subject_(std::move(subject)), cribs_(cribs_of(subject_.track))
{
    const std::size_t sleepers = subject_.sleepers.size(), tools = subject_.tools.size();
    seen_.lifts.resize(sleepers);
    seen_.sinkings.resize(subject_.parts.size() * sleepers);
    seen_.curves.resize(subject_.parts.size() * sleepers);
    seen_.support.resize(sleepers);
    seen_.support_sums.resize(sleepers);
    seen_.sleepers.resize(3 * sleepers);
    for (auto* list : {&seen_.tools, &seen_.period_impulse, &seen_.part_impulse}) list->resize(3 * tools);
}

void TrackResult::begin(const Snapshot<3>& start)
{
    const BodyTable<3>& bodies = start.sample.bodies;
    seen_.diameter = View<3>::of_sample(start).mean_diameter();
    seen_.grain_starts.assign(3 * std::size_t(bodies.come()), std::numeric_limits<double>::quiet_NaN());
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        if (start.sample.is_grain(i)) set_three(seen_.grain_starts, std::size_t(bodies.id(i)), bodies.position[i]);
    }
    const auto keep_places = [&](std::vector<double>& places, const std::vector<BodyId>& ids) {
        for (std::size_t k = 0; k < ids.size(); ++k) {
            set_three(places, k, bodies.position[std::size_t(bodies.find(ids[k]))]);
        }
    };
    keep_places(seen_.sleepers, subject_.sleepers);
    keep_places(seen_.tools, subject_.tools);
    const double strip = strip_of_diameter * seen_.diameter, length = subject_.track.sleeper_size.x();
    const std::size_t strips = strip > 0 ? std::size_t(std::max(1.0, std::round(length / strip))) : 1;
    for (auto* supports : {&seen_.support, &seen_.support_sums}) {
        for (Support& support : *supports) support.strips.assign(strips, 0);
    }
    seen_.latest = look(start);
    seen_.stages = {seen_.latest};
}

TrackStage TrackResult::look(const Snapshot<3>& now) const
{
    TrackStage stage;
    stage.time = seen_.time;
    for (std::size_t k = 0; k < subject_.sleepers.size(); ++k) {
        stage.levels.push_back(three(seen_.sleepers, k).z() - 0.5 * subject_.track.sleeper_size.z());
    }
    for (const Place& place : subject_.places) stage.compacities.push_back(compacity_of(now, place.region));
    for (const Place& crib : cribs_) stage.surfaces.push_back(surface_of(now, crib.region));
    return stage;
}

void TrackResult::count_moved(const Snapshot<3>& now)
{
    const BodyTable<3>& bodies = now.sample.bodies;
    seen_.moved = seen_.grains = 0;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const std::size_t number = std::size_t(bodies.id(i));
        if (3 * number >= seen_.grain_starts.size() || !now.sample.is_grain(i)) continue;
        seen_.grains += 1;
        const double way = (bodies.position[i] - three(seen_.grain_starts, number)).norm();
        seen_.moved += way > 0.5 * seen_.diameter;
    }
}

void TrackResult::watch(const Snapshot<3>& now, const Clock& clock)
{
    if (seen_.time == 0 && clock.step > 1) { // begun late
        seen_.stages.front().time = seen_.latest.time = clock.time() - clock.dt;
    }
    seen_.time = clock.time();
    follow_phases(now.sample.bodies, clock);
    follow_tools(now, clock);
    follow_sleepers(now, clock);
    const auto is_at = [&](double time) { return std::llround(time / clock.dt) == clock.step; };
    const auto begins = [&](const Part& part) { return &part != &subject_.parts.front() && is_at(part.time.from); };
    const auto new_stages = std::ranges::count_if(subject_.parts, begins);
    const bool is_due = clock.step % std::max<std::int64_t>(1, std::llround(look_every / clock.dt)) == 0;
    if (new_stages == 0 && !is_due && !is_at(subject_.end)) return;
    seen_.latest = look(now);
    count_moved(now);
    seen_.stages.insert(seen_.stages.end(), std::size_t(new_stages), seen_.latest);
}

bool TrackResult::names(std::size_t part, std::size_t sleeper) const
{
    const auto& ids = subject_.parts[part].operation->site().sleepers.ids();
    return std::ranges::find(ids, subject_.sleepers[sleeper]) != ids.end();
}

bool TrackResult::is_free(std::size_t sleeper, const Clock& clock) const
{
    for (std::size_t p = 0; p < subject_.parts.size(); ++p) {
        const OperationTime& time = subject_.parts[p].time;
        const double since = clock.time() - support_over; // the whole of a mean
        if (names(p, sleeper) && clock.time() > time.from && since < time.until) return false;
    }
    return true;
}

// Of each operation: what it does now, and since when.
void TrackResult::follow_phases(const BodyTable<3>& bodies, const Clock& clock)
{
    const double start = clock.time() - clock.dt, half = 0.5 * clock.dt;
    for (std::size_t p = 0; p < subject_.parts.size(); ++p) {
        const Part& part = subject_.parts[p];
        const std::optional<Doing> doing = part.operation->doing();
        std::string name(doing ? doing->phase : std::string_view());
        if (!doing && clock.time() > part.time.from + half && clock.time() < part.time.until + half) name = part.type;
        if (name.empty()) continue;
        const auto& ids = part.operation->site().sleepers.ids();
        const auto sleeper = ids.empty() ? 0
                                         : std::ranges::find(subject_.sleepers, ids[doing ? doing->sleeper : 0]) -
                                               subject_.sleepers.begin();
        const auto last =
            std::ranges::find(seen_.phases.rbegin(), seen_.phases.rend(), double(p), &PhaseSpan::operation);
        if (last != seen_.phases.rend() && last->name == name && last->sleeper == double(sleeper)) {
            last->until = clock.time();
            continue;
        }
        const bool is_new_cycle =
            last == seen_.phases.rend() || last->sleeper != double(sleeper) || last->name == "travel";
        seen_.phases.push_back({double(p), double(sleeper), name, start, clock.time()});
        const std::size_t body = std::size_t(bodies.find(subject_.sleepers[std::size_t(sleeper)]));
        if (!doing || name == "travel" || !is_new_cycle || !bodies.is_imposed(body, along_z)) continue;
        const double before = three(seen_.sleepers, std::size_t(sleeper)).z();
        seen_.lifts[std::size_t(sleeper)] = {doing->level - before, before - 0.5 * subject_.track.sleeper_size.z(),
                                             true};
    }
}

const PhaseSpan* TrackResult::working_phase(std::size_t& part) const
{
    for (auto span = seen_.phases.rbegin(); span != seen_.phases.rend(); ++span) {
        part = std::size_t(span->operation);
        const bool is_now = span->until == seen_.time && subject_.parts[part].type == "tamping";
        if (is_now && span->name != "lift" && span->name != "travel") return &*span;
    }
    return nullptr;
}

void TrackResult::follow_tools(const Snapshot<3>& now, const Clock& clock)
{
    std::size_t part = 0;
    const PhaseSpan* phase = working_phase(part);
    const std::string name = phase ? phase->name : "";
    const double period = phase && subject_.parts[part].frequency > 0 ? 1 / subject_.parts[part].frequency : 0;
    if (name != seen_.period_phase) {
        close_period(period);
        seen_.period_phase = name;
    }
    const BodyTable<3>& bodies = now.sample.bodies;
    for (std::size_t t = 0; t < subject_.tools.size(); ++t) {
        const std::size_t body = std::size_t(bodies.find(subject_.tools[t]));
        const Vec<3> moved = bodies.position[body] - three(seen_.tools, t);
        set_three(seen_.tools, t, bodies.position[body]);
        if (!phase) continue;
        auto& work = seen_.work[name];
        work.resize(subject_.tools.size());
        const Vec<3> load = load_on(now, body);
        work[t].time += clock.dt;
        work[t].energy -= load.dot(moved);
        add_three(seen_.part_impulse, t, clock.dt * load);
    }
    if (!phase) return;
    seen_.part_time += clock.dt;
    if (seen_.part_time >= period / parts_of_period - 0.5 * clock.dt) close_part();
    if (seen_.period_time >= period - 0.5 * clock.dt) close_period(period);
}

void TrackResult::close_part()
{
    if (seen_.part_time == 0) return;
    for (std::size_t t = 0; t < subject_.tools.size(); ++t) {
        const Vec<3> impulse = three(seen_.part_impulse, t);
        seen_.period_highest = std::max(seen_.period_highest, impulse.norm() / seen_.part_time);
        add_three(seen_.period_impulse, t, impulse);
        set_three(seen_.part_impulse, t, Vec<3>::Zero());
    }
    seen_.period_time += seen_.part_time;
    seen_.part_time = 0;
}

// What is shorter than half a period, at the end of a phase, counts in the mean of the phase only.
void TrackResult::close_period(double period)
{
    close_part();
    if (seen_.period_time == 0) return;
    PeriodForces forces{seen_.time, 0, 0, seen_.period_highest};
    const bool is_long = seen_.period_time > 0.5 * period;
    for (std::size_t t = 0; t < subject_.tools.size(); ++t) {
        ToolWork& work = seen_.work[seen_.period_phase][t];
        const double impulse = three(seen_.period_impulse, t).norm(), mean = impulse / seen_.period_time;
        work.impulse += impulse;
        if (is_long) work.largest = std::max(work.largest.value_or(0), mean);
        forces.mean += mean / double(subject_.tools.size());
        forces.largest = std::max(forces.largest, mean);
        set_three(seen_.period_impulse, t, Vec<3>::Zero());
    }
    if (is_long) seen_.periods.push_back(forces);
    seen_.period_time = seen_.period_highest = 0;
}

void TrackResult::follow_sleepers(const Snapshot<3>& now, const Clock& clock)
{
    const BodyTable<3>& bodies = now.sample.bodies;
    const double half = 0.5 * subject_.track.sleeper_size.z();
    for (std::size_t k = 0; k < subject_.sleepers.size(); ++k) {
        const std::size_t body = std::size_t(bodies.find(subject_.sleepers[k]));
        const Vec<3> before = three(seen_.sleepers, k), place = bodies.position[body];
        set_three(seen_.sleepers, k, place);
        add_support(now, k, body, clock.dt);
        for (std::size_t p = 0; p < subject_.parts.size(); ++p) {
            const Part& part = subject_.parts[p];
            const bool has_begun = clock.time() > part.time.from + 0.5 * clock.dt;
            const bool is_last =
                p + 1 == subject_.parts.size() || clock.time() < subject_.parts[p + 1].time.from + 0.5 * clock.dt;
            if (!has_begun || !is_last || !names(p, k)) continue;
            Sinking& sinking = seen_.sinkings[pair_of(p, k)];
            if (!sinking.has_begun) sinking = {before.z() - half, before.z() - half, 0, true};
            sinking.after = place.z() - half;
            if (clock.time() > part.time.until + 0.5 * clock.dt) continue;
            sinking.lowest = std::min(sinking.lowest, sinking.after);
            if (part.type != "tamping") {
                follow_push(p, k, load_on(now, body), place - before, clock.dt);
            }
        }
    }
    seen_.support_time += clock.dt;
    if (seen_.support_time < support_over - 0.5 * clock.dt) return;
    for (std::size_t k = 0; k < subject_.sleepers.size(); ++k) {
        Support& sum = seen_.support_sums[k];
        for (double* force : {&sum.below, &sum.left, &sum.sides}) *force /= seen_.support_time;
        for (double& force : sum.strips) force /= seen_.support_time;
        sum.was_free = is_free(k, clock);
        if (sum.was_free || !seen_.support[k].was_free) seen_.support[k] = sum;
        const std::size_t strips = sum.strips.size();
        sum = {};
        sum.strips.assign(strips, 0);
    }
    seen_.support_time = 0;
}

void TrackResult::follow_push(std::size_t part, std::size_t sleeper, const Vec<3>& load, const Vec<3>& moved, double dt)
{
    ForceCurve& curve = seen_.curves[pair_of(part, sleeper)];
    const OperationTime& time = subject_.parts[part].time;
    const bool is_push = subject_.parts[part].type == "lateral_push";
    curve.now += is_push ? moved.x() : -moved.z();
    curve.way_sum += dt * curve.now;
    curve.force_sum += dt * (is_push ? -load.x() : load.z());
    curve.time += dt;
    if (curve.time < (time.until - time.from) / pieces_of_curve - 0.5 * dt) return;
    curve.way.push_back(curve.way_sum / curve.time);
    curve.force.push_back(curve.force_sum / curve.time);
    curve.way_sum = curve.force_sum = curve.time = 0;
}

// From below: at the height of the underside, with a normal that points up.
void TrackResult::add_support(const Snapshot<3>& now, std::size_t sleeper, std::size_t body, double dt)
{
    Support& sum = seen_.support_sums[sleeper];
    const Vec<3>& centre = now.sample.bodies.position[body];
    const Vec<3> half = 0.5 * subject_.track.sleeper_size;
    for (const auto& side : now.contacts_of_bodies().of(body)) {
        const Vec<3>& point = now.contacts.point[side.contact];
        const double force = dt * side.sign * now.force(side.contact).z();
        if (point.z() > centre.z() - half.z() + underside || side.sign * now.contacts.normal[side.contact].z() < 0.5) {
            sum.sides += force;
            continue;
        }
        sum.below += force;
        if (point.y() < centre.y()) sum.left += force;
        const double along = (point.x() - centre.x() + half.x()) / (2 * half.x()) * double(sum.strips.size());
        sum.strips[std::size_t(std::clamp(along, 0.0, double(sum.strips.size() - 1)))] += force;
    }
}

std::vector<std::uint64_t> TrackResult::save() const
{
    Seen seen = seen_;
    WordsOut out;
    pass(out, seen);
    return std::move(out.words);
}

bool TrackResult::restore(std::span<const std::uint64_t> words)
{
    Seen seen = seen_;
    WordsIn in{words};
    pass(in, seen);
    const auto has_size_of = [&](auto member) {
        return std::invoke(member, seen).size() == std::invoke(member, seen_).size();
    };
    const bool is_sound = in.is_whole && in.words.empty() && has_size_of(&Seen::lifts) &&
                          has_size_of(&Seen::sinkings) && has_size_of(&Seen::curves) && has_size_of(&Seen::support) &&
                          has_size_of(&Seen::tools) && has_size_of(&Seen::sleepers) &&
                          has_size_of(&Seen::support_sums) && !seen.stages.empty();
    if (is_sound) seen_ = std::move(seen);
    return is_sound;
}

std::unique_ptr<Meter<3>> make_track_result(const scene::Value& scene,
                                            std::span<const std::unique_ptr<Driver<3>>> drivers,
                                            std::span<const Gauge<3>> gauges, const BodyTable<3>& bodies,
                                            const BodyFinder& find)
{
    const std::optional<Track> track = read_track(scene);
    const scene::Value::List& operations = scene.at("operations").list();
    if (!track || track->sleepers.empty() || operations.empty()) return nullptr;
    TrackResult::Subject subject;
    subject.track = *track;
    subject.end = scene.at("scene").at("duration").number();
    const std::vector<OperationTime> times = operation_times(scene);
    std::size_t next = 0;
    for (const auto& driver : drivers) {
        const auto* operation = dynamic_cast<const Operation*>(driver.get());
        if (!operation || next == operations.size()) continue;
        const scene::Value* frequency = operations[next].find("frequency");
        subject.parts.push_back(
            {operations[next].at("type").text(), times[next], operation, frequency ? frequency->number() : 0});
        ++next;
    }
    for (const Gauge<3>& gauge : gauges) {
        if (gauge.region() && !gauge.is_of_body() && gauge.body() == BodyId::none) {
            subject.places.push_back({gauge.name(), *gauge.region()});
        }
    }
    for (const Sleeper& sleeper : track->sleepers) subject.sleepers.push_back(find(sleeper.name));
    const std::size_t tools = track->has_tools() ? track->tool_places(0).size() : 0;
    for (std::size_t k = 0; k < tools; ++k) {
        const BodyId tool = find(tool_name(k));
        if (tool != BodyId::none) subject.tools.push_back(tool);
    }
    constexpr double gravity = 9.81; // [m/s²]
    const auto first = std::size_t(bodies.find(subject.sleepers.front()));
    subject.weight = gravity * bodies.mass[first];
    return std::make_unique<TrackResult>(std::move(subject));
}

} // namespace talus
