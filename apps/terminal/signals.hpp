// SIGINT and SIGTERM ask a run to end after the step.
#pragma once

#include "talus/simulation/run.hpp"

void catch_signals();
int signal_caught(); // the one that came, or 0
std::optional<talus::RunEnd> end_by_signal();
