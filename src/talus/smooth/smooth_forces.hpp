// Forces of smooth contact on all bodies: who is near whom, histories, and the accelerations that an integrator asks
// for.
#pragma once

#include "talus/contacts/near_pairs.hpp"
#include "talus/exec/grouping.hpp"
#include "talus/integrators/integrator.hpp"
#include "talus/smooth/ball_pairs.hpp"
#include "talus/smooth/shape_pairs.hpp"
#include "talus/smooth/smooth_rows.hpp"
#include "talus/smooth/wall_contacts.hpp"

#include <optional>

namespace talus {

template <int D>
class SmoothForces {
  public:
    SmoothLaws laws;
    std::optional<double> skin; // [m] given; else chosen from the motion
    bool lever_is_radius = false;
    bool by_volume = false;                // as in ShapePairs
    std::unique_ptr<Detector<D>> detector; // for the lists

    PackedBodies<D> pack;

    // Bodies, and the history that the contacts hold. `order` as in PackedBodies::pack.
    void take(const BodyTable<D>& bodies, const ShapeTable<D>& shapes, const ContactTable<D>& contacts,
              std::span<const std::int32_t> order);
    // Accelerations where bodies are now, `time` [s] after the step of length `dt` began.
    void find(BodyTable<D>& bodies, const ShapeTable<D>& shapes, double dt, double time, bool keeps_history,
              const Accelerations::Then& then = {});
    // Contacts as they were found last, into the table, and the reactions of the bodies.
    void publish(BodyTable<D>& bodies, ContactTable<D>& contacts, double dt)
    {
        rows_.publish(pack, laws, dt, bodies, contacts);
    }
    void record_next() { records_ = true; } // the next find() keeps what publish() writes

    const ContactEnergy& energy() const { return energy_; } // of the last find()
    double load_work = 0, guided_work = 0;                  // [J] power of loads and of imposed motions × time, so far
    bool has_loads = false;                                 // other than those with a potential: their work is counted
    LaneColumn field, field_torque;                         // [N], [N m] the part of the loads that has a potential
    std::size_t listed() const;
    int lists_made() const { return lists_made_; }

  private:
    void make_lists(BodyTable<D>& bodies, const ShapeTable<D>& shapes, double dt);
    double choose_skin(double dt) const;
    void take_history(const ContactTable<D>& contacts, std::span<const std::size_t> rows,
                      std::vector<BallPairs>& parts);
    template <class Add>
    void relist(BallPairs& list, const std::vector<Pair>& pairs, Add&& add);
    bool lists_are_stale(const BodyTable<D>& bodies, const ShapeTable<D>& shapes, double dt);
    double moved_since_lists() const;
    struct Found { // in a part
        ContactEnergy energy;
        double fastest = 0, strongest = 0; // squares
        double loads = 0, guided = 0;      // [J]
    };
    void take_mail(std::size_t part);
    void finish_part(std::size_t part, const BodyTable<D>& bodies, double time, bool keeps_history, Found& found);
    double turn_power(const BodyTable<D>& bodies, std::size_t place) const;
    void count_work(const BodyTable<D>& bodies, std::size_t begin, std::size_t end, double time, double& loads,
                    double& guided) const;

    // of each part: pairs of two balls, and of a ball and a wall
    std::vector<BallPairs> parts_, on_walls_;
    struct Sender {
        std::uint32_t part, bundle;
    };
    std::vector<std::vector<Sender>> senders_; // to each part, by part
    Walls<D> walls_;
    ShapePairs<D> shapes_; // all others
    NearPairs<D> near_;
    ConvexBodies<D> convex_;
    std::vector<Pair> pairs_;
    Grouped groups_;       // of these pairs
    LaneColumn listed_at_; // places when the lists were made
    double skin_ = -1;     // [m] of the lists; < 0: there are none
    double moved_ = 0;     // [m] at most since then
    double fastest_ = 0;   // [m/s] of what moves, at the last find()
    double strongest_ = 0; // [m/s²]
    int lists_made_ = 0;
    bool records_ = false;
    SmoothRows<D> rows_;
    ContactEnergy energy_;
};

} // namespace talus
