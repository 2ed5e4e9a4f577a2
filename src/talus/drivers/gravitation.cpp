// Bodies attract each other (FORCES, forces of long range: the comet), by Newton's law, in space as in the plane:
//   F = G m_i m_j/r² towards each other
#include "talus/drivers/long_range/inverse_square.hpp"

namespace talus {

namespace {

template <int D>
class Gravitation final : public InverseSquare<D> {
  public:
    explicit Gravitation(const scene::Value& driver) : InverseSquare<D>(driver, -driver.at("constant").number()) {}
    void apply(BodyTable<D>&, ShapeTable<D>& shapes, const Clock&) override { find_walls(shapes); }
    std::vector<Mistake> examine(const BodyTable<D>& bodies, const ShapeTable<D>& shapes) override
    {
        find_walls(shapes);
        return InverseSquare<D>::examine(bodies, shapes);
    }

  private:
    void find_walls(const ShapeTable<D>& shapes)
    {
        const auto known = std::int32_t(is_wall_.size());
        for (std::int32_t shape = known; shape < std::int32_t(shapes.size()); ++shape) {
            is_wall_.push_back(is_unbounded(shapes[shape].kind));
        }
    }
    void for_sources(const BodyTable<D>& bodies, std::size_t count,
                     const typename InverseSquare<D>::Visit& visit) const override
    {
        for (std::size_t i = 0; i < count; ++i) {
            const auto shape = std::size_t(bodies.shape[i]);
            if (shape < is_wall_.size() && is_wall_[shape]) continue; // a wall has no centre
            if (bodies.mass[i] > 0) visit(std::int32_t(i), bodies.mass[i]);
        }
    }
    std::vector<std::uint8_t> is_wall_; // by shape
};

} // namespace

DriverKind gravitation_driver()
{
    using namespace scene;
    std::vector<Key> keys = {
        number("constant", "of gravitation").in("m^3/(kg s^2)").at_least(0).otherwise(Value(6.6743e-11))};
    for (Key& key : summation_keys()) keys.push_back(std::move(key));
    return driver_kind<Gravitation>(
        "gravitation", "masses attract each other: 1/r² between all pairs, also fixed ones, energy in the ledger",
        std::move(keys));
}

} // namespace talus
