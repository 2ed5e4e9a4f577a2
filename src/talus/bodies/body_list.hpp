// Bodies that a driver acts on, by number, and where they are in the table now: those that have left are no longer
// there.
#pragma once

#include "talus/bodies/body_table.hpp"

namespace talus {

class BodyList {
  public:
    BodyList() = default;
    explicit BodyList(BodyId id) { add(id, std::int32_t(id)); }
    void add(BodyId id, std::int32_t place)
    {
        ids_.push_back(id);
        places_.push_back(place);
    }
    // After bodies have left: looks for them again.
    template <int D>
    void find(const BodyTable<D>& bodies)
    {
        places_.clear();
        for (const BodyId id : ids_) {
            if (const std::int32_t place = bodies.find(id); place >= 0) places_.push_back(place);
        }
    }
    const std::vector<BodyId>& ids() const { return ids_; }
    bool is_complete() const { return places_.size() == ids_.size(); }

    // places of those that are there
    auto begin() const { return places_.begin(); }
    auto end() const { return places_.end(); }
    std::size_t size() const { return places_.size(); }
    bool empty() const { return places_.empty(); }
    std::int32_t operator[](std::size_t k) const { return places_[k]; }
    std::int32_t front() const { return places_.front(); }

  private:
    std::vector<BodyId> ids_;
    std::vector<std::int32_t> places_;
};

} // namespace talus
