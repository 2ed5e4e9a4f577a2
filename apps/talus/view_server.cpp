#include "view_server.hpp"

#include "page_server.hpp"
#include "talus/report/pages/html_report.hpp"
#include "talus/report/view/view_data.hpp"
#include "view_answers.hpp"
#include "web_pages.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <sys/wait.h>
#include <unistd.h>

using namespace talus;

namespace {

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

    PageServer server(options.port);
    const std::string address = fmt::format("http://127.0.0.1:{}/", server.port());
    fmt::print("{} at {}\nCtrl-C ends it.\n", options.folder.string(), address);
    std::fflush(stdout);
    if (!options.no_open) open_browser(address);
    server.serve([&](const HttpRequest& request) {
        return answer(*run, html, server.port(), {request.method, request.target, request.host});
    });
    return 0;
}
