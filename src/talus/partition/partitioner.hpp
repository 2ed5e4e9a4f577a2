// Divides the bodies among sub-domains and keeps the division good as the sample moves (BALLAST §4.1, its open work on
// balance in §5). What it decides depends on the state alone, never on the number of threads.
#pragma once

#include "talus/partition/bisection.hpp"
#include "talus/partition/boxes.hpp"
#include "talus/partition/partition_statistics.hpp"

#include <optional>
#include <span>
#include <string>

namespace talus {

struct PartitionOptions {
    std::string method = "rcb"; // "boxes", "metis"
    int parts = 0;              // 0: from the number of contacts
    std::vector<int> boxes;     // per axis
};

// One part per 4000 contacts or so: large enough to outweigh its interface, many enough for the threads of a
// workstation. The same for any number of threads.
int automatic_parts(std::size_t contacts);

template <int D>
class Partitioner {
  public:
    Partitioner() = default;
    explicit Partitioner(const PartitionOptions& options);

    // The partition for this step. `contacts` are the nearest known: their number at a grain is its work.
    const Partition& assign(const BodyTable<D>& bodies, const ShapeTable<D>& shapes, const ContactTable<D>& contacts);

    // Bodies have left: place[i] is where body i is now, or −1. The others stay in their parts and in their order.
    void follow(std::span<const std::int32_t> place);

    const PartitionStatistics& statistics() const { return statistics_; } // of the last call
    // The part whose region holds a point. METIS has no regions: none.
    std::optional<int> part_of(const Vec<D>& point) const;

    // What must survive for a resumed run to go on with the same bits.
    std::vector<std::uint64_t> save() const;
    bool restore(std::span<const std::uint64_t> words); // false: not what save() wrote

  private:
    void place(const BodyTable<D>& bodies);
    bool is_due(const BodyTable<D>& bodies) const;
    int wanted_parts(std::size_t contacts) const;
    void divide(const BodyTable<D>& bodies, const ContactTable<D>& contacts);
    void divide_by_bisection(std::vector<WeightedGrain<D>> grains);
    void divide_by_metis(const std::vector<WeightedGrain<D>>& grains, const ContactTable<D>& contacts);

    PartitionOptions options_;
    Partition partition_;
    PartitionStatistics statistics_;
    Boxes<D> boxes_;
    Bisection<D> bisection_;
    // of the present division
    std::int64_t age_ = -1;   // calls since; −1: there is none
    std::size_t divided_ = 0; // bodies there were
    double balance_ = 1;      // it began with
};

} // namespace talus
