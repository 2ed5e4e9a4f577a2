#include "talus/simulation/event_refusals.hpp"

#include "talus/sampling/vectors.hpp"
#include "talus/simulation/event_driven.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

namespace talus {

namespace {

constexpr std::size_t most_told = 10; // of one sort
constexpr double rounding = 1e-9;     // of a radius: what places of balls that touch may be off by
constexpr const char* known_drivers[] = {"gravity", "velocity", "vibration", "outlet"};

template <int D>
class Refusals {
  public:
    Refusals(const Simulation<D>& simulation, const scene::Value& scene) : simulation_(simulation), scene_(scene) {}

    void run()
    {
        refuse_sections();
        refuse_drivers();
        refuse_bodies();
        refuse_laws();
        refuse_gauges();
        if (mistakes_.empty()) refuse_start(); // of balls and walls
        if (!mistakes_.empty()) throw InputError(std::move(mistakes_));
    }

  private:
    const scene::Value& method() const { return scene_.at("scene").at("method"); }
    void refuse(const scene::Value& at, const std::string& why) { mistakes_.push_back(mistake(at, why)); }
    std::string name(std::size_t body) const { return body_name(simulation_, std::int32_t(body)); }

    void refuse_sections()
    {
        if (scene_.at("scene").at("until").is_text("rest")) {
            refuse(scene_.at("scene").at("until"),
                   "has no meaning with scene.method = \"event\": nothing comes to rest "
                   "between impacts; \"time\"");
        }
        for (const char* key : {"operations", "walkers", "doors"}) {
            const scene::Value* section = scene_.find(key);
            if (!section || !section->is_list() || section->list().empty()) continue;
            mistakes_.push_back(mistake_of_key(*section, "goes with other methods than \"event\""));
        }
        for (const scene::Value& generator : scene_.at("generators").list()) {
            const scene::Value* shape = generator.find("shape");
            const bool is_ball = !shape || !shape->is_text() || shape->is_text("disk") || shape->is_text("sphere");
            if (!is_ball) refuse(*shape, fmt::format("event-driven dynamics moves {}s only", ball()));
        }
    }

    void refuse_drivers()
    {
        for (const scene::Value& driver : scene_.at("drivers").list()) {
            const scene::Value& type = driver.at("type");
            if (std::ranges::find(known_drivers, type.text()) == std::end(known_drivers)) {
                refuse(type, fmt::format("does not go with scene.method = \"event\", which knows \"{}\"",
                                         fmt::join(known_drivers, "\", \"")));
                continue;
            }
            const scene::Value* body = driver.find("body");
            if (!body) continue;
            const auto group = std::ranges::find(simulation_.groups, body->text(), &BodyGroup::name);
            if (group == simulation_.groups.end()) continue;
            for (std::int32_t k = group->first; k < group->first + group->count; ++k) {
                const std::int32_t i = simulation_.bodies.find(BodyId(k));
                if (i >= 0 && is_wall(std::size_t(i))) continue;
                refuse(*body, fmt::format("is no fixed wall: event-driven dynamics moves {} only", walls()));
                break;
            }
            const scene::Value* spin = driver.find("spin");
            if (spin && !angular_of<D>(*spin).isZero(0)) {
                refuse(*spin, "must be 0: with scene.method = \"event\" walls move without turning");
            }
        }
    }

    void refuse_bodies()
    {
        const BodyTable<D>& bodies = simulation_.bodies;
        constexpr FreedomMask shifts = (1u << D) - 1u;
        std::size_t told = 0;
        for (std::size_t i = 0; i < bodies.size() && told < most_told; ++i) {
            const ShapeKind kind = simulation_.shapes[bodies.shape[i]].kind;
            std::string why;
            if (kind == ShapeKind::cluster) {
                why = fmt::format("has several parts: event-driven dynamics moves bodies of one {}", ball());
            } else if (kind != ShapeKind::ball && !is_wall(i)) {
                why = fmt::format("is a {}: event-driven dynamics moves {}s, and takes as fixed walls {}",
                                  shape_name<D>(kind), ball(), walls());
            } else if (kind == ShapeKind::ball && !bodies.is_passive(i)) {
                const FreedomMask turns = bodies.imposed[i] & ~shifts & all_imposed<D>;
                const bool is_free = (bodies.imposed[i] & shifts) == 0;
                if (!is_free || (turns != 0 && turns != (all_imposed<D> & ~shifts))) {
                    why = "is held along some axes: event-driven dynamics takes motion = \"free\", \"fixed\", or all "
                          "shifts free and no rotation";
                }
            } else if (kind == ShapeKind::ball && !bodies.velocity[i].isZero(0)) {
                why = "is fixed and has a velocity: only walls move so";
            } else if (is_wall(i) && !bodies.spin[i].isZero(0)) {
                why = "has a spin: with scene.method = \"event\" walls move without turning";
            }
            if (why.empty()) continue;
            refuse(method(), fmt::format("{} {}", name(i), why));
            ++told;
        }
    }

    void refuse_laws()
    {
        const BodyTable<D>& bodies = simulation_.bodies;
        std::set<std::int32_t> moving, all;
        for (std::size_t i = 0; i < bodies.size(); ++i) {
            all.insert(bodies.material[i]);
            if (!bodies.is_passive(i)) moving.insert(bodies.material[i]);
        }
        for (const std::int32_t a : moving) {
            for (const std::int32_t b : all) {
                if (moving.contains(b) && b < a) continue;
                const ContactLaw& law = simulation_.materials.law(a, b);
                const std::string between = fmt::format("between \"{}\" and \"{}\"", simulation_.materials[a].name,
                                                        simulation_.materials[b].name);
                if (law.restitution <= 0) {
                    refuse(scene_.at("contact").at("restitution"),
                           fmt::format("leaves bodies together after an impact {}, which event-driven dynamics cannot "
                                       "follow: above 0, at most 1",
                                       between));
                }
                if (law.rolling_friction > 0) {
                    refuse(scene_.at("contact").at("rolling_friction"),
                           fmt::format("acts {} while they stay together; with scene.method = \"event\" bodies only "
                                       "collide: 0",
                                       between));
                }
            }
        }
    }

    // What a gauge shows by default is not asked for by name.
    void refuse_gauges()
    {
        const std::vector<std::string> useless = indicators_of_contacts();
        for (const scene::Value& gauge : scene_.at("gauges").list()) {
            const scene::Value& shown = gauge.at("indicators");
            if (!shown.is_list() || is_default(shown, gauge.at("type").is_text("body"))) continue;
            for (const scene::Value& name : shown.list()) {
                if (std::ranges::find(useless, name.text()) == useless.end()) continue;
                refuse(name, "needs contacts that last; with scene.method = \"event\" a gauge knows compacity, "
                             "interpenetration, velocity, sizes, motion");
            }
        }
    }

    static bool is_default(const scene::Value& shown, bool of_body)
    {
        std::vector<std::string> names;
        for (const Indicator<D>& indicator : indicators<D>()) {
            if (indicator.is_of_body == of_body && indicator.by_default) names.push_back(indicator.name);
        }
        return std::ranges::equal(shown.list(), names,
                                  [](const scene::Value& a, const std::string& b) { return a.is_text(b); });
    }

    // Balls that overlap, or lie on something.
    void refuse_start()
    {
        const BodyTable<D>& bodies = simulation_.bodies;
        ContactTable<D> contacts;
        const auto detector = make_detector<D>("auto");
        contacts.detect(bodies, simulation_.shapes, *detector, 0.0);
        const Vec<D> gravity = acceleration();
        std::size_t told = 0;
        for (std::size_t k = 0; k < contacts.size() && told < most_told; ++k) {
            const std::size_t c = std::size_t(contacts.candidate[k]), a = std::size_t(contacts.antagonist[k]);
            const double radius = smaller_radius(c, a);
            const double weight = gravity.dot(contacts.normal[k]), speed = std::sqrt(gravity.norm() * radius);
            const double parting = (bodies.velocity[c] - bodies.velocity[a]).dot(contacts.normal[k]);
            const bool rests = bodies.is_passive(a) && weight < 0 && std::abs(parting) <= rounding * speed;
            std::string why;
            if (contacts.gap[k] < -rounding * radius) {
                why = fmt::format("overlap by {:.3g} m at the start: event-driven dynamics needs bodies apart",
                                  -contacts.gap[k]);
            } else if (rests) {
                why =
                    "touch and stay together at the start, which event-driven dynamics cannot follow: contact dynamics "
                    "(scene.method = \"contact_dynamics\") takes piles, events take bodies that fly";
            }
            if (why.empty()) continue;
            refuse(method(), fmt::format("{} and {} {}", name(c), name(a), why));
            ++told;
        }
    }

    Vec<D> acceleration() const
    {
        for (std::size_t i = 0; i < simulation_.bodies.size(); ++i) {
            if (!simulation_.bodies.is_passive(i)) return simulation_.field_load(i).force / simulation_.bodies.mass[i];
        }
        return Vec<D>::Zero();
    }
    double smaller_radius(std::size_t c, std::size_t a) const
    {
        double radius = never;
        for (const std::size_t i : {c, a}) {
            const Shape<D>& shape = simulation_.shapes[simulation_.bodies.shape[i]];
            if (shape.kind == ShapeKind::ball) radius = std::min(radius, shape.radius);
        }
        return radius;
    }
    bool is_wall(std::size_t i) const
    {
        const ShapeKind kind = simulation_.shapes[simulation_.bodies.shape[i]].kind;
        return simulation_.bodies.is_passive(i) &&
               (kind == ShapeKind::half_space || kind == ShapeKind::segment || kind == ShapeKind::hollow_ball ||
                kind == ShapeKind::hollow_cylinder);
    }
    static const char* ball() { return D == 2 ? "disk" : "sphere"; }
    static const char* walls()
    {
        return D == 2 ? "half_space, segment and hollow_disk"
                      : "half_space, segment, hollow_sphere and hollow_cylinder";
    }

    const Simulation<D>& simulation_;
    const scene::Value& scene_;
    std::vector<Mistake> mistakes_;
};

} // namespace

template <int D>
void refuse_for_events(const Simulation<D>& simulation, const scene::Value& scene)
{
    Refusals<D>(simulation, scene).run();
}

std::vector<std::string> indicators_of_contacts()
{
    return {"coordination", "contacts", "stress", "inertia", "fabric", "forces", "load", "reaction"};
}

template void refuse_for_events(const Simulation<2>&, const scene::Value&);
template void refuse_for_events(const Simulation<3>&, const scene::Value&);

} // namespace talus
