// talus view DIR: the viewer's page and the data of one run, for browsers on this machine alone. What is served is a
// fixed list of addresses; none of them becomes a path of the file system.
#pragma once

#include "view_options.hpp"

// Serves until SIGINT or SIGTERM; 0 then. InputError where the folder is no run's or the port is taken.
int serve_view(const ViewOptions& options);
