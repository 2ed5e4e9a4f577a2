#include "http_request.hpp"

#include <algorithm>

namespace {

constexpr std::string_view line_end = "\r\n";

bool is_token(std::string_view text)
{
    constexpr std::string_view marks = "!#$%&'*+-.^_`|~";
    return !text.empty() && std::ranges::all_of(text, [&](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               marks.find(c) != std::string_view::npos;
    });
}

// no blanks, no controls, nothing beyond ASCII
bool is_printed(std::string_view text)
{
    return std::ranges::all_of(text, [](char c) { return c > ' ' && c <= '~'; });
}

bool equals(std::string_view text, std::string_view lower)
{
    return std::ranges::equal(text, lower, [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a + 32 : a) == b; });
}

std::string_view trimmed(std::string_view text)
{
    const auto first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

int read_request_line(std::string_view line, HttpRequest& request)
{
    const auto first = line.find(' '), last = line.rfind(' ');
    if (first == std::string_view::npos || first == last) return 400;
    request.method = line.substr(0, first);
    request.target = line.substr(first + 1, last - first - 1);
    const std::string_view version = line.substr(last + 1);
    if (!is_token(request.method) || !request.target.starts_with('/') || !is_printed(request.target)) return 400;
    if (version == "HTTP/1.0") request.keep_alive = false;
    return version == "HTTP/1.1" || version == "HTTP/1.0" ? 0 : 505;
}

int read_header(std::string_view line, HttpRequest& request, int& hosts)
{
    const auto colon = line.find(':');
    const std::string_view name = line.substr(0, colon);
    if (colon == std::string_view::npos || !is_token(name)) return 400; // folded lines among them
    const std::string_view value = trimmed(line.substr(colon + 1));
    if (std::ranges::any_of(value, [](char c) { return (c >= 0 && c < ' ' && c != '\t') || c == 127; })) return 400;
    if (equals(name, "host")) {
        request.host = value;
        ++hosts;
    }
    if (equals(name, "connection") && equals(value, "close")) request.keep_alive = false;
    if (equals(name, "transfer-encoding")) return 413;
    return equals(name, "content-length") && value != "0" ? 413 : 0;
}

} // namespace

std::optional<HttpRequest> parse_request(std::string_view bytes)
{
    HttpRequest request;
    const auto end = bytes.substr(0, longest_request).find("\r\n\r\n");
    if (end == std::string_view::npos) {
        if (bytes.size() < longest_request) return {};
        request.refused = bytes.find(line_end) == std::string_view::npos ? 414 : 431;
        return request;
    }
    request.bytes = end + 4;
    std::string_view head = bytes.substr(0, end);
    const auto next_line = [&] {
        const std::string_view line = head.substr(0, head.find(line_end));
        head.remove_prefix(std::min(head.size(), line.size() + line_end.size()));
        return line;
    };
    request.refused = read_request_line(next_line(), request);
    int hosts = 0;
    while (request.refused == 0 && !head.empty()) request.refused = read_header(next_line(), request, hosts);
    // two of them: a proxy or a browser may mean the one, and we check the other (RFC 9112 3.2)
    if (request.refused == 0 && hosts != 1) request.refused = 400;
    return request;
}
