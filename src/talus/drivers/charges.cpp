// Electric charges at the centres of bodies (FORCES, forces of long range), by Coulomb's law, in space as in the plane:
//   F = q_i q_j/(4π ε ε₀ r²) along the line from one to the other
#include "talus/drivers/long_range/carriers.hpp"
#include "talus/drivers/long_range/inverse_square.hpp"

namespace talus {

namespace {

constexpr double coulomb_constant = 8.9875517923e9; // [N m²/C²] 1/(4π ε₀), CODATA 2018

template <int D>
class Charges final : public InverseSquare<D> {
  public:
    Charges(const scene::Value& driver, std::vector<BodyList> groups)
        : InverseSquare<D>(driver, coulomb_constant / driver.at("permittivity").number())
    {
        for (std::size_t k = 0; k < groups.size(); ++k) {
            const double charge = driver.at("groups").list()[k].at("charge").number();
            for (const BodyId id : groups[k].ids()) carriers_.add(id, charge);
        }
    }
    void find_bodies(const BodyTable<D>& bodies) override { carriers_.find(bodies); }

  private:
    void for_sources(const BodyTable<D>&, std::size_t count,
                     const typename InverseSquare<D>::Visit& visit) const override
    {
        for (const auto& carrier : carriers_) {
            if (carrier.body >= 0 && std::size_t(carrier.body) < count) visit(carrier.body, carrier.carried);
        }
    }
    Carriers<double> carriers_; // [C]
};

} // namespace

DriverKind charges_driver()
{
    using namespace scene;
    std::vector<Key> keys = {
        tables("groups", "Who is charged.",
               {text("body", "name of a body or of a group of grains").required(),
                number("charge", "of each of them").in("C").required()})
            .required(),
        number("permittivity", "of the medium, relative to the vacuum").above(0).otherwise(Value(1.0))};
    for (Key& key : summation_keys()) keys.push_back(std::move(key));
    return driver_kind<Charges>("charges", "electric charges on bodies: 1/r² between all pairs, energy in the ledger",
                                std::move(keys));
}

} // namespace talus
