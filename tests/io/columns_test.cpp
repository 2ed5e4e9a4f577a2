// A column that a table lists is in files, hashes, histories and ParaView, without another word.
#include "io/made_up_run.hpp"
#include "talus/exec/columns.hpp"
#include "talus/exec/erase_rows.hpp"
#include "talus/io/runs/run_columns.hpp"
#include "talus/io/runs/vtk_arrays.hpp"

#include <numeric>

using namespace talus;

namespace {

// bodies with a charge
struct ChargedBodies : BodyTable<3> {
    std::vector<double> charge; // [C]
    std::vector<Vec<3>> dipole; // [A m2] empty where there is none
    static constexpr auto columns()
    {
        using C = ChargedBodies;
        return std::tuple_cat(BodyTable<3>::columns(),
                              std::make_tuple(Column<C, double>{"charge", "C", Role::state, &C::charge},
                                              Column<C, Vec<3>>{"dipole", "A m2", Role::state, &C::dipole, true}));
    }
};

ChargedBodies three_charges()
{
    ChargedBodies bodies;
    for (int k = 0; k < 3; ++k) {
        Body<3> body;
        body.position = Vec<3>(k, 2 * k, 3 * k);
        body.mass = 1 + k;
        bodies.add(body);
        bodies.charge.push_back(double(k + 1));
    }
    return bodies;
}

std::uint64_t hash_of(const ChargedBodies& bodies)
{
    Hash hash;
    hash_columns(hash, bodies, {Role::state});
    return hash.value();
}

} // namespace

TEST(Columns, ThatAreAddedAreWrittenAndRead)
{
    const io::Scratch scratch;
    const ChargedBodies written = three_charges();
    {
        io::Hdf5Writer file(scratch / "columns.h5");
        io::write_columns(file, "bodies/", written, {Role::state, Role::constant});
        file.commit();
    }
    const io::Hdf5Reader file(scratch / "columns.h5");
    EXPECT_FALSE(file.has("bodies/dipole")) << "nobody has one";
    EXPECT_FALSE(file.has("bodies/force")) << "loads were not asked for";
    ChargedBodies read;
    read.dipole.resize(1);
    io::read_columns(file, "bodies/", read, {Role::state, Role::constant});
    EXPECT_EQ(read.charge, written.charge);
    EXPECT_EQ(read.mass, written.mass);
    EXPECT_TRUE(read.dipole.empty());
    io::read_columns(file, "bodies/", read, {Role::state}, io::RowRange{1, 2});
    EXPECT_EQ(read.charge, std::vector<double>({2, 3}));
}

TEST(Columns, ThatAreAddedAreHashedKeptAndAppended)
{
    const ChargedBodies bodies = three_charges();
    ChargedBodies other = bodies;
    EXPECT_EQ(hash_of(other), hash_of(bodies));
    other.charge[1] = -other.charge[1];
    EXPECT_NE(hash_of(other), hash_of(bodies));
    erase_rows(other, rows_not_kept(std::vector<std::uint8_t>{1, 0, 1}));
    EXPECT_EQ(other.charge, std::vector<double>({1, 3}));
    EXPECT_EQ(other.mass, std::vector<double>({1, 3}));
    other.dipole = {Vec<3>::UnitX(), Vec<3>::UnitY()};
    append_rows(other, bodies, {Role::state});
    EXPECT_EQ(other.charge, std::vector<double>({1, 3, 1, 2, 3}));
    ASSERT_EQ(other.dipole.size(), 5u);
    EXPECT_EQ(other.dipole[1], Vec<3>::UnitY());
    EXPECT_EQ(other.dipole[4], Vec<3>::Zero()) << "those that have none";
}

// enough rows for several blocks; some leave side by side, at both ends, and around the end of a block
TEST(Columns, OfLargeTablesLoseTheRowsThatLeave)
{
    constexpr std::size_t count = 20000;
    std::vector<std::size_t> all(count);
    std::iota(all.begin(), all.end(), 0);
    std::vector<std::vector<std::size_t>> cases = {{0},
                                                   {count - 1},
                                                   {8191, 8192, 8193},
                                                   {0, 1, 2, 8190, 9000, count - 2},
                                                   {all.begin() + 100, all.begin() + 11000},
                                                   all};
    cases.emplace_back();
    std::ranges::copy_if(all, std::back_inserter(cases.back()), [](std::size_t row) { return row % 3 == 1; });
    const int before = thread_count();
    for (const std::vector<std::size_t>& leaving : cases) {
        std::vector<std::uint8_t> kept(count, 1);
        for (const std::size_t row : leaving) kept[row] = 0;
        std::vector<double> expected;
        std::ranges::copy_if(all, std::back_inserter(expected), [&](std::size_t row) { return kept[row] != 0; });
        for (const int threads : {1, 3}) {
            set_thread_count(threads);
            ChargedBodies bodies;
            for_columns<ChargedBodies>([&](const auto& column) {
                if (!column.is_optional) (bodies.*column.data).resize(count);
            });
            bodies.charge.assign(all.begin(), all.end());
            erase_rows(bodies, rows_not_kept(kept));
            EXPECT_EQ(bodies.charge, expected) << leaving.size() << " leave, " << threads << " threads";
            EXPECT_EQ(bodies.size(), expected.size());
        }
    }
    set_thread_count(before);
}

TEST(Columns, ThatAreAddedAreShownInParaView)
{
    const std::vector<io::VtkArray> arrays = io::arrays_of(three_charges(), {2, 0, 0});
    const auto charge = std::ranges::find(arrays, std::string("charge"), &io::VtkArray::name);
    ASSERT_NE(charge, arrays.end());
    EXPECT_EQ(charge->components, 1);
    float values[3];
    ASSERT_EQ(charge->bytes.size(), sizeof values);
    std::memcpy(values, charge->bytes.data(), sizeof values);
    EXPECT_EQ(values[0], 3.0f);
    EXPECT_EQ(values[1], 1.0f);
    EXPECT_EQ(values[2], 1.0f);
    EXPECT_EQ(std::ranges::find(arrays, std::string("dipole"), &io::VtkArray::name), arrays.end());
}

// every column of the tables we have: no name twice, and none forgotten in add()
TEST(Columns, OfBodiesAndContactsAreAllListed)
{
    BodyTable<2> bodies;
    bodies.add({});
    std::set<std::string> names;
    for_columns<BodyTable<2>>([&](const auto& column) {
        EXPECT_TRUE(names.insert(column.name).second) << column.name;
        EXPECT_EQ((bodies.*column.data).size(), column.is_optional ? 0u : 1u) << column.name;
    });
    const std::size_t counter = sizeof(double); // `born`, which is no column
    EXPECT_EQ(sizeof bodies, names.size() * sizeof(std::vector<double>) + counter) << "a column is not listed";
    names.clear();
    for_columns<ContactColumns<3>>([&](const auto& column) { names.insert(column.name); });
    EXPECT_EQ(sizeof(ContactColumns<3>), names.size() * sizeof(std::vector<double>)) << "a column is not listed";
}
