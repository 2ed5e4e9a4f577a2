#include "talus/api/scene_tables.hpp"

#include "talus/sampling/ballast_grains.hpp"

#include <algorithm>
#include <iterator>

namespace talus {

using scene::Value;

namespace {

Value plain(bool boolean) { return Value(boolean); }
Value plain(std::int64_t integer) { return Value(integer); }
Value plain(double number) { return Value(number); }
Value plain(const std::string& text) { return Value(text); }
Value plain(const Vector& vector) { return Value::numbers(vector.numbers()); }
Value plain(const std::vector<double>& numbers) { return Value::numbers(numbers); }
Value plain(const SievePoint& point) { return Value::numbers({point.size, point.passing}); }

Value plain(const driver::Magnetic& magnetic);
Value plain(const driver::Charged& charged);

Value one_or_all(const std::vector<double>& numbers)
{
    return numbers.size() == 1 ? Value(numbers.front()) : Value::numbers(numbers);
}
Value plain(const Turn& turn) { return one_or_all(turn.numbers()); }
Value plain(const Between& between) { return one_or_all(between.numbers()); }

template <class T>
Value plain(const std::vector<T>& entries)
{
    Value::List list;
    for (const T& entry : entries) list.push_back(plain(entry));
    return Value(std::move(list));
}
Value plain(const Words& words) { return words.is_one_word() ? Value(words.words().front()) : plain(words.words()); }

template <class T>
Field field(const char* key, const Given<T>& member)
{
    return {key, member.is_given() ? plain(*member) : Value()};
}

Value plain(const driver::Magnetic& magnetic)
{
    return table_of(
        {field("body", magnetic.body), field("moment", magnetic.moment), field("directions", magnetic.directions)});
}
Value plain(const driver::Charged& charged)
{
    return table_of({field("body", charged.body), field("charge", charged.charge)});
}

std::vector<Field> operator+(std::vector<Field> fields, std::vector<Field> others)
{
    std::ranges::move(others, std::back_inserter(fields));
    return fields;
}

Fields shape_fields(const shape::Disk& disk) { return {"disk", {field("radius", disk.radius)}}; }
Fields shape_fields(const shape::Sphere& sphere) { return {"sphere", {field("radius", sphere.radius)}}; }
Fields shape_fields(const shape::HalfSpace& half_space) { return {"half_space", {field("normal", half_space.normal)}}; }
Fields shape_fields(const shape::Segment& segment)
{
    return {"segment", {field("from", segment.from), field("to", segment.to), field("radius", segment.radius)}};
}
Fields shape_fields(const shape::HollowDisk& disk) { return {"hollow_disk", {field("radius", disk.radius)}}; }
Fields shape_fields(const shape::HollowSphere& sphere) { return {"hollow_sphere", {field("radius", sphere.radius)}}; }
Fields shape_fields(const shape::HollowCylinder& cylinder)
{
    return {"hollow_cylinder", {field("radius", cylinder.radius), field("axis", cylinder.axis)}};
}
Fields shape_fields(const shape::Polygon& polygon) { return {"polygon", {field("vertices", polygon.vertices)}}; }
Fields shape_fields(const shape::Polyhedron& solid)
{
    return {"polyhedron", {field("vertices", solid.vertices), field("file", solid.file), field("unit", solid.unit)}};
}
Fields shape_fields(const shape::Cluster& cluster)
{
    return {"cluster", {field("parts", cluster.parts), field("file", cluster.file), field("unit", cluster.unit)}};
}
Fields shape_fields(const shape::Mesh& mesh) { return {"mesh", {field("file", mesh.file), field("unit", mesh.unit)}}; }
Fields shape_fields(const shape::Box& box) { return {"box", {field("size", box.size)}}; }

template <class Generator>
std::vector<Field> box_of(const Generator& generator)
{
    return {field("name", generator.name), field("material", generator.material), field("lower", generator.lower),
            field("upper", generator.upper)};
}

template <class Generator>
std::vector<Field> grains_of(const Generator& generator)
{
    const Grains& grains = generator.grains;
    return box_of(generator) + std::vector<Field>{field("shape", grains.shape),
                                                  field("radius", grains.radius),
                                                  field("library", grains.library),
                                                  field("size", grains.size),
                                                  field("sieve", grains.sieve),
                                                  field("distribution", grains.distribution),
                                                  field("vertices", grains.vertices),
                                                  field("elongation", grains.elongation),
                                                  field("flatness", grains.flatness),
                                                  field("angularity", grains.angularity),
                                                  field("variety", grains.variety),
                                                  field("velocity", generator.velocity),
                                                  field("velocity_deviation", generator.velocity_deviation),
                                                  field("spin", generator.spin),
                                                  field("count", generator.count)};
}

Fields generator_fields(const generator::Container& container)
{
    return {"container", box_of(container) + std::vector<Field>{field("open", container.open)}};
}
Fields generator_fields(const generator::Lattice& lattice)
{
    return {"lattice", grains_of(lattice) +
                           std::vector<Field>{field("spacing", lattice.spacing), field("jitter", lattice.jitter)}};
}
Fields generator_fields(const generator::Random& random)
{
    return {"random", grains_of(random) + std::vector<Field>{field("free_ground", random.free_ground)}};
}
Fields generator_fields(const generator::Deposit& deposit)
{
    return {"deposit", grains_of(deposit) + std::vector<Field>{field("gap", deposit.gap)}};
}
Fields generator_fields(const generator::Feeder& feeder)
{
    return {"feeder", grains_of(feeder) + std::vector<Field>{field("rate", feeder.rate), field("start", feeder.start)}};
}
Fields generator_fields(const generator::File& balls)
{
    return {"file", box_of(balls) + std::vector<Field>{field("file", balls.file),
                                                       field("radius_at_least", balls.radius_at_least),
                                                       field("radius_at_most", balls.radius_at_most),
                                                       field("velocity", balls.velocity), field("spin", balls.spin)}};
}

Fields generator_fields(const generator::Wkt& wkt)
{
    return {"wkt",
            {field("name", wkt.name), field("material", wkt.material), field("file", wkt.file), field("text", wkt.text),
             field("thickness", wkt.thickness), field("polygons", wkt.polygons)}};
}

template <class Driver>
Fields driver_of(const char* kind, const Driver& driver, std::vector<Field> own)
{
    return {kind,
            std::vector<Field>{field("name", driver.name), field("from", driver.from), field("until", driver.until)} +
                std::move(own)};
}

Fields driver_fields(const driver::Gravity& gravity)
{
    return driver_of("gravity", gravity, {field("acceleration", gravity.acceleration)});
}
Fields driver_fields(const driver::Force& force)
{
    return driver_of("force", force,
                     {field("body", force.body), field("force", force.force), field("torque", force.torque),
                      field("frequency", force.frequency), field("phase", force.phase)});
}
Fields driver_fields(const driver::Velocity& motion)
{
    return driver_of("velocity", motion,
                     {field("body", motion.body), field("velocity", motion.velocity), field("spin", motion.spin)});
}
Fields driver_fields(const driver::Vibration& vibration)
{
    return driver_of("vibration", vibration,
                     {field("body", vibration.body), field("amplitude", vibration.amplitude),
                      field("frequency", vibration.frequency), field("phase", vibration.phase)});
}
Fields driver_fields(const driver::Drag& drag)
{
    return driver_of("drag", drag, {field("coefficient", drag.coefficient), field("rotational", drag.rotational)});
}

Fields driver_fields(const driver::SocialForce& social)
{
    return driver_of("social_force", social,
                     {field("strength", social.strength), field("range", social.range),
                      field("wall_strength", social.wall_strength), field("wall_range", social.wall_range),
                      field("anisotropy", social.anisotropy), field("sight", social.sight)});
}
Fields driver_fields(const driver::Dipoles& dipoles)
{
    return driver_of("dipoles", dipoles,
                     {field("groups", dipoles.groups), field("seed", dipoles.seed), field("alpha", dipoles.alpha),
                      field("field", dipoles.field)});
}
template <class Driver>
std::vector<Field> summation_of(const Driver& driver)
{
    return {field("softening", driver.softening), field("algorithm", driver.algorithm), field("cell", driver.cell),
            field("angle", driver.angle)};
}
Fields driver_fields(const driver::Charges& charges)
{
    const std::vector<Field> own = {field("groups", charges.groups), field("permittivity", charges.permittivity)};
    return driver_of("charges", charges, own + summation_of(charges));
}
Fields driver_fields(const driver::Gravitation& gravitation)
{
    const std::vector<Field> own = {field("constant", gravitation.constant)};
    return driver_of("gravitation", gravitation, own + summation_of(gravitation));
}
Fields driver_fields(const driver::Outlet& outlet)
{
    return driver_of("outlet", outlet, {field("lower", outlet.lower), field("upper", outlet.upper)});
}

template <class Gauge>
Fields gauge_of(const char* kind, const Gauge& gauge, std::vector<Field> own)
{
    return {kind, std::vector<Field>{field("name", gauge.name), field("every", gauge.every),
                                     field("indicators", gauge.indicators)} +
                      std::move(own)};
}

Fields gauge_fields(const gauge::Sample& sample) { return gauge_of("sample", sample, {}); }
Fields gauge_fields(const gauge::Box& box)
{
    return gauge_of("box", box,
                    {field("lower", box.lower), field("upper", box.upper), field("attached_to", box.attached_to)});
}
template <class Ball>
std::vector<Field> ball_of(const Ball& ball)
{
    return {field("centre", ball.centre), field("radius", ball.radius), field("attached_to", ball.attached_to)};
}
Fields gauge_fields(const gauge::Disk& disk) { return gauge_of("disk", disk, ball_of(disk)); }
Fields gauge_fields(const gauge::Sphere& sphere) { return gauge_of("sphere", sphere, ball_of(sphere)); }
Fields gauge_fields(const gauge::Cylinder& cylinder)
{
    return gauge_of("cylinder", cylinder,
                    ball_of(cylinder) +
                        std::vector<Field>{field("axis", cylinder.axis), field("length", cylinder.length)});
}
Fields gauge_fields(const gauge::Body& body) { return gauge_of("body", body, {field("body", body.body)}); }

} // namespace

Grains ballast()
{
    const GrainRecipe recipe = ballast_recipe();
    return {.shape = "polyhedron",
            .sieve = ballast_grading(),
            .vertices = {double(recipe.least_vertices), double(recipe.most_vertices)},
            .elongation = {recipe.elongation.low, recipe.elongation.high},
            .flatness = {recipe.flatness.low, recipe.flatness.high},
            .angularity = recipe.angularity};
}

Fields fields_of(const shape::Any& shape)
{
    return std::visit([](const auto& kind) { return shape_fields(kind); }, shape);
}

Fields fields_of(const generator::Any& generator)
{
    return std::visit([](const auto& kind) { return generator_fields(kind); }, generator);
}

Fields fields_of(const driver::Any& driver)
{
    return std::visit([](const auto& kind) { return driver_fields(kind); }, driver);
}

Fields fields_of(const gauge::Any& gauge)
{
    return std::visit([](const auto& kind) { return gauge_fields(kind); }, gauge);
}

Fields fields_of(const SceneBody& body)
{
    Fields fields = fields_of(body.shape);
    fields.fields = std::vector<Field>{field("name", body.name),         field("material", body.material),
                                       field("position", body.position), field("rotation", body.rotation),
                                       field("velocity", body.velocity), field("spin", body.spin),
                                       field("motion", body.motion),     field("mass", body.mass)} +
                    std::move(fields.fields);
    return fields;
}

std::vector<Field> fields_of(const section::Material& material)
{
    return {field("preset", material.preset), field("density", material.density), field("young", material.young),
            field("poisson", material.poisson)};
}

std::vector<Field> fields_of(const section::Law& law)
{
    return {field("friction", law.friction), field("restitution", law.restitution),
            field("tangential_restitution", law.tangential_restitution),
            field("rolling_friction", law.rolling_friction), field("gap_anticipation", law.gap_anticipation)};
}

std::vector<Field> fields_of(const section::Rest& rest)
{
    return {field("kinetic", rest.kinetic), field("unbalance", rest.unbalance), field("hold", rest.hold)};
}

std::vector<Field> fields_of(const section::Start& start)
{
    return {field("run", start.run), field("frame", start.frame)};
}

std::vector<Field> fields_of(const section::Solver& solver)
{
    return {field("name", solver.name),
            field("storage", solver.storage),
            field("local", solver.local),
            field("stop", solver.stop),
            field("tolerance", solver.tolerance),
            field("sweeps", solver.sweeps),
            field("check_every", solver.check_every),
            field("inner_sweeps", solver.inner_sweeps),
            field("interface_sweeps", solver.interface_sweeps),
            field("interface", solver.interface),
            field("plan", solver.plan),
            field("warm_start", solver.warm_start),
            field("position_correction", solver.position_correction)};
}

std::vector<Field> fields_of(const section::Crowd& crowd)
{
    return {field("stiffness", crowd.stiffness),
            field("sliding", crowd.sliding),
            field("normal_dissipation", crowd.normal_dissipation),
            field("tangential_dissipation", crowd.tangential_dissipation),
            field("power", crowd.power),
            field("solver", crowd.solver),
            field("tolerance", crowd.tolerance),
            field("crush_pressure", crowd.crush_pressure),
            field("sweeps", crowd.sweeps)};
}

std::vector<Field> fields_of(const section::Line& line)
{
    return {field("name", line.name), field("from", line.from), field("to", line.to)};
}

std::vector<Field> fields_of(const section::Exit& exit)
{
    return {field("name", exit.name),   field("from", exit.from),   field("to", exit.to),
            field("reach", exit.reach), field("opens", exit.opens), field("closes", exit.closes)};
}

std::vector<Field> fields_of(const section::Door& door)
{
    return {field("name", door.name),           field("from", door.from),         field("to", door.to),
            field("thickness", door.thickness), field("material", door.material), field("opens", door.opens),
            field("closes", door.closes)};
}

std::vector<Field> fields_of(const section::Walkers& walkers)
{
    return {field("body", walkers.body),
            field("speed", walkers.speed),
            field("speed_deviation", walkers.speed_deviation),
            field("relaxation", walkers.relaxation),
            field("reaction", walkers.reaction),
            field("exits", walkers.exits),
            field("around", walkers.around),
            field("preset", walkers.preset),
            field("look_ahead", walkers.look_ahead),
            field("choice", walkers.choice),
            field("cell", walkers.cell),
            field("seed", walkers.seed)};
}

std::vector<Field> fields_of(const section::Event& event)
{
    return {field("tc", event.tc), field("most_impacts", event.most_impacts)};
}

std::vector<Field> fields_of(const section::Dem& dem)
{
    return {field("dt", dem.dt),
            field("force_dt", dem.force_dt),
            field("integrator", dem.integrator),
            field("stiffness", dem.stiffness),
            field("fastest", dem.fastest),
            field("lever", dem.lever),
            field("overlap", dem.overlap),
            field("skin", dem.skin),
            field("normal", dem.normal),
            field("damping", dem.damping),
            field("cohesion", dem.cohesion),
            field("tangential", dem.tangential),
            field("rolling", dem.rolling),
            field("hertz_stiffness", dem.hertz_stiffness),
            field("normal_damping", dem.normal_damping),
            field("root_mass_damping", dem.root_mass_damping),
            field("cohesion_force", dem.cohesion_force),
            field("cohesion_range", dem.cohesion_range),
            field("jkr_cohesion", dem.jkr_cohesion),
            field("tangential_stiffness", dem.tangential_stiffness),
            field("tangential_damping", dem.tangential_damping),
            field("tangential_cohesion", dem.tangential_cohesion),
            field("mindlin_factor", dem.mindlin_factor),
            field("mindlin_damping", dem.mindlin_damping),
            field("sliding_viscosity", dem.sliding_viscosity)};
}

std::vector<Field> fields_of(const section::Partition& partition)
{
    return {field("method", partition.method), field("parts", partition.parts), field("boxes", partition.boxes)};
}

std::vector<Field> fields_of(const section::Quality& quality)
{
    return {field("residual", quality.residual), field("interpenetration", quality.interpenetration),
            field("adapt", quality.adapt), field("process", quality.process),
            field("start_overlap", quality.start_overlap)};
}

std::vector<Field> fields_of(const section::Detection& detection)
{
    return {field("method", detection.method), field("alert_distance", detection.alert_distance),
            field("most_points", detection.most_points), field("skin", detection.skin)};
}

std::vector<Field> fields_of(const section::Output& output)
{
    return {field("frames_every", output.frames_every),
            field("series_every", output.series_every),
            field("gauges_every", output.gauges_every),
            field("checkpoint_every", output.checkpoint_every),
            field("vtk", output.vtk),
            field("problem_steps", output.problem_steps)};
}

Value table_of(const std::vector<Field>& fields)
{
    Value table = Value::table();
    for (const Field& field : fields) {
        if (!field.value.is_null()) table.set(field.key, field.value);
    }
    return table;
}

Value table_of(const char* discriminator, const Fields& fields)
{
    Value table = table_of(fields.fields);
    table.set(discriminator, Value(fields.kind));
    return table;
}

} // namespace talus
