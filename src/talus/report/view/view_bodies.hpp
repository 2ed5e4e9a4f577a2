// Which bodies of a run a page shows: all of them, or some that are then counted anew, in the same order.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace talus::report {

class ShownBodies {
  public:
    ShownBodies() = default; // all
    explicit ShownBodies(std::vector<std::int32_t> ascending) : is_some_(true), list_(std::move(ascending)) {}

    bool is_some() const { return is_some_; }
    // Of the first `bodies`: those of a frame.
    std::size_t count(std::size_t bodies) const
    {
        return is_some_ ? std::size_t(std::ranges::lower_bound(list_, std::int32_t(bodies)) - list_.begin()) : bodies;
    }
    std::size_t body(std::size_t place) const { return is_some_ ? std::size_t(list_[place]) : place; }
    // −1: it is not shown
    std::int32_t place(std::int32_t body) const
    {
        if (!is_some_) return body;
        const auto found = std::ranges::lower_bound(list_, body);
        return found != list_.end() && *found == body ? std::int32_t(found - list_.begin()) : -1;
    }

  private:
    bool is_some_ = false;
    std::vector<std::int32_t> list_;
};

} // namespace talus::report
