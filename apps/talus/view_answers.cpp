#include "view_answers.hpp"

#include "talus/base/error.hpp"
#include "talus/io/files/json_writer.hpp"

#include <fmt/format.h>

#include <charconv>
#include <optional>

using namespace talus;

namespace {

constexpr const char* json_type = "application/json; charset=utf-8";
constexpr const char* html_type = "text/html; charset=utf-8";
constexpr const char* packet_type = "application/octet-stream";

ViewAnswer error_json(int status, std::string_view words)
{
    return {status, json_type, fmt::format("{{\"error\":{}}}", io::json_quoted(words))};
}

bool is_this_host(std::string_view host, int port)
{
    for (const char* name : {"127.0.0.1", "localhost", "[::1]"}) {
        if (host == fmt::format("{}:{}", name, port) || (port == 80 && host == name)) return true;
    }
    return false;
}

// Digits alone, and not too many of them.
std::optional<std::int64_t> whole_number(std::string_view text)
{
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (text.empty() || text.front() == '-' || error != std::errc() || end != text.data() + text.size()) return {};
    return number;
}

// The number in "/api/frame/12.bin", where the beginning is "/api/frame/".
std::optional<std::int64_t> number_in(std::string_view path, std::string_view beginning)
{
    constexpr std::string_view end = ".bin";
    if (!path.starts_with(beginning) || !path.ends_with(end) || path.size() < beginning.size() + end.size()) return {};
    return whole_number(path.substr(beginning.size(), path.size() - beginning.size() - end.size()));
}

// "frames=3&lines=10": the number of a name, 0 where there is none.
std::size_t query_number(std::string_view query, std::string_view name)
{
    while (!query.empty()) {
        const std::string_view pair = query.substr(0, query.find('&'));
        query.remove_prefix(std::min(query.size(), pair.size() + 1));
        if (pair.size() <= name.size() || !pair.starts_with(name) || pair[name.size()] != '=') continue;
        return std::size_t(whole_number(pair.substr(name.size() + 1)).value_or(0));
    }
    return 0;
}

ViewAnswer frame_answer(report::ViewedRun& run, std::string_view path)
{
    const bool is_frame = path.starts_with("/api/frame/");
    const auto index = number_in(path, is_frame ? "/api/frame/" : "/api/contacts/");
    if (!index) return error_json(404, "frames are numbered from 0 on: api/frame/0.bin, api/contacts/0.bin");
    if (!run.has_frame(*index)) {
        return error_json(404, fmt::format("there is no frame {}; the run has {}", *index, run.frames().size()));
    }
    return {200, packet_type, is_frame ? run.frame(*index) : run.contacts(*index)};
}

ViewAnswer data_answer(report::ViewedRun& run, std::string_view path, std::string_view query)
{
    if (path == "/api/run.json") return {200, json_type, run.run_json()};
    if (path == "/api/live.json") {
        return {200, json_type, run.live_json(query_number(query, "frames"), query_number(query, "lines"))};
    }
    if (path == "/api/shapes.bin") return {200, packet_type, run.shapes()};
    if (path == "/api/ranges.json") return {200, json_type, run.ranges()};
    if (path == "/api/crowd.bin") {
        std::string crowd = run.crowd();
        if (crowd.empty()) return error_json(404, "this is no run of a crowd");
        return {200, packet_type, std::move(crowd)};
    }
    if (path.starts_with("/api/frame/") || path.starts_with("/api/contacts/")) return frame_answer(run, path);
    return error_json(404, "there is nothing at this address");
}

} // namespace

ViewAnswer refusal(int status, std::string_view words)
{
    return {status, html_type,
            fmt::format("<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>{0}</title><h1>{0}</h1>"
                        "<p>{1}</p></html>\n",
                        status, report::html_text(words))};
}

ViewAnswer answer(report::ViewedRun& run, std::string_view page, int port, const ViewRequest& request)
{
    if (!is_this_host(request.host, port)) {
        return refusal(403, fmt::format("talus view answers at 127.0.0.1:{0} and localhost:{0} only.", port));
    }
    if (request.method != "GET" && request.method != "HEAD") {
        return refusal(405, "talus view shows a run and takes nothing: only GET and HEAD are answered.");
    }
    const std::string_view path = request.target.substr(0, request.target.find('?'));
    const std::string_view query = path.size() < request.target.size() ? request.target.substr(path.size() + 1) : "";
    if (path == "/") return {200, html_type, std::string(page)};
    if (!path.starts_with("/api/")) return refusal(404, "There is nothing at this address; the viewer is at /.");
    try {
        return data_answer(run, path, query);
    } catch (const InputError& error) { // a damaged frame, a file that is gone
        return error_json(422, error.what());
    } catch (const std::exception& error) {
        return error_json(500, error.what());
    }
}
