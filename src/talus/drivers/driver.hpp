// What the experimenter imposes: loads and motions. An engine asks for them before and during each step.
#pragma once

#include "talus/base/error.hpp"
#include "talus/bodies/body_list.hpp"
#include "talus/detection/detector.hpp"
#include "talus/shapes/shape_table.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace talus {

struct Clock {
    double dt = 0;         // [s]
    std::int64_t step = 0; // steps done
    double time() const { return double(step) * dt; }
};

// Part of a step, or the moment where `length` is 0: when an integrator asks for loads.
struct TimeSpan {
    double begin = 0, length = 0; // [s]
    double middle() const { return begin + 0.5 * length; }
};
inline TimeSpan next_step(const Clock& clock) { return {clock.time(), clock.dt}; }

template <int D>
class Driver {
  public:
    virtual ~Driver() = default;
    // Once before each step: writes the velocity of imposed degrees of freedom, the mean over the step from
    // clock.time() to clock.time() + clock.dt, or adds a load to the bodies' force and torque that holds for the whole
    // of it.
    virtual void apply(BodyTable<D>&, ShapeTable<D>&, const Clock&) {}
    // Adds its load to the bodies as they are now: the mean over `during`. An integrator may ask several times in a
    // step.
    virtual void load(BodyTable<D>&, const TimeSpan& /*during*/) {}
    // How far it sees [m]. Where this is not 0, see() shows it before each step's first load() all pairs of bodies
    // whose surfaces are nearer than that, and some more: pairs of bounding balls, of a ball and a wall, sorted.
    virtual double sight() const { return 0; }
    virtual void see(const BodyTable<D>&, const ShapeTable<D>&, std::span<const Pair>) {}
    // Flags bodies that leave the run before this step. Of those that are fixed only the doors of a crowd do.
    virtual void let_go(const BodyTable<D>&, const Clock&, std::vector<std::uint8_t>& /*leaves*/) {}
    // The bodies it acts on by name; it looks for them again when bodies have left.
    virtual std::span<const BodyId> acts_on() const { return {}; }
    virtual void find_bodies(const BodyTable<D>&) {}
    // Zeroes the velocities it imposes, before all drivers are applied: motions imposed on one body add up.
    virtual void release(BodyTable<D>&) {}
    // Where its force derives from a potential at all times: the potential energy of body i [J], and the force [N].
    virtual double potential(const BodyTable<D>&, std::size_t) const { return 0; }
    virtual Vec<D> field(const BodyTable<D>&, std::size_t) const { return Vec<D>::Zero(); }
    virtual Ang<D> field_torque(const BodyTable<D>&, std::size_t) const { return Ang<D>::Zero(); } // [N m]
    // Bodies act on each other from afar: a method of steps asks for the load in the middle of a step, where it does
    // not make energy; its potential energy is energy(), field() and field_torque() are those of the last load.
    virtual bool is_mutual() const { return false; }
    // Potential energy [J] of the first `count` bodies in each other's field, each pair once, also of those that
    // nothing can move.
    virtual double energy(const BodyTable<D>&, std::size_t /*count*/) { return 0; }
    // Looks at the bodies that are there when a run is made ready, and tells what it cannot do with them.
    virtual std::vector<Mistake> examine(const BodyTable<D>&, const ShapeTable<D>&) { return {}; }
    // What it imposes and loads is the same throughout a step of the clock, wherever bodies go: a method that divides
    // the step need not ask again. Else motions are imposed and loads asked for in each part of it.
    virtual bool holds_for_step() const { return false; }
    // Highest frequency it contains [Hz], and highest speed it imposes [m/s], for the advice on the time step.
    virtual double frequency() const { return 0; }
    virtual double top_speed() const { return 0; }
    // What a checkpoint must carry.
    virtual std::vector<std::uint64_t> save() const { return {}; }
    virtual void restore(std::span<const std::uint64_t>) {}
};

} // namespace talus
