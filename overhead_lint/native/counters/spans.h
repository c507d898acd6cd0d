// What one thread does, and when: its calls of Python and C functions as the user's lines make them,
// the operators and autograd nodes that run below, and counted things as instants. For one block at a
// time; memory is bounded, and what does not fit is counted.
#pragma once

#include "call_tree.h"
#include "counts.h"
#include "forward_lines.h"
#include "python_sites.h"
#include "span_names.h"

#include <ATen/record_function.h>

#include <cstring>
#ifndef _WIN32
#include <pthread.h>
#endif
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace overhead::sink {

enum class What : uint8_t {
  function, // the user's Python function
  generated, // a Python function that torch wrote
  library, // anyone else's Python function, called from the user's or from generated ones
  context, // a context manager is entered, wherever
  builtin, // a function in C, called likewise
  operation, // an operator
  node, // an autograd node
};
constexpr std::array<const char*, 7> what_names{
    "function", "generated", "library", "context", "builtin", "operation", "node"};

struct Span {
  int64_t begin;
  int64_t end; // 0: still open
  int parent; // -1: none
  int name;
  What what;
  Site site; // the user's line that does it
  PyCodeObject* code; // of a Python function, kept alive by the code table
  int thread; // 0: the thread of the block
};

struct Instant {
  int64_t at;
  Kind kind;
  int parent;
};

class Spans {
 public:
  bool on() const { return on_.load(std::memory_order_relaxed); }

  // `entries`: code of functions that enter contexts. `base`: code of the frame that runs the program:
  // it and what lies outside of it are not the program's. With the interpreter lock, as is stop().
  void start(std::unordered_set<PyCodeObject*> entries, PyCodeObject* base, size_t most) {
    std::lock_guard<std::mutex> lock(mutex_);
    clear();
    for (auto* code : entries) Py_INCREF(reinterpret_cast<PyObject*>(code));
    entries_ = std::move(entries);
    most_ = most;
    spans_.reserve(most);
    instants_.reserve(most);
    thread_ = at::RecordFunction::currentThreadId();
    ++generation_;
    owner_ = PyThreadState_Get();
    stop_in_forked_processes();
    begun_ = now();
    calls_.start(begun_, most);
    enter_frames_of_this_thread(base);
    on_ = true;
    callback_ = at::addGlobalCallback(at::RecordFunctionCallback(&on_begin, &on_end)
                                          .scopes({at::RecordScope::FUNCTION, at::RecordScope::BACKWARD_FUNCTION}));
    PyEval_SetProfile(&on_event, nullptr);
  }

  // False: something else took the thread's profile function, and calls were missed.
  bool stop() {
    bool kept = PyThreadState_Get()->c_profilefunc == &on_event;
    if (kept) PyEval_SetProfile(nullptr, nullptr);
    at::removeCallback(callback_);
    std::lock_guard<std::mutex> lock(mutex_);
    on_ = false;
    ended_ = now();
    if (PyThreadState_Get() == owner_) calls_.reach(point(), ended_);
    for (auto& span : spans_)
      if (!span.end) span.end = ended_;
    return kept;
  }

  void note(Kind kind) {
    std::lock_guard<std::mutex> lock(mutex_);
    if (!on() || instants_.size() >= most_) return;
    instants_.push_back({now(), kind, parent_of_this_thread()});
  }

  // Once stopped.
  const std::vector<Span>& spans() const { return spans_; }
  const std::vector<Instant>& instants() const { return instants_; }
  const CallTree& calls() const { return calls_; }
  const std::string& name(int number) const { return names_.name(number); }
  const std::string& name(PyCodeObject* code) { return names_.name(names_.number_of(code)); }
  int64_t begun() const { return begun_; }
  int64_t ended() const { return ended_; }
  int64_t lost() const { return lost_; }

  void clear() {
    spans_.clear();
    instants_.clear();
    stack_.clear();
    names_.clear();
    threads_.clear();
    lines_.clear();
    calls_.clear();
    for (auto* code : entries_) Py_DECREF(reinterpret_cast<PyObject*>(code));
    entries_.clear();
    current_ = -1;
    lost_ = 0;
  }

  static Spans& one() {
    static auto* spans = new Spans;
    return *spans;
  }

 private:
  // What is running in the thread of the block, as its profile function was told.
  struct Running {
    PyFrameObject* frame; // borrowed; null: a function in C
    CodeTable::Role role;
    int outer; // what `current_` was before
    int call; // of `calls_`; of a function in C none
  };

  struct Operation : at::ObserverContext {
    uint64_t generation = 0;
    int span = -1, outer = -1;
  };

  // A forked process goes on without the threads of this one, one of which may have held the mutex.
  static void stop_in_forked_processes() {
#ifndef _WIN32
    static int registered = pthread_atfork(nullptr, nullptr, [] { one().on_ = false; });
    (void)registered;
#endif
  }

  static int on_event(PyObject*, PyFrameObject* frame, int event, PyObject* argument) {
    // Stopped from another thread, which could not take this function away from here.
    if (!one().on() || PyThreadState_Get() != one().owner_) {
      PyEval_SetProfile(nullptr, nullptr);
      return 0;
    }
    try {
      one().told(frame, event, argument);
    } catch (...) {
      // Only memory can run out in there, and the program is to go on.
    }
    return 0;
  }

  void told(PyFrameObject* frame, int event, PyObject* argument) {
    calls_.reach(point(), now());
    if (event == PyTrace_CALL) {
      PyCodeObject* code = PyFrame_GetCode(frame);
      enter(frame, code);
      Py_DECREF(reinterpret_cast<PyObject*>(code)); // the table holds it
    } else if (event == PyTrace_RETURN) {
      leave(frame);
    } else if (event == PyTrace_C_CALL) {
      if (in_told_frame()) enter_builtin(argument);
    } else if (event == PyTrace_C_RETURN || event == PyTrace_C_EXCEPTION) {
      if (!stack_.empty() && !stack_.back().frame) pop();
    }
  }

  static bool is_told(CodeTable::Role role) {
    return role == CodeTable::Role::user || role == CodeTable::Role::generated;
  }

  // What it calls is recorded.
  bool in_told_frame() const { return !stack_.empty() && stack_.back().frame && is_told(stack_.back().role); }

  // In the block's thread, which alone adds spans that are its current one: they lie where they are.
  bool is_in_operation() const {
    return current_ >= 0 && (spans_[current_].what == What::operation || spans_[current_].what == What::node);
  }

  // Where the thread is in the innermost Python function.
  CallTree::Point point() const {
    for (auto one = stack_.rbegin(); one != stack_.rend(); ++one)
      if (one->frame) return {one->call, CallTree::offset_of(one->frame)};
    return {CallTree::outside, 0};
  }

  // The line of the innermost user frame that is running.
  Site line() const {
    for (auto one = stack_.rbegin(); one != stack_.rend(); ++one)
      if (one->frame && one->role == CodeTable::Role::user) {
        PyCodeObject* code = PyFrame_GetCode(one->frame);
        Py_DECREF(reinterpret_cast<PyObject*>(code));
        return {code, PyFrame_GetLineNumber(one->frame)};
      }
    return {};
  }

  void enter(PyFrameObject* frame, PyCodeObject* code) {
    auto role = codes().role(code, frame);
    bool is_entry = entries_.count(code) > 0;
    int outer = current_;
    if (is_entry || is_recorded(role, code)) {
      What what = is_entry ? What::context : what_of(role);
      Site site = line();
      std::lock_guard<std::mutex> lock(mutex_);
      current_ = add(what, names_.number_of(code), site, code);
    }
    stack_.push_back({frame, role, outer, calls_.enter(point(), code, role)});
  }

  bool is_recorded(CodeTable::Role role, PyCodeObject* code) const {
    return is_told(role) ? !is_comprehension(code) : in_told_frame();
  }

  static What what_of(CodeTable::Role role) {
    if (role == CodeTable::Role::user) return What::function;
    return role == CodeTable::Role::generated ? What::generated : What::library;
  }

  void enter_builtin(PyObject* function) {
    Site site = line();
    auto name = builtin_name(function);
    int outer = current_;
    {
      std::lock_guard<std::mutex> lock(mutex_);
      current_ = add(What::builtin, names_.number_of(name), site, nullptr);
    }
    stack_.push_back({nullptr, CodeTable::Role::internal, outer, CallTree::outside});
  }

  void leave(PyFrameObject* frame) {
    bool known = !stack_.empty() && stack_.back().frame == frame;
    for (auto one = stack_.rbegin(); !known && one != stack_.rend(); ++one) known = one->frame == frame;
    while (known && !stack_.empty()) {
      known = stack_.back().frame != frame;
      pop();
    }
  }

  void pop() {
    std::lock_guard<std::mutex> lock(mutex_);
    int outer = stack_.back().outer;
    stack_.pop_back();
    if (current_ != outer && current_ >= 0) spans_[current_].end = now();
    current_ = outer;
  }

  // With the mutex. The number of the new span, or that of the one around it if there is no room.
  int add(What what, int name, Site site, PyCodeObject* code, int parent, int thread) {
    if (spans_.size() >= most_) {
      ++lost_;
      return parent;
    }
    spans_.push_back({now(), 0, parent, name, what, site, code, thread});
    return static_cast<int>(spans_.size()) - 1;
  }
  int add(What what, int name, Site site, PyCodeObject* code) { return add(what, name, site, code, current_, 0); }

  void enter_frames_of_this_thread(PyCodeObject* base) {
    std::vector<PyFrameObject*> frames; // innermost first
    PyFrameObject* frame = PyEval_GetFrame();
    Py_XINCREF(reinterpret_cast<PyObject*>(frame));
    while (frame) {
      PyCodeObject* code = PyFrame_GetCode(frame);
      bool is_base = code == base;
      Py_DECREF(reinterpret_cast<PyObject*>(code));
      PyFrameObject* outer = is_base ? nullptr : PyFrame_GetBack(frame);
      if (!is_base) frames.push_back(frame);
      Py_DECREF(reinterpret_cast<PyObject*>(frame)); // it runs: the thread holds it
      frame = outer;
    }
    for (auto one = frames.rbegin(); one != frames.rend(); ++one) {
      PyCodeObject* code = PyFrame_GetCode(*one);
      auto role = codes().role(code, *one);
      int outer = current_;
      if (is_recorded(role, code)) current_ = add(what_of(role), names_.number_of(code), line(), code);
      stack_.push_back({*one, role, outer, calls_.enter(point(), code, role)});
      Py_DECREF(reinterpret_cast<PyObject*>(code));
    }
  }

  // In a thread of the engine what runs is part of what the block's thread waits for.
  int parent_of_this_thread() const {
    if (at::RecordFunction::currentThreadId() == thread_) return current_;
    auto known = threads_.find(at::RecordFunction::currentThreadId());
    return known == threads_.end() || known->second.second < 0 ? current_ : known->second.second;
  }

  static std::unique_ptr<at::ObserverContext> on_begin(const at::RecordFunction& op) {
    auto context = std::make_unique<Operation>();
    one().begin(op, *context);
    return context;
  }

  static void on_end(const at::RecordFunction&, at::ObserverContext* context) {
    if (context) one().end(*static_cast<Operation*>(context));
  }

  void begin(const at::RecordFunction& op, Operation& context) {
    if (!on()) return;
    // The engine's own step around each node, of nearly the same length.
    if (std::strncmp(op.name(), "autograd::engine::", 18) == 0) return;
    uint64_t id = at::RecordFunction::currentThreadId();
    bool is_node = op.scope() == at::RecordScope::BACKWARD_FUNCTION;
    Site site;
    if (is_node) {
      site = lines_.find(op.forwardThreadId(), static_cast<uint64_t>(op.seqNr()));
    } else if (id == thread_ && in_told_frame() && !is_in_operation() && may_use_python()) {
      InterpreterLock held;
      site = line();
    }
    std::lock_guard<std::mutex> lock(mutex_);
    if (!on()) return;
    int outer = parent_of_this_thread();
    // Below a call or a node the line is the same; a node without one belongs to the line of backward.
    if (!site && outer >= 0) site = spans_[outer].site;
    if (!is_node && op.seqNr() >= 0) lines_.note(id, op.seqNr(), site);
    int number = 0;
    if (id != thread_) number = threads_.try_emplace(id, static_cast<int>(threads_.size()) + 1, -1).first->second.first;
    int span = add(is_node ? What::node : What::operation, names_.number_of(op.name()), site, nullptr, outer, number);
    context.generation = generation_;
    context.span = span == outer ? -1 : span;
    context.outer = outer;
    set_current(id, span);
  }

  void end(Operation& context) {
    if (!on()) return;
    std::lock_guard<std::mutex> lock(mutex_);
    if (!on() || context.generation != generation_ || context.span < 0) return;
    spans_[context.span].end = now();
    uint64_t id = at::RecordFunction::currentThreadId();
    if (parent_of_this_thread() == context.span) set_current(id, context.outer);
  }

  void set_current(uint64_t id, int span) {
    if (id == thread_) {
      current_ = span;
    } else if (auto known = threads_.find(id); known != threads_.end()) {
      known->second.second = span == current_ ? -1 : span;
    }
  }

  std::atomic<bool> on_{false};
  std::mutex mutex_; // of all below but `stack_` and `calls_`, which only the block's thread uses
  std::vector<Span> spans_;
  std::vector<Instant> instants_;
  std::vector<Running> stack_;
  SpanNames names_;
  std::unordered_map<uint64_t, std::pair<int, int>> threads_; // number, and what runs there
  std::unordered_set<PyCodeObject*> entries_;
  ForwardLines lines_;
  CallTree calls_;
  size_t most_ = 0;
  PyThreadState* owner_ = nullptr; // the block's thread
  uint64_t thread_ = 0, generation_ = 0;
  int current_ = -1; // the innermost open span of the block's thread
  int64_t begun_ = 0, ended_ = 0, lost_ = 0;
  at::CallbackHandle callback_ = at::INVALID_CALLBACK_HANDLE;
};

} // namespace overhead::sink
