// The server of talus view: what it gives, what it refuses, and whom it does not wait for.
#include "robustness/viewed_run.hpp"
#include "talus/io/runs/frames.hpp"
#include "talus/io/runs/run_text.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <utility>

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

// A connection on which something was sent, and which is kept open.
class OpenConnection {
  public:
    OpenConnection(int port, const std::string& sent) : socket_(socket(AF_INET, SOCK_STREAM, 0))
    {
        const sockaddr_in address = loopback(port);
        EXPECT_EQ(connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
        say(sent);
    }
    OpenConnection(OpenConnection&& other) noexcept : socket_(std::exchange(other.socket_, -1)) {}
    ~OpenConnection()
    {
        if (socket_ >= 0) close(socket_);
    }
    void say(const std::string& text) const { (void)!send(socket_, text.data(), text.size(), MSG_NOSIGNAL); }

  private:
    int socket_;
};

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
    answer_to(served.port(), std::string("GET /\0 HTTP/1.1\r\n\r\n", 19)); // no crash is asked
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

TEST(ViewServer, SlowSendersHoldNobodyUp)
{
    const Workplace here;
    make_run(here, "20");
    TALUS_SERVE(served, here);
    std::vector<OpenConnection> slow;
    const auto expect_prompt_answers = [&] {
        for (const char* target : {"/", "/api/run.json", "/api/frame/0.bin"}) {
            const auto begin = std::chrono::steady_clock::now();
            EXPECT_EQ(status_of(served.get(target)), 200);
            const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
            EXPECT_LT(taken.count(), 1) << target << " beside " << slow.size();
        }
    };
    // more in the end than the server keeps: half a line, headers without an end, nothing at all
    while (slow.size() < 400) {
        slow.emplace_back(served.port(), "GET /api/ru");
        slow.emplace_back(served.port(), "GET / HTTP/1.1\r\nHost: " + served.host() + "\r\n");
        slow.emplace_back(served.port(), "");
        // one that takes a large page and does not read it
        slow.emplace_back(served.port(), "GET / HTTP/1.1\r\nHost: " + served.host() + "\r\n\r\n");
        if (slow.size() % 100 == 0) expect_prompt_answers();
    }
    for (const OpenConnection& connection : slow) connection.say("n"); // a byte now and then
    expect_prompt_answers();
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_EQ(served.command().end(SIGTERM).status, 0);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(1)) << "nor do they keep it alive";
}

// which of two names counts is a matter of taste: a proxy may take the other one
TEST(ViewServer, RequestsThatCanBeReadInTwoWaysAreRefused)
{
    const Workplace here;
    make_run(here, "10");
    TALUS_SERVE(served, here);
    const std::string get = "GET /api/run.json HTTP/1.1\r\n", good = "Host: " + served.host() + "\r\n";
    const auto status = [&](const std::string& request) { return status_of(answer_to(served.port(), request)); };
    EXPECT_EQ(status(get + good + "Connection: close\r\n\r\n"), 200);
    EXPECT_EQ(status(get + good + "Host: evil.example\r\n\r\n"), 400);
    EXPECT_EQ(status(get + "hOST: evil.example\r\n" + good + "\r\n"), 400);
    EXPECT_EQ(status(get + good + good + "\r\n"), 400);
    EXPECT_EQ(status(get + "\r\n"), 400) << "no host at all";
    EXPECT_EQ(status(get + "Host : " + served.host() + "\r\n\r\n"), 400);
    EXPECT_EQ(status(get + good + " Host: evil.example\r\n\r\n"), 400) << "a folded line";
    EXPECT_EQ(status("GET  /api/run.json HTTP/1.1\r\n" + good + "\r\n"), 400);
    EXPECT_EQ(status("GET http://evil.example/ HTTP/1.1\r\n" + good + "\r\n"), 400);
    EXPECT_EQ(status("GET / HTTP/2.0\r\n" + good + "\r\n"), 505);
    EXPECT_EQ(status("POST / HTTP/1.1\r\n" + good + "Content-Length: 5\r\n\r\nhello"), 413);
    EXPECT_EQ(status(get + good + "X: " + std::string(20000, 'x') + "\r\n\r\n"), 431);
    // two requests in one go
    const std::string both = get + good + "\r\n" + "GET /nothing HTTP/1.1\r\n" + good + "Connection: close\r\n\r\n";
    const std::string answers = answer_to(served.port(), both);
    EXPECT_TRUE(has(answers, "HTTP/1.1 200 OK\r\n") && has(answers, "HTTP/1.1 404 Not Found\r\n")) << answers;
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

} // namespace
} // namespace talus::robustness
