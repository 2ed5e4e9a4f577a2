#include "made_up_run.hpp"
#include "small_disk.hpp"
#include "talus/base/error.hpp"
#include "talus/io/files/hdf5_file.hpp"
#include "texts.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <limits>
#include <sys/resource.h>
#include <thread>

namespace talus::io {

namespace fs = std::filesystem;

namespace {

void write_sample(const fs::path& path)
{
    Hdf5Writer file(path);
    file.attribute("number", 0.1);
    file.attribute("text", std::string("h = 1 µs"));
    file.column("values/double", std::vector<double>{0.1, -0.0, 5e-324, std::nan("3")});
    file.column("values/long", std::vector<double>(5000, 1.0 / 3), Packing::deflated);
    file.texts("values/text", {"a", "", "ü"});
    file.commit();
}

std::string refusal_to_open(const fs::path& path)
{
    return refusal_of([&] { const Hdf5Reader file(path); });
}

} // namespace

TEST(Hdf5File, ColumnsComeBackBitForBit)
{
    const Scratch scratch;
    const std::vector<double> doubles{0.1, -0.0, 5e-324, std::nan("3"), std::numeric_limits<double>::infinity()};
    const std::vector<std::uint64_t> words{0, ~0ull, 1ull << 63};
    const std::vector<Rotation<3>> turns{Rotation<3>(0.1, 0.2, 0.3, 0.4), Rotation<3>()};
    const std::vector<Ang<2>> spins{Ang<2>(1.5), Ang<2>(-2.5)};
    const std::vector<std::uint8_t> none;
    std::vector<Vec<3>> many(70000);
    for (std::size_t i = 0; i < many.size(); ++i) many[i] = Vec<3>(std::sin(double(i)), std::cos(double(i)), 1e300);
    {
        Hdf5Writer file(scratch / "f.h5");
        file.column("a/doubles", doubles);
        file.column("a/b/words", words);
        file.column("turns", turns);
        file.column("spins", spins, Packing::deflated);
        file.column("none", none, Packing::deflated);
        file.column("many", many, Packing::deflated);
        file.texts("texts", {"x", "", "grüße"});
        file.attribute("number", 0.1);
        file.attribute("integer", std::int64_t{-5});
        file.attribute("text", std::string("µ"));
        file.commit();
    }
    const Hdf5Reader file(scratch / "f.h5");
    EXPECT_TRUE(same_bits(file.column<double>("a/doubles"), doubles));
    EXPECT_EQ(file.column<std::uint64_t>("a/b/words"), words);
    EXPECT_TRUE(same_bits(file.column<Rotation<3>>("turns"), turns));
    EXPECT_EQ(file.column<Ang<2>>("spins"), spins);
    EXPECT_TRUE(file.column<std::uint8_t>("none").empty());
    EXPECT_TRUE(same_bits(file.column<Vec<3>>("many"), many));
    EXPECT_EQ(file.column<Vec<3>>("many", 69999, 1)[0], many[69999]);
    EXPECT_EQ(file.texts("texts"), (std::vector<std::string>{"x", "", "grüße"}));
    EXPECT_EQ(file.number("number"), 0.1);
    EXPECT_EQ(file.integer("integer"), -5);
    EXPECT_EQ(file.text("text"), "µ");
    EXPECT_TRUE(file.has("a/b/words"));
    EXPECT_FALSE(file.has("a/c/words"));
}

TEST(Hdf5File, AppearsOnlyWhenComplete)
{
    const Scratch scratch;
    {
        Hdf5Writer file(scratch / "f.h5");
        file.column("x", std::vector<double>{1});
        EXPECT_FALSE(fs::exists(scratch / "f.h5"));
    }
    EXPECT_TRUE(fs::is_empty(scratch.path()));
}

TEST(Hdf5File, EqualContentsGiveEqualFiles)
{
    const Scratch scratch;
    write_sample(scratch / "a.h5");
    std::this_thread::sleep_for(std::chrono::milliseconds(1100)); // HDF5 counts time in seconds
    write_sample(scratch / "b.h5");
    EXPECT_EQ(contents(scratch / "a.h5"), contents(scratch / "b.h5"));
}

TEST(Hdf5File, OtherTypeWidthOrLengthIsRefused)
{
    const Scratch scratch;
    write_sample(scratch / "f.h5");
    const Hdf5Reader file(scratch / "f.h5");
    EXPECT_THROW(file.column<std::int32_t>("values/double"), InputError);
    EXPECT_THROW(file.column<std::int64_t>("values/double"), InputError);
    EXPECT_THROW(file.column<Vec<3>>("values/double"), InputError);
    EXPECT_THROW(file.column<double>("values/double", 2, 3), InputError);
    EXPECT_THROW(file.column<double>("values/nothing"), InputError);
    EXPECT_THROW(file.column<double>("values"), InputError);
    EXPECT_THROW(file.number("nothing"), InputError);
    EXPECT_THROW(file.text("number"), InputError);
}

TEST(Hdf5File, CutOffAnywhereIsRefused)
{
    const Scratch scratch;
    write_sample(scratch / "f.h5");
    const std::string whole = contents(scratch / "f.h5");
    for (std::size_t size = 0; size < whole.size(); size += 97) {
        overwrite(scratch / "cut.h5", whole.substr(0, size));
        EXPECT_NE(refusal_to_open(scratch / "cut.h5"), "") << size;
    }
    overwrite(scratch / "cut.h5", whole.substr(0, whole.size() - 1));
    EXPECT_NE(refusal_to_open(scratch / "cut.h5").find("cut off"), std::string::npos);
}

TEST(Hdf5File, OneByteChangedAnywhereIsRefused)
{
    const Scratch scratch;
    write_sample(scratch / "f.h5");
    const std::string whole = contents(scratch / "f.h5");
    for (std::size_t at = 512; at < whole.size(); at += 61) {
        std::string changed = whole;
        changed[at] = char(changed[at] ^ 0x10);
        overwrite(scratch / "bad.h5", changed);
        EXPECT_NE(refusal_to_open(scratch / "bad.h5").find("damaged"), std::string::npos) << at;
    }
    overwrite(scratch / "bad.h5", whole + "x");
    EXPECT_NE(refusal_to_open(scratch / "bad.h5").find("damaged"), std::string::npos);
}

TEST(Hdf5File, WhatIsNoFileOfTalusIsRefusedByName)
{
    const Scratch scratch;
    EXPECT_NE(refusal_to_open(scratch / "nothing.h5").find("No such file"), std::string::npos);
    overwrite(scratch / "text.h5", "hello");
    EXPECT_NE(refusal_to_open(scratch / "text.h5").find("not an HDF5 file"), std::string::npos);
    overwrite(scratch / "empty.h5", "");
    EXPECT_NE(refusal_to_open(scratch / "empty.h5").find("not an HDF5 file"), std::string::npos);
    overwrite(scratch / "foreign.h5", std::string("\x89HDF\r\n\x1a\n", 8) + std::string(1000, '\0'));
    EXPECT_NE(refusal_to_open(scratch / "foreign.h5").find("not one that Talus wrote"), std::string::npos);
    EXPECT_NE(refusal_to_open(scratch.path()), "");
}

TEST(Hdf5File, FolderThatIsNotThereIsARunError)
{
    const Scratch scratch;
    try {
        Hdf5Writer file(scratch / "no/f.h5");
        FAIL();
    } catch (const RunError& error) {
        EXPECT_NE(std::string(error.what()).find("no such file"), std::string::npos) << error.what();
    }
}

TEST(Hdf5File, FullDiskIsARunErrorAtWhateverSize)
{
    const Scratch scratch;
    const SmallDisk disk(scratch / "small", "size=128k");
    if (!disk.is_there()) GTEST_SKIP() << "needs root";
    const auto open_files = [] { return std::distance(fs::directory_iterator("/proc/self/fd"), {}); };
    const auto before = open_files();
    int failures = 0;
    // from a file that almost fits to one far beyond: the failure comes at the write, the flush, the seal
    for (std::size_t rows = 6000; rows < 60000; rows += 2500) {
        try {
            Hdf5Writer file(scratch / "small/f.h5");
            file.column("x", std::vector<double>(rows, 0.1));
            file.column("y", std::vector<double>(rows, 0.1), Packing::deflated);
            file.commit();
            const Hdf5Reader back(scratch / "small/f.h5");
            EXPECT_EQ(back.column<double>("x").size(), rows);
            fs::remove(scratch / "small/f.h5");
        } catch (const RunError& error) {
            EXPECT_NE(std::string(error.what()).find("no space left on device"), std::string::npos) << error.what();
            ++failures;
        }
        EXPECT_TRUE(fs::is_empty(scratch / "small")) << rows;
    }
    EXPECT_GT(failures, 5);
    EXPECT_EQ(open_files(), before);
}

TEST(Hdf5File, LimitOfFileSizeIsARunError)
{
    const Scratch scratch;
    rlimit before{};
    getrlimit(RLIMIT_FSIZE, &before);
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    rlimit small = before;
    small.rlim_cur = 50000;
    setrlimit(RLIMIT_FSIZE, &small);
    std::string reason;
    try {
        write_sample(scratch / "fits.h5");
        Hdf5Writer file(scratch / "f.h5");
        file.column("x", std::vector<double>(20000, 0.1));
        file.commit();
    } catch (const RunError& error) {
        reason = error.what();
    }
    setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
    EXPECT_NE(reason.find("file too large"), std::string::npos) << reason;
    EXPECT_EQ(refusal_to_open(scratch / "fits.h5"), "");
    EXPECT_FALSE(fs::exists(scratch / "f.h5"));
}

} // namespace talus::io
