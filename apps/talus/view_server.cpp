#include "view_server.hpp"

#include "base/error.hpp"
#include "report/html_report.hpp"
#include "report/view_data.hpp"
#include "view_answers.hpp"
#include "web_pages.hpp"

#include <fmt/format.h>

#ifdef TALUS_WITH_HTTPLIB
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <httplib.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif
#include <mutex>
#include <pthread.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#endif

using namespace talus;

#ifdef TALUS_WITH_HTTPLIB

namespace {

constexpr int usual_port = 8417, ports_tried = 100;

// nothing from elsewhere, nothing kept, no guesses about types, no frame of another page around it
const httplib::Headers headers = {
    {"Cache-Control", "no-store"},
    {"X-Content-Type-Options", "nosniff"},
    {"X-Frame-Options", "DENY"},
    {"Referrer-Policy", "no-referrer"},
    {"Cross-Origin-Resource-Policy", "same-origin"},
    {"Content-Security-Policy",
     "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src 'self' data: blob:; "
     "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
};

// Signals wait for the thread that asks for them; threads that are made later inherit this.
sigset_t block_signals()
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &set, nullptr);
    std::signal(SIGPIPE, SIG_IGN); // a browser that hangs up
    return set;
}

void set_up(httplib::Server& server)
{
    // httplib's own would let a second server take the same port
    server.set_socket_options([](socket_t socket) {
        const int yes = 1;
        setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    });
    server.new_task_queue = [] { return new httplib::ThreadPool(8); };
    server.set_keep_alive_timeout(1); // Ctrl-C waits for it
    server.set_keep_alive_max_count(1000);
    server.set_read_timeout(5);
    server.set_payload_max_length(1024);
    server.set_tcp_nodelay(true);
    server.set_default_headers(headers);
}

int bind(httplib::Server& server, const std::optional<int>& asked)
{
    const int first = asked.value_or(usual_port);
    for (int port = first; port < first + (asked ? 1 : ports_tried) && port < 65536; ++port) {
        if (!server.bind_to_port("127.0.0.1", port)) continue;
        if (port != first) fmt::print("port {} is taken: this is {}\n", first, port);
        return port;
    }
    if (asked)
        throw InputError(fmt::format("--port {}: is in use, or not ours to use; another one may be free", first));
    throw InputError(
        fmt::format("ports {} to {} are all in use: --port N names another", first, first + ports_tried - 1));
}

void send(const ViewAnswer& from, httplib::Response& to)
{
    to.status = from.status;
    to.set_content(from.body, from.type.c_str());
}

// Where there is a screen to open it on.
void open_browser(const std::string& address)
{
    if (!std::getenv("DISPLAY") && !std::getenv("WAYLAND_DISPLAY")) return;
    const pid_t child = fork();
    if (child < 0) return;
    if (child > 0) {
        waitpid(child, nullptr, 0);
        return;
    }
    if (fork() == 0) { // a grandchild: nobody waits for it
        std::freopen("/dev/null", "w", stdout);
        std::freopen("/dev/null", "w", stderr);
        execlp("xdg-open", "xdg-open", address.c_str(), static_cast<char*>(nullptr));
    }
    _exit(0);
}

} // namespace

int serve_view(const ViewOptions& options)
{
    const report::WebPage page = view_page();
    if (page.script.empty()) refuse_without_page("talus view");
    const auto run = report::ViewedRun::open(options.folder);
    const report::ViewPage text = report::view_page(page, report::run_title(options.folder), true);
    const std::string html =
        text.head + "<script type=\"application/json\" id=\"run\">{\"served\":true}</script>\n" + text.tail;

#if defined(__GLIBC__)
    mallopt(M_ARENA_MAX, 1); // else every thread of the server keeps the memory of its largest frame
#endif
    const sigset_t signals = block_signals();
    httplib::Server server;
    set_up(server);
    const int port = bind(server, options.port);
    std::mutex one_at_a_time; // HDF5 is not made for threads, nor is the run
    server.set_pre_routing_handler([&](const httplib::Request& request, httplib::Response& response) {
        const std::lock_guard lock(one_at_a_time);
        send(answer(*run, html, port, {request.method, request.target, request.get_header_value("Host")}), response);
        return httplib::Server::HandlerResponse::Handled;
    });
    server.set_error_handler([](const httplib::Request&, httplib::Response& response) {
        if (response.body.empty())
            send(refusal(response.status, "This is no request that talus view understands."), response);
    });
    std::thread waiter([&] {
        int signal = 0;
        sigwait(&signals, &signal);
        server.stop();
    });
    const std::string address = fmt::format("http://127.0.0.1:{}/", port);
    fmt::print("{} at {}\nCtrl-C ends it.\n", options.folder.string(), address);
    std::fflush(stdout);
    if (!options.no_open) open_browser(address);
    const bool was_stopped = server.listen_after_bind();
    pthread_kill(waiter.native_handle(), SIGTERM); // where the server ended by itself
    waiter.join();
    return was_stopped ? 0 : 1;
}

#else

int serve_view(const ViewOptions& options)
{
    report::ViewedRun::open(options.folder); // a folder that is no run's is the first thing to say
    throw InputError("talus view needs cpp-httplib to serve its page, and this build of talus has none (Debian: "
                     "libcpp-httplib-dev); --export FILE.html writes a page that needs no server");
}

#endif
