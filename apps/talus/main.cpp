#include "commands.hpp"
#include "talus/base/error.hpp"
#include "talus/base/version.hpp"
#include "talus/scene/suggestion.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cstdio>

namespace {

int refuse_command(const CLI::App& app, const std::string& word)
{
    std::vector<std::string> known;
    for (const CLI::App* command : app.get_subcommands({})) known.push_back(command->get_name());
    fmt::print(stderr, "\"{}\": no such command; {}\n", word, talus::scene::suggestion(word, known));
    return 2;
}

} // namespace

int main(int argc, char** argv)
{
    CLI::App app{"Talus simulates granular matter: grains that touch by contact and dry friction.\n"
                 "Start with `talus new`, then `talus run` the scene it wrote."};
    app.set_version_flag("--version", std::string("talus ") + talus::version());
    app.require_subcommand(1);
    app.footer("Exit status: 0 done; 1 the run failed; 2 bad input, nothing written; 3 finished, but a quality limit\n"
               "was exceeded; 130 or 143 interrupted, a checkpoint was written.");

    std::string command_line;
    for (int i = 0; i < argc; ++i) command_line += std::string(i ? " " : "") + argv[i];
    Action action;
    add_new_command(app, action);
    add_check_command(app, action);
    add_run_command(app, action, command_line);
    add_compare_command(app, action, command_line);
    add_prepare_command(app, action, command_line);
    add_measure_command(app, action);
    add_crowd_command(app, action);
    add_view_command(app, action);
    add_report_command(app, action);
    add_grains_command(app, action);
    add_solve_command(app, action);
    add_info_command(app, action);
    add_bench_command(app, action);

    try {
        app.parse(argc, argv);
        return action();
    } catch (const CLI::RequiredError& error) {
        if (app.get_subcommands().empty() && !app.remaining().empty()) {
            return refuse_command(app, app.remaining().front());
        }
        return app.exit(error) == 0 ? 0 : 2;
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : 2;
    } catch (const talus::InputError& error) {
        fmt::print(stderr, "{}\n", error.what());
        return 2;
    } catch (const std::exception& error) {
        fmt::print(stderr, "talus: {}\n", error.what());
        return 1;
    }
}
