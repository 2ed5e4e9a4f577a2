#include "talus/events/hard_balls.hpp"

#include "talus/base/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace talus {

namespace {

constexpr double sort_after = 8;                          // impacts per ball
constexpr std::int64_t most_at_once = 1000;               // impacts of one ball in an instant each
constexpr std::size_t large = 20000;                      // balls that no cache near the core holds
constexpr std::size_t fewest_ahead = 24, most_ahead = 48; // events whose data are fetched together
constexpr double cell_slack = 1e-9;                       // by rounding a ball may be a little outside its cell
constexpr double balls_per_cell = 0.6;

} // namespace

template <int D>
void HardBalls<D>::clear()
{
    balls_.clear();
    bodies_.clear();
    plans_.clear();
    cells_.clear();
}

template <int D>
void HardBalls<D>::add(const Flight<D>& flight, const BallBody<D>& body)
{
    balls_.push_back(flight);
    bodies_.push_back(body);
}

// Cells hold less than a ball: larger ones are crossed less often, smaller ones have fewer neighbours to look at.
template <int D>
void HardBalls<D>::begin(double now, const Vec<D>& gravity)
{
    now_ = now;
    gravity_ = gravity;
    given_.clear();
    for (const Wall<D>& wall : walls) given_.push_back({wall.body, Vec<D>::Zero()});
    fixed_.clear();
    for (const BallBody<D>& body : bodies_) {
        if (body.inverse_mass > 0) continue;
        fixed_.emplace_back(body.body, given_.size());
        given_.push_back({body.body, Vec<D>::Zero()});
    }
    std::ranges::sort(fixed_);
    falls_on_fixed_ = !fixed_.empty() && !gravity.isZero(0);
    double largest = 0;
    Vec<D> low = Vec<D>::Constant(never), high = Vec<D>::Constant(-never);
    for (std::size_t p = 0; p < size(); ++p) {
        const Vec<D> at = place(p, now);
        low = low.cwiseMin(at);
        high = high.cwiseMax(at);
        largest = std::max(largest, balls_[p].radius);
    }
    if (balls_.empty()) low = high = Vec<D>::Zero();
    const Vec<D> extent = (high - low).array() + 2 * largest;
    const double room = std::pow(balls_per_cell * extent.prod() / std::max(1.0, double(size())), 1.0 / D);
    grid_.reset(std::max({2 * largest * (1 + cell_slack), room, 1e-300}), extent, size());
    sort_in_space();
}

// Balls that are near in space are near in memory. What happens does not depend on their order.
template <int D>
void HardBalls<D>::sort_in_space()
{
    impacts_since_sort_ = 0;
    ahead_until_ = now_;
    std::vector<std::pair<std::uint64_t, std::int32_t>> order(size());
    for (std::size_t p = 0; p < size(); ++p) {
        order[p] = {grid_.order_key(grid_.cell_at(place(p, now_))), std::int32_t(p)};
    }
    std::ranges::sort(order);
    std::vector<Flight<D>> balls(size());
    std::vector<BallBody<D>> bodies(size());
    for (std::size_t p = 0; p < size(); ++p) {
        balls[p] = balls_[std::size_t(order[p].second)];
        bodies[p] = bodies_[std::size_t(order[p].second)];
    }
    balls_ = std::move(balls);
    bodies_ = std::move(bodies);
    fill_cells();
}

template <int D>
void HardBalls<D>::fill_cells()
{
    grid_.empty();
    cells_.resize(size());
    plans_.assign(size(), {});
    for (std::size_t p = 0; p < size(); ++p) {
        cells_[p] = grid_.cell_at(place(p, now_));
        grid_.insert(balls_, std::int32_t(p), cells_[p]);
    }
    std::vector<double> times(size());
    std::vector<std::int32_t> ranks(size());
    for (std::size_t p = 0; p < size(); ++p) {
        if (!is_fixed(p)) {
            plan_contacts(p);
            plan_crossing(p, now_);
        }
        times[p] = plans_[p].next();
        ranks[p] = bodies_[p].body;
    }
    queue_.assign(times, ranks);
}

template <int D>
void HardBalls<D>::advance(double until, EnergyLedger& energy)
{
    for (Given& given : given_) given.impulse.setZero();
    if (impacts_since_sort_ > sort_after * double(size())) sort_in_space();
    const double allowed = tally.impacts + tally.wall_impacts + options.most_impacts * double(size());
    while (queue_.first_time() < until) {
        if (size() >= large && queue_.first_time() >= ahead_until_) look_ahead();
        const std::size_t p = std::size_t(queue_.first());
        const Plan& plan = plans_[p];
        plan.contact <= plan.crossing ? meet(p, energy) : leave_cell(p);
        if (tally.impacts + tally.wall_impacts > allowed) {
            throw RunError(fmt::format("more than {:g} impacts per body between t = {:.6g} s and {:.6g} s: bodies stay "
                                       "together, which event-driven dynamics cannot follow; contact dynamics can, "
                                       "event.tc ends cascades of impacts, event.most_impacts allows more",
                                       options.most_impacts, now_, until));
        }
    }
    now_ = until;
}

// Memory answers many questions at once sooner than one after another: what the next events will read is asked for
// together. It changes nothing else.
template <int D>
void HardBalls<D>::look_ahead()
{
    const double first = queue_.first_time();
    if (!(ahead_ > 0)) ahead_ = 1e-12;
    ahead_until_ = first + ahead_;
    queue_.collect(ahead_until_, ahead_balls_);
    if (ahead_balls_.size() < fewest_ahead) ahead_ *= 1.5;
    if (ahead_balls_.size() > most_ahead) ahead_ *= 0.7;
    for (const std::int32_t p : ahead_balls_) {
        __builtin_prefetch(&plans_[std::size_t(p)]);
        __builtin_prefetch(&cells_[std::size_t(p)]);
        __builtin_prefetch(&balls_[std::size_t(p)]);
        __builtin_prefetch(&bodies_[std::size_t(p)]);
    }
    const auto where = [&](std::int32_t p) { // around the cell that it is in, or goes to
        typename FlightCells<D>::Cell cell = cells_[std::size_t(p)];
        const Plan& plan = plans_[std::size_t(p)];
        if (plan.crossing < plan.contact) cell[std::size_t(plan.axis)] += plan.side;
        return cell;
    };
    for (const std::int32_t p : ahead_balls_) {
        grid_.prefetch_lists(where(p));
        const std::int32_t partner = plans_[std::size_t(p)].partner;
        if (partner < 0) continue;
        __builtin_prefetch(&plans_[std::size_t(partner)]);
        __builtin_prefetch(&bodies_[std::size_t(partner)]);
    }
    for (const std::int32_t p : ahead_balls_) grid_.prefetch_near(balls_, where(p));
}

// When two flying balls touch. Gravity pulls both alike: their relative motion is straight, |x + v τ| = R₁ + R₂.
template <int D>
double HardBalls<D>::meeting(std::size_t p, std::size_t q, double limit) const
{
    const Flight<D>&a = balls_[p], &b = balls_[q];
    const double begin = std::max(a.time, b.time), apart = a.radius + b.radius;
    if (falls_on_fixed_ && is_fixed(q)) {
        return next_contact_with_fixed(a, gravity_, b.place, apart, a.time, limit);
    }
    const Vec<D> x = place_at(a, gravity_, begin) - place_at(b, gravity_, begin);
    const Vec<D> v = velocity_at(a, gravity_, begin) - velocity_at(b, gravity_, begin);
    const double closing = -x.dot(v);
    const double gap = x.squaredNorm() - apart * apart;
    const double inside = closing * closing - v.squaredNorm() * gap;
    if (!((closing > 0) & (inside >= 0))) return never; // one branch: half of all pairs part, and most others pass by
    return gap > 0 ? begin + gap / (closing + std::sqrt(inside)) : begin;
}

template <int D>
void HardBalls<D>::look_at(std::size_t p, std::size_t q)
{
    if (p == q) return;
    Plan& plan = plans_[p];
    const double time = meeting(p, q, plan.contact);
    // at the same time: the lower body, whatever the order of the balls
    const bool is_first = time < plan.contact || (time == plan.contact && time < never && plan.partner >= 0 &&
                                                  bodies_[q].body < bodies_[std::size_t(plan.partner)].body);
    if (!is_first) return;
    plan.contact = time;
    plan.partner = std::int32_t(q);
    plan.partner_impacts = balls_[q].impacts;
}

template <int D>
void HardBalls<D>::plan_contacts(std::size_t p)
{
    Plan& plan = plans_[p];
    plan.contact = never;
    plan.partner = nobody;
    for (std::size_t w = 0; w < walls.size(); ++w) {
        const WallEvent found = next_contact(walls[w], balls_[p], gravity_, plan.contact);
        if (!(found.time < plan.contact)) continue;
        plan.contact = found.time;
        plan.partner = found.is_look ? std::int32_t(look) : first_wall - std::int32_t(w);
    }
    grid_.visit_near(balls_, cells_[p], 0, 0, [&](std::int32_t q) { look_at(p, std::size_t(q)); });
}

// When the ball leaves its cell, and through which face: the one time at which it goes out through each.
template <int D>
void HardBalls<D>::plan_crossing(std::size_t p, double now)
{
    const Flight<D>& ball = balls_[p];
    Plan& plan = plans_[p];
    plan.crossing = never;
    for (int axis = 0; axis < D; ++axis) {
        const double a = gravity_[axis], flown = now - ball.time, v = ball.velocity[axis] + flown * a;
        const double x = ball.place[axis] + flown * (ball.velocity[axis] + 0.5 * flown * a);
        const double low = cells_[p][axis] * grid_.size(), high = (cells_[p][axis] + 1) * grid_.size();
        for (const int side : {-1, 1}) {
            // towards the face: u the speed, b the acceleration, h the way left, never negative but for rounding
            const double u = side * v, b = side * a, h = std::max(0.0, side > 0 ? high - x : x - low);
            double time = never;
            if (b == 0) {
                if (u > 0) time = h / u;
            } else {
                const double inside = u * u + 2 * b * h;
                if (b > 0 || (u > 0 && inside >= 0)) {
                    const double root = std::sqrt(inside);
                    time = u > 0 ? 2 * h / (root + u) : (root - u) / b;
                }
            }
            if (now + time < plan.crossing) {
                plan.crossing = now + time;
                plan.axis = std::int16_t(axis);
                plan.side = std::int16_t(side);
            }
        }
    }
}

template <int D>
void HardBalls<D>::schedule(std::size_t p, double now)
{
    if (is_fixed(p)) return;
    plan_contacts(p);
    plan_crossing(p, now);
    queue_.move(std::int32_t(p), plans_[p].next());
}

template <int D>
void HardBalls<D>::leave_cell(std::size_t p)
{
    Plan& plan = plans_[p];
    const double now = plan.crossing;
    const std::int32_t axis = plan.axis, side = plan.side;
    grid_.remove(balls_, std::int32_t(p));
    cells_[p][axis] += side;
    grid_.insert(balls_, std::int32_t(p), cells_[p]);
    grid_.visit_near(balls_, cells_[p], axis, side, [&](std::int32_t q) { look_at(p, std::size_t(q)); });
    plan_crossing(p, now);
    queue_.move(std::int32_t(p), plan.next());
}

template <int D>
void HardBalls<D>::meet(std::size_t p, EnergyLedger& energy)
{
    const Plan event = plans_[p];
    if (event.partner == look) {
        fly(p, event.contact);
        ++balls_[p].impacts;
        schedule(p, event.contact);
        return;
    }
    if (event.partner <= first_wall) {
        hit_wall(p, std::size_t(first_wall - event.partner), event.contact, energy);
        schedule(p, event.contact);
        return;
    }
    const std::size_t q = std::size_t(event.partner);
    if (balls_[q].impacts != event.partner_impacts) { // void: it has been elsewhere since
        plan_contacts(p);
        queue_.move(std::int32_t(p), plans_[p].next());
        return;
    }
    hit_ball(p, q, event.contact, energy);
    schedule(p, event.contact);
    schedule(q, event.contact);
}

// A new record of the flight begins here.
template <int D>
void HardBalls<D>::fly(std::size_t p, double time)
{
    Flight<D>& ball = balls_[p];
    ball.place = place_at(ball, gravity_, time);
    ball.velocity = velocity_at(ball, gravity_, time);
    ball.time = time;
}

template <int D>
const Rotation<D>& HardBalls<D>::turn(std::size_t p, double time)
{
    BallBody<D>& body = bodies_[p];
    if (time > body.turned && !body.spin.isZero(0)) {
        body.orientation = body.orientation.turned(Ang<D>((time - body.turned) * body.spin));
    }
    body.turned = time;
    return body.orientation;
}

template <int D>
void HardBalls<D>::push(std::size_t p, const Vec<D>& impulse)
{
    balls_[p].velocity += bodies_[p].inverse_mass * impulse;
}

template <int D>
void HardBalls<D>::twist(std::size_t p, const Vec<D>& lever, const Vec<D>& impulse)
{
    if (bodies_[p].turning == 0) return;
    turn(p, balls_[p].time);
    bodies_[p].spin += bodies_[p].turning * moment(lever, impulse);
}

template <int D>
bool HardBalls<D>::is_within_contact_time(std::size_t p, double time) const
{
    return options.contact_time > 0 && time - bodies_[p].last < options.contact_time;
}

template <int D>
void HardBalls<D>::hit_ball(std::size_t p, std::size_t q, double time, EnergyLedger& energy)
{
    fly(p, time);
    if (!is_fixed(q)) fly(q, time);
    const Vec<D> apart = balls_[p].place - balls_[q].place;
    const Vec<D> normal = apart.normalized();
    const Vec<D> lever_p = -balls_[p].radius * normal, lever_q = balls_[q].radius * normal;
    const ContactLaw& law = materials.law(bodies_[p].material, bodies_[q].material);
    const bool is_elastic = is_within_contact_time(p, time) || is_within_contact_time(q, time);
    ImpactCompliance compliance{bodies_[p].inverse_mass + bodies_[q].inverse_mass, 0};
    Vec<D> relative = balls_[p].velocity - balls_[q].velocity;
    const bool turns = law.friction > 0;
    if (turns) {
        relative += cross(bodies_[p].spin, lever_p) - cross(bodies_[q].spin, lever_q);
        compliance.tangential = compliance.normal + (lever_p.squaredNorm() * bodies_[p].turning +
                                                     lever_q.squaredNorm() * bodies_[q].turning);
    }
    const Impulse<D> impulse = impulse_of<D>(law, normal, relative, compliance, is_elastic);
    push(p, impulse.given);
    is_fixed(q) ? void(given_to_fixed(bodies_[q].body) -= impulse.given) : push(q, Vec<D>(-impulse.given));
    if (turns) {
        twist(p, lever_p, impulse.given);
        twist(q, lever_q, Vec<D>(-impulse.given));
    }
    energy.impact += impulse.impact;
    energy.friction += impulse.friction;
    tally.virial += impulse.normal * (balls_[p].radius + balls_[q].radius);
    tally.elastic += is_elastic;
    ++tally.impacts;
    ++impacts_since_sort_;
    ++balls_[p].impacts;
    if (!is_fixed(q)) {
        ++balls_[q].impacts;
        watch(q, time, std::int32_t(p));
    }
    watch(p, time, std::int32_t(q));
    if (on_impact) on_impact({time, bodies_[p].body, bodies_[q].body, false, balls_[p].place, apart, impulse.given});
}

template <int D>
void HardBalls<D>::hit_wall(std::size_t p, std::size_t w, double time, EnergyLedger& energy)
{
    fly(p, time);
    const Wall<D>& wall = walls[w];
    const Vec<D> normal = wall.normal_at(balls_[p].place, time), moved = wall.motion.velocity(time);
    const Vec<D> lever = -balls_[p].radius * normal;
    const ContactLaw& law = materials.law(bodies_[p].material, wall.material);
    const bool is_elastic = is_within_contact_time(p, time);
    ImpactCompliance compliance{bodies_[p].inverse_mass, 0};
    Vec<D> relative = balls_[p].velocity - moved;
    const bool turns = law.friction > 0;
    if (turns) {
        relative += cross(bodies_[p].spin, lever);
        compliance.tangential = compliance.normal + lever.squaredNorm() * bodies_[p].turning;
    }
    const Impulse<D> impulse = impulse_of<D>(law, normal, relative, compliance, is_elastic);
    push(p, impulse.given);
    if (turns) twist(p, lever, impulse.given);
    given_[w].impulse -= impulse.given;
    energy.impact += impulse.impact;
    energy.friction += impulse.friction;
    energy.driver_work += impulse.given.dot(moved);
    tally.elastic += is_elastic;
    ++tally.wall_impacts;
    ++impacts_since_sort_;
    ++balls_[p].impacts;
    watch(p, time, first_wall - std::int32_t(w));
    if (on_impact) on_impact({time, bodies_[p].body, wall.body, true, balls_[p].place, normal, impulse.given});
}

template <int D>
Vec<D>& HardBalls<D>::given_to_fixed(std::int32_t body)
{
    const auto found = std::ranges::lower_bound(fixed_, body, {}, &std::pair<std::int32_t, std::size_t>::first);
    return given_[found->second].impulse;
}

// Inelastic collapse: ever more impacts in ever less time.
template <int D>
void HardBalls<D>::watch(std::size_t p, double time, std::int32_t partner)
{
    BallBody<D>& body = bodies_[p];
    body.streak = time - body.last <= options.instant ? body.streak + 1 : 0;
    body.last = time;
    if (body.streak <= most_at_once) return;
    const std::string other =
        partner >= 0 ? name(bodies_[std::size_t(partner)].body) : name(walls[std::size_t(first_wall - partner)].body);
    throw RunError(
        fmt::format("inelastic collapse at t = {:.9g} s: {} and {} meet again and again in no time, {} "
                    "impacts within {:.3g} s of each other; event.tc ends such cascades (impacts sooner after "
                    "the last one than that lose nothing), and contact dynamics holds bodies that stay "
                    "together",
                    time, name(body.body), other, body.streak, options.instant));
}

template class HardBalls<2>;
template class HardBalls<3>;

} // namespace talus
