// The central path: points (r̂, û) inside the cones with r̂ ∘ û = τ e at every contact, followed to τ → 0 by Mehrotra's
// predictor and corrector (docs/referee.md). û_N = u_N/μ + s with s = ‖u_T‖ is de Saxcé's velocity.
#pragma once

#include "talus/solvers/newton/newton_cone.hpp"
#include "talus/solvers/newton/newton_subset.hpp"

namespace talus {

template <int D>
class CentralPath {
  public:
    // on the contacts of `w` that may carry impulses
    CentralPath(const TurnedDelassus<D>& w, const std::vector<std::int32_t>& contacts);

    bool advance(); // one factorisation; false: there is no way on
    void impulses(std::vector<Vec<D>>& impulse) const;

  private:
    struct Direction {
        std::vector<Vec<D>> impulse, velocity;
    };
    void measure();
    void factorise();
    Direction towards(const std::vector<Vec<D>>& target);
    double largest_step(const Direction& direction) const;
    double complementarity_after(const Direction& direction, double step) const;

    ContactSubset<D> subset_;
    std::vector<Vec<D>> scale_; // r = scale r̂, component by component
    std::vector<Mat<D>> block_; // Ŵ
    std::vector<Vec<D>> free_;  // q̂
    std::vector<ConePoint<D>> impulse_, velocity_;
    std::vector<Vec<D>> defect_; // û − Ŵ r̂ − q̂ − s e_0
    std::vector<Mat<D>> slip_;   // 1 + θ e_0 (û_T/‖û_T‖)ᵀ
    std::vector<ConeScaling<D>> scaling_;
    double complementarity_ = 0; // r̂·û, mean over the contacts
    BlockFactor<D> factor_;
    int short_steps_ = 0; // in a row
};

} // namespace talus
