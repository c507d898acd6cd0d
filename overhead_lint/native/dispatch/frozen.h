// Which entry serves calls with such arguments while nothing else is looked at, from `freeze` to `thaw`.
#pragma once

#include <optional>
#include <unordered_map>

#include "entry.h"
#include "prediction.h"

namespace overhead::dispatch {

class Freezer {
 public:
  uint64_t hits = 0;  // calls for which nothing but the arguments was looked at

  Freezer() = default;
  Freezer(const Freezer&) = delete;
  ~Freezer() { Py_XDECREF(disagree_); }

  bool is_on() const { return is_on_; }

  // Tells one freeze from the next, for those who evaluate guards in the meantime.
  uint64_t generation() const { return generation_; }

  // `disagree` is called with (run, locals) of an entry whose guards fail, and raises; 0 verifies no call.
  void freeze(int64_t verify_every, PyObject* disagree) {
    verify_every_ = countdown_ = verify_every;
    Py_XSETREF(disagree_, Py_NewRef(disagree));
    is_on_ = true;
    generation_++;
  }

  void thaw() { is_on_ = false; }

  PyObject* kept() const { return disagree_; }
  void let_go() {
    is_on_ = false;
    Py_CLEAR(disagree_);
  }

  // Whether this call is to be verified too.
  bool is_due() {
    if (verify_every_ == 0 || --countdown_ > 0) return false;
    countdown_ = verify_every_;
    return true;
  }

  // With an exception, as a rule.
  void tell(const Entry& entry, PyObject* locals) {
    PyObject* disagree = Py_NewRef(disagree_);  // it may run any code
    Py_XDECREF(PyObject_CallFunctionObjArgs(disagree, entry.function(), locals, nullptr));
    Py_DECREF(disagree);
  }

 private:
  bool is_on_ = false;
  uint64_t generation_ = 0;
  int64_t verify_every_ = 0, countdown_ = 0;
  PyObject* disagree_ = nullptr;
};

// The entries by what tells arguments apart; borrowed from what a gate is armed with.
class FrozenEntries {
 public:
  std::optional<Entry> find(Prediction::Key key, uint64_t generation) const {
    if (generation != generation_) return std::nullopt;
    auto found = entries_.find(key);
    return found == entries_.end() ? std::nullopt : std::optional<Entry>(found->second);
  }

  // `generation`: of the freeze in which the guards passed.
  void learn(Prediction::Key key, const Entry& entry, uint64_t generation) {
    if (generation != generation_ || entries_.size() >= most) entries_.clear();
    generation_ = generation;
    entries_.insert_or_assign(key, entry);
  }

 private:
  static constexpr size_t most = 1024;  // arguments that never repeat
  std::unordered_map<Prediction::Key, Entry> entries_;
  uint64_t generation_ = 0;
};

}  // namespace overhead::dispatch
