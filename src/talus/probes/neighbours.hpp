// Who touches whom and who pushes whom, from the rows of the contact table; rows of one pair follow each other.
#pragma once

#include "talus/contacts/contact_table.hpp"
#include "talus/exec/parallel.hpp"
#include "talus/probes/sample.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <vector>

namespace talus {

// Neighbours of every body; a pair with several rows is one neighbour.
template <int D>
class Neighbours {
  public:
    Neighbours(const Sample<D>& sample, const ContactTable<D>& contacts, double force_threshold)
        : sample_(sample), contacts_(contacts), touching_(sample.bodies.size(), 0), pushing_(sample.bodies.size(), 0)
    {
        has_impulses_ = contacts.impulse.size() == contacts.size();
        const double largest = parallel_reduce(
            contacts.size(), 0.0, [&](std::size_t k) { return normal_impulse(k); },
            [](double a, double b) { return std::max(a, b); });
        least_impulse_ = force_threshold * largest;
        has_friction_ = parallel_reduce(
            contacts.size(), false, [&](std::size_t k) { return tangential_impulse(k) > 1e-6 * largest; },
            [](bool a, bool b) { return a || b; });
        parallel_for(contacts.size(), [&](std::size_t k) {
            if (!opens_pair(k)) return;
            const bool pushes = any_row(k, [&](std::size_t row) { return is_active(row); });
            const bool touch = touches(k);
            for (const std::int32_t body : {contacts_.candidate[k], contacts_.antagonist[k]}) {
                if (touch) count_one(touching_[body]);
                if (pushes) count_one(pushing_[body]);
            }
        });
    }

    bool is_active(std::size_t k) const { return normal_impulse(k) > least_impulse_; }
    bool opens_pair(std::size_t k) const
    {
        return k == 0 || contacts_.candidate[k] != contacts_.candidate[k - 1] ||
               contacts_.antagonist[k] != contacts_.antagonist[k - 1];
    }
    // Of the pair that opens with row k: points that touch, not those that are only near; of clusters, whose parts may
    // touch in several places, no more than its largest manifold has.
    int points(std::size_t k) const
    {
        int touching = 0, largest = 0;
        for (std::size_t row = k; row < end_of_pair(k); ++row) {
            touching += touches_at(row);
            largest = std::max(largest, int(contacts_.points[row]));
        }
        return std::min(touching, largest);
    }
    double smallest_gap(std::size_t k) const
    {
        return *std::min_element(contacts_.gap.begin() + std::ptrdiff_t(k),
                                 contacts_.gap.begin() + std::ptrdiff_t(end_of_pair(k)));
    }
    bool touches(std::size_t k) const
    {
        return any_row(k, [&](std::size_t row) { return touches_at(row); });
    }
    bool touches_at(std::size_t row) const { return contacts_.gap[row] <= 0 || is_active(row); }
    const std::vector<std::int32_t>& touching() const { return touching_; }
    const std::vector<std::int32_t>& pushing() const { return pushing_; }

    // Number of force-transmitting neighbours once rattlers are gone; −1 for the rattlers themselves. They are left out
    // again and again: without friction balance needs D + 1 neighbours, with friction two can hold a grain.
    std::vector<std::int32_t> pushing_without_rattlers() const
    {
        const std::vector<std::int32_t> offsets = pair_offsets();
        const std::vector<std::int32_t> others = pair_others(offsets);
        std::vector<std::int32_t> degree = pushing_, loose;
        const std::int32_t needed = has_friction_ ? 2 : D + 1;
        const auto remove_if_loose = [&](std::int32_t i) {
            if (degree[i] < 0 || degree[i] >= needed || !sample_.is_grain(i)) return;
            degree[i] = -1;
            loose.push_back(i);
        };
        for (std::size_t i = 0; i < degree.size(); ++i) remove_if_loose(std::int32_t(i));
        while (!loose.empty()) {
            const std::int32_t gone = loose.back();
            loose.pop_back();
            for (std::int32_t k = offsets[gone]; k < offsets[gone + 1]; ++k) {
                if (degree[others[k]] > 0) --degree[others[k]];
                remove_if_loose(others[k]);
            }
        }
        return degree;
    }

  private:
    double normal_impulse(std::size_t k) const
    {
        return has_impulses_ ? contacts_.impulse[k].dot(contacts_.normal[k]) : 0.0;
    }

    double tangential_impulse(std::size_t k) const
    {
        if (!has_impulses_) return 0;
        return (contacts_.impulse[k] - normal_impulse(k) * contacts_.normal[k]).norm();
    }

    std::size_t end_of_pair(std::size_t first) const
    {
        std::size_t k = first + 1;
        while (k < contacts_.size() && !opens_pair(k)) ++k;
        return k;
    }
    template <class Is>
    bool any_row(std::size_t first, Is&& is) const
    {
        for (std::size_t k = first, end = end_of_pair(first); k < end; ++k) {
            if (is(k)) return true;
        }
        return false;
    }

    // integers: the order of the additions does not matter
    static void count_one(std::int32_t& count) { std::atomic_ref(count).fetch_add(1, std::memory_order_relaxed); }

    std::vector<std::int32_t> pair_offsets() const
    {
        std::vector<std::int32_t> offsets = pushing_;
        offsets.push_back(0);
        exclusive_scan(offsets);
        return offsets;
    }

    std::vector<std::int32_t> pair_others(const std::vector<std::int32_t>& offsets) const
    {
        std::vector<std::int32_t> next = offsets, others(offsets.back());
        for (std::size_t k = 0; k < contacts_.size(); ++k) {
            if (!opens_pair(k) || !any_row(k, [&](std::size_t row) { return is_active(row); })) continue;
            const std::int32_t c = contacts_.candidate[k], a = contacts_.antagonist[k];
            others[next[c]++] = a;
            others[next[a]++] = c;
        }
        return others;
    }

    const Sample<D>& sample_;
    const ContactTable<D>& contacts_;
    bool has_impulses_ = false;
    double least_impulse_ = 0;
    bool has_friction_ = false; // some contact transmits a tangential force
    std::vector<std::int32_t> touching_, pushing_;
};

} // namespace talus
