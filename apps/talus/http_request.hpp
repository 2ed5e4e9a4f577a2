// One request of HTTP/1.1 (RFC 9112) as far as `talus view` needs it: a request line and headers; a body is refused.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

struct HttpRequest {
    std::string_view method, target, host;
    bool keep_alive = true;
    int refused = 0;       // the status to refuse it with; 0: a sound request
    std::size_t bytes = 0; // that it took
};

constexpr std::size_t longest_request = 16384; // [B]

// The request that the bytes begin with; none while it is not complete.
std::optional<HttpRequest> parse_request(std::string_view bytes);
