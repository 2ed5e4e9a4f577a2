// How good a decomposition is: how even the work, how large the interface (BALLAST §4.1).
#pragma once

#include "talus/contacts/contact_table.hpp"
#include "talus/partition/partition.hpp"

#include <functional>

namespace talus {

// Primal: grains are shared out. A contact between two of different parts is on the interface Γ; one with a wall or a
// driven tool belongs to the grain's part.
struct PartitionStatistics {
    int parts = 0;                      // 0: there is no decomposition
    std::vector<std::int64_t> grains;   // of each part
    std::vector<std::int64_t> contacts; // inside each part
    std::int64_t interface = 0;         // contacts of Γ

    std::int64_t all_contacts() const;
    double balance() const;         // largest over mean number of contacts inside a part; 1 where there are none
    double interface_share() const; // of all contacts
};

template <int D>
PartitionStatistics primal_statistics(const Partition& partition, const ContactTable<D>& contacts);

// Dual: contacts are shared out, by the middle between the two centres (by the grain's own centre where the other body
// is a wall or a driven tool, whose centre is anywhere). The interface is made of grains with contacts in several
// parts.
struct DualStatistics {
    std::vector<std::int64_t> contacts;    // of each part
    std::int64_t interface_grains = 0;     // grains of two parts or more
    double mean_multiplicity = 0;          // parts that share a grain of the interface
    std::int64_t highest_multiplicity = 0; // 0 where no grain has a contact
};

template <int D>
DualStatistics dual_statistics(const BodyTable<D>& bodies, const ContactTable<D>& contacts, int parts,
                               const std::function<int(const Vec<D>&)>& part_of);

} // namespace talus
