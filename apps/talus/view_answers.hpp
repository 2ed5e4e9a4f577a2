// What the server of `talus view` answers to one request; knows nothing of sockets.
#pragma once

#include "talus/report/view/view_data.hpp"

#include <string>
#include <string_view>

struct ViewRequest {
    std::string_view method;
    std::string_view target; // as it was sent: "/api/live.json?frames=3&lines=10"
    std::string_view host;   // of its header
};

struct ViewAnswer {
    int status = 200;
    std::string type, body;
};

// `port` is the one that this server listens at: a request that was meant for another host is refused, since a page of
// that host could have made a browser send it here (DNS rebinding).
ViewAnswer answer(talus::report::ViewedRun& run, std::string_view page, int port, const ViewRequest& request);

// A small page that says what is wrong.
ViewAnswer refusal(int status, std::string_view words);
