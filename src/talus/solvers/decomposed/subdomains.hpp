// The rows of a contact problem by sub-domain, and those of the interface Γ between them (BALLAST §4.1, fig. 4.4: the
// list of contacts sorted by sub-domain, the interface last).
#pragma once

#include "talus/partition/partition.hpp"
#include "talus/solvers/contact_problem.hpp"

#include <span>

namespace talus {

struct RowRange {
    std::size_t begin, end;
};

struct Subdomains {
    // Rows of part 0, of part 1, ..., then of Γ by colour, then what is left of Γ. In each group in their own order.
    std::vector<std::int32_t> order;
    std::vector<std::size_t> part_begin;   // one more at the end: where Γ begins
    std::vector<std::size_t> colour_begin; // one more at the end: where the rest of Γ begins

    int parts() const { return int(part_begin.size()) - 1; }
    int colours() const { return int(colour_begin.size()) - 1; }
    RowRange part(int number) const { return {part_begin[std::size_t(number)], part_begin[std::size_t(number) + 1]}; }
    std::size_t size_of(int part) const { return part_begin[std::size_t(part) + 1] - part_begin[std::size_t(part)]; }
    std::vector<std::size_t> sizes() const // of the parts
    {
        std::vector<std::size_t> rows;
        for (int number = 0; number < parts(); ++number) rows.push_back(size_of(number));
        return rows;
    }
    std::size_t interface_begin() const { return part_begin.back(); }
    std::size_t interface_size() const { return order.size() - part_begin.back(); }
};

// A colour touches each body at most once: its rows may be visited in any order, on any thread, with the same bits.
// (Walls are never on Γ, so they need no colour.) A body with hundreds of interface contacts (a sleeper, a lid) would
// make hundreds of colours: what goes beyond this number is left to one last group, visited row by row.
inline constexpr int most_colours = 32;

enum class InterfaceOrder { colours, sequential };

template <int D>
Subdomains divide_rows(const ContactProblem<D>& problem, const Partition& partition, InterfaceOrder interface);
// some of the rows
template <int D>
Subdomains divide_rows(std::vector<std::int32_t> rows, const ContactProblem<D>& problem, const Partition& partition,
                       InterfaceOrder interface);

// Tasks for each of `lanes` threads, the largest first to the least loaded. Which thread does what changes no bits.
std::vector<std::vector<int>> share_out(std::span<const std::size_t> work, int lanes);
// Those of one thread; a team that is smaller than planned shares out the lanes.
std::vector<int> tasks_of(const std::vector<std::vector<int>>& lanes, int thread, int threads);

} // namespace talus
