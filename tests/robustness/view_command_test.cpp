// talus view without its server: the page that stands alone, pictures and films.
#include "robustness/viewed_run.hpp"
#include "talus/report/picture.hpp"

namespace talus::robustness {
namespace {

TEST(ViewCommand, FolderWithoutARunIsRefusedBeforeAnything)
{
    const Workplace here;
    fs::create_directory(here / "empty");
    for (const Arguments& more : {Arguments{"--no-open"}, Arguments{"--export", "page.html"},
                                  Arguments{"--images", "pictures"}, Arguments{"--image", "one.png"}}) {
        for (const char* folder : {"empty", "missing"}) {
            Arguments words{"view", folder};
            words.insert(words.end(), more.begin(), more.end());
            const Outcome outcome = talus_command(here, words);
            EXPECT_EQ(outcome.status, 2) << outcome;
            EXPECT_TRUE(has(outcome.err, folder)) << outcome;
        }
    }
    EXPECT_EQ(all_files(here.path()).size(), 1u);
}

TEST(ViewExport, CarriesTheFramesItWasAskedFor)
{
    const Workplace here;
    make_run(here);
    const Outcome outcome = talus_command(
        here, {"view", "run", "--export", "page.html", "--every", "2", "--from", "0.01", "--until", "0.05"});
    if (!has_page(outcome.err)) GTEST_SKIP() << outcome.err;
    ASSERT_EQ(outcome.status, 0) << outcome;
    const std::string page = contents(here / "page.html");
    for (const char* id : {"run", "shapes", "frame-1", "frame-3", "frame-5", "contacts-1", "contacts-5"}) {
        EXPECT_TRUE(has(page, std::string(" id=\"") + id + "\">")) << id;
    }
    for (const char* id : {"frame-0", "frame-2", "frame-6", "contacts-2"}) {
        EXPECT_FALSE(has(page, std::string(" id=\"") + id + "\">")) << id;
    }
    EXPECT_TRUE(has(page, R"("frames":[1,3,5])"));
    EXPECT_TRUE(has(page, "every 2nd frame is kept; 3 of 7 frames are here"));
    EXPECT_TRUE(has(outcome.out, "left out: every 2nd frame is kept")) << outcome;
    EXPECT_FALSE(has(page, "http-equiv=\"refresh\""));
}

TEST(ViewExport, FewerBodiesAndNoContacts)
{
    const Workplace here;
    make_run(here, "30");
    const Outcome outcome =
        talus_command(here, {"view", "run", "--export", "page.html", "--bodies", "20", "--no-contacts"});
    if (!has_page(outcome.err)) GTEST_SKIP() << outcome.err;
    ASSERT_EQ(outcome.status, 0) << outcome;
    const std::string page = contents(here / "page.html");
    EXPECT_FALSE(has(page, "id=\"contacts-"));
    EXPECT_TRUE(has(page, R"("bodies":20,)"));
    EXPECT_TRUE(has(page, "contacts are left out; 20 of 123 bodies are kept")) << outcome;
}

TEST(ViewExport, TooLargeIsRefusedWithWhatWouldFit)
{
    const Workplace here;
    make_run(here);
    const Outcome whole = talus_command(here, {"view", "run", "--export", "page.html"});
    if (!has_page(whole.err)) GTEST_SKIP() << whole.err;
    ASSERT_EQ(whole.status, 0) << whole;
    const double size = double(fs::file_size(here / "page.html")) / 1e6; // [MB]
    fs::remove(here / "page.html");
    const auto files = all_files(here.path());
    // a frame of 123 bodies takes some 6 kB in base64: three of the seven are too many
    const std::string limit = std::to_string(size - 0.02);
    const Outcome outcome = talus_command(here, {"view", "run", "--export", "page.html", "--limit", limit});
    EXPECT_EQ(outcome.status, 2) << outcome;
    EXPECT_TRUE(has(outcome.err, "would take") && has(outcome.err, "MB") && has(outcome.err, "--every ")) << outcome;
    EXPECT_EQ(all_files(here.path()), files);
    const auto at = outcome.err.find("--every ") + 8;
    const std::string every = outcome.err.substr(at, outcome.err.find(' ', at) - at);
    const Outcome fits =
        talus_command(here, {"view", "run", "--export", "page.html", "--limit", limit, "--every", every});
    EXPECT_EQ(fits.status, 0) << fits;
    EXPECT_LE(double(fs::file_size(here / "page.html")) / 1e6, size - 0.02);
    const Outcome hopeless = talus_command(here, {"view", "run", "--export", "no.html", "--limit", "0.001"});
    EXPECT_EQ(hopeless.status, 2) << hopeless;
    EXPECT_FALSE(fs::exists(here / "no.html"));
}

TEST(ViewPictures, SequenceIsNumberedAndOfOneSize)
{
    if (!report::can_paint()) GTEST_SKIP() << "this build has no cairo";
    const Workplace here;
    make_run(here);
    const Outcome outcome =
        talus_command(here, {"view", "run", "--images", "pictures", "--every", "3", "--width", "320"});
    ASSERT_EQ(outcome.status, 0) << outcome;
    std::string size;
    for (const char* name : {"frame-000000.png", "frame-000001.png", "frame-000002.png"}) {
        const std::string png = contents(here / ("pictures/" + std::string(name)));
        ASSERT_GT(png.size(), 1000u) << name;
        if (size.empty()) size = png.substr(16, 8); // width and height
        EXPECT_EQ(png.substr(16, 8), size) << name;
    }
    EXPECT_FALSE(fs::exists(here / "pictures/frame-000003.png"));
    const Outcome again = talus_command(here, {"view", "run", "--images", "pictures"});
    EXPECT_EQ(again.status, 2) << again;
    const Outcome never = talus_command(here, {"view", "run", "--images", "other", "--from", "5"});
    EXPECT_EQ(never.status, 2) << never;
    EXPECT_FALSE(fs::exists(here / "other"));
}

TEST(ViewPictures, MissingProgramsAreNamedWithWhatToDo)
{
    const Workplace here;
    make_run(here, "10");
    const auto nowhere = [] {
        setenv("PATH", "", 1);
        unsetenv("CHROMIUM");
    };
    const auto files = all_files(here.path());
    const Outcome film = talus_command(here, {"view", "run", "--film", "film.mp4"}, nowhere);
    EXPECT_EQ(film.status, 2) << film;
    EXPECT_TRUE(has(film.err, "ffmpeg") && has(film.err, "--images")) << film;
    const Outcome page = talus_command(here, {"view", "run", "--image", "a.png", "--renderer", "page"}, nowhere);
    EXPECT_EQ(page.status, 2) << page;
    if (has_page(page.err)) {
        EXPECT_TRUE(has(page.err, "apt install chromium") && has(page.err, "--renderer own")) << page;
    }
    for (const Arguments& more : {Arguments{"--image", "a.svg"}, Arguments{"--image", "a.png", "--bands"}}) {
        Arguments words{"view", "run", "--renderer", "page"};
        words.insert(words.end(), more.begin(), more.end());
        EXPECT_EQ(talus_command(here, words, nowhere).status, 2);
    }
    EXPECT_EQ(talus_command(here, {"view", "run", "--image", "a.png", "--colour", "part"}).status, 2);
    EXPECT_EQ(talus_command(here, {"view", "run", "--image", "a.jpg"}).status, 2);
    EXPECT_EQ(talus_command(here, {"view", "run", "--every", "2"}).status, 2); // of what?
    EXPECT_EQ(all_files(here.path()), files);
}

TEST(ViewPictures, GrainsAreNoPeople)
{
    const Workplace here;
    make_run(here, "10");
    const auto files = all_files(here.path());
    for (const Arguments& more : {Arguments{"--map", "density"}, Arguments{"--trajectories"},
                                  Arguments{"--colour", "density"}, Arguments{"--colour", "exit"}}) {
        Arguments words{"view", "run", "--image", "a.png"};
        words.insert(words.end(), more.begin(), more.end());
        const Outcome outcome = talus_command(here, words);
        EXPECT_EQ(outcome.status, 2) << outcome;
        EXPECT_TRUE(has(outcome.err, more.front()) && has(outcome.err, "scene.method")) << outcome;
    }
    EXPECT_EQ(all_files(here.path()), files);
}

TEST(ViewPictures, FilmIsMadeOfAllPictures)
{
    if (!report::can_paint()) GTEST_SKIP() << "this build has no cairo";
    const Workplace here;
    make_run(here, "30");
    // an encoder that counts what it is given
    here.write("ffmpeg",
               "#!/bin/sh\nfor last; do :; done\nls \"$(dirname \"$last\")\" > \"$last\"\necho \"$@\" >> \"$last\"\n");
    fs::permissions(here / "ffmpeg", fs::perms::owner_all);
    const auto prepare = [&] { setenv("PATH", (here.path().string() + ":/usr/bin:/bin").c_str(), 1); };
    const Outcome outcome =
        talus_command(here, {"view", "run", "--film", "film.mp4", "--fps", "10", "--width", "320"}, prepare);
    ASSERT_EQ(outcome.status, 0) << outcome;
    const std::string film = contents(here / "film.mp4");
    EXPECT_TRUE(has(film, "frame-000000.png") && has(film, "frame-000003.png")) << film;
    EXPECT_TRUE(has(film, "-framerate 10 ")) << film;
}

} // namespace
} // namespace talus::robustness
