#include "talus/partition/partitioner.hpp"

#include "talus/exec/parallel.hpp"
#include "talus/partition/metis.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace talus {

namespace {

// A division takes a few thousandths of a second per 10 000 grains; a step takes ten times that, or more.
constexpr std::int64_t oldest = 50;        // steps after which the sample is divided anew
constexpr std::int64_t youngest = 10;      // steps that a division lasts at least
constexpr double worse = 1.1;              // balance, against when it was fresh, that makes it due before
constexpr std::int64_t heaviest = 32;      // a sleeper's hundreds of contacts lie mostly on the interface
constexpr double contacts_per_part = 4000; //

// Work of each grain: itself and its contacts.
template <int D>
std::vector<WeightedGrain<D>> weigh(const BodyTable<D>& bodies, const ContactTable<D>& contacts)
{
    std::vector<std::int64_t> weight(bodies.size(), 1);
    for (std::size_t k = 0; k < contacts.size(); ++k) {
        ++weight[std::size_t(contacts.candidate[k])];
        ++weight[std::size_t(contacts.antagonist[k])];
    }
    std::vector<WeightedGrain<D>> grains;
    grains.reserve(bodies.size());
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        if (bodies.is_passive(i)) continue;
        const bool finite = bodies.position[i].allFinite(); // the step reports it; here it must only do no harm
        grains.push_back(
            {finite ? bodies.position[i] : Vec<D>(Vec<D>::Zero()), std::min(weight[i], heaviest), std::int32_t(i)});
    }
    return grains;
}

// The box around the centres of the free grains.
template <int D>
Boxes<D> boxes_around(const BodyTable<D>& bodies, const ShapeTable<D>& shapes, const std::vector<int>& count)
{
    struct Extent {
        Vec<D> lower = Vec<D>::Constant(std::numeric_limits<double>::infinity()), upper = -lower;
    };
    const Extent extent = parallel_reduce(
        bodies.size(), Extent{},
        [&](std::size_t i) -> Extent {
            const bool grain = !bodies.is_passive(i) && std::isfinite(bounding_radius(shapes, bodies.shape[i]));
            return grain ? Extent{bodies.position[i], bodies.position[i]} : Extent{};
        },
        [](const Extent& a, const Extent& b) -> Extent {
            return {a.lower.cwiseMin(b.lower), a.upper.cwiseMax(b.upper)};
        });
    Boxes<D> boxes{{}, extent.lower, extent.upper};
    std::copy_n(count.begin(), D, boxes.count.begin());
    return boxes;
}

// Grains and the pairs of them that touch; contacts of one pair follow one another.
template <int D>
ContactGraph graph_of(const std::vector<WeightedGrain<D>>& grains, const ContactTable<D>& contacts, std::size_t bodies)
{
    ContactGraph graph;
    std::vector<std::int32_t> vertex(bodies, -1);
    for (std::size_t v = 0; v < grains.size(); ++v) {
        vertex[std::size_t(grains[v].body)] = std::int32_t(v);
        graph.weight.push_back(std::int32_t(grains[v].weight));
    }
    struct Edge {
        std::int32_t a, b, contacts;
    };
    std::vector<Edge> edges;
    for (std::size_t k = 0; k < contacts.size(); ++k) {
        const auto [a, b] =
            std::minmax(vertex[std::size_t(contacts.candidate[k])], vertex[std::size_t(contacts.antagonist[k])]);
        if (a < 0) continue;
        if (!edges.empty() && edges.back().a == a && edges.back().b == b) {
            ++edges.back().contacts;
        } else {
            edges.push_back({a, b, 1});
        }
    }
    graph.begin.assign(grains.size() + 1, 0);
    for (const Edge& edge : edges) {
        ++graph.begin[std::size_t(edge.a)];
        ++graph.begin[std::size_t(edge.b)];
    }
    exclusive_scan(graph.begin);
    graph.neighbour.resize(2 * edges.size());
    graph.edge_weight.resize(2 * edges.size());
    std::vector<std::int32_t> next(graph.begin.begin(), graph.begin.end() - 1);
    for (const Edge& edge : edges) {
        for (const auto& [from, to] : {std::pair(edge.a, edge.b), std::pair(edge.b, edge.a)}) {
            const std::size_t at = std::size_t(next[std::size_t(from)]++);
            graph.neighbour[at] = to;
            graph.edge_weight[at] = edge.contacts;
        }
    }
    return graph;
}

} // namespace

int automatic_parts(std::size_t contacts)
{
    int parts = 1;
    for (const int next : {2, 3, 4, 6, 8, 12, 16, 24, 32, 48}) {
        if (double(contacts) >= contacts_per_part * next) parts = next;
    }
    return parts;
}

template <int D>
Partitioner<D>::Partitioner(const PartitionOptions& options) : options_(options)
{
}

template <int D>
const Partition& Partitioner<D>::assign(const BodyTable<D>& bodies, const ShapeTable<D>& shapes,
                                        const ContactTable<D>& contacts)
{
    if (options_.method == "boxes") {
        boxes_ = boxes_around(bodies, shapes, options_.boxes);
        partition_.parts = boxes_.size();
        partition_.part.assign(bodies.size(), -1);
    } else if (age_ < 0) {
        divide(bodies, contacts);
    }
    place(bodies);
    statistics_ = primal_statistics(partition_, contacts);
    if (options_.method != "boxes" && is_due(bodies)) {
        divide(bodies, contacts);
        statistics_ = primal_statistics(partition_, contacts);
    }
    if (age_ == 0) balance_ = statistics_.balance();
    ++age_;
    return partition_;
}

template <int D>
void Partitioner<D>::follow(std::span<const std::int32_t> place)
{
    const std::size_t known = std::min(place.size(), partition_.part.size()); // the others are new
    std::vector<std::int32_t> path(partition_.rank.size(), -1);               // bodies that stay, by their old rank
    std::size_t count = 0;
    for (std::size_t i = 0; i < known; ++i) {
        if (place[i] < 0) continue;
        partition_.part[std::size_t(place[i])] = partition_.part[i]; // never behind i
        if (!path.empty()) path[std::size_t(partition_.rank[i])] = place[i];
        ++count;
    }
    partition_.part.resize(count);
    if (path.empty()) return;
    partition_.rank.resize(count);
    std::int32_t next = 0;
    for (const std::int32_t body : path) {
        if (body >= 0) partition_.rank[std::size_t(body)] = next++;
    }
}

// Bodies without a part get that of the region they are in; those that can no longer move lose theirs.
template <int D>
void Partitioner<D>::place(const BodyTable<D>& bodies)
{
    const std::size_t known = partition_.part.size();
    partition_.part.resize(bodies.size(), -1);
    parallel_for(bodies.size(), [&](std::size_t i) {
        if (bodies.is_passive(i)) {
            partition_.part[i] = -1;
        } else if (partition_.part[i] < 0) {
            partition_.part[i] = part_of(bodies.position[i]).value_or(0);
        }
    });
    if (partition_.rank.empty()) return;
    partition_.rank.resize(bodies.size());
    for (std::size_t i = known; i < bodies.size(); ++i) partition_.rank[i] = std::int32_t(i);
}

template <int D>
std::optional<int> Partitioner<D>::part_of(const Vec<D>& point) const
{
    if (options_.method == "boxes") return boxes_.part_of(point);
    if (options_.method == "metis") return {};
    return bisection_.part_of(point);
}

template <int D>
bool Partitioner<D>::is_due(const BodyTable<D>& bodies) const
{
    if (age_ < youngest) return false;
    return age_ >= oldest || bodies.size() != divided_ || statistics_.balance() > worse * balance_;
}

// A number of parts is kept while it suits a number of contacts that is a fifth more or less.
template <int D>
int Partitioner<D>::wanted_parts(std::size_t contacts) const
{
    if (options_.parts > 0) return options_.parts;
    const bool fits =
        automatic_parts(contacts * 4 / 5) <= partition_.parts && partition_.parts <= automatic_parts(contacts * 6 / 5);
    return age_ >= 0 && fits ? partition_.parts : automatic_parts(contacts);
}

template <int D>
void Partitioner<D>::divide(const BodyTable<D>& bodies, const ContactTable<D>& contacts)
{
    partition_.parts = wanted_parts(contacts.size());
    partition_.part.assign(bodies.size(), -1);
    std::vector<WeightedGrain<D>> grains = weigh(bodies, contacts);
    if (options_.method == "metis") {
        divide_by_metis(grains, contacts);
    } else {
        divide_by_bisection(std::move(grains));
    }
    age_ = 0;
    divided_ = bodies.size();
}

template <int D>
void Partitioner<D>::divide_by_bisection(std::vector<WeightedGrain<D>> grains)
{
    const std::vector<std::size_t> begin = bisection_.divide(grains, partition_.parts);
    partition_.rank.resize(partition_.part.size());
    for (std::size_t part = 0; part + 1 < begin.size(); ++part) {
        for (std::size_t at = begin[part]; at < begin[part + 1]; ++at) {
            partition_.part[std::size_t(grains[at].body)] = std::int32_t(part);
            partition_.rank[std::size_t(grains[at].body)] = std::int32_t(at);
        }
    }
    std::int32_t last = std::int32_t(grains.size()); // walls and tools come after the grains
    for (std::size_t i = 0; i < partition_.part.size(); ++i) {
        if (partition_.part[i] < 0) partition_.rank[i] = last++;
    }
}

template <int D>
void Partitioner<D>::divide_by_metis(const std::vector<WeightedGrain<D>>& grains, const ContactTable<D>& contacts)
{
    const std::vector<std::int32_t> part =
        metis_parts(graph_of(grains, contacts, partition_.part.size()), partition_.parts);
    for (std::size_t v = 0; v < grains.size(); ++v) partition_.part[std::size_t(grains[v].body)] = part[v];
}

template <int D>
std::vector<std::uint64_t> Partitioner<D>::save() const
{
    if (options_.method == "boxes" || age_ < 0) return {}; // nothing that the bodies do not tell
    std::vector<std::uint64_t> words = {
        std::uint64_t(partition_.parts),        std::uint64_t(age_),    divided_,
        std::bit_cast<std::uint64_t>(balance_), bisection_.cuts.size(), partition_.part.size()};
    for (const Cut& cut : bisection_.cuts) {
        words.insert(words.end(), {std::uint64_t(cut.axis), std::bit_cast<std::uint64_t>(cut.place)});
    }
    for (std::size_t i = 0; i < partition_.part.size(); ++i) {
        const std::uint32_t rank = partition_.rank.empty() ? std::uint32_t(i) : std::uint32_t(partition_.rank[i]);
        words.push_back(std::uint64_t(std::uint32_t(partition_.part[i])) << 32 | rank);
    }
    return words;
}

template <int D>
bool Partitioner<D>::restore(std::span<const std::uint64_t> words)
{
    age_ = -1;
    if (words.empty()) return true;
    if (words.size() < 6) return false;
    const std::uint64_t parts = words[0], cuts = words[4], bodies = words[5];
    const std::uint64_t expected = options_.method == "metis" ? 0 : parts - 1;
    if (parts < 1 || cuts != expected || cuts > words.size() || bodies > words.size() ||
        words.size() != 6 + 2 * cuts + bodies) {
        return false;
    }
    bisection_.cuts.clear();
    for (std::uint64_t c = 0; c < cuts; ++c) {
        const std::uint64_t axis = words[6 + 2 * c];
        if (axis >= D) return false;
        bisection_.cuts.push_back({std::int32_t(axis), std::bit_cast<double>(words[7 + 2 * c])});
    }
    partition_.part.resize(bodies);
    partition_.rank.resize(options_.method == "metis" ? 0 : bodies);
    for (std::uint64_t i = 0; i < bodies; ++i) {
        const std::uint64_t word = words[6 + 2 * cuts + i];
        partition_.part[i] = std::int32_t(word >> 32);
        if (partition_.part[i] < -1 || partition_.part[i] >= std::int32_t(parts)) return false;
        if (!partition_.rank.empty()) partition_.rank[i] = std::int32_t(word & 0xffffffffu);
    }
    partition_.parts = int(parts);
    age_ = std::int64_t(words[1]);
    divided_ = words[2];
    balance_ = std::bit_cast<double>(words[3]);
    return true;
}

template class Partitioner<2>;
template class Partitioner<3>;

} // namespace talus
