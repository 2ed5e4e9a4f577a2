// The subcommands of `talus`, one file each. A command adds itself to the parser and returns its exit status
// (0 done, 1 failed, 2 bad input, 3 quality, 130 and 143 interrupted).
#pragma once

#include <functional>
#include <string>

namespace CLI {
class App;
}

using Action = std::function<int()>; // set by the subcommand that was called

void add_new_command(CLI::App& app, Action& action);
void add_check_command(CLI::App& app, Action& action);
void add_run_command(CLI::App& app, Action& action, const std::string& command_line);
void add_compare_command(CLI::App& app, Action& action, const std::string& command_line);
void add_prepare_command(CLI::App& app, Action& action, const std::string& command_line);
void add_measure_command(CLI::App& app, Action& action);
void add_crowd_command(CLI::App& app, Action& action);
void add_view_command(CLI::App& app, Action& action);
void add_report_command(CLI::App& app, Action& action);
void add_grains_command(CLI::App& app, Action& action);
void add_solve_command(CLI::App& app, Action& action);
void add_info_command(CLI::App& app, Action& action);
void add_bench_command(CLI::App& app, Action& action);
