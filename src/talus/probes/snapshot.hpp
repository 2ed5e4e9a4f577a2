// One moment of a sample as indicators see it: bodies, shapes, contacts with the impulses of the last step. What
// several of them need is worked out once, when it is first asked for.
#pragma once

#include "talus/contacts/contacts_of_bodies.hpp"
#include "talus/probes/internal_moment.hpp"
#include "talus/probes/neighbours.hpp"

#include <optional>
#include <vector>

namespace talus {

inline constexpr double least_share_of_force = 1e-12;

template <int D>
class Snapshot {
  public:
    // A contact transmits a force where its normal impulse exceeds `force_threshold` times the largest one. `sides`:
    // contacts of bodies, where somebody has them already.
    Snapshot(const BodyTable<D>& bodies, const ShapeTable<D>& shapes, const ContactTable<D>& table, double step,
             double force_threshold = least_share_of_force, const ContactsOfBodies* sides = nullptr)
        : sample{bodies, shapes}, contacts(table), dt(step), force_threshold_(force_threshold), sides_(sides)
    {
    }
    Snapshot(const Snapshot&) = delete;
    Snapshot& operator=(const Snapshot&) = delete;

    const Sample<D> sample;
    const ContactTable<D>& contacts;
    const double dt; // [s] over which the impulses were given

    // [N] of row k on its candidate
    Vec<D> force(std::size_t k) const { return contacts.impulse[k] / dt; }
    double normal_force(std::size_t k) const { return contacts.impulse[k].dot(contacts.normal[k]) / dt; }

    const ContactsOfBodies& contacts_of_bodies() const
    {
        if (!sides_) {
            own_sides_.emplace().build(contacts, sample.bodies.size());
            sides_ = &*own_sides_;
        }
        return *sides_;
    }
    const Neighbours<D>& neighbours() const
    {
        if (!neighbours_) neighbours_.emplace(sample, contacts, force_threshold_);
        return *neighbours_;
    }
    // Force-transmitting neighbours of every body once rattlers are gone; −1 for the rattlers.
    const std::vector<std::int32_t>& held() const
    {
        if (!held_) held_ = neighbours().pushing_without_rattlers();
        return *held_;
    }
    const std::vector<Mat<D>>& internal_moments() const // [N m] per body
    {
        if (!internal_moments_) internal_moments_ = talus::internal_moments(sample, contacts, dt);
        return *internal_moments_;
    }
    // [N] per body: the sum of the normal forces of its contacts.
    const std::vector<double>& loads() const
    {
        if (!loads_) {
            loads_.emplace(sample.bodies.size(), 0.0);
            for (std::size_t k = 0; k < contacts.size(); ++k) {
                (*loads_)[std::size_t(contacts.candidate[k])] += normal_force(k);
                (*loads_)[std::size_t(contacts.antagonist[k])] += normal_force(k);
            }
        }
        return *loads_;
    }

  private:
    double force_threshold_;
    mutable const ContactsOfBodies* sides_;
    mutable std::optional<ContactsOfBodies> own_sides_;
    mutable std::optional<Neighbours<D>> neighbours_;
    mutable std::optional<std::vector<std::int32_t>> held_;
    mutable std::optional<std::vector<Mat<D>>> internal_moments_;
    mutable std::optional<std::vector<double>> loads_;
};

} // namespace talus
