// Which contacts each body has, in their order: sums over a body's contacts are gathered through it, on threads and
// with the same bits for any number of them.
#pragma once

#include "contacts/contact_table.hpp"
#include "exec/parallel.hpp"

namespace talus {

class ContactsOfBodies {
  public:
    template <int D>
    void build(const ContactTable<D>& contacts, std::size_t bodies)
    {
        begin_.assign(bodies + 1, 0);
        for (std::size_t k = 0; k < contacts.size(); ++k) {
            ++begin_[std::size_t(contacts.candidate[k])];
            ++begin_[std::size_t(contacts.antagonist[k])];
        }
        exclusive_scan(begin_);
        sides_.resize(2 * contacts.size());
        next_.assign(begin_.begin(), begin_.end());
        for (std::size_t k = 0; k < contacts.size(); ++k) {
            sides_[next_[std::size_t(contacts.candidate[k])]++] = {std::uint32_t(k), 1};
            sides_[next_[std::size_t(contacts.antagonist[k])]++] = {std::uint32_t(k), -1};
        }
    }

    struct Side {
        std::uint32_t contact;
        std::int32_t sign; // 1: the body is the candidate, on which the impulse acts; −1: the antagonist
    };
    std::span<const Side> of(std::size_t body) const
    {
        return std::span(sides_).subspan(begin_[body], begin_[body + 1] - begin_[body]);
    }

  private:
    std::vector<std::size_t> begin_, next_;
    std::vector<Side> sides_;
};

} // namespace talus
