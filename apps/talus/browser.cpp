#include "browser.hpp"

#include "talus/base/error.hpp"
#include "talus/base/stopwatch.hpp"
#include "talus/io/runs/run_text.hpp"
#include "terminal/signals.hpp"

#include <fmt/format.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <string_view>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace talus;

namespace fs = std::filesystem;

namespace {

constexpr double longest_picture = 180; // [s]
constexpr std::string_view drawn = "talus: drawn";

bool is_program(const fs::path& file)
{
    std::error_code error;
    return fs::is_regular_file(file, error) && access(file.c_str(), X_OK) == 0;
}

// In an address: all but the plainest letters as %XX.
std::string file_address(const fs::path& file)
{
    std::string address = "file://";
    for (const char c : fs::absolute(file).string()) {
        const bool is_plain =
            std::isalnum(static_cast<unsigned char>(c)) || std::string_view("/-_.").find(c) != std::string_view::npos;
        address += is_plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
    return address;
}

} // namespace

const char* const mark_when_drawn = "new MutationObserver(()=>{if(document.documentElement.dataset.ready)console.log("
                                    "\"talus: drawn\")}).observe(document.documentElement,{attributes:true});";

fs::path find_program(const std::vector<std::string>& names)
{
    const char* variable = std::getenv("PATH");
    const std::string path = variable ? variable : "";
    for (const std::string& name : names) {
        for (std::size_t begin = 0; begin < path.size();) {
            const std::size_t end = std::min(path.find(':', begin), path.size());
            const fs::path file = fs::path(path.substr(begin, end - begin)) / name;
            if (end > begin && is_program(file)) return file;
            begin = end + 1;
        }
    }
    return {};
}

fs::path find_chromium()
{
    if (const char* named = std::getenv("CHROMIUM"); named && *named) {
        if (is_program(named)) return named;
        throw InputError(fmt::format("CHROMIUM={}: is no program", named));
    }
    const fs::path found = find_program({"chromium", "chromium-browser", "google-chrome"});
    if (!found.empty()) return found;
    throw InputError("--renderer page needs Chromium, and there is none in PATH (Debian: apt install chromium; the "
                     "environment variable CHROMIUM may name one); --renderer own does without");
}

TemporaryFolder::TemporaryFolder()
{
    std::string name = (fs::temp_directory_path() / "talus-XXXXXX").string();
    if (!mkdtemp(name.data())) throw RunError(fmt::format("{}: no temporary folder can be made", name));
    path_ = name;
}

TemporaryFolder::~TemporaryFolder()
{
    std::error_code ignored;
    fs::remove_all(path_, ignored);
}

ProgramEnd run_program(const std::vector<std::string>& line, double most_seconds)
{
    const TemporaryFolder folder;
    const std::string output = (folder / "output").string();
    std::vector<char*> argv;
    for (const std::string& word : line) argv.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);
    const pid_t child = fork();
    if (child < 0) throw RunError(fmt::format("{}: cannot be started", line.front()));
    if (child == 0) {
        setpgid(0, 0); // to end it with all that it starts
        const int in = open("/dev/null", O_RDONLY), out = open(output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
        dup2(in, STDIN_FILENO);
        dup2(out, STDOUT_FILENO);
        dup2(out, STDERR_FILENO);
        execv(argv[0], argv.data());
        _exit(127);
    }
    setpgid(child, child);
    ProgramEnd end;
    int status = 0;
    const Stopwatch watch;
    while (waitpid(child, &status, WNOHANG) == 0) {
        end.timed_out = watch.seconds() > most_seconds;
        if (end.timed_out || signal_caught()) {
            kill(-child, SIGKILL);
            waitpid(child, &status, 0);
            break;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    end.status = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
    end.output = io::read_text(output);
    return end;
}

std::string screenshot(const fs::path& chromium, const fs::path& page, const std::string& fragment, int width,
                       int height)
{
    const TemporaryFolder folder;
    const fs::path picture = folder / "page.png";
    ProgramEnd end;
    for (const int budget : {3000, 30'000}) { // [ms] of the page's own time, which runs as fast as it is drawn
        end = run_program({chromium.string(), "--headless", "--no-sandbox", "--hide-scrollbars",
                           "--disable-dev-shm-usage", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
                           "--enable-logging=stderr", "--user-data-dir=" + (folder / "profile").string(),
                           fmt::format("--window-size={},{}", width, height),
                           fmt::format("--virtual-time-budget={}", budget), "--screenshot=" + picture.string(),
                           file_address(page) + "#" + fragment},
                          longest_picture);
        if (signal_caught() || end.timed_out) break;
        if (end.status == 0 && end.output.find(drawn) != std::string::npos) return io::read_text(picture);
    }
    const std::string last_words = end.output.substr(end.output.size() - std::min<std::size_t>(end.output.size(), 600));
    throw RunError(fmt::format("{}: the page was not drawn{}; it said last:\n{}", chromium.string(),
                               end.timed_out ? fmt::format(" within {:g} s", longest_picture) : "", last_words));
}
