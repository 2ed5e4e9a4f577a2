// A simulation filled by hand, with motion that follows no physics but depends on the whole state, on the state of a
// driver and on bodies born on the way: what a run's folder must carry is exactly what decides the next step.
#pragma once

#include "talus/base/random.hpp"
#include "talus/io/runs/run_folder.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <unistd.h>

namespace talus::io {

// A folder of its own, gone after the test.
class Scratch {
  public:
    Scratch()
    {
        const auto* test = testing::UnitTest::GetInstance()->current_test_info();
        std::string name = std::string(test->test_suite_name()) + "." + test->name() + "." + std::to_string(getpid());
        for (char& c : name) c = c == '/' ? '_' : c;
        path_ = std::filesystem::temp_directory_path() / ("talus." + name);
        std::filesystem::remove_all(path_);
        std::filesystem::create_directories(path_);
    }
    ~Scratch()
    {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
    const std::filesystem::path& path() const { return path_; }

  private:
    std::filesystem::path path_;
};

inline std::string contents(const std::filesystem::path& file)
{
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

inline void overwrite(const std::filesystem::path& file, const std::string& text)
{
    std::ofstream(file, std::ios::binary) << text;
}

template <int D>
class Shaker : public Driver<D> {
  public:
    void apply(BodyTable<D>& bodies, ShapeTable<D>&, const Clock&) override
    {
        for (auto& velocity : bodies.velocity) velocity[0] += 1e-3 * random_.uniform(-1, 1);
    }
    std::vector<std::uint64_t> save() const override { return {random_.state().begin(), random_.state().end()}; }
    void restore(std::span<const std::uint64_t> saved) override
    {
        Random::State state;
        std::copy(saved.begin(), saved.end(), state.begin());
        random_.restore(state);
    }

  private:
    Random random_{7};
};

inline scene::Value made_up_scene()
{
    scene::Value stone = scene::Value::table(), materials = scene::Value::table(), root = scene::Value::table();
    stone.set("density", scene::Value(2600.0));
    materials.set("stone", stone);
    materials.set("Größe \"1\"", stone);
    root.set("materials", materials);
    root.set("contact", scene::Value::table());
    return root;
}

template <int D>
void add_grain(Simulation<D>& simulation, double radius)
{
    Body<D> body;
    const double i = double(simulation.bodies.size());
    body.position = Vec<D>::Constant(0.1 * i + 1.0 / 3);
    body.orientation = Rotation<D>::from_vector(Ang<D>::Constant(0.1 * i));
    body.velocity[0] = 0.01 * i;
    body.mass = ball_volume<D>(radius) * 2600;
    body.inertia.setConstant(ball_inertia<D>(body.mass, radius));
    body.shape = simulation.shapes.add_ball(radius);
    body.material = std::int32_t(simulation.bodies.size() % 2);
    simulation.bodies.add(body);
    simulation.groups.back().count += 1;
}

template <int D>
Simulation<D> made_up_simulation(int grains = 5)
{
    Simulation<D> simulation;
    const scene::Value scene = made_up_scene();
    simulation.materials = MaterialTable(scene.at("materials"), scene.at("contact"));
    simulation.drivers.push_back(std::make_unique<Shaker<D>>());
    simulation.clock.dt = 1e-3;
    const auto wall = [&](std::int32_t shape) {
        Body<D> body;
        body.shape = shape;
        body.imposed = all_imposed<D>;
        simulation.bodies.add(body);
    };
    wall(simulation.shapes.add_half_space(Vec<D>::Unit(D - 1)));
    wall(simulation.shapes.add_segment(Vec<D>::Constant(0.25), 0.01));
    wall(simulation.shapes.add_hollow_ball(7));
    wall(simulation.shapes.add_polytope(box<D>(Vec<D>::Constant(0.3))));
    simulation.groups.push_back({"floor", 0, 1});
    simulation.groups.push_back({"grains", std::int32_t(simulation.bodies.size()), 0});
    for (int i = 0; i < grains; ++i) add_grain(simulation, 0.01 + 0.001 * i);
    return simulation;
}

template <int D>
StepReport made_up_step(Simulation<D>& simulation, bool births = true)
{
    auto& bodies = simulation.bodies;
    auto& contacts = simulation.contacts;
    for (auto& driver : simulation.drivers) driver->apply(bodies, simulation.shapes, simulation.clock);
    const double carried = contacts.size() > 0 ? contacts.impulse[0].sum() : 0.0;
    contacts = {};
    for (std::size_t i = 1; i < bodies.size(); ++i) {
        contacts.candidate.push_back(std::int32_t(i));
        contacts.antagonist.push_back(std::int32_t(i - 1));
        contacts.feature.push_back(std::uint64_t(i % 3) << 40);
        contacts.points.push_back(std::uint8_t(1 + i % 4));
        contacts.point.push_back(bodies.position[i]);
        contacts.normal.push_back(Vec<D>::Unit(0));
        contacts.gap.push_back(-1e-6 * double(i));
        contacts.impulse.push_back(0.1 * bodies.velocity[i] + Vec<D>::Constant(0.1 * carried));
        contacts.rolling_impulse.push_back(Ang<D>::Constant(carried));
    }
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        bodies.velocity[i] += Vec<D>::Constant(1e-3 * carried) - 1e-4 * bodies.reaction[i];
        bodies.position[i] += simulation.clock.dt * bodies.velocity[i];
        bodies.spin[i].setConstant(1.0 / (1.0 + double(i)));
        bodies.orientation[i] = bodies.orientation[i].turned(simulation.clock.dt * bodies.spin[i]);
        bodies.reaction[i] = Vec<D>::Constant(bodies.velocity[i].sum());
    }
    simulation.energy.friction += bodies.velocity[0].squaredNorm();
    simulation.energy.driver_work += 1e-3;
    simulation.energy.load_work -= 1e-4;
    ++simulation.clock.step;
    if (births && simulation.clock.step % 7 == 0) add_grain(simulation, 0.02 + 1e-4 * double(simulation.clock.step));
    StepReport report;
    report.contacts = contacts.size();
    report.solve.sweeps = int(simulation.clock.step % 5) + 1;
    report.solve.residual = 1e-3 * double(simulation.clock.step % 11);
    report.solve.reached = simulation.clock.step % 4 != 0;
    return report;
}

template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b)
{
    if (a.size() != b.size()) return false;
    return a.empty() || std::memcmp(static_cast<const void*>(a.data()), static_cast<const void*>(b.data()),
                                    a.size() * sizeof(T)) == 0;
}

// bodies, contacts and the shapes of the bodies, to the bit
template <int D, class A, class B>
void expect_same_state(A& a, B& b)
{
    const auto expect_same_columns = [](const auto& one, const auto& other, std::initializer_list<Role> roles) {
        for_columns<std::decay_t<decltype(one)>>(roles, [&](const auto& column) {
            EXPECT_TRUE(same_bits(one.*column.data, other.*column.data)) << column.name;
        });
    };
    expect_same_columns(a.bodies, b.bodies, {Role::constant, Role::state});
    expect_same_columns(static_cast<const ContactColumns<D>&>(a.contacts),
                        static_cast<const ContactColumns<D>&>(b.contacts), {Role::result, Role::history});
    ASSERT_LE(a.shapes.size(), b.shapes.size());
    for (std::size_t i = 0; i < a.shapes.size(); ++i) {
        EXPECT_EQ(a.shapes.shapes[i].kind, b.shapes.shapes[i].kind);
        EXPECT_EQ(a.shapes.shapes[i].detail, b.shapes.shapes[i].detail);
        EXPECT_EQ(a.shapes.shapes[i].radius, b.shapes.shapes[i].radius);
    }
    ASSERT_EQ(a.shapes.polytopes.size(), b.shapes.polytopes.size());
    for (std::size_t p = 0; p < a.shapes.polytopes.size(); ++p) {
        const Polytope<D>&one = a.shapes.polytopes[p], &other = b.shapes.polytopes[p];
        EXPECT_TRUE(same_bits(one.vertices, other.vertices));
        EXPECT_TRUE(same_bits(one.face_offsets, other.face_offsets));
        EXPECT_TRUE(same_bits(one.face_vertices, other.face_vertices));
        EXPECT_TRUE(same_bits(one.planes, other.planes));
        EXPECT_TRUE(same_bits(one.edges, other.edges));
    }
    EXPECT_TRUE(same_bits(a.shapes.half_spaces, b.shapes.half_spaces));
    EXPECT_TRUE(same_bits(a.shapes.segments, b.shapes.segments));
}

inline Provenance made_up_provenance()
{
    Provenance provenance = provenance_here();
    provenance.version = "0.1.0";
    provenance.build = "test";
    provenance.seed = 7;
    provenance.command = "talus run scene.toml --out \"a b\"";
    return provenance;
}

// A frame every 3 steps, a line every 2, a checkpoint every 10.
template <int D>
void carry_on(Simulation<D>& simulation, RunWriter<D>& writer, Tally& tally, std::int64_t until)
{
    while (simulation.clock.step < until) {
        const StepReport report = made_up_step(simulation);
        tally.add(report);
        if (simulation.clock.step % 3 == 0) writer.frame(simulation);
        if (simulation.clock.step % 2 == 0) writer.series(simulation, report, measure_gauges(simulation));
        if (simulation.clock.step % 10 == 0) writer.checkpoint(simulation, tally);
    }
}

template <int D>
Simulation<D> run_to(const std::filesystem::path& folder, std::int64_t until, bool vtk = false)
{
    Simulation<D> simulation = made_up_simulation<D>();
    RunWriter<D> writer(folder, made_up_scene(), simulation, made_up_provenance(), vtk);
    Tally tally;
    carry_on(simulation, writer, tally, until);
    writer.flush();
    return simulation;
}

} // namespace talus::io
