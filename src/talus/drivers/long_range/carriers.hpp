// Bodies by groups, each with something that all of them carry: a charge, a magnetic moment.
#pragma once

#include "talus/bodies/body_list.hpp"

#include <vector>

namespace talus {

template <class Carried>
class Carriers {
  public:
    struct Carrier {
        BodyId id;
        std::int32_t body; // its place in the table; −1: it has left
        Carried carried;
    };
    void add(BodyId id, const Carried& carried) { carriers_.push_back({id, std::int32_t(id), carried}); }
    // After bodies have left.
    template <int D>
    void find(const BodyTable<D>& bodies)
    {
        for (Carrier& carrier : carriers_) carrier.body = bodies.find(carrier.id);
    }
    auto begin() const { return carriers_.begin(); }
    auto end() const { return carriers_.end(); }
    std::size_t size() const { return carriers_.size(); }

  private:
    std::vector<Carrier> carriers_;
};

} // namespace talus
