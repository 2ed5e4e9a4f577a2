#include "terminal/signals.hpp"

#include <fmt/format.h>

#include <csignal>

namespace {

volatile std::sig_atomic_t caught = 0;

extern "C" void on_signal(int signal)
{
    caught = signal;
    std::signal(signal, SIG_DFL); // a second one ends the program at once
}

} // namespace

void catch_signals()
{
    std::signal(SIGINT, on_signal);
    std::signal(SIGTERM, on_signal);
    std::signal(SIGXFSZ, SIG_IGN); // a limit on the size of files is an error of the write, with its file's name
}
int signal_caught() { return caught; }

std::optional<talus::RunEnd> end_by_signal()
{
    if (caught == 0) return {};
    return talus::RunEnd{"interrupted", fmt::format("signal {}: --resume goes on from here", int(caught)),
                         128 + int(caught)};
}
