#include "talus/crowd/crowd_measures.hpp"

#include "talus/crowd/seen_area.hpp"
#include "talus/crowd/voronoi.hpp"
#include "talus/exec/parallel.hpp"
#include "talus/sampling/vectors.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>

namespace talus {

namespace {

constexpr double longest_move = 1; // [m] in a step; somebody who goes farther was put there, and crosses nothing

std::vector<NamedLine> named_lines(const scene::Value& section)
{
    std::vector<NamedLine> lines;
    for (const scene::Value& entry : section.list()) {
        const scene::Value* reach = entry.find("reach");
        lines.push_back({entry.at("name").text(), vector_of<2>(entry.at("from")), vector_of<2>(entry.at("to")),
                         reach ? reach->number() : 0});
    }
    return lines;
}

// Steps in a tenth of the window, and how many of these tenths there are: with long steps fewer.
struct ForceWindow {
    std::int64_t steps, parts;
    explicit ForceWindow(double dt)
    {
        const auto whole = std::max<std::int64_t>(1, std::llround(force_window_time / dt));
        parts = std::min<std::int64_t>(force_window_parts, whole);
        steps = std::max<std::int64_t>(1, whole / parts);
    }
};

} // namespace

CrowdMeasures::CrowdMeasures(std::vector<NamedLine> exits, std::vector<NamedLine> lines, double crush_pressure)
    : exits_(std::move(exits)), lines_(std::move(lines)), crush_pressure_(crush_pressure), crossings_(lines_.size())
{
}

// Somebody who may be there for the first time, at the beginning of a step.
PersonRecord& CrowdMeasures::meet(const Snapshot<2>& now, std::size_t i, double time)
{
    const auto& [bodies, shapes] = now.sample;
    PersonRecord& person = persons_[std::size_t(bodies.id(i))];
    if (!person.is_person() && is_person(bodies, shapes, i)) {
        person.came = time;
        person.place = bodies.position[i];
    }
    return person;
}

void CrowdMeasures::begin(const Snapshot<2>& start)
{
    const BodyTable<2>& bodies = start.sample.bodies;
    persons_.resize(std::max(persons_.size(), std::size_t(bodies.come())));
    parallel_for(bodies.size(), [&](std::size_t i) { meet(start, i, 0); });
}

void CrowdMeasures::watch(const Snapshot<2>& now, const Clock& clock)
{
    const double start = Clock{clock.dt, clock.step - 1}.time();
    time_ = clock.time();
    const BodyTable<2>& bodies = now.sample.bodies;
    persons_.resize(std::max(persons_.size(), std::size_t(bodies.come())));
    part(now, start);
    for (std::size_t i = 0; i < bodies.size() && !lines_.empty(); ++i) add_crossings(now, i, time_);
    update(now, clock, start);
}

// Those who were there and are no more left when the step began, from where they were.
void CrowdMeasures::part(const Snapshot<2>& now, double time)
{
    const BodyTable<2>& bodies = now.sample.bodies;
    if (bodies.number.empty()) return; // nobody has ever left
    is_here_.assign(persons_.size(), 0);
    parallel_for(bodies.size(), [&](std::size_t i) { is_here_[std::size_t(bodies.number[i])] = 1; });
    parallel_for(persons_.size(), [&](std::size_t k) {
        if (is_here_[k] || !persons_[k].is_inside()) return;
        persons_[k].left = time;
        persons_[k].exit = exit_at(persons_[k].place);
    });
}

double CrowdMeasures::exit_at(const Vec<2>& place) const
{
    double found = -1, least = std::numeric_limits<double>::infinity();
    for (std::size_t e = 0; e < exits_.size(); ++e) {
        const double distance = distance_to(OutlineLine{exits_[e].from - place, exits_[e].to - place});
        if (distance > exits_[e].reach * (1 + 1e-9) || distance >= least) continue;
        least = distance;
        found = double(e);
    }
    return found;
}

// Σ|impulse|/h on each person, and its mean over the last 0.1 s, which moves on by a tenth of that.
void CrowdMeasures::update(const Snapshot<2>& now, const Clock& clock, double start)
{
    const BodyTable<2>& bodies = now.sample.bodies;
    const ShapeTable<2>& shapes = now.sample.shapes;
    const ContactsOfBodies& sides = now.contacts_of_bodies();
    const ForceWindow window(clock.dt);
    const std::int64_t part_number = (clock.step - 1) / window.steps;
    const auto slot = std::size_t(part_number % window.parts);
    const bool begins = (clock.step - 1) % window.steps == 0, ends = clock.step % window.steps == 0;
    const double length = double(window.parts * window.steps) * clock.dt;
    const auto add = [&](std::size_t i) {
        PersonRecord& person = meet(now, i, start);
        if (!person.is_person()) return 0.0;
        person.place = bodies.position[i];
        double force = 0; // [N]
        for (const auto& side : sides.of(i)) {
            if (!now.contacts.impulse[side.contact].isZero(0)) force += now.force(side.contact).norm();
        }
        if (begins) person.window[slot] = 0;
        person.window[slot] += force * clock.dt;
        if (force > 0) person.contact_time += clock.dt;
        if (!ends) return 0.0;
        double mean = 0; // [N]
        for (std::size_t p = 0; p < std::size_t(window.parts); ++p) mean += person.window[p];
        mean /= length;
        if (mean > person.largest_force) {
            person.largest_force = mean;
            person.largest_at = clock.time();
        }
        const double circumference = 2 * std::numbers::pi * shapes[bodies.shape[i]].radius;
        if (mean > crush_pressure_ * circumference && !person.is_crushed()) person.crushed_at = clock.time();
        return mean;
    };
    const double largest = parallel_reduce(bodies.size(), 0.0, add, [](double a, double b) { return std::max(a, b); });
    if (ends) force_now_ = largest;
}

// A line is crossed where a person is on its other side than before, between its ends.
void CrowdMeasures::add_crossings(const Snapshot<2>& now, std::size_t i, double time)
{
    const auto number = std::int32_t(now.sample.bodies.id(i));
    const PersonRecord& person = persons_[std::size_t(number)];
    if (!person.is_person()) return;
    const Vec<2>& to = now.sample.bodies.position[i];
    const Vec<2> move = to - person.place;
    if (move.squaredNorm() > longest_move * longest_move) return;
    for (std::size_t line = 0; line < lines_.size(); ++line) {
        const Vec<2> along = lines_[line].to - lines_[line].from;
        const auto left_of = [&](const Vec<2>& point) { return moment(along, point - lines_[line].from)[0]; };
        const double before = left_of(person.place), after = left_of(to);
        if ((before < 0) == (after < 0)) continue;
        const Vec<2> point = person.place + before / (before - after) * move;
        const double where = (point - lines_[line].from).dot(along) / along.squaredNorm();
        if (where >= 0 && where <= 1) crossings_[line].push_back({time, double(number), after < 0 ? 1.0 : 0.0});
    }
}

std::vector<std::uint64_t> CrowdMeasures::save() const
{
    std::vector<std::uint64_t> words;
    const auto keep = [&](double number) { words.push_back(std::bit_cast<std::uint64_t>(number)); };
    keep(time_);
    keep(force_now_);
    words.push_back(persons_.size());
    for (const PersonRecord& person : persons_) {
        std::apply([&](const auto&... number) { (keep(number), ...); }, PersonRecord::numbers(person));
        for (const double part : person.window) keep(part);
    }
    for (const auto& line : crossings_) {
        words.push_back(line.size());
        for (const Crossing& one : line) {
            for (const double number : {one.time, one.person, one.is_ahead}) keep(number);
        }
    }
    return words;
}

bool CrowdMeasures::restore(std::span<const std::uint64_t> words)
{
    std::size_t next = 0;
    bool is_whole = true;
    const auto word = [&]() -> std::uint64_t { return next < words.size() ? words[next++] : (is_whole = false); };
    const auto number = [&] { return std::bit_cast<double>(word()); };
    const auto read_count = [&](std::size_t words_each) {
        const std::uint64_t count = word();
        if (count > (words.size() - next) / words_each) is_whole = false;
        return is_whole ? std::size_t(count) : 0;
    };
    const double time = number(), force = number();
    constexpr std::size_t words_of_person =
        std::tuple_size_v<decltype(PersonRecord::numbers(std::declval<PersonRecord&>()))> + force_window_parts;
    std::vector<PersonRecord> persons(read_count(words_of_person));
    for (PersonRecord& person : persons) {
        std::apply([&](auto&... one) { ((one = number()), ...); }, PersonRecord::numbers(person));
        for (double& part : person.window) part = number();
    }
    std::vector<std::vector<Crossing>> crossings(lines_.size());
    for (auto& line : crossings) {
        line.resize(read_count(3));
        for (Crossing& one : line) {
            one.time = number();
            one.person = number();
            one.is_ahead = number();
        }
    }
    if (!is_whole || next != words.size()) return false;
    time_ = time;
    force_now_ = force;
    persons_ = std::move(persons);
    crossings_ = std::move(crossings);
    return true;
}

std::unique_ptr<Meter<2>> make_crowd_measures(const scene::Value& scene)
{
    return std::make_unique<CrowdMeasures>(named_lines(scene.at("exits")), named_lines(scene.at("lines")),
                                           scene.at("crowd").at("crush_pressure").number());
}

} // namespace talus
