// Which contacts each body has, in their order: sums over a body's contacts are gathered through it, on threads and
// with the same bits for any number of them.
#pragma once

#include "talus/contacts/contact_table.hpp"
#include "talus/exec/parallel.hpp"

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
        // each range of bodies, on its thread, looks at all contacts for its own; few of them are not worth the others
        const std::size_t ranges = contacts.size() < 8 * parallel_chunk ? 1 : std::size_t(2 * thread_count());
        const auto on_ranges = [&](auto&& do_side) {
            parallel_chunks(
                ranges,
                [&](std::size_t t, std::size_t) {
                    const auto first = std::int32_t(bodies * t / ranges);
                    const auto last = std::int32_t(bodies * (t + 1) / ranges);
                    for (std::size_t k = 0; k < contacts.size(); ++k) {
                        const std::int32_t c = contacts.candidate[k], a = contacts.antagonist[k];
                        if (c >= first && c < last) do_side(c, Side{std::uint32_t(k), 1});
                        if (a >= first && a < last) do_side(a, Side{std::uint32_t(k), -1});
                    }
                },
                1);
        };
        begin_.assign(bodies + 1, 0);
        on_ranges([&](std::int32_t body, const Side&) { ++begin_[std::size_t(body)]; });
        exclusive_scan(begin_);
        sides_.resize(2 * contacts.size());
        next_ = begin_;
        on_ranges([&](std::int32_t body, const Side& side) { sides_[next_[std::size_t(body)]++] = side; });
    }

    std::span<const Side> of(std::size_t body) const
    {
        return std::span(sides_).subspan(begin_[body], begin_[body + 1] - begin_[body]);
    }

  private:
    std::vector<std::uint32_t> begin_, next_;
    std::vector<Side> sides_;
};

} // namespace talus
