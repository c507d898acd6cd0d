// The way into compiled code: serves a call that nothing stands against, and leaves all others to Python.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>

#include "entry.h"
#include "facts.h"
#include "frozen.h"
#include "prediction.h"
#include "quiet.h"

namespace overhead::dispatch {

// What a gate goes by, from one `arm` to the next. Calls that run keep theirs alive.
struct Armed {
  Facts facts;
  Binding binding;
  std::vector<Entry> entries;
  FrozenEntries frozen;
  PyObject* keep = nullptr;  // all that the others borrow from

  Armed() = default;
  Armed(const Armed&) = delete;
  ~Armed() { Py_XDECREF(keep); }
};

struct Names {
  PyObject *cache_entry, *generation, *one;
  PyObject* tracker = nullptr;
};

inline Names& names() {
  static Names all{PyUnicode_InternFromString("cache_entry"), PyUnicode_InternFromString("generation"),
                   PyLong_FromLong(1)};
  return all;
}

class Gate {
 public:
  uint64_t hits = 0, recognised = 0;
  int64_t allowance = -1;  // how many calls may still be recognised; negative: any number
  bool is_outermost = true;  // its calls are those that stock counts

  bool arm(PyObject* keep, PyObject* facts, PyObject* binding, PyObject* entries) {
    auto armed = std::make_shared<Armed>();
    armed->keep = Py_NewRef(keep);
    if (!armed->facts.fill(facts) || !armed->binding.fill(binding)) return false;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(entries); i++) {
      armed->entries.emplace_back();
      if (!armed->entries.back().fill(PyTuple_GET_ITEM(entries, i))) return false;
    }
    armed_ = std::move(armed);
    return true;
  }

  Freezer freezer;

  void disarm() { armed_.reset(); }
  PyObject* kept() const { return armed_ == nullptr ? nullptr : armed_->keep; }

  // The result; or null, with an exception if the compiled code raised, without if this is not for the gate.
  PyObject* serve(const Arguments& call) {
    std::shared_ptr<Armed> armed = armed_;
    if (armed == nullptr) return nullptr;
    Bound bound(armed->binding.count());
    if (!armed->binding.bind(call, bound)) return nullptr;
    std::optional<Entry> found;
    if (!freezer.is_on()) {
      if (!is_plain(*armed) || !(found = find(*armed, bound))) return nullptr;
    } else if (!(found = find_frozen(*armed, bound))) {
      return nullptr;
    }
    hits++;
    if (is_outermost && !advance_generation()) return nullptr;
    bring_forward(armed->entries, *found);
    return found->run(bound, armed->binding);
  }

 private:
  std::shared_ptr<Armed> armed_;
  Prediction prediction_;

  static bool is_plain(Armed& armed) { return thread_is_plain() && armed.facts.hold() && dynamo().is_idle(); }

  // As `find`, where only the first call with such arguments is looked at closely.
  std::optional<Entry> find_frozen(Armed& armed, const Bound& bound) {
    const uint64_t generation = freezer.generation();
    const Prediction::Key key = Prediction::key(bound, armed.binding.count());
    std::optional<Entry> found = armed.frozen.find(key, generation);
    if (!found) {
      if (!is_plain(armed) || !(found = find(armed, bound))) return std::nullopt;
      armed.frozen.learn(key, *found, generation);
      return found;
    }
    if (dynamo().evaluates_frames() || (freezer.is_due() && !agrees(armed, *found, bound))) return std::nullopt;
    freezer.hits++;
    return found;
  }

  // Whether all that is not looked at while frozen would let the entry pass; where not, an exception says so.
  bool agrees(Armed& armed, const Entry& entry, const Bound& bound) {
    Trial trial{armed.binding, bound};
    trial.locals = armed.binding.locals(bound);
    if (trial.locals == nullptr) return false;
    if (is_plain(armed) && entry.is_alive(names().cache_entry) && entry.accepts(trial.locals)) return true;
    freezer.tell(entry, trial.locals);
    return false;
  }

  // The entry for a call, by value: guards let other threads run, and these change the order of the entries.
  std::optional<Entry> find(const Armed& armed, const Bound& bound) {
    Trial trial{armed.binding, bound};
    const bool one = armed.entries.size() < 2;
    const void* likely = one ? nullptr : prediction_.entry(bound, armed.binding.count());
    for (size_t i = 0; likely != nullptr && i < armed.entries.size(); i++) {
      Entry entry = armed.entries[i];
      if (entry.identity() != likely) continue;
      if (passes(entry, trial)) return entry;
      break;
    }
    for (size_t i = 0; i < armed.entries.size() && !trial.failed; i++) {
      Entry entry = armed.entries[i];
      if (entry.identity() == likely || !passes(entry, trial)) continue;
      if (!one) prediction_.learn(bound, armed.binding.count(), likely, entry.identity());
      return entry;
    }
    return std::nullopt;
  }

  // The arguments of one call, as entries are tried on them.
  struct Trial {
    const Binding& binding;
    const Bound& bound;
    PyObject* locals = nullptr;  // made when guards are first evaluated
    bool failed = false;

    ~Trial() { Py_XDECREF(locals); }
  };

  bool passes(const Entry& entry, Trial& trial) {
    if (!entry.is_alive(names().cache_entry)) return false;
    if (entry.is_remembered()) {
      if (allowance == 0 || !entry.recognises(trial.bound, trial.binding)) return false;
      recognised++;
      if (allowance > 0) allowance--;
      return true;
    }
    if (trial.locals == nullptr) trial.locals = trial.binding.locals(trial.bound);
    trial.failed = trial.locals == nullptr;
    return !trial.failed && entry.accepts(trial.locals);
  }

  // The entry that served last is tried first; one whose guards are evaluated stays behind those that need none.
  static void bring_forward(std::vector<Entry>& entries, const Entry& served) {
    if (!served.is_remembered() && !entries.empty() && entries.front().is_remembered()) return;
    auto place = std::find_if(
        entries.begin(), entries.end(), [&](const Entry& entry) { return entry.is_same(served); });
    if (place != entries.begin() && place != entries.end()) std::rotate(entries.begin(), place, place + 1);
  }

  // Stock counts its calls, for CUDA graph trees.
  static bool advance_generation() {
    PyObject* before = PyObject_GetAttr(names().tracker, names().generation);
    PyObject* after = before == nullptr ? nullptr : PyNumber_Add(before, names().one);
    bool done = after != nullptr && PyObject_SetAttr(names().tracker, names().generation, after) == 0;
    Py_XDECREF(before);
    Py_XDECREF(after);
    return done;
  }
};

}  // namespace overhead::dispatch
