// Which line of the forward pass made an autograd node.
//
// A node carries the number that its thread's sequence counter had when it was made, and every
// operator that could make one announces the counter's value to at::RecordFunction. So a callback
// that notes (value, line) for each operator maps nodes to lines, without a Python-level mode that
// would disturb torch.compile. The same callback knows which operator its thread is in.
#pragma once

#include "operator_names.h"
#include "python_sites.h"

#include <ATen/record_function.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <mutex>
#include <unordered_map>

namespace overhead::sink {

class ForwardLines {
 public:
  void note(uint64_t thread, int64_t sequence, Site site) {
    std::lock_guard<std::mutex> lock(mutex_);
    auto& entries = by_thread_[thread];
    // An operator that makes no node leaves the number to the next one, which then owns it.
    while (!entries.empty() && entries.back().sequence >= sequence) entries.pop_back();
    entries.push_back({sequence, site});
    if (entries.size() > remembered_per_thread) entries.pop_front();
  }

  // An operator may make several nodes, numbered upwards from the value that it announced.
  Site find(uint64_t thread, uint64_t sequence) {
    std::lock_guard<std::mutex> lock(mutex_);
    auto known = by_thread_.find(thread);
    if (known == by_thread_.end()) return {};
    auto& entries = known->second;
    auto after = std::upper_bound(
        entries.begin(), entries.end(), static_cast<int64_t>(sequence),
        [](int64_t wanted, const Entry& e) { return wanted < e.sequence; });
    return after == entries.begin() ? Site{} : std::prev(after)->site;
  }

  void clear() {
    std::lock_guard<std::mutex> lock(mutex_);
    by_thread_.clear();
  }

 private:
  struct Entry {
    int64_t sequence;
    Site site;
  };
  // Bounds memory in runs that never call backward: 24 MB a thread.
  static constexpr size_t remembered_per_thread = 1 << 20;

  std::mutex mutex_;
  std::unordered_map<uint64_t, std::deque<Entry>> by_thread_;
};

inline ForwardLines& forward_lines() {
  static auto* lines = new ForwardLines;
  return *lines;
}

// True where this thread may ask for the interpreter lock: it has run Python before, and the
// interpreter is not going down.
inline bool may_use_python() {
  if (!Py_IsInitialized() || !PyGILState_GetThisThreadState()) return false;
#if PY_VERSION_HEX >= 0x030D0000
  return !Py_IsFinalizing();
#else
  return !_Py_IsFinalizing();
#endif
}

class InterpreterLock {
 public:
  InterpreterLock() : state_(PyGILState_Ensure()) {}
  ~InterpreterLock() { PyGILState_Release(state_); }
  InterpreterLock(const InterpreterLock&) = delete;
  InterpreterLock& operator=(const InterpreterLock&) = delete;

 private:
  PyGILState_STATE state_;
};

inline Site this_threads_site() {
  if (!may_use_python()) return {};
  InterpreterLock held;
  return walk_this_thread(false).site;
}

inline std::unique_ptr<at::ObserverContext> on_operator(const at::RecordFunction& op) {
  outermost_operator().enter(op.name());
  if (op.seqNr() < 0) return nullptr; // makes no node
  // Also without a site: the node must not be laid to the operator before.
  forward_lines().note(at::RecordFunction::currentThreadId(), op.seqNr(), this_threads_site());
  return nullptr;
}

inline void on_operators_end(const at::RecordFunction& op, at::ObserverContext*) {
  outermost_operator().leave(op.name());
}

// On while anybody attributes; changed with the interpreter lock held.
class ForwardLinesSwitch {
 public:
  void start() {
    if (users_++ == 0)
      callback_ = at::addGlobalCallback(
          at::RecordFunctionCallback(&on_operator, &on_operators_end).scopes({at::RecordScope::FUNCTION}));
  }
  void stop() {
    if (--users_) return;
    at::removeCallback(callback_);
    forward_lines().clear();
  }

 private:
  int users_ = 0;
  at::CallbackHandle callback_ = at::INVALID_CALLBACK_HANDLE;
};

inline ForwardLinesSwitch& forward_lines_switch() {
  static auto* one = new ForwardLinesSwitch;
  return *one;
}

} // namespace overhead::sink
