// Hard disks and spheres from event to event (MODEL §6; Alder and Wainwright 1959): free flight to the next impact, two
// bodies at a time. Each ball keeps the next event that it knows of, and its flight since its last impact; cells say
// who is near, and a ball that enters a cell looks at its new neighbours. An event whose partner has had another impact
// since is void, and the ball looks around again.
#pragma once

#include "talus/bodies/energy_ledger.hpp"
#include "talus/events/flight_cells.hpp"
#include "talus/events/impact.hpp"
#include "talus/events/wall.hpp"

#include <functional>
#include <string>

namespace talus {

struct EventOptions {
    double contact_time = 0;   // [s] t_c of the TC model (Luding and McNamara 1998); 0: none
    double most_impacts = 1e4; // per ball in one advance(); more are a pile
    double instant = 0;        // [s] impacts nearer than this count as simultaneous
};

// What a ball is beside its flight: read at impacts.
template <int D>
struct alignas(64) BallBody {
    std::int32_t body = 0, material = 0;
    double inverse_mass = 0; // [1/kg] 0: fixed
    double turning = 0;      // [1/(kg m²)] 1/I; 0: does not turn
    double last = -never;    // [s] its last impact
    std::int64_t streak = 0; // impacts in a row, each within an instant of the one before
    Ang<D> spin = Ang<D>::Zero();
    Rotation<D> orientation; // at `turned`
    double turned = 0;       // [s]
};

struct EventTally {
    double impacts = 0, wall_impacts = 0; // of two balls; with a wall
    double elastic = 0;                   // of them those made elastic by t_c
    double virial = 0;                    // [J] Σ impulse × distance of the centres, over impacts of two balls
};

// For who measures or checks.
template <int D>
struct Impact {
    double time;                // [s]
    std::int32_t first, second; // bodies; the impulse acts on the first
    bool is_wall;               // the second
    Vec<D> place, apart; // [m] of the first's centre; from the second's centre to it (ball), or the normal (wall)
    Vec<D> impulse;      // [N s]
};

template <int D>
class HardBalls {
  public:
    EventOptions options;
    MaterialTable materials;
    std::vector<Wall<D>> walls;
    EventTally tally;
    std::function<void(const Impact<D>&)> on_impact; // told of each; may be empty
    std::function<std::string(std::int32_t)> name = [](std::int32_t body) { return "body " + std::to_string(body); };

    void clear();
    void add(const Flight<D>& flight, const BallBody<D>& body);
    // All balls are there; the clock stands at `now`.
    void begin(double now, const Vec<D>& gravity);
    // All events before `until`. RunError where balls stay together: inelastic collapse, or a pile.
    void advance(double until, EnergyLedger& energy);

    std::size_t size() const { return balls_.size(); }
    double now() const { return now_; }
    const Vec<D>& gravity() const { return gravity_; }
    // in an order that changes
    const Flight<D>& ball(std::size_t p) const { return balls_[p]; }
    const BallBody<D>& body(std::size_t p) const { return bodies_[p]; }
    Vec<D> place(std::size_t p, double time) const
    {
        return is_fixed(p) ? balls_[p].place : place_at(balls_[p], gravity_, time);
    }
    Vec<D> velocity(std::size_t p, double time) const
    {
        return is_fixed(p) ? balls_[p].velocity : velocity_at(balls_[p], gravity_, time);
    }
    bool is_fixed(std::size_t p) const { return bodies_[p].inverse_mass == 0; }
    // Turned to this time, and counted on from there.
    const Rotation<D>& turn(std::size_t p, double time);
    // [N s] that walls and fixed balls were given in the last advance(), by body
    struct Given {
        std::int32_t body;
        Vec<D> impulse;
    };
    const std::vector<Given>& given() const { return given_; }

  private:
    enum Special : std::int32_t { nobody = -1, look = -2, first_wall = -3 }; // partners that are no balls
    struct alignas(32) Plan {
        double contact = never, crossing = never; // [s]
        std::int32_t partner = nobody;
        std::uint32_t partner_impacts = 0;
        std::int16_t axis = 0, side = 0; // of the cell's face that is crossed
        double next() const { return std::min(contact, crossing); }
    };

    void look_ahead();
    void sort_in_space();
    void fill_cells();
    double meeting(std::size_t p, std::size_t q, double limit) const;
    void look_at(std::size_t p, std::size_t q);
    void plan_contacts(std::size_t p);
    void plan_crossing(std::size_t p, double now);
    void schedule(std::size_t p, double now);
    void leave_cell(std::size_t p);
    void meet(std::size_t p, EnergyLedger& energy);
    void hit_ball(std::size_t p, std::size_t q, double time, EnergyLedger& energy);
    void hit_wall(std::size_t p, std::size_t wall, double time, EnergyLedger& energy);
    void fly(std::size_t p, double time);
    void push(std::size_t p, const Vec<D>& impulse);
    void twist(std::size_t p, const Vec<D>& lever, const Vec<D>& impulse);
    bool is_within_contact_time(std::size_t p, double time) const;
    void watch(std::size_t p, double time, std::int32_t partner);
    Vec<D>& given_to_fixed(std::int32_t body);

    std::vector<Flight<D>> balls_;
    std::vector<Plan> plans_;
    std::vector<BallBody<D>> bodies_;
    std::vector<typename FlightCells<D>::Cell> cells_;
    FlightCells<D> grid_;
    EventQueue queue_;
    Vec<D> gravity_ = Vec<D>::Zero(); // [m/s²]
    double now_ = 0;                  // [s]
    bool falls_on_fixed_ = false;     // there are fixed balls, and gravity
    double impacts_since_sort_ = 0;
    double ahead_until_ = 0, ahead_ = 0; // [s] data of events before that are on their way; how far that looks
    std::vector<std::int32_t> ahead_balls_;
    std::vector<Given> given_;                                // of walls, then of fixed balls
    std::vector<std::pair<std::int32_t, std::size_t>> fixed_; // body of each fixed ball and its place in given_, sorted
};

} // namespace talus
