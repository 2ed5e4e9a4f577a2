#include "cost.hpp"

#include "exec/parallel.hpp"
#include "load.hpp"
#include "run_loop.hpp"

using namespace talus;

template <int D>
Cost estimate_cost(const scene::Value& scene, const Simulation<D>& simulation)
{
    Cost cost;
    const RunPlan plan = plan_of(scene);
    cost.steps = step_count(scene);
    const double duration = scene.at("scene").at("duration").number();
    double fed = 0;
    for (const scene::Value& generator : scene.at("generators").list()) {
        if (!generator.at("type").is_text("feeder")) continue;
        const double time = std::max(0.0, duration - generator.at("start").number());
        fed += std::min(double(generator.at("count").integer()), generator.at("rate").number() * time + 1);
    }
    cost.bodies = double(simulation.bodies.size()) + fed;
    // a dense pile has about six neighbours a grain in 3D, four in 2D, and some more within the alert distance
    cost.contacts = cost.bodies < 20 ? cost.bodies : cost.bodies * (D == 2 ? 2.4 : 3.7);
    // bytes per body and per contact as measured by `talus bench memory`, 3D; 2D needs about half
    cost.memory = 30e6 + cost.bodies * (D == 2 ? 350 : 600) + cost.contacts * (D == 2 ? 250 : 400);
    const double frames = double(cost.steps) / double(plan.frame_steps) + 1;
    cost.disk = frames * (cost.bodies * (D == 2 ? 60 : 110) + cost.contacts * (D == 2 ? 60 : 90)) +
                double(cost.steps) / double(plan.series_steps) * 250 + 3 * cost.memory / 2;
    // a grain that is fed late costs only from then on: half on average
    const double share = cost.bodies > 0 ? 1 - 0.5 * fed / cost.bodies : 1;
    const double sweeps = scene.at("solver").at("stop").is_text("sweeps")
                              ? double(scene.at("solver").at("sweeps").integer())
                              : std::min(60.0, double(scene.at("solver").at("sweeps").integer()));
    // per body and contact on one core of a present server: threads share all but the sweeps
    const double sequential = 50e-9 * sweeps * cost.contacts;
    const double shared = 300e-9 * cost.bodies + 350e-9 * cost.contacts;
    cost.seconds =
        double(cost.steps) * share * (sequential + shared / std::min(thread_count(), 8)) + 1e-6 * cost.disk / 100;
    return cost;
}

template Cost estimate_cost(const scene::Value&, const Simulation<2>&);
template Cost estimate_cost(const scene::Value&, const Simulation<3>&);
