// The blocks that each thread is in, innermost last, with what to restore when they end.
//
// Kept by thread and not on an instance, so that an instance can be entered again while it is active,
// and by several threads. All of it runs under the interpreter lock, apart from the end of a thread.
#pragma once

#include <Python.h>

#include <mutex>
#include <unordered_set>
#include <utility>
#include <vector>

namespace overhead::contexts {

template <class State>
class Active {
 public:
  static void push(PyObject* owner, State state) {
    Py_INCREF(owner);
    own().push_back({owner, state});
  }

  // Removes the innermost entry of an instance and gives what it has to restore. False, without an error
  // set, when the instance is not active.
  static bool take(PyObject* owner, State& state) {
    Entries& entries = own();
    if (!entries.empty() && entries.back().owner == owner) {
      state = entries.back().state;
      entries.pop_back();
      Py_DECREF(owner);  // the caller has a reference of its own
      return true;
    }
    return take_buried(entries, owner, state) || take_elsewhere(owner, state);
  }

 private:
  struct Entry {
    PyObject* owner;  // owned
    State state;
  };
  using Entries = std::vector<Entry>;

  // Generators and coroutines end blocks in any order.
  static bool take_buried(Entries& entries, PyObject* owner, State& state) {
    for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry) {
      if (entry->owner != owner) continue;
      state = entry->state;
      entries.erase(std::next(entry).base());
      Py_DECREF(owner);
      return true;
    }
    return false;
  }

  // A generator that was closed in another thread than the one that began it.
  static bool take_elsewhere(PyObject* owner, State& state) {
    Registry& registry = every();
    std::lock_guard<std::mutex> hold(registry.lock);
    for (Entries* entries : registry.all) {
      if (take_buried(*entries, owner, state)) return true;
    }
    return false;
  }

  struct Registry {
    std::mutex lock;
    std::unordered_set<Entries*> all;
  };

  static Registry& every() {
    static auto* registry = new Registry();  // never destroyed: threads may outlive the main one
    return *registry;
  }

  struct Thread {
    Entries* entries = new Entries();
    Thread() {
      std::lock_guard<std::mutex> hold(every().lock);
      every().all.insert(entries);
    }
    ~Thread() {  // without the interpreter lock
      std::lock_guard<std::mutex> hold(every().lock);
      if (!entries->empty()) return;  // another thread may still end these blocks
      every().all.erase(entries);
      delete entries;
    }
  };

  // A plain pointer, since one with a destructor asks at every use whether it was made.
  static inline thread_local Entries* current = nullptr;

  static Entries& own() {
    if (current == nullptr) {
      static thread_local Thread thread;
      current = thread.entries;
    }
    return *current;
  }
};

}  // namespace overhead::contexts
