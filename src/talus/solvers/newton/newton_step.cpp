#include "talus/solvers/newton/newton_step.hpp"

namespace talus {

template <int D>
std::vector<Vec<D>> newton_step(const TurnedDelassus<D>& w, const std::vector<std::int32_t>& contacts,
                                const std::vector<Vec<D>>& impulse, double alpha, Work& work)
{
    std::vector<Vec<D>> step(w.size(), Vec<D>::Zero());
    std::vector<std::int32_t> touching;
    std::vector<LawSlopes<D>> laws;
    for (const std::int32_t k : contacts) {
        const LawSlopes<D> law = law_slopes<D>(w.local[k], impulse[k], contact_velocity(w, impulse, k));
        if (law.apart) {
            step[k] = -impulse[k];
        } else {
            touching.push_back(k);
            laws.push_back(law);
        }
    }
    const ContactSubset<D> subset(w, std::move(touching));
    std::vector<Mat<D>> matrix(subset.source.size());
    std::vector<Vec<D>> change(subset.contact.size());
    for (std::size_t k = 0; k < subset.contact.size(); ++k) {
        const std::int32_t contact = subset.contact[k];
        const LawSlopes<D>& law = laws[k];
        const Vec<D> from_apart = contact_velocity(w, step, contact) - w.free_velocity[contact];
        change[k] = -law.value - law.by_velocity * from_apart;
        const double proximal = alpha * w.local[contact].mean_diagonal();
        for (std::size_t j = subset.pattern.begin[k]; j < subset.pattern.begin[k + 1]; ++j) {
            matrix[j] = law.by_velocity * w.block[subset.source[j]];
            if (subset.pattern.column[j] == std::int32_t(k)) matrix[j] += law.by_impulse + proximal * law.by_velocity;
        }
    }
    BlockFactor<D> factor;
    factor.analyse(subset.pattern);
    if (!work.is_granted(factor.operations())) return {};
    factor.factorise(matrix);
    factor.solve(change);
    for (std::size_t k = 0; k < subset.contact.size(); ++k) step[subset.contact[k]] = change[k];
    return step;
}

template std::vector<Vec<2>> newton_step(const TurnedDelassus<2>&, const std::vector<std::int32_t>&,
                                         const std::vector<Vec<2>>&, double, Work&);
template std::vector<Vec<3>> newton_step(const TurnedDelassus<3>&, const std::vector<std::int32_t>&,
                                         const std::vector<Vec<3>>&, double, Work&);

} // namespace talus
