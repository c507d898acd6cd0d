// The autograd engine's device threads.
//
// The engine makes its device queues once, at the first backward, for the devices that it finds
// then. To arm the device later, also after a CPU backward, its queues are filled and its threads
// started here. To leave safely, its threads are ended and replaced at exit. An engine has one queue
// for an ordinal, whatever the type, so devices of another kind share these.
#pragma once

#include "device.h"

#include <torch/csrc/autograd/engine.h>
#include <torch/csrc/autograd/graph_task.h>

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <queue>
#include <thread>
#include <vector>

namespace overhead::simulated::ready_queue {

// libtorch does not export ReadyQueue's methods, so its members are reached by explicit
// instantiation, where C++ does not check access.
using Queue = torch::autograd::ReadyQueue;

template <typename Tag, typename Tag::type Member>
struct Reach {
  friend typename Tag::type get(Tag) { return Member; }
};
struct Mutex {
  using type = std::mutex Queue::*;
  friend type get(Mutex);
};
struct NotEmpty {
  using type = std::condition_variable Queue::*;
  friend type get(NotEmpty);
};
template struct Reach<Mutex, &Queue::mutex_>;
template struct Reach<NotEmpty, &Queue::not_empty_>;

// The heap's type names a private class, so it cannot be spelled as a tag: the instantiation itself
// stores what is to be done with it.
inline void (*push_shutdown_task)(Queue&) = nullptr;
template <auto Heap>
struct ReachHeap {
  struct Set {
    Set() {
      push_shutdown_task = [](Queue& queue) {
        using torch::autograd::InputBuffer;
        using torch::autograd::NodeTask;
        (queue.*Heap).push(NodeTask({}, nullptr, InputBuffer(0), /*isShutdownTask=*/true));
      };
    }
  };
  static Set set;
};
template <auto Heap>
typename ReachHeap<Heap>::Set ReachHeap<Heap>::set;
template struct ReachHeap<&Queue::heap_>;

inline void shut_down(Queue& queue) {
  {
    std::lock_guard<std::mutex> lock(queue.*get(Mutex{}));
    push_shutdown_task(queue);
  }
  (queue.*get(NotEmpty{})).notify_one();
}

} // namespace overhead::simulated::ready_queue

// The heap's comparison calls this, and libtorch does not export it either.
__attribute__((visibility("hidden"))) int torch::autograd::NodeTask::getReentrantDepth() const {
  auto task = base_.lock();
  return task ? task->reentrant_depth_ : 0;
}

namespace overhead::simulated {

// A derived class may name a protected member of its base.
struct EngineQueues : torch::autograd::Engine {
  static std::vector<std::shared_ptr<torch::autograd::ReadyQueue>>& of(torch::autograd::Engine& engine) {
    return engine.*(&EngineQueues::device_ready_queues_);
  }
};

class EngineThreads {
 public:
  // Lets the engine's own start happen once, when it finds none of this device (the count is 0 while
  // it is not exposed); then gives the engine queues and threads. Threads that it has started for
  // devices of another kind (a torch with Vulkan or MPS) are ended, and these serve those, too.
  void arm(int devices) {
    auto& engine = torch::autograd::Engine::get_default_engine();
    engine.initialize_device_threads_pool();
    auto& queues = EngineQueues::of(engine);
    if (static_cast<int>(queues.size()) >= devices) return;
    std::vector<std::shared_ptr<torch::autograd::ReadyQueue>> others(static_cast<size_t>(devices));
    for (auto& queue : others) queue = std::make_shared<torch::autograd::ReadyQueue>();
    queues.swap(others);
    start();
    for (auto& queue : others) ready_queue::shut_down(*queue);  // its thread keeps it until it ends
  }

  // A device thread drops the last reference to a finished graph task after backward() has
  // returned, and takes the interpreter lock for that. When the interpreter is going down by then,
  // Python ends the thread inside a noexcept destructor, and the process aborts. So at exit, while
  // the interpreter still runs, each thread is ended and replaced by one that has never worked.
  // Returns false when a thread was busy for five seconds.
  bool quiesce() {
    if (owner_process != getpid() || running_ == 0) return true;
    for (auto& queue : EngineQueues::of(torch::autograd::Engine::get_default_engine()))
      ready_queue::shut_down(*queue);
    for (int waited = 0; waited < 5000 && running_ > 0; waited++)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (running_ > 0) return false;
    start();
    return true;
  }

 private:
  void start() {
    auto& engine = torch::autograd::Engine::get_default_engine();
    auto& queues = EngineQueues::of(engine);
    const int wanted = static_cast<int>(queues.size());
    for (int device = 0; device < wanted; device++) {
      std::thread thread([this, &engine, device, queue = queues[static_cast<size_t>(device)]] {
        running_++;
        engine.thread_init(device, queue, /*should_increment=*/true);
        running_--;
      });
      thread.detach();
    }
    while (running_ < wanted) std::this_thread::yield();
  }

  std::atomic<int> running_{0};
};

inline EngineThreads& engine_threads() {
  static auto* one = new EngineThreads;
  return *one;
}

} // namespace overhead::simulated
