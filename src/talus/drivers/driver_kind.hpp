// One kind of driver: its name and keys in a scene, and how it is made. Each has a file of its own and a line in
// driver_kinds().
#pragma once

#include "talus/drivers/driver.hpp"
#include "talus/scene/kinds.hpp"

#include <limits>
#include <memory>
#include <type_traits>
#include <vector>

namespace talus {

// The bodies that a driver names: by its key `body`, and by that of each of its `groups`.
struct NamedBodies {
    NamedBodies(BodyList of_driver = {}) : body(std::move(of_driver)) {}
    BodyList body;
    std::vector<BodyList> groups;
};

template <int D>
using DriverMaker = std::unique_ptr<Driver<D>> (*)(const scene::Value& driver, const NamedBodies& named);
using DriverKind = scene::NamedKind<DriverMaker>;

// Kind<D> is made from its entry of [[drivers]], and from the bodies that its `body` key stands for where it has one,
// or those of its `groups`.
template <template <int> class Kind, int D>
std::unique_ptr<Driver<D>> made_driver(const scene::Value& driver, const NamedBodies& named)
{
    if constexpr (std::is_constructible_v<Kind<D>, const scene::Value&, std::vector<BodyList>>) {
        return std::make_unique<Kind<D>>(driver, named.groups);
    } else if constexpr (std::is_constructible_v<Kind<D>, const scene::Value&, BodyList>) {
        return std::make_unique<Kind<D>>(driver, named.body);
    } else {
        return std::make_unique<Kind<D>>(driver);
    }
}
template <template <int> class Kind>
DriverKind driver_kind(std::string name, std::string doc, std::vector<scene::Key> keys)
{
    return {std::move(name), std::move(doc), std::move(keys), {made_driver<Kind, 2>, made_driver<Kind, 3>}};
}

// keys that several have
inline scene::Key driven_body()
{
    return scene::text("body", "name of a body, of a group of grains, or of a wall such as box.left").required();
}
inline scene::Key phase_of_sine() { return scene::number("phase", "of the sine").in("rad").otherwise_zero(); }

// When a driver acts: at steps that begin in [from, until).
struct ActingTime {
    double from, until; // [s]
    explicit ActingTime(const scene::Value& driver)
        : from(driver.at("from").number()),
          until(driver.at("until").is_text() ? std::numeric_limits<double>::infinity() : driver.at("until").number())
    {
    }
    bool is_always() const { return from <= 0 && std::isinf(until); }
    // half a step of slack: k·dt and a time written in decimal must agree
    bool contains(const TimeSpan& during) const
    {
        return during.begin >= from - 0.5 * during.length && during.begin < until - 0.5 * during.length;
    }
    bool contains(const Clock& clock) const { return contains(next_step(clock)); }
};

DriverKind gravity_driver();
DriverKind force_driver();
DriverKind velocity_driver();
DriverKind vibration_driver();
DriverKind drag_driver();
DriverKind outlet_driver();
DriverKind social_force_driver();
DriverKind dipoles_driver();
DriverKind charges_driver();
DriverKind gravitation_driver();

// The registry; a program may add to it.
std::vector<DriverKind>& driver_kinds();

} // namespace talus
