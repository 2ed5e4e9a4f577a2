#include "probes/internal_moment.hpp"

namespace talus {

template <int D>
std::vector<Mat<D>> internal_moments(const Sample<D>& sample, const ContactTable<D>& contacts, double dt)
{
    const BodyTable<D>& bodies = sample.bodies;
    std::vector<Mat<D>> moments(bodies.size(), Mat<D>::Zero());
    if (contacts.impulse.size() != contacts.size()) return moments; // before the first step
    // one after another: the order of the sums is that of the table, and it costs less than to sort rows by body
    const auto add = [&](std::int32_t body, const Vec<D>& force, const Vec<D>& point) {
        moments[std::size_t(body)].noalias() += force * (point - bodies.position[std::size_t(body)]).transpose();
    };
    for (std::size_t k = 0; k < contacts.size(); ++k) {
        if (contacts.impulse[k].isZero(0)) continue; // many rows stand apart
        const Vec<D> force = contacts.impulse[k] / dt;
        add(contacts.candidate[k], force, contacts.point[k]);
        add(contacts.antagonist[k], -force, contacts.point[k]);
    }
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        if (!sample.is_grain(i)) moments[i].setZero();
    }
    return moments;
}

template std::vector<Mat<2>> internal_moments(const Sample<2>&, const ContactTable<2>&, double);
template std::vector<Mat<3>> internal_moments(const Sample<3>&, const ContactTable<3>&, double);

} // namespace talus
