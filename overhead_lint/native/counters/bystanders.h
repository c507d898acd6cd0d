// What a block did not do itself while it was measured: things that other threads counted, those of the
// autograd engine left out, and things counted while Python collected garbage, which may run anybody's
// finalizers; and how long that took. The counts stay as they are: this says whose they are.
#pragma once

#include "counts.h"

#include <Python.h>
#include <pthread.h>

#include <atomic>
#include <cstring>
#include <map>
#include <mutex>
#include <tuple>
#include <utility>
#include <vector>

namespace overhead::sink {

class Bystanders {
 public:
  // In the thread of the block; blocks nest. Changed with the interpreter lock held.
  void start() {
    stop_in_forked_processes();
    ++measuring_;
    if (blocks_.fetch_add(1) == 0) collecting_ = false;
  }
  void stop() {
    if (measuring_ > 0) --measuring_;
    if (blocks_ > 0) --blocks_; // 0 in a process that was forked in a block
  }

  // A callback of Python's `gc` module, called when a collection starts and when it stops. In C: a function
  // of Python would be compiled where a collection starts below `torch.compile`.
  void on_collection(bool starts) {
    if (starts) {
      collecting_ = true;
      begun_ = now();
    } else if (collecting_) {
      collecting_ = false;
      collected_ns_ += now() - begun_;
      ++collections_;
    }
  }

  // How many collections there were, and how many nanoseconds they took.
  std::pair<int64_t, int64_t> collected() const { return {collections_, collected_ns_}; }

  bool watches() const noexcept { return blocks_.load(std::memory_order_relaxed) > 0; }

  void look(Kind kind, int64_t amount) noexcept {
    bool other = measuring_ == 0 && !is_engines();
    if (!other && !collecting_) return;
    // 0 stands for collections: no thread has that number.
    uint64_t thread = collecting_ ? 0 : identity();
    try {
      std::lock_guard<std::mutex> lock(mutex_);
      amounts_[{thread, kind}] += amount;
    } catch (...) {
      // Only memory can run out in there; the count itself stands.
    }
  }

  // Only ever counts up, as the counters do.
  std::vector<std::tuple<uint64_t, Kind, int64_t>> amounts() {
    std::lock_guard<std::mutex> lock(mutex_);
    std::vector<std::tuple<uint64_t, Kind, int64_t>> found;
    for (const auto& [key, amount] : amounts_) found.emplace_back(key.first, key.second, amount);
    return found;
  }

  static Bystanders& one() {
    static auto* bystanders = new Bystanders;
    return *bystanders;
  }

 private:
  // A forked process goes on without the threads of this one, one of which may have held the mutex.
  static void stop_in_forked_processes() {
    static int registered = pthread_atfork(nullptr, nullptr, [] { one().blocks_ = 0; });
    (void)registered;
  }

  // As `threading.get_ident()` tells it.
  static uint64_t identity() { return reinterpret_cast<uint64_t>(pthread_self()); }

  // Torch names the threads in which its engine works on a device.
  static bool is_engines() {
    static thread_local int known = -1;
    if (known < 0) {
      char name[64] = "";
      pthread_getname_np(pthread_self(), name, sizeof name);
      known = std::strncmp(name, "pt_autograd_", 12) == 0;
    }
    return known == 1;
  }

  static inline thread_local int measuring_ = 0;
  static inline thread_local bool collecting_ = false;
  std::atomic<int> blocks_{0};
  int64_t begun_ = 0, collections_ = 0, collected_ns_ = 0; // used with the interpreter lock held
  std::mutex mutex_;
  std::map<std::pair<uint64_t, Kind>, int64_t> amounts_;
};

// Takes one relaxed atomic addition, no lock and no Python, in the thread of a block.
inline void count(Kind kind, int64_t amount = 1) noexcept {
  counters[static_cast<size_t>(kind)].fetch_add(amount, std::memory_order_relaxed);
  if (Bystanders::one().watches()) Bystanders::one().look(kind, amount);
}

} // namespace overhead::sink
