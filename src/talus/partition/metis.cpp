#include "talus/partition/metis.hpp"

#include "talus/base/error.hpp"

#include <numeric>

#ifdef TALUS_WITH_METIS
#include <metis.h>
#endif

namespace talus {

#ifdef TALUS_WITH_METIS

static_assert(sizeof(idx_t) == sizeof(std::int32_t));

bool has_metis() { return true; }

std::vector<std::int32_t> metis_parts(ContactGraph graph, int parts)
{
    std::vector<std::int32_t> part(graph.size(), 0);
    if (parts == 1) return part;
    if (graph.size() <= std::size_t(parts)) { // METIS wants something to divide
        std::iota(part.begin(), part.end(), 0);
        return part;
    }
    idx_t options[METIS_NOPTIONS];
    METIS_SetDefaultOptions(options);
    options[METIS_OPTION_SEED] = 1;
    idx_t vertices = idx_t(graph.size()), constraints = 1, wanted = parts, cut = 0;
    const auto divide = parts > 8 ? METIS_PartGraphKway : METIS_PartGraphRecursive; // as its manual advises
    const int status = divide(&vertices, &constraints, graph.begin.data(), graph.neighbour.data(), graph.weight.data(),
                              nullptr, graph.edge_weight.data(), &wanted, nullptr, nullptr, options, &cut, part.data());
    if (status != METIS_OK) throw RunError("METIS did not divide the graph of contacts");
    return part;
}

#else

bool has_metis() { return false; }

std::vector<std::int32_t> metis_parts(ContactGraph, int)
{
    throw InputError("partition.method = \"metis\": this talus was built without METIS; use \"rcb\" or \"boxes\"");
}

#endif

} // namespace talus
