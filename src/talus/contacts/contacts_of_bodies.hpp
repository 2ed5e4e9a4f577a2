// Which contacts each body has, in their order: sums over a body's contacts are gathered through it, on threads and
// with the same bits for any number of them.
#pragma once

#include "talus/contacts/contact_table.hpp"
#include "talus/exec/parallel.hpp"
#include "talus/exec/shared_counters.hpp"

#include <algorithm>
#include <span>

namespace talus {

class ContactsOfBodies {
  public:
    struct Side {
        std::uint32_t contact;
        std::int32_t sign; // 1: the body is the candidate, on which the impulse acts; −1: the antagonist
    };

    template <int D>
    void build(const ContactTable<D>& contacts, std::size_t bodies)
    {
        begin_.assign(bodies + 1, 0);
        SharedCounters counters(begin_, contacts.size());
        parallel_for(contacts.size(), [&](std::size_t k) {
            counters.count(std::size_t(contacts.candidate[k]));
            counters.count(std::size_t(contacts.antagonist[k]));
        });
        counters.scan();
        sides_.resize(2 * contacts.size());
        parallel_for(contacts.size(), [&](std::size_t last) { // from the back, as the counters go: one thread sorts
            const std::size_t k = contacts.size() - 1 - last;
            sides_[counters.take(std::size_t(contacts.candidate[k]))] = {std::uint32_t(k), 1};
            sides_[counters.take(std::size_t(contacts.antagonist[k]))] = {std::uint32_t(k), -1};
        });
        parallel_for(bodies,
                     [&](std::size_t body) { sort(sides_.data() + begin_[body], begin_[body + 1] - begin_[body]); });
    }

    std::span<const Side> of(std::size_t body) const
    {
        return std::span(sides_).subspan(begin_[body], begin_[body + 1] - begin_[body]);
    }

  private:
    static void sort(Side* sides, std::size_t count)
    {
        const auto is_before = [](const Side& a, const Side& b) { return a.contact < b.contact; };
        if (count > 32) { // a floor
            if (!std::is_sorted(sides, sides + count, is_before)) std::sort(sides, sides + count, is_before);
            return;
        }
        for (std::size_t k = 1; k < count; ++k) {
            const Side side = sides[k];
            std::size_t place = k;
            for (; place > 0 && side.contact < sides[place - 1].contact; --place) sides[place] = sides[place - 1];
            sides[place] = side;
        }
    }

    std::vector<std::uint32_t> begin_;
    std::vector<Side> sides_;
};

} // namespace talus
