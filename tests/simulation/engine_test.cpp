// Engines of other kinds than contact dynamics, from outside the library: one that goes from event to event, and one
// whose integrator asks for loads four times in a step. Run, writer, checkpoint and ledger serve them without knowing.
#include "io/made_up_run.hpp"
#include "scene_pieces.hpp"
#include "scenes_in_tests.hpp"
#include "talus/io/runs/frames.hpp"
#include "talus/io/runs/run_recorder.hpp"

using namespace talus;

namespace {

using Run2 = Run<2>; // the name is taken in tests by googletest

constexpr double gravity = 9.81, restitution = 0.8, radius = 0.05; // [m/s²], [1], [m]

// Balls fly on parabolas and bounce off the floor z = 0 at the moment they reach it; they do not meet each other.
class Bounces final : public Engine<2> {
  public:
    void advance(Simulation<2>& simulation, double until, const Told& told) override
    {
        simulation.begin_step();
        const double duration = until - simulation.clock.time();
        for (std::size_t i = 0; i < simulation.bodies.size(); ++i) {
            if (!simulation.bodies.is_passive(i)) fly(simulation, i, duration);
        }
        while (simulation.clock.time() < until - 0.5 * simulation.clock.dt) simulation.end_step();
        told({});
    }
    EngineMemory save() const override { return {.numbers = {{"bounces", bounces}}, .columns = {}}; }
    std::string restore(const EngineMemory& memory) override
    {
        bounces = memory.numbers.front().second;
        return {};
    }
    double bounces = 0;

  private:
    void fly(Simulation<2>& simulation, std::size_t i, double left)
    {
        Vec<2>&place = simulation.bodies.position[i], &velocity = simulation.bodies.velocity[i];
        const auto move = [&](double time) {
            place += time * velocity + Vec<2>(0, -0.5 * gravity * time * time);
            velocity.y() -= gravity * time;
        };
        for (;;) {
            const double height = place.y() - radius;
            const double impact = std::sqrt(velocity.y() * velocity.y() + 2 * gravity * height); // [m/s]
            const double time = (velocity.y() + impact) / gravity;
            if (time > left) return move(left);
            move(time);
            left -= time;
            simulation.energy.impact +=
                0.5 * simulation.bodies.mass[i] * impact * impact * (1 - restitution * restitution);
            velocity.y() = restitution * impact;
            place.y() = radius;
            ++bounces;
        }
    }
};

scene::Value scene_of_bounces()
{
    const std::string scene =
        piece::start({.dt = "\"20 ms\"",
                      .duration = "\"1.6 s\"",
                      .materials = "steel = { density = 7800 }",
                      .contact = "friction = 0\nrestitution = 0.8"}) +
        "[output]\nframes_every = \"0.1 s\"\n" + piece::floor(2, "steel", "name = \"floor\"") +
        piece::body("disk", "name = \"low\"\nradius = 0.05\nposition = [0, 0.3]\nvelocity = [0.4, 0]", "steel") +
        piece::body("disk", "name = \"high\"\nradius = 0.05\nposition = [3, 0.9]", "steel") + piece::gravity;
    return checked(io::parse_scene(scene, "bounces.toml"));
}

Run2 run_of_bounces(Bounces*& engine)
{
    const scene::Value scene = scene_of_bounces();
    Simulation<2> simulation = assemble<2>(scene);
    auto made = std::make_unique<Bounces>();
    engine = made.get();
    simulation.engine = std::move(made);
    return {std::move(simulation), plan_of(scene)};
}

// Height of the centre at a time, from the closed formula of a ball that falls from rest.
double height_at(double time, double from)
{
    double fall = std::sqrt(2 * (from - radius) / gravity), speed = gravity * fall;
    if (time < fall) return from - 0.5 * gravity * time * time;
    for (time -= fall;; time -= 2 * speed / gravity) {
        speed *= restitution;
        if (time < 2 * speed / gravity) return radius + speed * time - 0.5 * gravity * time * time;
    }
}

// Adds a pull to the origin, force = −stiffness × position, at the bodies' present places.
class Spring final : public Driver<2> {
  public:
    void load(BodyTable<2>& bodies, const TimeSpan&) override
    {
        ++calls;
        for (std::size_t i = 0; i < bodies.size(); ++i) bodies.force[i] += field(bodies, i);
    }
    Vec<2> field(const BodyTable<2>& bodies, std::size_t i) const override { return -4 * bodies.position[i]; }
    double potential(const BodyTable<2>& bodies, std::size_t i) const override
    {
        return 2 * bodies.position[i].squaredNorm();
    }
    int calls = 0;
};

// The classical Runge-Kutta scheme of fourth order, for bodies that touch nothing and do not turn.
class RungeKutta final : public Engine<2> {
  public:
    void advance(Simulation<2>& simulation, double until, const Told& told) override
    {
        while (simulation.clock.time() < until - 0.5 * simulation.clock.dt) {
            step(simulation);
            told({});
        }
    }

  private:
    static void step(Simulation<2>& simulation)
    {
        simulation.begin_step();
        BodyTable<2>& bodies = simulation.bodies;
        const double h = simulation.clock.dt;
        const auto place = bodies.position, velocity = bodies.velocity;
        const auto held = bodies.force; // what drivers wrote for the whole step
        std::vector<Vec<2>> rate(bodies.size(), Vec<2>(0, 0)), acceleration = rate, moved = rate, gained = rate;
        for (const auto& [at, weight] : {std::pair{0.0, 1 / 6.0}, {0.5, 1 / 3.0}, {0.5, 1 / 3.0}, {1.0, 1 / 6.0}}) {
            for (std::size_t i = 0; i < bodies.size(); ++i) {
                bodies.position[i] = place[i] + at * h * rate[i];
                bodies.velocity[i] = velocity[i] + at * h * acceleration[i];
            }
            bodies.force = held;
            simulation.add_loads({simulation.clock.time() + at * h, 0});
            for (std::size_t i = 0; i < bodies.size(); ++i) {
                rate[i] = bodies.velocity[i];
                acceleration[i] = bodies.force[i] / bodies.mass[i];
                moved[i] += weight * h * rate[i];
                gained[i] += weight * h * acceleration[i];
            }
        }
        for (std::size_t i = 0; i < bodies.size(); ++i) {
            bodies.position[i] = place[i] + moved[i];
            bodies.velocity[i] = velocity[i] + gained[i];
        }
        simulation.end_step();
    }
};

// One body of 1 kg on the spring for 3 s, which is ω t = 6: the error of its place.
double error_on_spring(double dt, int* calls = nullptr)
{
    Simulation<2> simulation;
    simulation.engine = std::make_unique<RungeKutta>();
    simulation.clock.dt = dt;
    Body<2> body;
    body.mass = 1;
    body.inertia.setConstant(1);
    body.position = {1, 0};
    body.velocity = {0, 1};
    body.shape = simulation.shapes.add_ball(0.1);
    simulation.bodies.add(body);
    auto spring = std::make_unique<Spring>();
    const Spring& counted = *spring;
    simulation.drivers.push_back(std::move(spring));
    advance(simulation, 3);
    if (calls) *calls = counted.calls;
    return (simulation.bodies.position[0] - Vec<2>(std::cos(6.0), 0.5 * std::sin(6.0))).norm();
}

} // namespace

// Places follow from the closed formula to round-off, though several bounces may lie in a step and frames do not; what
// impacts took is in the ledger.
TEST(Engine, GoesFromEventToEvent)
{
    Bounces* engine = nullptr;
    Run2 run = run_of_bounces(engine);
    EXPECT_EQ(run.advance().outcome, "done");
    const BodyTable<2>& bodies = run.state().bodies;
    EXPECT_NEAR(run.time(), 1.6, 1e-12);
    EXPECT_NEAR(bodies.position[1].x(), 0.4 * 1.6, 1e-12);
    EXPECT_NEAR(bodies.position[1].y(), height_at(1.6, 0.3), 1e-12);
    EXPECT_NEAR(bodies.position[2].y(), height_at(1.6, 0.9), 1e-12);
    EXPECT_GE(engine->bounces, 5);
    EXPECT_NEAR(run.simulation().energy_imbalance(), 0, 1e-12 * run.simulation().energy.start);
    EXPECT_GT(run.simulation().energy.impact, 0.3 * run.simulation().energy.start);
}

// Written, stopped and resumed as any run: frames at their times, the engine's own memory, the same bits at the end.
TEST(Engine, IsWrittenAndResumedAsAnyOther)
{
    const io::Scratch scratch;
    Bounces* engine = nullptr;
    Run2 whole = run_of_bounces(engine);
    whole.observe(io::new_recorder(whole, scene_of_bounces(), {scratch / "whole", "test"}));
    whole.advance();
    const double bounces = engine->bounces;
    const auto frames = io::read_run_info(scratch / "whole").times;
    ASSERT_EQ(frames.size(), 17u);
    for (std::size_t k = 0; k < frames.size(); ++k) EXPECT_NEAR(frames[k], 0.1 * double(k), 1e-12);

    Run2 begun = run_of_bounces(engine);
    begun.observe(io::new_recorder(begun, scene_of_bounces(), {scratch / "parts", "test"}));
    begun.advance_to(0.84);
    begun.stop_when([] { return RunEnd{"interrupted", "by the test", 0}; });
    begun.advance();
    EXPECT_LT(engine->bounces, bounces);

    Run2 resumed = run_of_bounces(engine);
    const io::Restored restored = io::read_checkpoint(scratch / "parts", resumed.simulation());
    EXPECT_NEAR(resumed.time(), 0.84, 1e-12);
    resumed.advance();
    EXPECT_EQ(resumed.simulation().state_hash(), whole.simulation().state_hash());
    EXPECT_EQ(resumed.simulation().energy.impact, whole.simulation().energy.impact);
    EXPECT_EQ(engine->bounces, bounces);
    EXPECT_TRUE(io::verify_checkpoints(scratch / "parts").empty());
}

// Loads at other places and moments than the step's begin: fourth order needs all four of them to be right.
TEST(Engine, AsksForLoadsSeveralTimesInAStep)
{
    int calls = 0;
    const double coarse = error_on_spring(0.05, &calls), fine = error_on_spring(0.025);
    EXPECT_EQ(calls, 4 * 60);
    EXPECT_NEAR(std::log2(coarse / fine), 4, 0.1) << coarse << " " << fine; // next term: O(h) of it
}

TEST(Engine, ThatIsNotContactDynamicsSaysSo)
{
    Simulation<2> simulation;
    EXPECT_NO_THROW(simulation.contact_dynamics());
    simulation.engine = std::make_unique<RungeKutta>();
    EXPECT_THROW(simulation.contact_dynamics(), std::logic_error);
}
