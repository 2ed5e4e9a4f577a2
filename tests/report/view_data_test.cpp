// What the viewer's page is sent: packets that decode to the numbers of the run within what their types allow, and the
// facts around them.
#include "io/made_up_run.hpp"
#include "talus/base/error.hpp"
#include "talus/io/runs/run_text.hpp"
#include "talus/io/scenes/scene_file.hpp"
#include "talus/report/drawing/colouring.hpp"
#include "talus/report/pages/series_json.hpp"
#include "talus/report/view/view_data.hpp"
#include "talus/report/view/view_packet.hpp"
#include "talus/report/view/view_scene.hpp"
#include "talus/simulation/scene_schema.hpp"
#include "texts.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

namespace talus::report {
namespace {

// A packet read back by what its header says.
class Decoded {
  public:
    explicit Decoded(const std::string& bytes) : bytes_(bytes)
    {
        std::uint32_t length = 0;
        std::memcpy(&length, bytes.data(), 4);
        EXPECT_EQ((4 + length) % 8, 0u);
        header_ = bytes.substr(4, length);
        begin_ = 4 + length;
        EXPECT_EQ(io::first_json_error(header_), std::nullopt) << header_;
    }
    std::string fact(const std::string& name) const
    {
        const auto at = header_.find("\"" + name + "\":");
        if (at == std::string::npos) return "";
        const auto begin = at + name.size() + 3;
        return header_.substr(begin, header_.find_first_of("]},", begin) - begin);
    }
    std::vector<double> vector(const std::string& name) const // of three
    {
        double v[3] = {};
        std::sscanf(header_.c_str() + header_.find("\"" + name + "\":[") + name.size() + 3, "[%lf,%lf,%lf]", v, v + 1,
                    v + 2);
        return {v, v + 3};
    }
    bool has_array(const std::string& name) const { return header_.find(entry(name)) != std::string::npos; }
    std::string type(const std::string& name) const
    {
        const auto begin = header_.find(entry(name)) + entry(name).size();
        return header_.substr(begin, header_.find('"', begin) - begin);
    }
    std::vector<double> array(const std::string& name) const
    {
        const auto at = header_.find(entry(name));
        if (at == std::string::npos) {
            ADD_FAILURE() << "no array " << name;
            return {};
        }
        unsigned long rows = 0, columns = 1, offset = 0;
        const char* shape = header_.c_str() + header_.find("\"shape\":[", at);
        if (std::sscanf(shape, "\"shape\":[%lu,%lu]", &rows, &columns) < 2) columns = 1;
        std::sscanf(header_.c_str() + header_.find("\"offset\":", at), "\"offset\":%lu", &offset);
        EXPECT_EQ(offset % 8, 0u) << name;
        const std::string kind = type(name);
        if (kind == "uint8") return read<std::uint8_t>(offset, rows * columns);
        if (kind == "uint16") return read<std::uint16_t>(offset, rows * columns);
        if (kind == "int16") return read<std::int16_t>(offset, rows * columns);
        if (kind == "int32") return read<std::int32_t>(offset, rows * columns);
        if (kind == "uint32") return read<std::uint32_t>(offset, rows * columns);
        if (kind == "float16") return read<Half>(offset, rows * columns);
        EXPECT_EQ(kind, "float32");
        return read<float>(offset, rows * columns);
    }
    // metres, whatever they travelled as
    std::vector<double> places(const std::string& name) const
    {
        std::vector<double> values = array(name);
        if (type(name) == "float32") return values;
        const std::vector<double> lower = vector("lower"), upper = vector("upper");
        for (std::size_t k = 0; k < values.size(); ++k) {
            values[k] = lower[k % 3] + (upper[k % 3] - lower[k % 3]) * values[k] / 65535;
        }
        return values;
    }

  private:
    static std::string entry(const std::string& name) { return "\"" + name + "\":{\"type\":\""; }
    template <class T>
    std::vector<double> read(std::size_t offset, std::size_t count) const
    {
        EXPECT_LE(begin_ + offset + count * sizeof(T), bytes_.size());
        std::vector<double> values;
        for (std::size_t k = 0; k < count; ++k) {
            T value;
            std::memcpy(&value, bytes_.data() + begin_ + offset + k * sizeof(T), sizeof(T));
            values.push_back(double(value));
        }
        return values;
    }
    std::string bytes_, header_;
    std::size_t begin_ = 0;
};

double coordinate(const Vec<2>& v, int k) { return k < 2 ? v[k] : 0; }
double coordinate(const Vec<3>& v, int k) { return v[k]; }

// One frame of a simulation as a run.
template <int D>
void keep(const std::filesystem::path& folder, const Simulation<D>& simulation)
{
    io::RunWriter<D> writer(folder, io::made_up_scene(), simulation, io::made_up_provenance(), false);
    writer.frame(simulation);
    writer.flush();
}

template <class T>
class ViewedFrame : public testing::Test {
};
struct Plane2 {
    static constexpr int D = 2;
};
struct Space3 {
    static constexpr int D = 3;
};
using Dimensions = testing::Types<Plane2, Space3>;
TYPED_TEST_SUITE(ViewedFrame, Dimensions);

TYPED_TEST(ViewedFrame, DecodesToTheNumbersOfTheRun)
{
    constexpr int D = TypeParam::D;
    const io::Scratch scratch;
    io::run_to<D>(scratch / "run", 20);
    const io::Frame<D> frame = io::read_frame<D>(scratch / "run", 2);
    const auto run = ViewedRun::open(scratch / "run");
    ASSERT_EQ(run->frames().size(), 6u);
    const Decoded packet(run->frame(2));
    const std::size_t count = frame.bodies.size();
    EXPECT_EQ(packet.fact("index"), "2");
    EXPECT_EQ(packet.fact("step"), "9");
    EXPECT_EQ(packet.fact("bodies"), std::to_string(count));
    EXPECT_EQ(packet.fact("contacts"), std::to_string(frame.contacts.size()));
    EXPECT_EQ(packet.type("position"), "uint16"); // grains of a centimetre within a metre or two
    const auto position = packet.places("position"), velocity = packet.array("velocity"), spin = packet.array("spin"),
               turn = packet.array("orientation"), load = packet.array("load"), imposed = packet.array("imposed"),
               coordination = packet.array("coordination"), walls = packet.array("wall_body"),
               wall_places = packet.array("wall_position");
    ASSERT_EQ(position.size(), 3 * count);
    ASSERT_EQ(turn.size(), 4 * count);
    const auto lower = packet.vector("lower"), upper = packet.vector("upper");
    ASSERT_EQ(walls, std::vector<double>{0}); // the half-space
    for (int k = 0; k < D; ++k) EXPECT_FLOAT_EQ(wall_places[std::size_t(k)], frame.bodies.position[0][k]);
    for (std::size_t i = 1; i < count; ++i) {
        for (int k = 0; k < 3; ++k) {
            const std::size_t at = 3 * i + std::size_t(k);
            const double step = (upper[std::size_t(k)] - lower[std::size_t(k)]) / 65535;
            EXPECT_NEAR(position[at], coordinate(frame.bodies.position[i], k), 0.501 * step + 1e-12);
            const double speed = coordinate(frame.bodies.velocity[i], k);
            EXPECT_NEAR(velocity[at], speed, std::abs(speed) / 2048 + 1e-7); // a half has 11 bits
        }
        EXPECT_NEAR(spin[3 * i + 2], frame.bodies.spin[i][angular<D> - 1], 1e-3);
        EXPECT_EQ(imposed[i], frame.bodies.is_passive(i) ? 1 : moves_freely(frame, i) ? 0 : 2);
        const Eigen::Quaterniond q(turn[4 * i], turn[4 * i + 1], turn[4 * i + 2], turn[4 * i + 3]);
        const Vec<D> x = frame.bodies.orientation[i] * Vec<D>(Vec<D>::Unit(0));
        const Eigen::Vector3d seen = q.normalized() * Eigen::Vector3d::UnitX();
        for (int k = 0; k < 3; ++k) EXPECT_NEAR(seen[k], coordinate(x, k), 2e-4); // steps of 1/32767, doubled twice
    }
    double loads = 0, forces = 0;
    for (const double one : load) loads += one;
    for (std::size_t k = 0; k < frame.contacts.size(); ++k) {
        forces += 2 * frame.contacts.impulse[k].dot(frame.contacts.normal[k]) / frame.clock.dt;
    }
    EXPECT_NEAR(loads, forces, 1e-4 * std::abs(forces));
    EXPECT_FALSE(packet.has_array("part"));
    EXPECT_LE(*std::ranges::max_element(coordination), 2); // neighbours in a row
}

TYPED_TEST(ViewedFrame, SharesItsRangesWithAllOthers)
{
    constexpr int D = TypeParam::D;
    const io::Scratch scratch;
    io::run_to<D>(scratch / "run", 20);
    double fastest = 0, strongest = 0;
    for (std::int64_t index = 0; index < 6; ++index) {
        const io::Frame<D> frame = io::read_frame<D>(scratch / "run", index);
        for (std::size_t i = 0; i < frame.bodies.size(); ++i) {
            if (moves_freely(frame, i)) fastest = std::max(fastest, frame.bodies.velocity[i].norm());
        }
        for (std::size_t k = 0; k < frame.contacts.size(); ++k) {
            strongest = std::max(strongest, frame.contacts.impulse[k].dot(frame.contacts.normal[k]) / frame.clock.dt);
        }
    }
    const std::string ranges = ViewedRun::open(scratch / "run")->ranges();
    EXPECT_EQ(io::first_json_error(ranges), std::nullopt) << ranges;
    const auto number_after = [&](const std::string& words) {
        return std::strtod(ranges.c_str() + ranges.find(words) + words.size(), nullptr);
    };
    EXPECT_EQ(number_after("\"frames\":"), 6);
    EXPECT_NEAR(number_after(R"("speed":{"lower":0,"upper":)"), fastest, 1e-5 * fastest);
    EXPECT_GT(number_after("\"strong\":"), 0);
    EXPECT_LE(number_after("\"strong\":"), strongest * (1 + 1e-5)) << "one point a pair";
}

TYPED_TEST(ViewedFrame, ContactsDecodeToo)
{
    constexpr int D = TypeParam::D;
    const io::Scratch scratch;
    io::run_to<D>(scratch / "run", 20);
    const io::Frame<D> frame = io::read_frame<D>(scratch / "run", 5);
    const Decoded packet(ViewedRun::open(scratch / "run")->contacts(5));
    const auto candidate = packet.array("candidate"), antagonist = packet.array("antagonist"),
               point = packet.places("point"), normal = packet.array("normal"), gap = packet.array("gap"),
               normal_force = packet.array("normal_force"), tangential = packet.array("tangential_force"),
               points = packet.array("points");
    const Snapshot<D> snapshot(frame.bodies, frame.shapes, frame.contacts, frame.clock.dt);
    std::vector<std::size_t> touching; // what is only near does not travel
    for (std::size_t row = 0; row < frame.contacts.size(); ++row) {
        if (snapshot.neighbours().touches_at(row)) touching.push_back(row);
    }
    ASSERT_EQ(candidate.size(), touching.size());
    ASSERT_GT(candidate.size(), 5u);
    for (std::size_t k = 0; k < candidate.size(); ++k) {
        const std::size_t row = touching[k];
        EXPECT_EQ(candidate[k], frame.contacts.candidate[row]);
        EXPECT_EQ(antagonist[k], frame.contacts.antagonist[row]);
        EXPECT_EQ(points[k], frame.contacts.points[row]);
        EXPECT_FLOAT_EQ(gap[k], frame.contacts.gap[row]);
        const Vec<D> force = frame.contacts.impulse[row] / frame.clock.dt;
        const double along = force.dot(frame.contacts.normal[row]);
        EXPECT_FLOAT_EQ(normal_force[k], along);
        EXPECT_NEAR(tangential[k], (force - along * frame.contacts.normal[row]).norm(), 1e-5 * force.norm());
        for (int c = 0; c < 3; ++c) {
            const std::size_t at = 3 * k + std::size_t(c);
            EXPECT_NEAR(normal[at] / 32767, coordinate(frame.contacts.normal[row], c), 2e-5);
            EXPECT_NEAR(point[at], coordinate(frame.contacts.point[row], c), 2e-5);
        }
    }
}

TYPED_TEST(ViewedFrame, BodyThatFlewOffCostsTheOthersNoPrecision)
{
    constexpr int D = TypeParam::D;
    const io::Scratch scratch;
    Simulation<D> simulation = io::made_up_simulation<D>();
    simulation.bodies.position.back().setConstant(4000); // 4 km: a step of 16 bits would be 6 cm
    simulation.bodies.velocity.back().setConstant(1e6);  // and more than a half holds
    keep<D>(scratch / "run", simulation);
    const Decoded packet(ViewedRun::open(scratch / "run")->frame(0));
    ASSERT_EQ(packet.type("position"), "float32");
    const auto position = packet.array("position");
    for (std::size_t i = 1; i < simulation.bodies.size(); ++i) {
        for (int k = 0; k < D; ++k) {
            EXPECT_FLOAT_EQ(position[3 * i + std::size_t(k)], simulation.bodies.position[i][k]);
        }
    }
    EXPECT_EQ(packet.array("velocity")[3 * (simulation.bodies.size() - 1)], 65504);
}

TYPED_TEST(ViewedFrame, ShapesOfEveryKind)
{
    constexpr int D = TypeParam::D;
    const io::Scratch scratch;
    Simulation<D> simulation = io::made_up_simulation<D>(2);
    const auto add = [&](std::int32_t shape) {
        Body<D> body;
        body.mass = 2;
        body.shape = shape;
        simulation.bodies.add(body);
    };
    const Polytope<D> cube = box<D>(Vec<D>::Constant(0.2));
    Polytope<D> aside = cube;
    for (Vec<D>& vertex : aside.vertices) vertex[0] += 0.3;
    add(simulation.shapes.add_cluster({cube, aside}));
    if constexpr (D == 3) {
        add(simulation.shapes.add_mesh({{Vec<3>(0, 0, 0), Vec<3>(1, 0, 0), Vec<3>(0, 1, 0)}, {{0, 1, 2}}}));
        add(simulation.shapes.add_hollow_cylinder(2, Vec<3>::Unit(1)));
    }
    keep<D>(scratch / "run", simulation);
    const Decoded packet(ViewedRun::open(scratch / "run")->shapes());
    const auto kind = packet.array("shape_kind"), mesh = packet.array("shape_mesh"),
               radius = packet.array("shape_radius"), vector = packet.array("shape_vector"),
               vertex_start = packet.array("mesh_vertex_start"), triangle_start = packet.array("mesh_triangle_start"),
               edge_start = packet.array("mesh_edge_start"), vertices = packet.array("mesh_vertices"),
               triangles = packet.array("mesh_triangles"), half = packet.array("mesh_half_extent"),
               centre = packet.array("mesh_centre");
    ASSERT_EQ(kind.size(), simulation.shapes.size());
    EXPECT_EQ(std::vector<double>(kind.begin(), kind.begin() + 6), (std::vector<double>{1, 2, 3, 5, 0, 0}));
    EXPECT_EQ(packet.array("body_shape").size(), simulation.bodies.size());
    EXPECT_FLOAT_EQ(packet.array("body_mass").back(), 2);
    EXPECT_FLOAT_EQ(radius[4], 0.01);
    EXPECT_EQ(vector[D - 1], 1); // the floor's normal
    EXPECT_EQ(vector[2], D == 3);
    // a box and a cluster of two boxes: one mesh each
    const std::size_t corners = D == 2 ? 4 : 8, faces = D == 2 ? 2 : 12, edges = D == 2 ? 4 : 12;
    EXPECT_EQ(mesh[3], 0);
    EXPECT_EQ(mesh[6], 1);
    EXPECT_EQ(vertex_start[1], corners);
    EXPECT_EQ(vertex_start[2], 3 * corners);
    EXPECT_EQ(triangle_start[2], 3 * faces);
    EXPECT_EQ(edge_start[2], 3 * edges);
    EXPECT_NEAR(half[3], 0.25, 1e-6);
    EXPECT_NEAR(centre[3], 0.15, 1e-6);
    // counter-clockwise from outside: a body that is one solid has the volume of its signed simplices
    double volume = 0;
    for (std::size_t t = 0; t < faces; ++t) {
        Eigen::Matrix3d corner = Eigen::Matrix3d::Identity();
        for (int c = 0; c < 3; ++c) {
            const auto row = std::size_t(triangles[3 * t + std::size_t(c)]);
            corner.col(c) =
                Eigen::Vector3d(vertices[3 * row], vertices[3 * row + 1], D == 2 ? 1 : vertices[3 * row + 2]);
        }
        volume += corner.determinant() / (D == 2 ? 2 : 6);
    }
    EXPECT_NEAR(volume, std::pow(0.3, D), 1e-6);
    if (D == 3) {
        EXPECT_EQ(kind[7], 5);
        EXPECT_EQ(edge_start[3], edge_start[2]); // triangles of a surface have no outline
        EXPECT_EQ(kind[8], 4);
        EXPECT_EQ(vector[3 * 8 + 1], 1);
    }
}

TEST(ViewedRun, SomeBodiesAreCountedAnew)
{
    const io::Scratch scratch;
    io::run_to<3>(scratch / "run", 20);
    const auto run = ViewedRun::open(scratch / "run");
    const ShownBodies shown = run->some_bodies(6);
    ASSERT_TRUE(shown.is_some());
    const std::size_t all = run->body_count(), kept = shown.count(all);
    EXPECT_EQ(kept, 6u);
    for (std::size_t k = 0; k < 4; ++k) EXPECT_EQ(shown.body(k), k); // walls and the led body
    const Decoded shapes(run->shapes(shown)), frame(run->frame(5, shown)), contacts(run->contacts(5, shown));
    EXPECT_EQ(shapes.array("body_shape").size(), kept);
    EXPECT_EQ(shapes.array("shape_kind").size(), kept); // the others' are left out
    const auto index = shapes.array("body_index");
    const io::Frame<3> whole = io::read_frame<3>(scratch / "run", 5);
    const auto position = frame.places("position");
    for (std::size_t k = 1; k < shown.count(whole.bodies.size()); ++k) {
        EXPECT_NEAR(position[3 * k], whole.bodies.position[std::size_t(index[k])][0], 1e-4);
    }
    const auto candidate = contacts.array("candidate"), antagonist = contacts.array("antagonist");
    EXPECT_EQ(candidate.size(), 4u); // a row of bodies touches: of the kept ones the first five follow each other
    for (const double body : candidate) EXPECT_LT(body, double(kept));
    EXPECT_FALSE(run->some_bodies(1000).is_some());
}

TEST(ViewedRun, TellsWhatThePageNeeds)
{
    const io::Scratch scratch;
    io::run_to<2>(scratch / "run", 20);
    const auto run = ViewedRun::open(scratch / "run");
    const std::string json = run->run_json();
    EXPECT_EQ(io::first_json_error(json), std::nullopt) << json;
    EXPECT_TRUE(has(json, R"("dimension":2)"));
    EXPECT_TRUE(has(json, R"("up":1)"));
    EXPECT_TRUE(has(json, R"("materials":["stone","Größe \"1\""])"));
    EXPECT_TRUE(has(json, R"({"name":"grains","first":4,)"));
    EXPECT_TRUE(has(json, R"("outcome":"running")"));
    EXPECT_TRUE(has(json, R"("frames":[0,1,2,3,4,5])"));
    EXPECT_TRUE(has(json, R"("times":[0.003,0.006,)"));
    EXPECT_TRUE(has(json, R"("lines":10)"));
    EXPECT_TRUE(has(json, "kinetic_J"));
    EXPECT_TRUE(has(json, R"("left_out":"")"));
    EXPECT_TRUE(has(json, R"("seed":"7")"));
    io::overwrite(scratch / "run/summary.json", R"({"outcome": "failed", "exit_reason": "so \"so\""})");
    EXPECT_TRUE(has(run->run_json(), R"("outcome":"failed","reason":"so \"so\"")"));
    io::overwrite(scratch / "run/summary.json", "{");
    EXPECT_EQ(io::first_json_error(run->run_json()), std::nullopt);
}

TEST(ViewedRun, NewsAreWhatCameSince)
{
    const io::Scratch scratch;
    Simulation<2> simulation = io::made_up_simulation<2>();
    io::RunWriter<2> writer(scratch / "run", io::made_up_scene(), simulation, io::made_up_provenance(), false);
    Tally tally;
    const auto run = ViewedRun::open(scratch / "run"); // nothing is there yet
    EXPECT_TRUE(has(run->run_json(), R"("frames":[])"));
    io::carry_on(simulation, writer, tally, 10);
    EXPECT_TRUE(has(run->live_json(0, 0), R"("times":[0.003,0.006,0.009])"));
    io::carry_on(simulation, writer, tally, 20);
    const std::string news = run->live_json(3, 5);
    EXPECT_EQ(io::first_json_error(news), std::nullopt) << news;
    EXPECT_TRUE(has(news, R"("times":[0.012,0.015,0.018])"));
    EXPECT_TRUE(has(news, R"("lines":10,"values":[[0.012,0.014,0.016,0.018,0.02],)"));
    EXPECT_TRUE(has(news, R"("bodies":11)")); // two were born
    EXPECT_TRUE(has(run->live_json(6, 10), R"("times":[])"));
    EXPECT_TRUE(has(run->live_json(1000, 1000), R"("times":[])"));
    EXPECT_FALSE(run->has_frame(6));
    EXPECT_TRUE(run->has_frame(5));
}

TEST(ViewedRun, DamagedBlockLeavesTheOthers)
{
    const io::Scratch scratch;
    Simulation<2> simulation = io::made_up_simulation<2>();
    {
        io::RunWriter<2> writer(scratch / "run", io::made_up_scene(), simulation, io::made_up_provenance(), false);
        Tally tally;
        io::carry_on(simulation, writer, tally, 31); // blocks end at checkpoints: 3 + 3 + 4 frames
    }
    const auto blocks = io::list_blocks(scratch / "run");
    ASSERT_EQ(blocks.size(), 3u);
    std::string bytes = io::contents(blocks[1].file);
    io::overwrite(blocks[1].file, bytes.substr(0, bytes.size() / 2));
    const auto run = ViewedRun::open(scratch / "run");
    EXPECT_EQ(run->frames().size(), 10u);
    EXPECT_TRUE(std::is_sorted(run->frames().time.begin(), run->frames().time.end()));
    EXPECT_NO_THROW(run->frame(0));
    EXPECT_NO_THROW(run->frame(9));
    EXPECT_THROW(run->frame(4), InputError);
    bytes = io::contents(blocks[2].file); // of the right length, but not what was written
    bytes[bytes.size() - 100] = char(bytes[bytes.size() - 100] + 1);
    io::overwrite(blocks[2].file, bytes);
    EXPECT_THROW(run->contacts(8), InputError);
    std::filesystem::remove_all(scratch / "run");
    EXPECT_THROW(run->shapes(), InputError);
    EXPECT_THROW(run->run_json(), InputError);
}

// The list of numbers after a key, from a place on.
std::vector<double> numbers_after(const std::string& json, const std::string& key, std::size_t from)
{
    std::vector<double> numbers;
    const char* at = json.c_str() + json.find("\"" + key + "\":[", from) + key.size() + 4;
    for (char* end = nullptr;; at = end + 1) {
        numbers.push_back(std::strtod(at, &end));
        if (*end != ',') return numbers;
    }
}

TEST(ViewedRun, GaugesAreInTheFrameOfTheBodyThatCarriesThem)
{
    scene::Value scene = io::parse_scene(R"(
scene = {dimension = 3, dt = 1e-3, duration = 1}
materials = {steel = {preset = "steel"}}
bodies = [{name = "grain", shape = "sphere", radius = 0.1, position = [1, 0, 0], material = "steel"}]
gauges = [
  {name = "pipe", type = "cylinder", centre = [0, 0, 1], axis = [0, 2, 0], radius = 0.5, length = 3},
  {name = "cage", type = "box", lower = [1, -0.1, -0.2], upper = [1.3, 0.1, 0.2], attached_to = "grain"},
  {name = "ball", type = "body", body = "grain"}]
)",
                                         "test");
    ASSERT_TRUE(check_scene(scene).empty());
    io::Frame<3> first;
    Body<3> body;
    body.position = Vec<3>(1, 0, 0);
    for (const double angle : {M_PI / 2, 0.3}) { // along other axes, and askew
        body.orientation = Rotation<3>::from_vector(Vec<3>(0, 0, angle));
        first.bodies = {};
        first.bodies.add(body);
        first.groups = {{"grain", 0, 1}};
        const std::string json = gauges_json(scene, first, {});
        ASSERT_EQ(io::first_json_error(json), std::nullopt) << json;
        const auto axis = numbers_after(json, "axis", 0);
        EXPECT_NEAR(std::abs(axis[1]), 1, 1e-12);
        EXPECT_TRUE(has(json, R"("length":3)") && has(json, R"("type":"body")")) << json;
        const std::size_t cage = json.find("cage");
        EXPECT_TRUE(has(json.substr(cage, 40), R"("body":0,"turns":true)")) << json;
        const auto lower = numbers_after(json, "lower", cage), upper = numbers_after(json, "upper", cage);
        const bool is_askew = angle < 1;
        EXPECT_EQ(has(json, R"("turn":[)"), is_askew) << json;
        if (is_askew) {
            const auto centre = numbers_after(json, "centre", cage), half = numbers_after(json, "half", cage),
                       turn = numbers_after(json, "turn", cage);
            EXPECT_NEAR(centre[0], 0.15 * std::cos(angle), 1e-9);
            EXPECT_NEAR(centre[1], -0.15 * std::sin(angle), 1e-9);
            EXPECT_NEAR(half[0], 0.15, 1e-9);
            EXPECT_NEAR(turn[3], -std::sin(angle / 2), 1e-9);
        } else {
            const double expected[] = {-0.1, -0.3, -0.2, 0.1, 0, 0.2};
            for (std::size_t k = 0; k < 3; ++k) {
                EXPECT_NEAR(lower[k], expected[k], 1e-9);
                EXPECT_NEAR(upper[k], expected[k + 3], 1e-9);
            }
        }
    }
}

TEST(ViewedRun, PageCannotBeLeftByATitle)
{
    const ViewPage page = view_page({"script();", "p{}"}, "</title><script>", false);
    EXPECT_FALSE(has(page.head, "</title><script>"));
    EXPECT_TRUE(has(page.head, "Content-Security-Policy"));
    EXPECT_TRUE(has(page.tail, "script();"));
}

TEST(SeriesJson, ThinnedColumnKeepsPeaksAndEnds)
{
    Column column;
    for (int k = 0; k < 10'000; ++k) column.push_back(std::sin(1e-3 * k));
    column[777] = 50;
    column[5000] = -50;
    column[6000] = std::nullopt;
    const Column thin = thinned(column, 200);
    EXPECT_LE(thin.size(), 200u);
    EXPECT_EQ(thin.front(), column.front());
    EXPECT_EQ(thin.back(), column.back());
    EXPECT_EQ(std::ranges::count(thin, std::optional(50.0)), 1);
    EXPECT_EQ(std::ranges::count(thin, std::optional(-50.0)), 1);
    EXPECT_EQ(thinned({1.0, 2.0, 3.0}, 200).size(), 3u);
}

} // namespace
} // namespace talus::report
