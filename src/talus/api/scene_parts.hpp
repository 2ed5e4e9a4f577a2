// The parts of a scene as plain structs, one per kind of entry, with the names, units and defaults of
// docs/scene-reference.md: [[bodies]] of a shape::, [[generators]] are generator::, [[drivers]] are driver::,
// [[gauges]] are gauge::, the other tables are section::. Members have {} so that compilers let one leave them out.
#pragma once

#include "talus/api/given.hpp"
#include "talus/sampling/size_distribution.hpp"

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace talus {

using Corners = std::vector<Vector>;

namespace shape {

struct Disk {               // 2D
    Given<double> radius{}; // [m]
};
struct Sphere {             // 3D
    Given<double> radius{}; // [m]
};
struct HalfSpace {
    Given<Vector> normal{}; // out of the solid
};
struct Segment {                // its place is given by its ends
    Given<Vector> from{}, to{}; // [m]
    Given<double> radius{};     // [m]
};
struct HollowDisk {         // 2D
    Given<double> radius{}; // [m]
};
struct HollowSphere {       // 3D
    Given<double> radius{}; // [m]
};
struct HollowCylinder {     // 3D
    Given<double> radius{}; // [m]
    Given<Vector> axis{};
};
struct Polygon {               // 2D
    Given<Corners> vertices{}; // [m]
};
struct Polyhedron {                    // 3D
    Given<Corners> vertices{};         // [m]
    Given<std::string> file{}, unit{}; // instead of vertices
};
struct Cluster {
    Given<std::vector<Corners>> parts{}; // [m]
    Given<std::string> file{}, unit{};   // instead of parts
};
struct Mesh { // 3D
    Given<std::string> file{}, unit{};
};
struct Box {
    Given<Vector> size{}; // [m]
};

using Any = std::variant<Disk, Sphere, HalfSpace, Segment, HollowDisk, HollowSphere, HollowCylinder, Polygon,
                         Polyhedron, Cluster, Mesh, Box>;

} // namespace shape

// An entry of [[bodies]].
struct SceneBody {
    Given<std::string> name{};
    shape::Any shape{};
    Given<std::string> material{};
    Given<Vector> position{}; // [m]
    Given<Turn> rotation{};   // [rad]
    Given<Vector> velocity{}; // [m/s]
    Given<Turn> spin{};       // [rad/s]
    Given<Words> motion{};    // "free", "fixed", or the free degrees of freedom
    Given<double> mass{};     // [kg]
};

// What the grains of a generator are.
struct Grains {
    Given<std::string> shape{};
    Given<Between> radius{};                // [m] of disks and spheres
    Given<std::string> library{};           // of polygons and polyhedra, or else:
    Given<Between> size{};                  // [m]
    Given<std::vector<SievePoint>> sieve{}; // instead of size
    Given<std::string> distribution{};
    Given<Between> vertices{}, elongation{}, flatness{};
    Given<double> angularity{};
    Given<std::int64_t> variety{};
};

// Polyhedra by the grading and the proportions of railway ballast.
Grains ballast();

namespace generator {

struct Container {
    Given<std::string> name{};
    Given<Vector> lower{}, upper{}; // [m]
    Given<std::vector<std::string>> open{};
    Given<std::string> material{};
};
struct Lattice {
    Given<std::string> name{};
    Given<Vector> lower{}, upper{}; // [m]
    Grains grains{};
    Given<double> spacing{}; // [m]
    Given<double> jitter{};
    Given<std::int64_t> count{};
    Given<std::string> material{};
    Given<Vector> velocity{};           // [m/s]
    Given<double> velocity_deviation{}; // [m/s]
    Given<Turn> spin{};                 // [rad/s]
};
struct Random {
    Given<std::string> name{};
    Given<Vector> lower{}, upper{}; // [m]
    Grains grains{};
    Given<std::int64_t> count{};
    Given<bool> free_ground{}; // 2D
    Given<std::string> material{};
    Given<Vector> velocity{};           // [m/s]
    Given<double> velocity_deviation{}; // [m/s]
    Given<Turn> spin{};                 // [rad/s]
};
struct Deposit {
    Given<std::string> name{};
    Given<Vector> lower{}, upper{}; // [m]
    Grains grains{};
    Given<double> gap{};
    Given<std::int64_t> count{};
    Given<std::string> material{};
    Given<Vector> velocity{};           // [m/s]
    Given<double> velocity_deviation{}; // [m/s]
    Given<Turn> spin{};                 // [rad/s]
};
struct Feeder {
    Given<std::string> name{};
    Given<Vector> lower{}, upper{}; // [m]
    Grains grains{};
    Given<double> rate{}; // [1/s]
    Given<std::int64_t> count{};
    Given<double> start{}; // [s]
    Given<std::string> material{};
    Given<Vector> velocity{};           // [m/s]
    Given<double> velocity_deviation{}; // [m/s]
    Given<Turn> spin{};                 // [rad/s]
};
struct File {
    Given<std::string> name{};
    Given<std::string> file{};
    Given<Vector> lower{}, upper{};                    // [m] only balls in this box
    Given<double> radius_at_least{}, radius_at_most{}; // [m] only balls of these radii
    Given<std::string> material{};
    Given<Vector> velocity{}; // [m/s]
    Given<Turn> spin{};       // [rad/s]
};

struct Wkt { // 2D
    Given<std::string> name{};
    Given<std::string> file{}, text{}; // one of them
    Given<double> thickness{};         // [m]
    Given<std::string> polygons{};
    Given<std::string> material{};
};

using Any = std::variant<Container, Lattice, Random, Deposit, Feeder, File, Wkt>;

} // namespace generator

namespace driver {

struct Gravity {
    Given<std::string> name{};
    Given<Vector> acceleration{};  // [m/s²]
    Given<double> from{}, until{}; // [s]
};
struct Force {
    Given<std::string> name{};
    Given<std::string> body{};
    Given<Vector> force{};         // [N]
    Given<Turn> torque{};          // [N m]
    Given<double> frequency{};     // [Hz]
    Given<double> phase{};         // [rad]
    Given<double> from{}, until{}; // [s]
};
struct Velocity {
    Given<std::string> name{};
    Given<std::string> body{};
    Given<Vector> velocity{};      // [m/s]
    Given<Turn> spin{};            // [rad/s]
    Given<double> from{}, until{}; // [s]
};
struct Vibration {
    Given<std::string> name{};
    Given<std::string> body{};
    Given<Vector> amplitude{};     // [m]
    Given<double> frequency{};     // [Hz]
    Given<double> phase{};         // [rad]
    Given<double> from{}, until{}; // [s]
};
struct Drag {
    Given<std::string> name{};
    Given<double> coefficient{};   // [kg/s]
    Given<double> rotational{};    // [kg m²/s]
    Given<double> from{}, until{}; // [s]
};

struct Outlet {
    Given<std::string> name{};
    Given<Vector> lower{}, upper{}; // [m]
    Given<double> from{}, until{};  // [s]
};

struct SocialForce {
    Given<std::string> name{};
    Given<double> strength{}, range{};           // [N], [m] between people
    Given<double> wall_strength{}, wall_range{}; // [N], [m]
    Given<double> anisotropy{}, sight{};         // −, [m]
    Given<double> from{}, until{};               // [s]
};
struct Magnetic {
    Given<std::string> body{};
    Given<Vector> moment{}; // [A m²]
    Given<std::string> directions{};
};
struct Dipoles {
    Given<std::string> name{};
    Given<std::vector<Magnetic>> groups{};
    Given<std::int64_t> seed{};
    Given<double> alpha{};
    Given<Vector> field{};         // [T]
    Given<double> from{}, until{}; // [s]
};
struct Charged {
    Given<std::string> body{};
    Given<double> charge{}; // [C]
};
struct Charges {
    Given<std::string> name{};
    Given<std::vector<Charged>> groups{};
    Given<double> permittivity{}, softening{}; // −, [m]
    Given<std::string> algorithm{};
    Given<double> cell{}, angle{}; // [m], −
    Given<double> from{}, until{}; // [s]
};
struct Gravitation {
    Given<std::string> name{};
    Given<double> constant{}, softening{}; // [m³/(kg s²)], [m]
    Given<std::string> algorithm{};
    Given<double> cell{}, angle{}; // [m], −
    Given<double> from{}, until{}; // [s]
};
using Any = std::variant<Gravity, Force, Velocity, Vibration, Drag, Outlet, SocialForce, Dipoles, Charges, Gravitation>;

} // namespace driver

namespace gauge {

struct Sample {
    Given<std::string> name{};
    Given<double> every{}; // [s]
    Given<Words> indicators{};
};
struct Box {
    Given<std::string> name{};
    Given<Vector> lower{}, upper{}; // [m]
    Given<std::string> attached_to{};
    Given<double> every{}; // [s]
    Given<Words> indicators{};
};
struct Disk { // 2D
    Given<std::string> name{};
    Given<Vector> centre{}; // [m]
    Given<double> radius{}; // [m]
    Given<std::string> attached_to{};
    Given<double> every{}; // [s]
    Given<Words> indicators{};
};
struct Sphere { // 3D
    Given<std::string> name{};
    Given<Vector> centre{}; // [m]
    Given<double> radius{}; // [m]
    Given<std::string> attached_to{};
    Given<double> every{}; // [s]
    Given<Words> indicators{};
};
struct Cylinder { // 3D
    Given<std::string> name{};
    Given<Vector> centre{}; // [m]
    Given<Vector> axis{};
    Given<double> radius{}, length{}; // [m]
    Given<std::string> attached_to{};
    Given<double> every{}; // [s]
    Given<Words> indicators{};
};
struct Body {
    Given<std::string> name{};
    Given<std::string> body{};
    Given<double> every{}; // [s]
    Given<Words> indicators{};
};

using Any = std::variant<Sample, Box, Disk, Sphere, Cylinder, Body>;

} // namespace gauge

namespace section {

struct Material {
    Given<std::string> name{};
    Given<std::string> preset{};
    Given<double> density{}; // [kg/m³], [kg/m²] in 2D
    Given<double> young{};   // [Pa]
    Given<double> poisson{};
};

struct Law {
    Given<double> friction{};
    Given<double> restitution{};
    Given<double> tangential_restitution{};
    Given<double> rolling_friction{}; // [m]
    Given<bool> gap_anticipation{};
};

struct Rest {
    Given<double> kinetic{};
    Given<double> unbalance{};
    Given<double> hold{}; // [s]
};

struct Start {
    Given<std::string> run{};
    Given<std::int64_t> frame{};
};

struct Solver {
    Given<std::string> name{};
    Given<std::string> storage{}, local{}, stop{};
    Given<double> tolerance{};
    Given<std::int64_t> sweeps{}, check_every{}, inner_sweeps{}, interface_sweeps{};
    Given<std::string> interface {
    };
    Given<std::vector<double>> plan{};
    Given<bool> warm_start{}, position_correction{};
};

// Contact of people (scene.method = "crowd-dem", "nsm1", "nsm2").
struct Crowd {
    Given<double> stiffness{}, sliding{};                         // [N/m], [kg/(m s)]
    Given<double> normal_dissipation{}, tangential_dissipation{}; // [kg] with power 2
    Given<double> power{};
    Given<std::string> solver{};
    Given<double> tolerance{};      // [m/s]
    Given<double> crush_pressure{}; // [N/m]
    Given<std::int64_t> sweeps{};
};
struct Line {
    Given<std::string> name{};
    Given<Vector> from{}, to{}; // [m]
};
struct Exit {
    Given<std::string> name{};
    Given<Vector> from{}, to{};      // [m]
    Given<double> reach{};           // [m]
    Given<double> opens{}, closes{}; // [s]
};
struct Door {
    Given<std::string> name{};
    Given<Vector> from{}, to{}; // [m]
    Given<double> thickness{};  // [m]
    Given<std::string> material{};
    Given<double> opens{}, closes{}; // [s]
};
struct Walkers {
    Given<std::string> body{};
    Given<Between> speed{};          // [m/s]
    Given<double> speed_deviation{}; // [m/s]
    Given<double> relaxation{};      // [s]
    Given<Between> reaction{};       // [s]
    Given<Words> exits{};
    Given<Vector> around{}; // [m] instead of exits
    Given<std::string> preset{};
    Given<double> look_ahead{}; // [m]
    Given<std::string> choice{};
    Given<double> cell{}; // [m]
    Given<std::int64_t> seed{};
};

// Smooth contact (scene.method = "dem").
struct Dem {
    Given<double> dt{}; // [s]
    Given<bool> force_dt{};
    Given<std::string> integrator{};
    Given<double> stiffness{}; // [N/m]
    Given<double> fastest{};   // [m/s]
    Given<std::string> lever{};
    Given<std::string> overlap{};
    Given<double> skin{}; // [m]
    Given<std::string> normal{}, damping{}, cohesion{}, tangential{}, rolling{};
    Given<double> hertz_stiffness{};                            // [N/m^1.5]
    Given<double> normal_damping{}, root_mass_damping{};        // [1/s], [kg^0.5/s]
    Given<double> cohesion_force{}, cohesion_range{};           // [N], [m]
    Given<double> jkr_cohesion{};                               // [N/m]
    Given<double> tangential_stiffness{}, tangential_damping{}; // [N/m], [1/s]
    Given<double> tangential_cohesion{};                        // [N]
    Given<double> mindlin_factor{}, mindlin_damping{};
    Given<double> sliding_viscosity{}; // [N s/m]
};

// Impacts one by one (scene.method = "event").
struct Event {
    Given<double> tc{}; // [s]
    Given<std::int64_t> most_impacts{};
};

struct Partition {
    Given<std::string> method{};
    Given<std::int64_t> parts{};
    Given<std::vector<double>> boxes{};
};

struct Quality {
    Given<double> residual{};
    Given<double> interpenetration{};
    Given<std::vector<std::string>> adapt{};
    Given<std::string> process{};
    Given<double> start_overlap{};
};

struct Detection {
    Given<std::string> method{};
    Given<double> alert_distance{}; // [m]
    Given<std::int64_t> most_points{};
    Given<double> skin{}; // [m]
};

struct Output {
    Given<double> frames_every{}, series_every{}, gauges_every{}; // [s]
    Given<double> checkpoint_every{};                             // [s] of wall-clock time
    Given<bool> vtk{};
    Given<std::vector<double>> problem_steps{};
};

} // namespace section

} // namespace talus
