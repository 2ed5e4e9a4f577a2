#include "talus/probes/internal_moment.hpp"

namespace talus {

template <int D>
std::vector<Mat<D>> internal_moments(const Sample<D>& sample, const ContactTable<D>& contacts, double dt)
{
    const BodyTable<D>& bodies = sample.bodies;
    std::vector<Mat<D>> moments(bodies.size(), Mat<D>::Zero());
    if (contacts.impulse.size() != contacts.size()) return moments; // before the first step
    // one after another: the order of the sums is that of the table, and it costs less than to sort rows by body
    for (std::size_t k = 0; k < contacts.size(); ++k) {
        const Vec<D>&impulse = contacts.impulse[k], &point = contacts.point[k];
        if (impulse.isZero(0)) continue; // many rows stand apart
        const auto c = std::size_t(contacts.candidate[k]), a = std::size_t(contacts.antagonist[k]);
        moments[c].noalias() += impulse * (point - bodies.position[c]).transpose();
        moments[a].noalias() -= impulse * (point - bodies.position[a]).transpose();
    }
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        if (sample.is_grain(i)) {
            moments[i] /= dt;
        } else {
            moments[i].setZero();
        }
    }
    return moments;
}

template std::vector<Mat<2>> internal_moments(const Sample<2>&, const ContactTable<2>&, double);
template std::vector<Mat<3>> internal_moments(const Sample<3>&, const ContactTable<3>&, double);

} // namespace talus
