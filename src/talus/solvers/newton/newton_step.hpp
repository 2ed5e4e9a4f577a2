// A step of the semi-smooth Newton method on Alart and Curnier's function (Comput. Methods Appl. Mech. Eng. 92, 1991):
// zero exactly where the law holds, at one contact
//   F_N = (r_N − max(0, y_N))/ρ_N,  F_T = (r_T − P(y_T))/ρ_T,  y = r − ρ u,
// P the projection on the disk of radius μ max(0, y_N). Divided by ρ it is a velocity; ρ is the inverse of W_αα's size.
#pragma once

#include "talus/solvers/newton/newton_subset.hpp"

namespace talus {

// Floating-point operations one is ready to spend.
struct Work {
    double most = 0, spent = 0;

    bool is_granted(double operations)
    {
        spent += operations;
        return spent <= most;
    }
};

template <int D>
struct LawSlopes {
    Vec<D> value;                   // F
    Mat<D> by_impulse, by_velocity; // ∂F/∂r, ∂F/∂u
    bool apart = false;             // F = r/ρ: the velocity does not enter
};

template <int D>
LawSlopes<D> law_slopes(const LocalBlock<D>& block, const Vec<D>& r, const Vec<D>& u)
{
    constexpr int T = D - 1;
    using Plane = Eigen::Matrix<double, T, T>;
    const double mu = block.friction;
    const double normal_size = block.normal; // 1/ρ_N
    const double tangential_size = (D * block.mean_diagonal() - block.normal) / T;
    LawSlopes<D> law;
    Vec<D> sizes;
    sizes.setConstant(tangential_size);
    sizes[0] = normal_size;
    const double y_n = r[0] - u[0] / normal_size;
    law.apart = y_n <= 0;
    law.value = sizes.cwiseProduct(r);
    law.by_impulse = sizes.asDiagonal();
    law.by_velocity.setZero();
    if (law.apart) return law;
    law.value[0] = u[0];
    law.by_impulse(0, 0) = 0;
    law.by_velocity(0, 0) = 1;
    if (mu == 0) return law; // r_T = 0
    const Tangent<D> y_t = r.template tail<T>() - u.template tail<T>() / tangential_size;
    const double size = y_t.norm(), radius = mu * y_n;
    if (size <= radius) { // sticks: u_T = 0
        law.value = u;
        law.by_impulse.setZero();
        law.by_velocity.setIdentity();
        return law;
    }
    // slides: r_T = μ y_N y_T/‖y_T‖
    const Tangent<D> along = y_t / size;
    const Plane across = radius / size * (Plane::Identity() - along * along.transpose());
    law.value.template tail<T>() -= tangential_size * radius * along;
    law.by_impulse.template block<T, T>(1, 1) -= tangential_size * across;
    law.by_impulse.template block<T, 1>(1, 0) = -tangential_size * mu * along;
    law.by_velocity.template block<T, T>(1, 1) = across;
    law.by_velocity.template block<T, 1>(1, 0) = tangential_size / normal_size * mu * along;
    return law;
}

// dr with F + ∂F/∂r dr + ∂F/∂u (W + α trace(W_αα)/d) dr = 0 on `contacts`, 0 elsewhere. α makes a rank-deficient W
// regular. Not finite where even that is singular; empty where the work is not granted.
template <int D>
std::vector<Vec<D>> newton_step(const TurnedDelassus<D>& w, const std::vector<std::int32_t>& contacts,
                                const std::vector<Vec<D>>& impulse, double alpha, Work& work);

} // namespace talus
