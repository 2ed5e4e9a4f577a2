#include "talus/solvers/newton/newton_path.hpp"

namespace talus {

namespace {

// θ: how much of the change of s = ‖u_T‖ the linear system knows. All of it, and the path may turn back where friction
// makes the problem non-monotone; none, and s lags behind. Nine tenths pass the turning points of all recorded problems
// of some thousand contacts.
constexpr double known_slip = 0.9;

constexpr double distance_kept = 0.99; // share of the way to the surface of the cones
constexpr double short_step = 1e-3;
constexpr int short_steps_allowed = 5;

} // namespace

template <int D>
CentralPath<D>::CentralPath(const TurnedDelassus<D>& w, const std::vector<std::int32_t>& contacts)
    : subset_(w, contacts)
{
    const std::size_t n = contacts.size();
    scale_.resize(n);
    free_.resize(n);
    block_.resize(subset_.source.size());
    double squares = 0;
    for (std::size_t k = 0; k < n; ++k) {
        // the cone as the Lorentz cone, and its compliance 1; without friction the cone is a ray
        const LocalBlock<D>& local = w.local[contacts[k]];
        const double mu = local.friction;
        scale_[k].setConstant(mu > 0 ? 1 : 0);
        scale_[k][0] = mu > 0 ? 1 / mu : 1;
        const double tangential = D * local.mean_diagonal() - local.normal;
        const double mean = mu > 0 ? (local.normal / (mu * mu) + tangential) / D : local.normal;
        scale_[k] /= std::sqrt(mean);
        free_[k] = scale_[k].cwiseProduct(w.free_velocity[contacts[k]]);
        squares += free_[k].squaredNorm();
    }
    for (std::size_t k = 0; k < n; ++k) {
        for (std::size_t j = subset_.pattern.begin[k]; j < subset_.pattern.begin[k + 1]; ++j) {
            const Mat<D>& given = w.block[subset_.source[j]];
            block_[j] = scale_[k].asDiagonal() * given * scale_[subset_.pattern.column[j]].asDiagonal();
        }
    }
    // every contact alike, well inside
    const ConePoint<D> start{std::sqrt(squares / double(std::max<std::size_t>(n, 1))), Tangent<D>::Zero()};
    impulse_.assign(n, start);
    velocity_.assign(n, start);
    defect_.resize(n);
    slip_.resize(n);
    scaling_.resize(n);
    factor_.analyse(subset_.pattern);
}

template <int D>
void CentralPath<D>::measure()
{
    const std::size_t n = scale_.size();
    std::vector<Vec<D>> r(n);
    for (std::size_t k = 0; k < n; ++k) r[k] = impulse_[k].whole();
    complementarity_ = 0;
    for (std::size_t k = 0; k < n; ++k) {
        Vec<D> u = free_[k];
        for (std::size_t j = subset_.pattern.begin[k]; j < subset_.pattern.begin[k + 1]; ++j) {
            u += block_[j] * r[subset_.pattern.column[j]];
        }
        defect_[k][0] = velocity_[k].slack - u[0]; // û_0 − ‖û_T‖ is u_N/μ
        defect_[k].template tail<D - 1>() = velocity_[k].tangential - u.template tail<D - 1>();
        complementarity_ += r[k].dot(velocity_[k].whole());
        slip_[k].setIdentity();
        const double speed = velocity_[k].tangential.norm();
        if (speed > 0) {
            slip_[k].template block<1, D - 1>(0, 1) = known_slip / speed * velocity_[k].tangential.transpose();
        }
        scaling_[k] = {impulse_[k], velocity_[k]};
    }
    complementarity_ /= double(n);
}

// Θ + (1 + θ e_0 tᵀ) Ŵ
template <int D>
void CentralPath<D>::factorise()
{
    std::vector<Mat<D>> matrix(block_.size());
    for (std::size_t k = 0; k < scale_.size(); ++k) {
        for (std::size_t j = subset_.pattern.begin[k]; j < subset_.pattern.begin[k + 1]; ++j) {
            matrix[j] = slip_[k] * block_[j];
            if (subset_.pattern.column[j] == std::int32_t(k)) matrix[j] += scaling_[k].whole;
        }
    }
    factor_.factorise(matrix);
}

// Θ dr̂ + dû = target, and û = Ŵ r̂ + q̂ + s e_0 after a full step
template <int D>
auto CentralPath<D>::towards(const std::vector<Vec<D>>& target) -> Direction
{
    Direction direction;
    direction.impulse.resize(target.size());
    direction.velocity.resize(target.size());
    for (std::size_t k = 0; k < target.size(); ++k) direction.impulse[k] = target[k] + slip_[k] * defect_[k];
    factor_.solve(direction.impulse);
    for (std::size_t k = 0; k < target.size(); ++k) {
        // by Ŵ, not by Θ, which is huge where a contact opens
        Vec<D> change = -defect_[k];
        for (std::size_t j = subset_.pattern.begin[k]; j < subset_.pattern.begin[k + 1]; ++j) {
            change += block_[j] * direction.impulse[subset_.pattern.column[j]];
        }
        direction.velocity[k] = slip_[k] * change;
    }
    return direction;
}

template <int D>
double CentralPath<D>::largest_step(const Direction& direction) const
{
    double step = 1 / distance_kept;
    for (std::size_t k = 0; k < scale_.size(); ++k) {
        step = std::min(step, talus::largest_step(impulse_[k], direction.impulse[k]));
        step = std::min(step, talus::largest_step(velocity_[k], direction.velocity[k]));
    }
    return step;
}

template <int D>
double CentralPath<D>::complementarity_after(const Direction& direction, double step) const
{
    double sum = 0;
    for (std::size_t k = 0; k < scale_.size(); ++k) {
        const Vec<D> r = impulse_[k].whole() + step * direction.impulse[k];
        sum += r.dot(velocity_[k].whole() + step * direction.velocity[k]);
    }
    return sum / double(scale_.size());
}

// Predictor: straight to τ = 0. Corrector: to the τ that the predictor leaves hope for, with the predictor's own
// curvature (Mehrotra, SIAM J. Optim. 2, 1992).
template <int D>
bool CentralPath<D>::advance()
{
    if (scale_.empty()) return false;
    measure();
    factorise();
    std::vector<Vec<D>> target(scale_.size());
    for (std::size_t k = 0; k < target.size(); ++k) target[k] = -velocity_[k].whole();
    const Direction predictor = towards(target);
    const double left = complementarity_after(predictor, std::min(1.0, largest_step(predictor))) / complementarity_;
    const double tau = std::min(1.0, std::pow(std::max(left, 0.0), 3)) * complementarity_;
    for (std::size_t k = 0; k < target.size(); ++k) {
        const ConeScaling<D>& scaling = scaling_[k];
        const Vec<D> here = scaling.root * impulse_[k].whole(); // = Θ^−½ û
        const Vec<D> curvature =
            jordan_product<D>(scaling.inverse_root * predictor.velocity[k], scaling.root * predictor.impulse[k]);
        const Vec<D> wanted = tau * Vec<D>::Unit(0) - jordan_product<D>(here, here) - curvature;
        target[k] = scaling.root * jordan_quotient<D>(wanted, here);
    }
    const Direction corrector = towards(target);
    const double step = std::min(1.0, distance_kept * largest_step(corrector));
    if (!std::isfinite(complementarity_after(corrector, step))) return false;
    for (std::size_t k = 0; k < target.size(); ++k) {
        move(impulse_[k], corrector.impulse[k], step);
        move(velocity_[k], corrector.velocity[k], step);
    }
    short_steps_ = step < short_step ? short_steps_ + 1 : 0;
    return short_steps_ < short_steps_allowed;
}

template <int D>
void CentralPath<D>::impulses(std::vector<Vec<D>>& impulse) const
{
    std::fill(impulse.begin(), impulse.end(), Vec<D>::Zero());
    for (std::size_t k = 0; k < scale_.size(); ++k) {
        impulse[subset_.contact[k]] = scale_[k].cwiseProduct(impulse_[k].whole());
    }
}

template class CentralPath<2>;
template class CentralPath<3>;

} // namespace talus
