// A driver of forces ±k s_i s_j/r² between all pairs of bodies that have a strength s: charges (Coulomb), masses
// (Newton). Its energy is ±½ k Σ s_i potential_i, of which the forces of the direct sum are the exact gradient.
#pragma once

#include "talus/drivers/driver_kind.hpp"
#include "talus/drivers/long_range/summation.hpp"

#include <functional>

namespace talus {

template <int D>
class InverseSquare : public Driver<D> {
  public:
    // `constant` > 0: equal signs repel
    InverseSquare(const scene::Value& driver, double constant);
    void load(BodyTable<D>& bodies, const TimeSpan& during) override;
    Vec<D> field(const BodyTable<D>&, std::size_t i) const override;
    bool is_mutual() const override { return true; }
    double energy(const BodyTable<D>& bodies, std::size_t count) override;
    std::vector<Mistake> examine(const BodyTable<D>& bodies, const ShapeTable<D>& shapes) override;

  protected:
    // Of the first `count` bodies those that have a strength, and which: visit(body, strength), in order.
    using Visit = std::function<void(std::int32_t body, double strength)>;
    virtual void for_sources(const BodyTable<D>& bodies, std::size_t count, const Visit& visit) const = 0;
    const scene::Value& given() const { return given_; }

  private:
    void find(const BodyTable<D>& bodies, std::size_t count);

    scene::Value given_; // for messages
    ActingTime acting_;
    double constant_;  // [N m²/C²], or that of masses, which is negative
    double softening_; // [m]
    std::unique_ptr<Summation<D>> summation_;
    // Where sources are, and what they feel there; it is not summed up again as long as they stay.
    std::vector<std::int32_t> body_;
    Sources<D> sources_, next_;
    Felt<D> felt_;
    std::vector<Vec<D>> force_; // [N] on each body by the last load
};

} // namespace talus
