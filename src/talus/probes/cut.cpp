#include "talus/probes/cut.hpp"

#include "talus/exec/parallel.hpp"

namespace talus {

namespace {

// How often, and which way, the line from a centre to a contact crosses: 1 along the normal, −1 against it, 0 not.
template <int D>
int crossing(const PlaneCut<D>& cut, const Vec<D>& centre, const Vec<D>& contact)
{
    const double from = cut.normal.dot(centre - cut.centre), to = cut.normal.dot(contact - cut.centre);
    if ((from < 0) == (to < 0)) return 0;
    const Vec<D> point = centre + from / (from - to) * (contact - centre);
    if ((point - cut.centre).squaredNorm() > cut.radius * cut.radius) return 0;
    return from < 0 ? 1 : -1;
}

} // namespace

template <int D>
Vec<D> force_through(const PlaneCut<D>& cut, const Sample<D>& sample, const ContactTable<D>& contacts, double dt)
{
    if (contacts.impulse.size() != contacts.size()) return Vec<D>::Zero(); // before the first step
    const auto of_body = [&](std::int32_t body, const Vec<D>& point) {
        const std::size_t i = std::size_t(body);
        return sample.is_grain(i) ? crossing(cut, sample.bodies.position[i], point) : 0;
    };
    const Vec<D> impulse = parallel_sum(contacts.size(), Vec<D>(Vec<D>::Zero()), [&](std::size_t k) -> Vec<D> {
        const Vec<D>& point = contacts.point[k];
        return (of_body(contacts.candidate[k], point) - of_body(contacts.antagonist[k], point)) * contacts.impulse[k];
    });
    return impulse / dt;
}

template Vec<2> force_through(const PlaneCut<2>&, const Sample<2>&, const ContactTable<2>&, double);
template Vec<3> force_through(const PlaneCut<3>&, const Sample<3>&, const ContactTable<3>&, double);

} // namespace talus
