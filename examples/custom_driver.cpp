// Lesson 2: a driver of your own. Polyhedra in space fall towards a common centre and become a rubble pile, as small
// asteroids are. A force that derives from a potential says so, and the energy ledger counts it.
#include <talus/talus.hpp>

#include <cmath>
#include <cstdio>

// Every grain is drawn to the origin as inside a ball of uniform density: force = -mass × rate² × position.
class CentralField final : public talus::Driver<3> {
  public:
    explicit CentralField(double rate) : rate_(rate) {}
    void load(talus::BodyTable<3>& bodies, const talus::TimeSpan&) override
    {
        // on threads, with the same bits for any number of them
        talus::parallel_for(bodies.size(), [&](std::size_t i) { bodies.force[i] += field(bodies, i); });
    }
    talus::Vec<3> field(const talus::BodyTable<3>& bodies, std::size_t i) const override
    {
        return -bodies.mass[i] * rate_ * rate_ * bodies.position[i];
    }
    double potential(const talus::BodyTable<3>& bodies, std::size_t i) const override
    {
        return -0.5 * field(bodies, i).dot(bodies.position[i]);
    }

  private:
    double rate_; // [1/s]
};

int main()
try {
    talus::Scene<3> scene{.name = "rubble pile", .dt = 2e-3, .duration = 3};
    const auto rock = scene.materials.add({.name = "rock", .density = 2700});
    scene.contact.law.friction = 0.6;
    scene.generators.push_back(talus::generator::Random{.lower = {-0.4, -0.4, -0.4},
                                                        .upper = {0.4, 0.4, 0.4},
                                                        .grains = {.shape = "polyhedron", .size = {0.05, 0.09}},
                                                        .count = 150,
                                                        .material = rock});
    scene.gauges.push_back(talus::gauge::Sphere{.name = "core", .centre = {0, 0, 0}, .radius = 0.15});

    talus::Run<3> run(scene);
    run.simulation().drivers.push_back(std::make_unique<CentralField>(3.0));
    run.observe(
        [&](const talus::State<3>& state) {
            double sum = 0; // of the squared distances from the centre
            for (const auto& position : state.bodies.position) sum += position.squaredNorm();
            std::printf("t = %.1f s: radius of gyration %.3f m, kinetic energy %7.3f J, %4zu contacts\n",
                        state.clock.time(), std::sqrt(sum / double(state.bodies.size())),
                        run.simulation().kinetic_energy(), state.contacts.size());
        },
        0.5);
    const talus::RunEnd end = run.advance();
    std::printf("%s: compacity of the core %.3f, energy unaccounted for %.1e J of %.1f J dissipated\n",
                end.reason.c_str(), run.reading("core")["compacity"].value_or(0), run.simulation().energy_imbalance(),
                run.simulation().energy.dissipated());
    return end.status; // 0: done, 3: the run missed the quality it was asked for
} catch (const talus::InputError& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
}
