#include "talus/solvers/decomposed/subdomains.hpp"

#include "talus/exec/grouping.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace talus {

namespace {

// The first colour that neither body has yet, row by row; `most_colours` where there is none left.
template <int D>
std::vector<int> colours_of(std::span<const std::int32_t> rows, const ContactProblem<D>& problem)
{
    static_assert(most_colours <= 32);
    std::vector<std::uint32_t> taken(problem.bodies.size(), 0); // a bit per colour
    std::vector<int> colours;
    colours.reserve(rows.size());
    for (const std::int32_t k : rows) {
        const ContactRow<D>& row = problem.rows[std::size_t(k)];
        std::uint32_t &c = taken[std::size_t(row.candidate)], &a = taken[std::size_t(row.antagonist)];
        const int colour = std::min(std::countr_one(c | a), most_colours);
        colours.push_back(colour);
        if (colour == most_colours) continue;
        c |= std::uint32_t{1} << colour;
        a |= std::uint32_t{1} << colour;
    }
    return colours;
}

// Sorts `items` by group, those of one group in their order; returns where each group begins, and the end.
std::vector<std::size_t> sort_by_group(std::span<std::int32_t> items, std::span<const int> group, int groups)
{
    Grouped order;
    group_items(order, items.size(), std::size_t(groups), [&](std::size_t i) { return group[i]; });
    const std::vector<std::int32_t> before(items.begin(), items.end());
    parallel_for(items.size(), [&](std::size_t i) { items[i] = before[std::size_t(order.items[i])]; });
    return std::move(order.begin);
}

} // namespace

template <int D>
Subdomains divide_rows(const ContactProblem<D>& problem, const Partition& partition, InterfaceOrder interface)
{
    std::vector<std::int32_t> all(problem.rows.size());
    std::iota(all.begin(), all.end(), 0);
    return divide_rows(std::move(all), problem, partition, interface);
}

template <int D>
Subdomains divide_rows(std::vector<std::int32_t> rows, const ContactProblem<D>& problem, const Partition& partition,
                       InterfaceOrder interface)
{
    Subdomains result;
    result.order = std::move(rows);
    std::vector<int> home(result.order.size());
    parallel_for(home.size(), [&](std::size_t k) {
        const ContactRow<D>& row = problem.rows[std::size_t(result.order[k])];
        const std::int32_t part = home_of(partition, row.candidate, row.antagonist);
        home[k] = part == on_interface ? partition.parts : part;
    });
    result.part_begin = sort_by_group(result.order, home, partition.parts + 1);
    result.part_begin.pop_back(); // Γ ends with the rows

    result.colour_begin = {result.interface_begin()};
    if (interface == InterfaceOrder::sequential) return result;
    const std::span<std::int32_t> gamma = std::span(result.order).subspan(result.interface_begin());
    const std::vector<int> colours = colours_of(std::span<const std::int32_t>(gamma), problem);
    std::vector<std::size_t> begin = sort_by_group(gamma, colours, most_colours + 1);
    begin.pop_back();
    result.colour_begin.clear();
    for (const std::size_t first : begin) { // colours that nobody has are the last ones
        if (!result.colour_begin.empty() && result.colour_begin.back() == result.interface_begin() + first) break;
        result.colour_begin.push_back(result.interface_begin() + first);
    }
    return result;
}

std::vector<std::vector<int>> share_out(std::span<const std::size_t> work, int lanes)
{
    std::vector<int> tasks(work.size());
    std::iota(tasks.begin(), tasks.end(), 0);
    std::stable_sort(tasks.begin(), tasks.end(),
                     [&](int a, int b) { return work[std::size_t(a)] > work[std::size_t(b)]; });
    std::vector<std::vector<int>> lane(static_cast<std::size_t>(lanes));
    std::vector<std::size_t> load(lane.size(), 0);
    for (const int task : tasks) {
        const std::size_t least = std::size_t(std::min_element(load.begin(), load.end()) - load.begin());
        lane[least].push_back(task);
        load[least] += work[std::size_t(task)];
    }
    for (std::vector<int>& mine : lane) std::sort(mine.begin(), mine.end());
    return lane;
}

std::vector<int> tasks_of(const std::vector<std::vector<int>>& lanes, int thread, int threads)
{
    std::vector<int> tasks;
    for (std::size_t lane = std::size_t(thread); lane < lanes.size(); lane += std::size_t(threads)) {
        tasks.insert(tasks.end(), lanes[lane].begin(), lanes[lane].end());
    }
    return tasks;
}

template Subdomains divide_rows(const ContactProblem<2>&, const Partition&, InterfaceOrder);
template Subdomains divide_rows(const ContactProblem<3>&, const Partition&, InterfaceOrder);
template Subdomains divide_rows(std::vector<std::int32_t>, const ContactProblem<2>&, const Partition&, InterfaceOrder);
template Subdomains divide_rows(std::vector<std::int32_t>, const ContactProblem<3>&, const Partition&, InterfaceOrder);

} // namespace talus
