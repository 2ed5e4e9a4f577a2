// talus view: what its server gives and what it refuses, the page that stands alone, pictures and films.
#include "io/frames.hpp"
#include "io/run_text.hpp"
#include "report/picture.hpp"
#include "robustness/command.hpp"
#include "robustness/small_scenes.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

namespace talus::robustness {
namespace {

sockaddr_in loopback(int port)
{
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(std::uint16_t(port));
    return address;
}

// A socket that listens somewhere.
class TakenPort {
  public:
    TakenPort() : socket_(socket(AF_INET, SOCK_STREAM, 0))
    {
        sockaddr_in address = loopback(0);
        socklen_t size = sizeof address;
        EXPECT_EQ(bind(socket_, reinterpret_cast<sockaddr*>(&address), size), 0);
        EXPECT_EQ(listen(socket_, 1), 0);
        getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &size);
        port_ = ntohs(address.sin_port);
    }
    ~TakenPort() { close(socket_); }
    int port() const { return port_; }

  private:
    int socket_, port_ = 0;
};

int free_port() { return TakenPort().port(); }

// All that comes back to these bytes.
std::string answer_to(int port, const std::string& request)
{
    const int connection = socket(AF_INET, SOCK_STREAM, 0);
    const timeval patience{10, 0};
    setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    const sockaddr_in address = loopback(port);
    std::string answer;
    if (connect(connection, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) {
        (void)!send(connection, request.data(), request.size(), MSG_NOSIGNAL);
        char buffer[65536];
        for (ssize_t taken; (taken = recv(connection, buffer, sizeof buffer, 0)) > 0;) {
            answer.append(buffer, std::size_t(taken));
        }
    }
    close(connection);
    return answer;
}

int status_of(const std::string& answer) { return answer.size() > 12 ? std::atoi(answer.c_str() + 9) : 0; }
std::string body_of(const std::string& answer)
{
    const auto at = answer.find("\r\n\r\n");
    return at == std::string::npos ? "" : answer.substr(at + 4);
}

bool has_page(const std::string& trouble)
{
    return !has(trouble, "needs the web part") && !has(trouble, "needs cpp-httplib");
}

void make_run(const Workplace& here, const std::string& steps = "60")
{
    here.write("scene.toml", shaken_disks + gauges_of_disks + "\n[partition]\nparts = 3\n");
    const Outcome outcome = talus_command(here, {"run", "scene.toml", "--out", "run", "--steps", steps, "--quiet"});
    ASSERT_EQ(outcome.status, 0) << outcome;
}

// The server of a run, while the test lasts.
class Served {
  public:
    explicit Served(const Workplace& here, int port = free_port())
        : port_(port), command_(here, command_line({"view", "run", "--no-open", "--port", std::to_string(port)}))
    {
        is_there_ = command_.wait_for([&] { return status_of(get("/nothing")) == 404; });
    }
    bool is_there() const { return is_there_; }
    int port() const { return port_; }
    Running& command() { return command_; }
    std::string host() const { return "127.0.0.1:" + std::to_string(port_); }
    std::string ask(const std::string& method, const std::string& target, const std::string& name) const
    {
        return answer_to(port_, method + " " + target + " HTTP/1.1\r\nHost: " + name + "\r\nConnection: close\r\n\r\n");
    }
    std::string get(const std::string& target) const { return ask("GET", target, host()); }

  private:
    int port_;
    Running command_;
    bool is_there_ = false;
};

#define TALUS_SERVE(name, here)                                                                                        \
    Served name(here);                                                                                                 \
    if (!name.is_there()) {                                                                                            \
        const Outcome ended = name.command().outcome();                                                                \
        if (!has_page(ended.err)) GTEST_SKIP() << ended.err;                                                           \
        FAIL() << ended;                                                                                               \
    }

TEST(ViewServer, EveryRouteAnswers)
{
    const Workplace here;
    make_run(here);
    TALUS_SERVE(served, here);
    const std::string page = served.get("/");
    EXPECT_EQ(status_of(page), 200);
    for (const char* header : {"Cache-Control: no-store", "X-Content-Type-Options: nosniff",
                               "Content-Security-Policy: default-src 'none'", "Content-Type: text/html"}) {
        EXPECT_TRUE(has(page, header)) << header;
    }
    EXPECT_TRUE(has(page, R"(id="run">{"served":true}</script>)"));
    const std::string run = body_of(served.get("/api/run.json"));
    EXPECT_EQ(io::first_json_error(run), std::nullopt) << run;
    EXPECT_TRUE(has(run, R"("outcome":"done")"));
    EXPECT_TRUE(has(run, R"("parts":3)"));
    EXPECT_TRUE(has(run, R"("name":"core","body":null,"turns":false,"centre":[0.06,0.03],"radius":0.02,"type":"disk")"))
        << run;
    EXPECT_TRUE(has(run, R"("name":"carried","body":2,"turns":true,"type":"box","lower":[)")) << run;
    EXPECT_TRUE(has(run, R"("warnings":[])"));
    const std::string live = body_of(served.get("/api/live.json?frames=2&lines=10"));
    EXPECT_EQ(io::first_json_error(live), std::nullopt) << live;
    EXPECT_TRUE(has(live, R"("times":[0.02,)")) << live;
    for (const char* target : {"/api/shapes.bin", "/api/frame/0.bin", "/api/frame/6.bin", "/api/contacts/6.bin"}) {
        const std::string answer = served.get(target);
        EXPECT_EQ(status_of(answer), 200) << target;
        EXPECT_TRUE(has(answer, "\"arrays\":{")) << target;
    }
    EXPECT_TRUE(has(served.get("/api/frame/6.bin"), "\"part\":{\"type\":\"uint16\""));
    const std::string head = served.ask("HEAD", "/", "localhost:" + std::to_string(served.port()));
    EXPECT_EQ(status_of(head), 200);
    EXPECT_EQ(body_of(head), "");
}

TEST(ViewServer, NothingElseIsThere)
{
    const Workplace here;
    make_run(here, "20");
    TALUS_SERVE(served, here);
    for (const std::string target : {"/../../etc/passwd",
                                     "/%2e%2e/%2e%2e/etc/passwd",
                                     "/etc/passwd",
                                     "//etc/passwd",
                                     "/run.h5",
                                     "/scene.toml",
                                     "/api/frame/-1.bin",
                                     "/api/frame/99999999999999999999.bin",
                                     "/api/frame/1.bin/../x",
                                     "/api/frame/.bin",
                                     "/api/frame/+1.bin",
                                     "/api/frame/0x1.bin",
                                     "/api/frame/1.bin%00",
                                     "/api/frame/99.bin",
                                     "/api/contacts/99.bin",
                                     "/api/../scene.toml",
                                     "/api/",
                                     "/api/run.json/",
                                     "/%61pi/run.json",
                                     "/api/frame/../run.json",
                                     "/index.html"}) {
        const std::string answer = served.get(target);
        EXPECT_EQ(status_of(answer), 404) << target << "\n" << answer.substr(0, 300);
        EXPECT_FALSE(has(answer, "root:")) << target;
        EXPECT_FALSE(has(answer, "dimension")) << target;
    }
    const std::string overlong = served.get("/" + std::string(20'000, 'a'));
    EXPECT_TRUE(status_of(overlong) == 404 || status_of(overlong) == 414) << overlong.substr(0, 100);
    answer_to(served.port(), std::string("GET /\0 HTTP/1.1\r\n\r\n", 18)); // no crash is asked
    answer_to(served.port(), "nonsense\r\n\r\n");
    const std::string with_nul =
        answer_to(served.port(), "GET /api/frame/0.bin" + std::string(1, '\0') +
                                     ".txt HTTP/1.1\r\nHost: " + served.host() + "\r\nConnection: close\r\n\r\n");
    EXPECT_NE(status_of(with_nul), 200);
    for (const char* host : {"evil.example", "evil.example:8417", "127.0.0.1", "localhost.evil.example", ""}) {
        EXPECT_EQ(status_of(served.ask("GET", "/api/run.json", host)), 403) << host;
    }
    EXPECT_EQ(status_of(served.ask("GET", "/", "[::1]:" + std::to_string(served.port()))), 200);
    for (const char* method : {"POST", "PUT", "DELETE", "OPTIONS", "PATCH"}) {
        EXPECT_EQ(status_of(served.ask(method, "/api/run.json", served.host())), 405) << method;
    }
    EXPECT_EQ(status_of(served.get("/")), 200); // it is still there
}

TEST(ViewServer, DamageIsToldInWords)
{
    const Workplace here;
    make_run(here, "20");
    TALUS_SERVE(served, here);
    ASSERT_EQ(status_of(served.get("/api/frame/0.bin")), 200);
    const fs::path block = io::list_blocks(here / "run").front().file;
    const std::string bytes = contents(block);
    here.write("run/frames/" + block.filename().string(), bytes.substr(0, bytes.size() / 2));
    EXPECT_EQ(status_of(served.get("/api/run.json")), 200);
    const std::string answer = served.get("/api/frame/0.bin");
    EXPECT_EQ(status_of(answer), 422);
    EXPECT_TRUE(has(answer, R"({"error":")") && has(answer, "cut off")) << answer.substr(0, 1000);
    fs::remove_all(here / "run");
    for (const char* target : {"/api/run.json", "/api/shapes.bin", "/api/live.json?frames=0&lines=0"}) {
        EXPECT_EQ(status_of(served.get(target)), 422) << target;
    }
    EXPECT_EQ(status_of(served.get("/")), 200);
    EXPECT_EQ(served.command().end(SIGTERM).status, 0);
}

TEST(ViewServer, RunThatGrowsIsFollowed)
{
    const Workplace here;
    make_run(here, "30");
    TALUS_SERVE(served, here);
    const std::string before = body_of(served.get("/api/live.json?frames=3&lines=0"));
    // the same folder goes on, as a resumed run does
    const Outcome more = talus_command(here, {"run", "scene.toml", "--out", "run", "--resume", "--steps", "80"});
    ASSERT_EQ(more.status, 0) << more;
    const std::string after = body_of(served.get("/api/live.json?frames=3&lines=0"));
    EXPECT_TRUE(has(before, R"("times":[0.03])")) << before;
    EXPECT_TRUE(has(after, R"("times":[0.03,0.04,0.05,)")) << after;
    EXPECT_EQ(status_of(served.get("/api/frame/7.bin")), 200);
}

TEST(ViewServer, SignalEndsItWithZero)
{
    const Workplace here;
    make_run(here, "10");
    for (const int signal : {SIGTERM, SIGINT}) {
        TALUS_SERVE(served, here);
        const Outcome outcome = served.command().end(signal);
        EXPECT_EQ(outcome.status, 0) << outcome;
        EXPECT_TRUE(has(outcome.out, "http://" + served.host() + "/")) << outcome;
    }
}

TEST(ViewServer, TakenPortIsNamed)
{
    const Workplace here;
    make_run(here, "10");
    const TakenPort taken;
    const Outcome outcome = talus_command(here, {"view", "run", "--no-open", "--port", std::to_string(taken.port())});
    if (!has_page(outcome.err)) GTEST_SKIP() << outcome.err;
    EXPECT_EQ(outcome.status, 2) << outcome;
    EXPECT_TRUE(has(outcome.err, "--port " + std::to_string(taken.port()))) << outcome;
    TALUS_SERVE(first, here); // a second talus does not share it either
    const Outcome second = talus_command(here, {"view", "run", "--no-open", "--port", std::to_string(first.port())});
    EXPECT_EQ(second.status, 2) << second;
}

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
