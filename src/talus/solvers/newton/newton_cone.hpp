// The cone x_0 ≥ ‖x_T‖ and its algebra (Faraut and Korányi; Alizadeh and Goldfarb, Math. Program. 95, 2003): what an
// interior point method needs at one contact. Coulomb's cone becomes this one by r̂ = (μ r_N, r_T), û = (ũ_N/μ, u_T).
#pragma once

#include "talus/math/coulomb.hpp"

#include <algorithm>
#include <cmath>

namespace talus {

// A point inside the cone, by its distance to the surface: x_0 − ‖x_T‖ must not drown in the round-off of x_0.
template <int D>
struct ConePoint {
    double slack = 0; // x_0 − ‖x_T‖ > 0
    Tangent<D> tangential;

    Vec<D> whole() const
    {
        Vec<D> x;
        x[0] = slack + tangential.norm();
        x.template tail<D - 1>() = tangential;
        return x;
    }
    double determinant() const { return slack * (slack + 2 * tangential.norm()); } // x_0² − ‖x_T‖²
};

// x ∘ y = (x·y, x_0 y_T + y_0 x_T)
template <int D>
Vec<D> jordan_product(const Vec<D>& x, const Vec<D>& y)
{
    Vec<D> product = x[0] * y + y[0] * x;
    product[0] = x.dot(y);
    return product;
}

// y with x ∘ y = b
template <int D>
Vec<D> jordan_quotient(const Vec<D>& b, const Vec<D>& x)
{
    const auto x_t = x.template tail<D - 1>();
    const double tangential = x_t.norm();
    Vec<D> y;
    y[0] = (x[0] * b[0] - x_t.dot(b.template tail<D - 1>())) / ((x[0] - tangential) * (x[0] + tangential));
    y.template tail<D - 1>() = (b.template tail<D - 1>() - y[0] * x_t) / x[0];
    return y;
}

// Nesterov and Todd's scaling of a pair (r, u): the symmetric Θ of the cone's own transformations with Θ r = u.
template <int D>
struct ConeScaling {
    Mat<D> whole, root, inverse_root; // Θ, Θ^½, Θ^−½

    ConeScaling() = default;
    ConeScaling(const ConePoint<D>& r, const ConePoint<D>& u)
    {
        const double det_r = r.determinant(), det_u = u.determinant();
        const Vec<D> unit_r = r.whole() / std::sqrt(det_r), unit_u = u.whole() / std::sqrt(det_u);
        Vec<D> mirrored = -unit_r;
        mirrored[0] = unit_r[0];
        const Vec<D> w = (unit_u + mirrored) / std::sqrt(2 * (1 + unit_r.dot(unit_u)));
        const double size = std::sqrt(det_u / det_r);
        whole = 2 * size * w * w.transpose() + size * Mat<D>::Identity();
        whole(0, 0) -= 2 * size;
        root = root_of(w) * std::sqrt(size);
        inverse_root = root_of(Vec<D>(2 * w[0] * Vec<D>::Unit(0) - w)) / std::sqrt(size);
    }

  private:
    static Mat<D> root_of(const Vec<D>& w)
    {
        const auto w_t = w.template tail<D - 1>();
        Mat<D> root;
        root(0, 0) = w[0];
        root.template block<D - 1, 1>(1, 0) = w_t;
        root.template block<1, D - 1>(0, 1) = w_t.transpose();
        root.template block<D - 1, D - 1>(1, 1) =
            Eigen::Matrix<double, D - 1, D - 1>::Identity() + w_t * w_t.transpose() / (1 + w[0]);
        return root;
    }
};

// The largest step along d that stays in the cone: x_0 + s d_0 ≥ ‖x_T + s d_T‖, a quadratic in s.
template <int D>
double largest_step(const ConePoint<D>& x, const Vec<D>& d)
{
    constexpr double far = 1e30;
    const Vec<D> whole = x.whole();
    const auto d_t = d.template tail<D - 1>();
    const double a = d[0] * d[0] - d_t.squaredNorm(), b = whole[0] * d[0] - x.tangential.dot(d_t), c = x.determinant();
    const double discriminant = b * b - a * c;
    double step = d[0] < 0 ? -whole[0] / d[0] : far;
    if (!(discriminant >= 0)) return step;
    const double sum = -(b + std::copysign(std::sqrt(discriminant), b)); // of the two roots sum/a and c/sum
    if (a != 0 && sum / a > 0) step = std::min(step, sum / a);
    if (sum != 0 && c / sum > 0) step = std::min(step, c / sum);
    return step;
}

// x + s d, the slack by its own change
template <int D>
void move(ConePoint<D>& x, const Vec<D>& d, double s)
{
    const auto d_t = d.template tail<D - 1>();
    const Tangent<D> next = x.tangential + s * d_t;
    const double norms = x.tangential.norm() + next.norm();
    const double longer = norms > 0 ? s * (2 * x.tangential.dot(d_t) + s * d_t.squaredNorm()) / norms : 0;
    const double slack = x.slack + (s * d[0] - longer);
    x.slack = slack > 0 ? slack : 1e-3 * x.slack; // round-off must not leave the cone
    x.tangential = next;
}

} // namespace talus
