// The contacts of a step as they were found, part by part, and how they become the table that all others read.
#pragma once

#include "talus/contacts/contact_table.hpp"
#include "talus/exec/grouping.hpp"
#include "talus/laws/smooth/smooth_laws.hpp"
#include "talus/smooth/packed_bodies.hpp"
#include "talus/smooth/smooth_row.hpp"

#include <vector>

namespace talus {

template <int D>
class SmoothRows {
  public:
    std::vector<std::vector<SmoothRow>> of_parts; // of balls, by the part of the first one
    std::vector<SmoothRow> of_shapes;

    // Into the table, with forces times `dt` [s] as impulses, and the reactions of the bodies.
    void publish(const PackedBodies<D>& pack, const SmoothLaws& laws, double dt, BodyTable<D>& bodies,
                 ContactTable<D>& contacts);

  private:
    struct Key {
        std::int32_t low, high; // the two bodies
        const SmoothRow* row;
    };
    void sort(const PackedBodies<D>& pack);
    void add_to_passive(const PackedBodies<D>& pack, BodyTable<D>& bodies) const;

    // scratch, kept to reuse its memory
    std::vector<std::size_t> begin_; // of each part among the keys
    std::vector<Key> keys_;
    Grouped of_bodies_; // keys by the lower body
};

} // namespace talus
