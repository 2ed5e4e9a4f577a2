// METIS on the graph of contacts: grains are vertices, weighted by their work; pairs that touch are edges, weighted by
// their contacts. It makes the interface smaller than cuts along planes do, and takes longer.
#pragma once

#include <cstdint>
#include <vector>

namespace talus {

struct ContactGraph {
    std::vector<std::int32_t> begin;       // of each vertex's neighbours; one more at the end
    std::vector<std::int32_t> neighbour;   // every edge twice
    std::vector<std::int32_t> edge_weight; // contacts of the pair
    std::vector<std::int32_t> weight;      // of each vertex

    std::size_t size() const { return weight.size(); }
};

bool has_metis(); // this program was built with it

// The part of each vertex; the same for the same graph. InputError where the program was built without METIS.
std::vector<std::int32_t> metis_parts(ContactGraph graph, int parts);

} // namespace talus
