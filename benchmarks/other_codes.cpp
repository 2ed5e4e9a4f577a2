#include "benchmarks/other_codes.hpp"

#include <fmt/format.h>
#include <fmt/os.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace talus::bench {

namespace {

constexpr int warm_up = 20; // steps: lists are made, memory is there

// The upper half of the box is empty: ranks that divided its height would have nothing to do.
constexpr const char* side_by_side = "processors * * 1\n";

std::string law_of_lammps(const HookeLaw& law)
{
    return fmt::format("{} {} {} {} {} 1", law.normal_stiffness, law.tangential_stiffness, law.normal_damping,
                       law.tangential_damping, law.friction);
}

std::string lammps_input(const OtherCase& with, double skin)
{
    const std::string law = law_of_lammps(with.law);
    std::string text = fmt::format("units si\natom_style sphere\nboundary f f f\nnewton off\ncomm_modify vel yes\n"
                                   "{}read_data balls.data\npair_style gran/hooke/history {}\npair_coeff * *\n"
                                   "neighbor {} bin\nneigh_modify every 1 delay 0 check yes\ntimestep {}\n"
                                   "fix move all nve/sphere\nfix weight all gravity {} vector 0 0 -1\n",
                                   side_by_side, law, skin, with.dt, with.gravity);
    if (!with.has_walls) return text;
    text += fmt::format("fix floor all wall/gran hooke/history {} zplane {} NULL\n", law, with.low[2]);
    text += fmt::format("fix sides all wall/gran hooke/history {} xplane {} {}\n", law, with.low[0], with.high[0]);
    text += fmt::format("fix ends all wall/gran hooke/history {} yplane {} {}\n", law, with.low[1], with.high[1]);
    return text;
}

std::string liggghts_input(const OtherCase& with, double skin)
{
    std::string text = fmt::format("units si\natom_style granular\natom_modify map array\nboundary f f f\nnewton off\n"
                                   "communicate single vel yes\n{}read_data balls.data\n",
                                   side_by_side);
    const auto property = [&](const char* name, double value) {
        text += fmt::format("fix {0} all property/global {0} peratomtypepair 1 {1}\n", name, value);
    };
    property("kn", with.law.normal_stiffness);
    property("kt", with.law.tangential_stiffness);
    property("gamman", with.law.normal_damping);
    property("gammat", with.law.tangential_damping);
    property("coefficientFriction", with.law.friction);
    text += fmt::format("pair_style gran model hooke/stiffness tangential history\npair_coeff * *\nneighbor {} bin\n"
                        "neigh_modify delay 0\ntimestep {}\nfix weight all gravity {} vector 0 0 -1\n",
                        skin, with.dt, with.gravity);
    const auto wall = [&](const char* plane, double place, int number) {
        text +=
            fmt::format("fix wall{} all wall/gran model hooke/stiffness tangential history primitive type 1 {} {}\n",
                        number, plane, place);
    };
    if (with.has_walls) {
        wall("zplane", with.low[2], 1);
        wall("xplane", with.low[0], 2);
        wall("xplane", with.high[0], 3);
        wall("yplane", with.low[1], 4);
        wall("yplane", with.high[1], 5);
    }
    return text + "fix move all nve/sphere\n";
}

std::string input_of(const OtherCode& code, const OtherCase& with, double skin)
{
    return code.is_liggghts ? liggghts_input(with, skin) : lammps_input(with, skin);
}

bool run(const OtherCode& code, const std::filesystem::path& folder, int ranks)
{
    const std::string parallel =
        ranks > 1
            ? fmt::format("OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 mpirun --oversubscribe -np {} ",
                          ranks)
            : "";
    const std::string line = fmt::format("cd '{}' && OMP_NUM_THREADS=1 {}{} -in input -log log > screen 2>&1",
                                         folder.string(), parallel, code.program);
    return std::system(line.c_str()) == 0;
}

} // namespace

std::string HookeLaw::keys() const
{
    return fmt::format("stiffness = {}\ndamping = \"mass_scaled\"\nnormal_damping = {}\ntangential_stiffness = {}\n"
                       "tangential_damping = {}\nlever = \"radius\"\n",
                       normal_stiffness, normal_damping, tangential_stiffness, tangential_damping);
}

bool OtherCode::is_installed() const
{
    return std::system(fmt::format("command -v {} > /dev/null 2>&1", program).c_str()) == 0;
}

void write_balls(const State<3>& state, const OtherCase& with, const std::filesystem::path& folder)
{
    std::filesystem::create_directories(folder);
    std::string atoms, velocities;
    int count = 0;
    for (std::size_t i = 0; i < state.bodies.size(); ++i) {
        const Shape<3>& shape = state.shapes[state.bodies.shape[i]];
        if (shape.kind != ShapeKind::ball) continue;
        const Vec<3>&x = state.bodies.position[i], &v = state.bodies.velocity[i], &w = state.bodies.spin[i];
        const double density = state.bodies.mass[i] / ball_volume<3>(shape.radius);
        ++count;
        atoms += fmt::format("{} 1 {:.17g} {:.17g} {:.17g} {:.17g} {:.17g}\n", count, 2 * shape.radius, density, x[0],
                             x[1], x[2]);
        velocities += fmt::format("{} {:.17g} {:.17g} {:.17g} {:.17g} {:.17g} {:.17g}\n", count, v[0], v[1], v[2], w[0],
                                  w[1], w[2]);
    }
    const Vec<3> room = Vec<3>::Constant(0.05 * (with.high - with.low).minCoeff()); // balls overlap walls a little
    const Vec<3> low = with.low - room, high = with.high + room;
    auto file = fmt::output_file((folder / "balls.data").string());
    file.print(
        "balls\n\n{} atoms\n1 atom types\n{} {} xlo xhi\n{} {} ylo yhi\n{} {} zlo zhi\n\nAtoms\n\n{}\nVelocities\n\n{}",
        count, low[0], high[0], low[1], high[1], low[2], high[2], atoms, velocities);
}

std::optional<double> seconds_of(const OtherCode& code, const OtherCase& with, const std::filesystem::path& folder,
                                 double skin, int steps, int ranks)
{
    std::ofstream(folder / "input") << input_of(code, with, skin) << "thermo 1000000\n"
                                    << "run " << warm_up << "\nrun " << steps << "\n";
    if (!run(code, folder, ranks)) return {};
    std::ifstream log(folder / "log");
    std::optional<double> last;
    for (std::string line; std::getline(log, line);) {
        if (line.starts_with("Loop time of ")) last = std::stod(line.substr(13));
    }
    return last;
}

std::vector<Vec<3>> places_after(const OtherCode& code, const OtherCase& with, const std::filesystem::path& folder,
                                 double skin, int steps)
{
    std::ofstream(folder / "input") << input_of(code, with, skin) << "thermo 1000000\ndump all all custom " << steps
                                    << " places id x y z\ndump_modify all sort id format "
                                    << (code.is_liggghts ? "" : "line ") << "\"%d %.17g %.17g %.17g\"\nrun " << steps
                                    << "\n";
    if (!run(code, folder, 1)) return {};
    std::ifstream file(folder / "places");
    std::vector<Vec<3>> places;
    bool reads = false;
    for (std::string line; std::getline(file, line);) {
        if (line.starts_with("ITEM: TIMESTEP")) {
            places.clear(); // of the last moment only
            reads = false;
        } else if (line.starts_with("ITEM: ATOMS")) {
            reads = true;
        } else if (reads) {
            std::istringstream numbers(line);
            int id = 0;
            Vec<3> x;
            numbers >> id >> x[0] >> x[1] >> x[2];
            places.push_back(x);
        }
    }
    return places;
}

} // namespace talus::bench
