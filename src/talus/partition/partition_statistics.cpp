#include "talus/partition/partition_statistics.hpp"

#include <algorithm>
#include <numeric>
#include <set>

namespace talus {

std::int64_t PartitionStatistics::all_contacts() const
{
    return std::accumulate(contacts.begin(), contacts.end(), interface);
}

double PartitionStatistics::balance() const
{
    const std::int64_t inside = all_contacts() - interface;
    if (inside == 0) return 1;
    return double(*std::max_element(contacts.begin(), contacts.end())) * double(parts) / double(inside);
}

double PartitionStatistics::interface_share() const
{
    const std::int64_t all = all_contacts();
    return all > 0 ? double(interface) / double(all) : 0;
}

template <int D>
PartitionStatistics primal_statistics(const Partition& partition, const ContactTable<D>& contacts)
{
    PartitionStatistics statistics;
    statistics.parts = partition.parts;
    statistics.grains.assign(std::size_t(partition.parts), 0);
    statistics.contacts.assign(std::size_t(partition.parts), 0);
    for (const std::int32_t part : partition.part) {
        if (part >= 0) ++statistics.grains[std::size_t(part)];
    }
    for (std::size_t k = 0; k < contacts.size(); ++k) {
        const std::int32_t home = home_of(partition, contacts.candidate[k], contacts.antagonist[k]);
        ++(home == on_interface ? statistics.interface : statistics.contacts[std::size_t(home)]);
    }
    return statistics;
}

template <int D>
DualStatistics dual_statistics(const BodyTable<D>& bodies, const ContactTable<D>& contacts, int parts,
                               const std::function<int(const Vec<D>&)>& part_of)
{
    DualStatistics statistics;
    statistics.contacts.assign(std::size_t(parts), 0);
    std::vector<std::set<int>> parts_of_grain(bodies.size());
    for (std::size_t k = 0; k < contacts.size(); ++k) {
        const std::int32_t c = contacts.candidate[k], a = contacts.antagonist[k];
        const Vec<D> from = bodies.position[bodies.is_passive(c) ? a : c];
        const Vec<D> to = bodies.position[bodies.is_passive(a) ? c : a];
        const int part = part_of(0.5 * (from + to));
        ++statistics.contacts[std::size_t(part)];
        for (const std::int32_t body : {c, a}) {
            if (!bodies.is_passive(body)) parts_of_grain[std::size_t(body)].insert(part);
        }
    }
    std::int64_t shares = 0;
    for (const auto& shared_by : parts_of_grain) {
        const std::int64_t multiplicity = std::int64_t(shared_by.size());
        statistics.highest_multiplicity = std::max(statistics.highest_multiplicity, multiplicity);
        if (multiplicity < 2) continue;
        ++statistics.interface_grains;
        shares += multiplicity;
    }
    if (shares > 0) statistics.mean_multiplicity = double(shares) / double(statistics.interface_grains);
    return statistics;
}

#define TALUS_INSTANTIATE(D)                                                                                           \
    template PartitionStatistics primal_statistics(const Partition&, const ContactTable<D>&);                          \
    template DualStatistics dual_statistics(const BodyTable<D>&, const ContactTable<D>&, int,                          \
                                            const std::function<int(const Vec<D>&)>&);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

} // namespace talus
