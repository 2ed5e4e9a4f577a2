// A sweep on threads: each part of a partition on one thread, a barrier, then the interface Γ in stages with a barrier
// after each: a colour on all threads, what has no colour on one. Which thread does what changes no bits.
#pragma once

#include "talus/base/stopwatch.hpp"
#include "talus/exec/team.hpp"
#include "talus/solvers/decomposed/subdomains.hpp"

#include <algorithm>
#include <utility>

namespace talus {

// Items of Γ between two barriers.
struct Stage {
    std::size_t begin, end;
    bool shared; // a colour: its items on all threads. Else one after the other
};

class PartsAndColours {
  public:
    // One thread of the team.
    class Member {
      public:
        Member(PartsAndColours& of, int thread, Barrier& barrier)
            : of_(of), thread_(thread), barrier_(barrier), parts_(tasks_of(of.shares_, thread, barrier.size()))
        {
        }
        int thread() const { return thread_; }
        Barrier& barrier() const { return barrier_; }
        std::span<const int> parts() const { return parts_; } // its own

        // f(part) for its parts; all are done when it returns
        template <class F>
        void on_parts(F&& f) const
        {
            const Stopwatch watch;
            for (const int part : parts_) f(part);
            barrier_.wait();
            if (thread_ == 0) of_.part_seconds_ += watch.seconds();
        }
        // f(begin, end) for its items of each stage; all are done when it returns
        template <class F>
        void on_interface(F&& f) const
        {
            const Stopwatch watch;
            for (const Stage& stage : of_.stages_) {
                const std::size_t threads = stage.shared ? std::size_t(barrier_.size()) : 1;
                const auto share = [&](std::size_t thread) {
                    return stage.begin + (stage.end - stage.begin) * thread / threads;
                };
                const std::size_t self = std::size_t(thread_);
                if (self < threads) f(share(self), share(self + 1));
                barrier_.wait();
            }
            if (thread_ == 0) of_.interface_seconds_ += watch.seconds();
        }
        template <class OnPart, class OnInterface>
        void on_both(OnPart&& on_part, OnInterface&& on_items) const
        {
            on_parts(on_part);
            on_interface(on_items);
        }

      private:
        PartsAndColours& of_;
        int thread_;
        Barrier& barrier_;
        std::vector<int> parts_;
    };

    // `work` of each part
    void plan(std::span<const std::size_t> work, std::vector<Stage> stages, int most_threads)
    {
        shares_ = share_out(work, std::min(most_threads, int(work.size())));
        stages_ = std::move(stages);
        part_seconds_ = interface_seconds_ = 0;
    }
    // f(member) on each thread of a team
    template <class F>
    void run(F&& f)
    {
        Team::run(int(shares_.size()), [&](int thread, Barrier& barrier) { f(Member(*this, thread, barrier)); });
    }

    int threads() const { return int(shares_.size()); }   // at most
    double part_seconds() const { return part_seconds_; } // of thread 0, waiting for the last included
    double interface_seconds() const { return interface_seconds_; }

  private:
    std::vector<std::vector<int>> shares_; // parts of each thread
    std::vector<Stage> stages_;
    double part_seconds_ = 0, interface_seconds_ = 0;
};

// The rows of Γ in chunks, none of which crosses from one colour to the next; the stages are runs of chunks.
struct InterfaceChunks {
    std::vector<RowRange> chunks;
    std::vector<Stage> stages;

    explicit InterfaceChunks(const Subdomains& subdomains)
    {
        for (int colour = 0; colour < subdomains.colours(); ++colour) {
            add(subdomains.colour_begin[std::size_t(colour)], subdomains.colour_begin[std::size_t(colour) + 1], true);
        }
        add(subdomains.colour_begin.back(), subdomains.order.size(), false);
    }

  private:
    static constexpr std::size_t chunk_rows = 64;
    static constexpr std::size_t worth_sharing = 8; // chunks: 20 µs of work, some ten times what a barrier costs

    void add(std::size_t begin, std::size_t end, bool is_colour)
    {
        const std::size_t first = chunks.size();
        for (; begin < end; begin += chunk_rows) chunks.push_back({begin, std::min(end, begin + chunk_rows)});
        if (chunks.size() == first) return;
        const bool shared = is_colour && chunks.size() - first >= worth_sharing;
        if (!shared && !stages.empty() && !stages.back().shared) {
            stages.back().end = chunks.size(); // small colours one after the other: no barrier between them
        } else {
            stages.push_back({first, chunks.size(), shared});
        }
    }
};

} // namespace talus
