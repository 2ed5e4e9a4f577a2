// A team of threads that work together for as long as a solve lasts, and meet at a barrier many times on the way.
// Waking threads for every sweep would cost more than the sweep.
#pragma once

#include "talus/exec/parallel.hpp"

#include <atomic>
#include <optional>
#include <thread>

namespace talus {

// Everyone waits for the last to arrive. It spins, because the wait is usually shorter than a system call; it gives the
// core away when the wait gets long, and at once where there are more threads than cores.
class Barrier {
  public:
    explicit Barrier(int size) : size_(size), spins_(size > int(std::thread::hardware_concurrency()) ? 0 : 4000) {}

    void wait()
    {
        if (size_ == 1) return;
        const unsigned round = round_.load(std::memory_order_relaxed);
        if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == size_) {
            arrived_.store(0, std::memory_order_relaxed);
            round_.store(round + 1, std::memory_order_release);
            return;
        }
        for (int spin = 0; round_.load(std::memory_order_acquire) == round; ++spin) {
            spin < spins_ ? pause() : std::this_thread::yield();
        }
    }

    int size() const { return size_; }

  private:
    static void pause()
    {
#if defined(__x86_64__)
        __builtin_ia32_pause();
#endif
    }

    const int size_;
    const int spins_;
    alignas(64) std::atomic<int> arrived_ = 0;
    alignas(64) std::atomic<unsigned> round_ = 0; // its change lets everyone go
};

class Team {
  public:
    // f(thread, barrier) on `wanted` threads at most, the calling one being thread 0. How many there are says
    // barrier.size(): fewer where this is called from a thread of another team. f must not throw: the others would wait
    // for ever.
    template <class F>
    static void run(int wanted, F&& f)
    {
        if (wanted <= 1) {
            Barrier alone(1);
            f(0, alone);
            return;
        }
#ifdef __SANITIZE_THREAD__
        // threads that the sanitizer can follow: it does not see OpenMP's
        Barrier barrier(wanted);
        std::vector<std::jthread> crew;
        for (int thread = 1; thread < wanted; ++thread) crew.emplace_back([&, thread] { f(thread, barrier); });
        f(0, barrier);
#else
        std::optional<Barrier> barrier;
#pragma omp parallel num_threads(wanted)
        {
#pragma omp single
            barrier.emplace(omp_get_num_threads());
            f(omp_get_thread_num(), *barrier);
        }
#endif
    }

    template <class F>
    static void run(F&& f)
    {
        run(thread_count(), f);
    }
};

} // namespace talus
