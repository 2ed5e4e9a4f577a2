// The real command, run as a user runs it: in a folder of its own, with its exit status and all it printed.
#pragma once

#include "texts.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace talus::robustness {

namespace fs = std::filesystem;

inline std::string contents(const fs::path& file)
{
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

// Where the command is run; gone after the test. In memory where that is possible: a sync costs nothing there.
class Workplace {
  public:
    Workplace()
    {
        const fs::path base = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : fs::temp_directory_path();
        const auto* test = testing::UnitTest::GetInstance()->current_test_info();
        std::string name = std::string(test->test_suite_name()) + "." + test->name() + "." + std::to_string(getpid());
        for (char& c : name) c = c == '/' ? '_' : c;
        path_ = base / ("talus." + name);
        fs::remove_all(path_);
        fs::create_directories(path_);
    }
    ~Workplace()
    {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }
    Workplace(const Workplace&) = delete;
    Workplace& operator=(const Workplace&) = delete;

    fs::path operator/(const std::string& name) const { return path_ / name; }
    const fs::path& path() const { return path_; }
    void write(const std::string& name, const std::string& text) const
    {
        std::ofstream(path_ / name, std::ios::binary) << text;
    }

  private:
    fs::path path_;
};

struct Outcome {
    int status; // of the exit; minus the signal that ended it
    std::string out, err;
};

inline std::ostream& operator<<(std::ostream& stream, const Outcome& outcome)
{
    return stream << "status " << outcome.status << "\n--- out\n" << outcome.out << "--- err\n" << outcome.err;
}

using Arguments = std::vector<std::string>;

inline Arguments operator+(Arguments a, const Arguments& b)
{
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

// A command that goes on while the test does something to it.
class Running {
  public:
    // `prepare` is called in the new process before the program starts
    Running(const Workplace& workplace, std::vector<std::string> line, const std::function<void()>& prepare = {})
    {
        static int count = 0; // several may run in one place
        out_ = workplace.path().string() + "." + std::to_string(++count) + ".out";
        err_ = workplace.path().string() + "." + std::to_string(count) + ".err";
        std::vector<char*> argv;
        for (std::string& word : line) argv.push_back(word.data());
        argv.push_back(nullptr);
        id_ = fork();
        if (id_ != 0) return;
        const int in = open("/dev/null", O_RDONLY), out = open(out_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600),
                  err = open(err_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
        if (in < 0 || out < 0 || err < 0 || chdir(workplace.path().c_str()) != 0) _exit(99);
        dup2(in, STDIN_FILENO);
        dup2(out, STDOUT_FILENO);
        dup2(err, STDERR_FILENO);
        if (prepare) prepare();
        execv(argv[0], argv.data());
        _exit(98);
    }
    ~Running()
    {
        if (!is_over()) end(SIGKILL);
        std::error_code ignored;
        fs::remove(out_, ignored);
        fs::remove(err_, ignored);
    }
    Running(const Running&) = delete;
    Running& operator=(const Running&) = delete;

    bool is_over()
    {
        if (!over_ && waitpid(id_, &status_, WNOHANG) == id_) over_ = true;
        return over_;
    }
    // true when `condition` came about while the command was running
    bool wait_for(const std::function<bool()>& condition)
    {
        while (!is_over()) {
            if (condition()) return true;
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        return false;
    }
    pid_t id() const { return id_; }
    Outcome end(int signal)
    {
        if (!is_over()) kill(id_, signal);
        return outcome();
    }
    // a command that takes longer than two minutes hangs
    Outcome outcome()
    {
        const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(2);
        while (!is_over()) {
            if (std::chrono::steady_clock::now() > deadline) {
                ADD_FAILURE() << "the command hangs";
                kill(id_, SIGKILL);
                waitpid(id_, &status_, 0);
                over_ = true;
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        return {WIFEXITED(status_) ? WEXITSTATUS(status_) : -WTERMSIG(status_), contents(out_), contents(err_)};
    }

  private:
    std::string out_, err_;
    pid_t id_ = -1;
    int status_ = 0;
    bool over_ = false;
};

inline std::vector<std::string> command_line(const Arguments& arguments)
{
    std::vector<std::string> line{TALUS_COMMAND};
    line.insert(line.end(), arguments.begin(), arguments.end());
    return line;
}

inline Outcome talus_command(const Workplace& workplace, const Arguments& arguments,
                             const std::function<void()>& prepare = {})
{
    return Running(workplace, command_line(arguments), prepare).outcome();
}

// Every file under a folder with its bytes; folders end with a slash.
inline std::map<std::string, std::string> all_files(const fs::path& folder)
{
    std::map<std::string, std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        const std::string name = entry.path().lexically_relative(folder).string();
        entry.is_directory() ? files[name + "/"] = "" : files[name] = contents(entry.path());
    }
    return files;
}

// The text or number after a key of summary.json.
inline std::string summary_entry(const fs::path& run, const std::string& key)
{
    const std::string text = contents(run / "summary.json");
    const auto at = text.find("\"" + key + "\": ");
    if (at == std::string::npos) return "";
    const auto begin = at + key.size() + 4;
    std::string value = text.substr(begin, text.find_first_of(",\n", begin) - begin);
    std::erase(value, '"');
    return value;
}

inline std::string state_hash(const fs::path& run) { return summary_entry(run, "state_hash"); }

} // namespace talus::robustness
