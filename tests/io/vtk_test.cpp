#include "made_up_run.hpp"
#include "talus/io/runs/vtk.hpp"

#include <gtest/gtest.h>

#include <map>
#include <regex>

namespace talus::io {

namespace {

struct Parsed {
    int points = 0, verts = 0, lines = 0, polys = 0;
    std::map<std::string, std::string> arrays; // "Points/points" → bytes
};

// header, offsets and appended arrays, as a reader of VTK goes through them
Parsed parse(const std::filesystem::path& file)
{
    const std::string text = contents(file);
    const std::size_t mark = text.find("<AppendedData encoding=\"raw\">\n_");
    EXPECT_NE(mark, std::string::npos);
    const std::string xml = text.substr(0, mark);
    const std::size_t data = mark + std::string("<AppendedData encoding=\"raw\">\n_").size();
    EXPECT_TRUE(text.ends_with("\n</AppendedData>\n</VTKFile>\n"));
    Parsed parsed;
    std::smatch piece;
    EXPECT_TRUE(
        std::regex_search(xml, piece,
                          std::regex("NumberOfPoints=\"(\\d+)\" NumberOfVerts=\"(\\d+)\" NumberOfLines=\"(\\d+)\" "
                                     "NumberOfStrips=\"0\" NumberOfPolys=\"(\\d+)\"")));
    parsed.points = std::stoi(piece[1]);
    parsed.verts = std::stoi(piece[2]);
    parsed.lines = std::stoi(piece[3]);
    parsed.polys = std::stoi(piece[4]);

    std::size_t expected = 0;
    std::string section;
    const std::regex line("<(\\w+)>|<DataArray type=\"(\\w+)\" Name=\"(\\w+)\" NumberOfComponents=\"(\\d)\" "
                          "format=\"appended\" offset=\"(\\d+)\"/>");
    for (std::sregex_iterator it(xml.begin(), xml.end(), line), end; it != end; ++it) {
        if ((*it)[1].matched) {
            section = (*it)[1];
            continue;
        }
        const std::size_t offset = std::stoul((*it)[5]);
        EXPECT_EQ(offset, expected);
        std::uint64_t size = 0;
        std::memcpy(&size, text.data() + data + offset, sizeof size);
        parsed.arrays[section + "/" + std::string((*it)[3])] = text.substr(data + offset + sizeof size, size);
        expected = offset + sizeof size + size;
    }
    EXPECT_EQ(data + expected, text.size() - std::string("\n</AppendedData>\n</VTKFile>\n").size());
    return parsed;
}

template <class T>
std::vector<T> numbers(const std::string& bytes)
{
    std::vector<T> values(bytes.size() / sizeof(T));
    std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
}

} // namespace

TEST(Vtk, BallsArePointsWithRadiusAndPlanesLieAtZeroHeight)
{
    const Scratch scratch;
    auto simulation = made_up_simulation<2>();
    made_up_step(simulation);
    VtkWriter(scratch.path()).frame(simulation, 0);
    const Parsed grains = parse(scratch / "vtk/grains_000000.vtp");
    EXPECT_EQ(grains.points, 5);
    EXPECT_EQ(grains.verts, 5);
    const auto points = numbers<float>(grains.arrays.at("Points/points"));
    ASSERT_EQ(points.size(), 15u);
    EXPECT_FLOAT_EQ(points[3], float(simulation.bodies.position[5][0]));
    EXPECT_EQ(points[5], 0.0f);
    EXPECT_FLOAT_EQ(numbers<float>(grains.arrays.at("PointData/radius"))[1], 0.011f);
    EXPECT_EQ(numbers<std::int32_t>(grains.arrays.at("PointData/body"))[1], 5);
    EXPECT_FLOAT_EQ(numbers<float>(grains.arrays.at("PointData/spin"))[5], float(simulation.bodies.spin[5][0]));
    EXPECT_EQ(numbers<std::int32_t>(grains.arrays.at("Verts/offsets")), (std::vector<std::int32_t>{1, 2, 3, 4, 5}));
}

TEST(Vtk, ContactsCarryForceAndGap)
{
    const Scratch scratch;
    auto simulation = made_up_simulation<3>();
    made_up_step(simulation);
    VtkWriter(scratch.path()).frame(simulation, 0);
    const Parsed contacts = parse(scratch / "vtk/contacts_000000.vtp");
    EXPECT_EQ(contacts.points, int(simulation.contacts.size()));
    EXPECT_FLOAT_EQ(numbers<float>(contacts.arrays.at("PointData/force"))[6],
                    float(simulation.contacts.impulse[6].norm() / 1e-3));
    EXPECT_FLOAT_EQ(numbers<float>(contacts.arrays.at("PointData/gap"))[6], float(simulation.contacts.gap[6]));
}

TEST(Vtk, BoxIsSixQuadsAndRodALine)
{
    const Scratch scratch;
    const auto simulation = made_up_simulation<3>();
    VtkWriter(scratch.path()).frame(simulation, 0);
    const Parsed solids = parse(scratch / "vtk/solids_000000.vtp");
    EXPECT_EQ(solids.points, 2 + 8);
    EXPECT_EQ(solids.lines, 1);
    EXPECT_EQ(solids.polys, 6);
    EXPECT_EQ(numbers<std::int32_t>(solids.arrays.at("Polys/offsets")).back(), 24);
    EXPECT_EQ(numbers<std::int32_t>(solids.arrays.at("CellData/body")),
              (std::vector<std::int32_t>{1, 3, 3, 3, 3, 3, 3}));
}

TEST(Vtk, ClusterIsTheFacesOfItsPartsAndMeshItsTriangles)
{
    const Scratch scratch;
    Simulation<3> simulation;
    simulation.clock.dt = 1;
    Body<3> body;
    body.position = {0, 0, 5};
    body.shape = simulation.shapes.add_cluster({box<3>({1, 1, 1}), box<3>({2, 2, 2})});
    simulation.bodies.add(body);
    body.shape = simulation.shapes.add_mesh({{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 1, 2}, {0, 1, 3}}});
    simulation.bodies.add(body);
    VtkWriter(scratch.path()).frame(simulation, 0);
    const Parsed solids = parse(scratch / "vtk/solids_000000.vtp");
    EXPECT_EQ(solids.points, 8 + 8 + 4);
    EXPECT_EQ(solids.polys, 6 + 6 + 2);
    const auto corners = numbers<std::int32_t>(solids.arrays.at("Polys/connectivity"));
    EXPECT_EQ((std::vector<std::int32_t>(corners.end() - 3, corners.end())), (std::vector<std::int32_t>{16, 17, 19}));
    EXPECT_EQ(numbers<std::int32_t>(solids.arrays.at("CellData/body")).back(), 1);
    EXPECT_EQ(numbers<float>(solids.arrays.at("Points/points")).back(), 6.0f);
}

TEST(Vtk, NothingToShowIsStillAFile)
{
    const Scratch scratch;
    Simulation<3> empty;
    empty.clock.dt = 1;
    VtkWriter(scratch.path()).frame(empty, 0);
    EXPECT_EQ(parse(scratch / "vtk/grains_000000.vtp").points, 0);
    EXPECT_FALSE(std::filesystem::exists(scratch / "vtk/solids_000000.vtp"));
}

TEST(Vtk, ListNamesEveryFrameOnceAlsoAfterResume)
{
    const Scratch scratch;
    auto simulation = made_up_simulation<3>();
    {
        VtkWriter vtk(scratch.path());
        for (int f = 0; f < 4; ++f) {
            made_up_step(simulation);
            vtk.frame(simulation, f);
        }
    }
    const std::string uninterrupted = contents(scratch / "run.pvd");
    VtkWriter vtk(scratch.path(), {0.001, 0.002, 0.003});
    EXPECT_FALSE(std::filesystem::exists(scratch / "vtk/grains_000003.vtp"));
    EXPECT_EQ(contents(scratch / "run.pvd").find("grains_000003"), std::string::npos);
    vtk.frame(simulation, 3);
    EXPECT_EQ(contents(scratch / "run.pvd"), uninterrupted);
}

} // namespace talus::io
