// Pages for one user at 127.0.0.1. One thread waits for all connections at once (poll): a sender that takes its time
// costs a buffer and holds nobody up. Answers are made one at a time, HDF5 and the run are not made for threads.
#pragma once

#include "http_request.hpp"
#include "view_answers.hpp"

#include <chrono>
#include <functional>
#include <list>
#include <optional>
#include <string>

class PageServer {
  public:
    using Answer = std::function<ViewAnswer(const HttpRequest&)>;

    // Listens at the port, or, where none is asked for, at the first of a hundred that is free. InputError: none is.
    explicit PageServer(const std::optional<int>& asked);
    ~PageServer();
    PageServer(const PageServer&) = delete;
    PageServer& operator=(const PageServer&) = delete;

    int port() const { return port_; }
    // Until SIGINT or SIGTERM.
    void serve(const Answer& answer);

  private:
    using Clock = std::chrono::steady_clock;
    struct Connection {
        int socket;
        Clock::time_point deadline; // by then it has sent its request, taken its answer, or hung up
        std::string in, out;
        std::size_t sent = 0; // of out
        bool last = false;    // the answer on its way is the last one
        bool hung_up = false; // on our side: what still comes is thrown away
    };
    using Connections = std::list<Connection>;

    void wait(); // for anything to do
    void take_new();
    bool advance(Connection& connection, const Answer& answer); // false: it is over
    bool receive(Connection& connection);
    bool send(Connection& connection);
    void respond(Connection& connection, const HttpRequest& request, const Answer& answer);
    void make_room(bool (*may_go)(const Connection&)); // the one that let us wait longest goes

    int listener_ = -1, port_ = 0;
    Connections connections_;
};
