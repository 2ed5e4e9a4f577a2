// The contact law of a pair of materials (MODEL §2): Signorini-Coulomb with restitution or gap anticipation, and
// optional rolling friction.
#pragma once

#include "talus/scene/value.hpp"

#include <string>
#include <vector>

namespace talus {

struct ContactLaw {
    double friction = 0.5;             // Coulomb's μ
    double restitution = 0;            // e_n of Newton's law
    double tangential_restitution = 0; // e_t
    double rolling_friction = 0;       // [m] μ_r: moment over normal force
    bool gap_anticipation = true;      // an open contact may close during the step but not cross; only where e_n = 0

    // anticipation together with restitution would swallow the bounce
    bool anticipates() const { return gap_anticipation && restitution == 0; }
};

struct Material {
    std::string name;
    double density = 0; // [kg/m³], [kg/m²] in 2D
    // of elastic grains; 0: not given
    double young = 0; // [Pa]
    double poisson = 0;
};

// Materials by index, and one law per pair of them.
class MaterialTable {
  public:
    MaterialTable() = default;
    MaterialTable(const scene::Value& materials, const scene::Value& contact);

    std::int32_t index(const std::string& name) const;
    std::size_t size() const { return materials_.size(); }
    const Material& operator[](std::int32_t index) const { return materials_[index]; }
    const ContactLaw& law(std::int32_t a, std::int32_t b) const { return laws_[a * materials_.size() + b]; }
    bool has_rolling_friction() const;
    bool has_restitution() const;

  private:
    std::vector<Material> materials_;
    std::vector<ContactLaw> laws_; // materials × materials, symmetric
};

} // namespace talus
