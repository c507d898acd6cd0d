// What caused each counted thing. On only when asked for: it takes the interpreter lock.
#pragma once

#include "bystanders.h"
#include "forward_lines.h"
#include "python_sites.h"
#include "spans.h"

#include <ATen/core/Tensor.h>
#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/functions/accumulate_grad.h>

#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace overhead::sink {

enum class Origin : uint8_t {
  forward, // Python code that is not inside backward
  node, // an autograd node: the line is that of its forward operator, of a leaf's that of the backward call
  node_without_line, // one made before attribution began, or by no Python: the line is that of the backward call
  backward_code, // Python code that a node or a hook runs: the line is its own
  engine, // the engine itself, between nodes or at the end: the line is that of the backward call
  named, // the label stands for itself
  unknown, // no Python frame, no node
};
constexpr std::array<const char*, 7> origin_names{
    "forward", "node", "node_without_line", "backward_code", "engine", "named", "unknown"};

struct Cause {
  Kind kind;
  Origin origin;
  Site site;
  std::string label; // the autograd node's name, or what `named` stands for
  const c10::TensorImpl* leaf; // the tensor that an AccumulateGrad node serves
  std::string op; // the operator that was dispatched, of other things the outermost one that did them; may be empty
  auto order() const { return std::tie(kind, origin, site, label, leaf, op); }
  bool operator<(const Cause& other) const { return order() < other.order(); }
};

class Attribution {
 public:
  bool wants(Kind kind) const {
    return on.load(std::memory_order_relaxed) &&
        (wanted_.load(std::memory_order_relaxed) >> static_cast<int>(kind) & 1);
  }

  void note_named(Kind kind, Site site, std::string label, int64_t amount = 1) {
    std::lock_guard<std::mutex> lock(mutex_);
    amounts_[Cause{kind, Origin::named, site, std::move(label), nullptr, {}}] += amount;
  }

  // What does a thing of this thread; takes the interpreter lock.
  Cause cause_of(Kind kind, const char* dispatched = nullptr) {
    at::Tensor leaf;
    auto cause = look_at(kind, dispatched, leaf);
    if (leaf.defined()) {
      std::lock_guard<std::mutex> lock(mutex_);
      leaves_.try_emplace(cause.leaf, leaf.getIntrusivePtr());
    }
    return cause;
  }

  void add(const Cause& cause, int64_t amount) {
    std::lock_guard<std::mutex> lock(mutex_);
    amounts_[cause] += amount;
  }

  void note(Kind kind, const char* dispatched, int64_t amount) {
    auto cause = cause_of(kind, dispatched);
    std::lock_guard<std::mutex> lock(mutex_);
    auto& known = *amounts_.try_emplace(std::move(cause), 0).first;
    known.second += amount;
    if (is_on_streams(kind) && moments_.size() < most_moments) moments_.emplace_back(now(), &known.first);
  }

  // Clears first: a thread that was inside a callback at the last end may have noted one thing more.
  void begin(uint64_t wanted_kinds) {
    clear();
    wanted_ = wanted_kinds;
    on = true;
  }

  void widen(uint64_t wanted_kinds) { wanted_ |= wanted_kinds; }

  void end() { on = false; }

  void clear() {
    std::lock_guard<std::mutex> lock(mutex_);
    moments_.clear();
    amounts_.clear();
    leaves_.clear();
  }

  // When things happened on streams, with their causes: the first of them.
  std::vector<std::pair<int64_t, Cause>> moments() {
    std::lock_guard<std::mutex> lock(mutex_);
    std::vector<std::pair<int64_t, Cause>> found;
    for (const auto& [at, cause] : moments_) found.emplace_back(at, *cause);
    return found;
  }

  std::map<Cause, int64_t> amounts() {
    std::lock_guard<std::mutex> lock(mutex_);
    return amounts_;
  }

  // The leaf tensor, if it still lives.
  at::Tensor leaf(const c10::TensorImpl* impl) {
    std::lock_guard<std::mutex> lock(mutex_);
    auto known = leaves_.find(impl);
    if (known == leaves_.end()) return {};
    auto alive = known->second.lock();
    return alive ? at::Tensor(alive) : at::Tensor();
  }

 private:
  static Cause look_at(Kind kind, const char* dispatched, at::Tensor& leaf) {
    auto node = torch::autograd::get_current_node();
    Cause cause{kind, Origin::unknown, {}, {}, nullptr,
                dispatched ? std::string(short_name(dispatched)) : outermost_operator().name()};
    bool python = look_at_python(cause, node != nullptr);
    if (node) {
      cause.label = node->name();
      if (!python) look_at_node(cause, *node, leaf);
    }
    return cause;
  }

  // Returns whether a line of Python settles the matter.
  static bool look_at_python(Cause& cause, bool in_node) {
    if (!may_use_python()) return false;
    InterpreterLock held;
    Walk here = walk_this_thread(/*stop_at_engine=*/in_node);
    if (here.site) {
      cause.site = here.site;
      cause.origin = in_node ? Origin::backward_code : here.through_engine ? Origin::engine : Origin::forward;
      return true;
    }
    if (in_node) return false;
    cause.site = waiting_for_engine();
    if (cause.site) cause.origin = Origin::engine;
    return static_cast<bool>(cause.site);
  }

  static void look_at_node(Cause& cause, torch::autograd::Node& node, at::Tensor& leaf) {
    cause.origin = Origin::node;
    if (auto* accumulate = dynamic_cast<torch::autograd::AccumulateGrad*>(&node)) {
      leaf = accumulate->variable;
      cause.leaf = leaf.unsafeGetTensorImpl();
      cause.site = backward_call();
      return;
    }
    cause.site = forward_lines().find(node.thread_id(), node.sequence_nr());
    if (cause.site) return;
    cause.origin = Origin::node_without_line;
    cause.site = backward_call();
  }

  // The line that called backward, from the thread that runs a node.
  static Site backward_call() {
    if (!may_use_python()) return {};
    InterpreterLock held;
    Walk here = walk_this_thread(/*stop_at_engine=*/false);
    return here.site ? here.site : waiting_for_engine();
  }

  std::atomic<bool> on{false};
  std::atomic<uint64_t> wanted_{0};
  std::mutex mutex_;
  static constexpr size_t most_moments = 2000;
  std::map<Cause, int64_t> amounts_;
  std::vector<std::pair<int64_t, const Cause*>> moments_; // a map's keys stay where they are
  // Weak: attribution must not keep a parameter alive.
  std::map<const c10::TensorImpl*, c10::weak_intrusive_ptr<c10::TensorImpl, c10::UndefinedTensorImpl>> leaves_;
};

inline Attribution& attribution() {
  static auto* one = new Attribution;
  return *one;
}

// `dispatched`: the operator's name, where the thing counted is its dispatch.
inline void note(Kind kind, const char* dispatched = nullptr, int64_t amount = 1) noexcept {
  count(kind, amount);
  bool attribute = attribution().wants(kind), place = Spans::one().on();
  if (!attribute && !place) return;
  try {
    if (place) Spans::one().note(kind);
    if (attribute) attribution().note(kind, dispatched, amount);
  } catch (...) {
    // Only memory can run out in there; the count stands, and the trace points must not throw.
  }
}

} // namespace overhead::sink
