#include "talus/report/chains.hpp"

#include <algorithm>
#include <cmath>

namespace talus::report {
namespace {

// A wall, a rod or a driven body has no centre that a force would pass through: there the segment ends at the contact.
template <int D>
Vec<D> end_of(const io::Frame<D>& frame, std::int32_t body, std::size_t contact)
{
    const auto i = std::size_t(body);
    return is_grain(frame, i) ? frame.bodies.position[i] : frame.contacts.point[contact];
}

} // namespace

template <int D>
std::vector<Chain> chains_of(const io::Frame<D>& frame, const Projection<D>& projection, double depth, double reach)
{
    const ContactTable<D>& contacts = frame.contacts;
    std::vector<Chain> chains;
    for (std::size_t k = 0; k < contacts.size(); ++k) {
        const double force = contacts.impulse[k].dot(contacts.normal[k]) / frame.clock.dt;
        const double here = projection.depth(contacts.point[k]);
        if (!(force > 0) || !(std::abs(here - depth) <= reach)) continue;
        const Vec<2> from = projection(end_of(frame, contacts.candidate[k], k));
        chains.push_back({from, projection(end_of(frame, contacts.antagonist[k], k)), here, force});
    }
    sort_by_force(chains);
    std::stable_sort(chains.begin(), chains.end(), [](const Chain& a, const Chain& b) { return a.depth < b.depth; });
    return chains;
}

void sort_by_force(std::vector<Chain>& chains)
{
    std::stable_sort(chains.begin(), chains.end(), [](const Chain& a, const Chain& b) { return a.force < b.force; });
}

double strongest_force(const std::vector<Chain>& chains)
{
    double strongest = 0;
    for (const Chain& chain : chains) strongest = std::max(strongest, chain.force);
    return strongest;
}

template std::vector<Chain> chains_of(const io::Frame<2>&, const Projection<2>&, double, double);
template std::vector<Chain> chains_of(const io::Frame<3>&, const Projection<3>&, double, double);

} // namespace talus::report
