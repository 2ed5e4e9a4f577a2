#include "page_server.hpp"

#include "talus/base/error.hpp"
#include "terminal/signals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>
#include <vector>

using namespace talus;
using namespace std::chrono_literals;

namespace {

constexpr int usual_port = 8417, ports_tried = 100;
constexpr auto patience = 5s;                 // for a whole request, for any progress of an answer, for a goodbye
constexpr std::size_t most_connections = 200; // a browser opens six
constexpr std::size_t most_waiting = 1 << 28; // [B] of answers that are not taken

// nothing from elsewhere, nothing kept, no guesses about types, no frame of another page around it
constexpr const char* headers =
    "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nX-Frame-Options: DENY\r\n"
    "Referrer-Policy: no-referrer\r\nCross-Origin-Resource-Policy: same-origin\r\n"
    "Content-Security-Policy: default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
    "img-src 'self' data: blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\n";

const char* reason(int status)
{
    switch (status) {
    case 200:
        return "OK";
    case 400:
        return "Bad Request";
    case 403:
        return "Forbidden";
    case 404:
        return "Not Found";
    case 405:
        return "Method Not Allowed";
    case 413:
        return "Content Too Large";
    case 414:
        return "URI Too Long";
    case 422:
        return "Unprocessable Content";
    case 431:
        return "Request Header Fields Too Large";
    case 505:
        return "HTTP Version Not Supported";
    default:
        return "Internal Server Error";
    }
}

// -1 where the port is taken
int listen_at(int port)
{
    const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    const int yes = 1; // a port that was left a minute ago is free
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(std::uint16_t(port));
    if (::bind(listener, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 &&
        ::listen(listener, SOMAXCONN) == 0) {
        return listener;
    }
    ::close(listener);
    return -1;
}

bool would_block() { return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR; }

} // namespace

PageServer::PageServer(const std::optional<int>& asked)
{
    const int first = asked.value_or(usual_port);
    for (port_ = first; port_ < first + (asked ? 1 : ports_tried) && port_ < 65536; ++port_) {
        listener_ = listen_at(port_);
        if (listener_ < 0) continue;
        if (port_ != first) fmt::print("port {} is taken: this is {}\n", first, port_);
        return;
    }
    if (asked)
        throw InputError(fmt::format("--port {}: is in use, or not ours to use; another one may be free", first));
    throw InputError(
        fmt::format("ports {} to {} are all in use: --port N names another", first, first + ports_tried - 1));
}

PageServer::~PageServer()
{
    for (const Connection& connection : connections_) ::close(connection.socket);
    ::close(listener_);
}

void PageServer::serve(const Answer& answer)
{
    catch_signals();
    sigset_t ends; // they wait for wait()
    sigemptyset(&ends);
    sigaddset(&ends, SIGINT);
    sigaddset(&ends, SIGTERM);
    sigprocmask(SIG_BLOCK, &ends, nullptr);
    for (;;) {
        wait();
        if (signal_caught()) return;
        take_new();
        for (auto connection = connections_.begin(); connection != connections_.end();) {
            const bool goes_on = connection->deadline > Clock::now() && advance(*connection, answer);
            if (!goes_on) ::close(connection->socket);
            connection = goes_on ? std::next(connection) : connections_.erase(connection);
        }
    }
}

void PageServer::wait()
{
    std::vector<pollfd> watched{{listener_, POLLIN, 0}};
    auto deadline = Clock::now() + patience;
    for (const Connection& connection : connections_) {
        watched.push_back({connection.socket, short(connection.out.empty() ? POLLIN : POLLOUT), 0});
        deadline = std::min(deadline, connection.deadline);
    }
    const auto left = std::max<std::chrono::nanoseconds>(deadline - Clock::now(), 1ms);
    const timespec timeout{time_t(left / 1s), long((left % 1s).count())};
    sigset_t none;
    sigemptyset(&none);
    ::ppoll(watched.data(), watched.size(), &timeout, &none);
}

void PageServer::take_new()
{
    for (;;) {
        const int socket = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (socket < 0) {
            if (errno != EMFILE && errno != ENFILE) return;
            if (connections_.empty()) return;
            make_room([](const Connection&) { return true; });
            continue;
        }
        const int yes = 1;
        setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
        if (connections_.size() >= most_connections) make_room([](const Connection&) { return true; });
        connections_.push_back({socket, Clock::now() + patience, {}, {}, 0, false, false});
    }
}

void PageServer::make_room(bool (*may_go)(const Connection&))
{
    auto slowest = connections_.end();
    for (auto one = connections_.begin(); one != connections_.end(); ++one) {
        if (may_go(*one) && (slowest == connections_.end() || one->deadline < slowest->deadline)) slowest = one;
    }
    if (slowest == connections_.end()) return;
    ::close(slowest->socket);
    connections_.erase(slowest);
}

bool PageServer::advance(Connection& connection, const Answer& answer)
{
    for (;;) {
        if (connection.out.empty()) {
            if (!receive(connection)) return false;
            if (connection.hung_up) connection.in.clear();
            const std::optional<HttpRequest> request = parse_request(connection.in);
            if (!request) return true;
            respond(connection, *request, answer);
            connection.in.erase(0, request->bytes);
        }
        if (!send(connection)) return false;
        if (!connection.out.empty()) return true; // the rest when the other side has taken some
    }
}

bool PageServer::receive(Connection& connection)
{
    char buffer[4096];
    while (connection.in.size() < longest_request) {
        const ssize_t taken = ::recv(connection.socket, buffer, sizeof buffer, 0);
        if (taken < 0) return would_block();
        if (taken == 0) return false;
        connection.in.append(buffer, std::size_t(taken));
    }
    return true;
}

void PageServer::respond(Connection& connection, const HttpRequest& request, const Answer& answer)
{
    std::size_t waiting = 0;
    for (const Connection& other : connections_) waiting += other.out.size();
    if (waiting > most_waiting) make_room([](const Connection& other) { return !other.out.empty(); });
    const ViewAnswer given = request.refused != 0
                                 ? refusal(request.refused, "This is no request that talus view understands.")
                                 : answer(request);
    connection.last = request.refused != 0 || !request.keep_alive;
    connection.out = fmt::format("HTTP/1.1 {} {}\r\n{}Content-Type: {}\r\nContent-Length: {}\r\nConnection: {}\r\n\r\n",
                                 given.status, reason(given.status), headers, given.type, given.body.size(),
                                 connection.last ? "close" : "keep-alive");
    if (request.method != "HEAD") connection.out += given.body;
    connection.sent = 0;
    connection.deadline = Clock::now() + patience;
}

bool PageServer::send(Connection& connection)
{
    while (connection.sent < connection.out.size()) {
        const ssize_t taken = ::send(connection.socket, connection.out.data() + connection.sent,
                                     connection.out.size() - connection.sent, MSG_NOSIGNAL);
        if (taken < 0) return would_block();
        connection.sent += std::size_t(taken);
        connection.deadline = Clock::now() + patience;
    }
    std::string().swap(connection.out);
    // a socket that is closed with bytes unread takes the answer with it: hang up, then wait for the other side
    if (connection.last) connection.hung_up = ::shutdown(connection.socket, SHUT_WR) == 0;
    return !connection.last || connection.hung_up;
}
