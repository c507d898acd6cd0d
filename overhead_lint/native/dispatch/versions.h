// Whether a dict or a class has changed since it was looked at.
//
// CPython 3.10 and 3.11 number every change of a dict. Later ones tell watchers just before a change, and those who
// read the dict are told from here. Free-threaded builds do not: others write while they are told.
#pragma once

#include <Python.h>
#include <c10/util/SmallVector.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

namespace overhead::dispatch {

#if PY_VERSION_HEX < 0x030C0000
#define OVERHEAD_DICTS_ARE_NUMBERED
#endif
#if !defined(Py_GIL_DISABLED)
#define OVERHEAD_DICTS_TELL_CHANGES
#endif

#ifdef OVERHEAD_DICTS_ARE_NUMBERED

inline constexpr bool kReadersAreTold = false;
inline void tell_readers(PyObject*) {}
inline uint64_t version_of(PyObject* dict) { return reinterpret_cast<PyDictObject*>(dict)->ma_version_tag; }

// Dicts as they were when they were added. Borrows them.
class Dicts {
 public:
  bool add(PyObject* dict) {
    versions_.emplace_back(dict, version_of(dict));
    return true;
  }
  bool are_current() const {
    return std::all_of(
        versions_.begin(), versions_.end(), [](const auto& one) { return version_of(one.first) == one.second; });
  }

 private:
  std::vector<std::pair<PyObject*, uint64_t>> versions_;
};

// A dict when it was last looked at. Borrows it.
class Look {
 public:
  void take(PyObject* dict) {
    dict_ = dict;
    version_ = version_of(dict);
  }
  bool is_current() const { return dict_ != nullptr && version_of(dict_) == version_; }

 private:
  PyObject* dict_ = nullptr;
  uint64_t version_ = 0;
};

#else
#ifdef OVERHEAD_DICTS_TELL_CHANGES

inline constexpr bool kReadersAreTold = true;

class Dicts;

// The one watcher of this process, and whom it tells. Never destroyed: dicts may outlive everything else.
class DictWatcher {
 public:
  // Whether the dict of an object is made a table of its own when it is watched: some interpreters tell of writes
  // to attributes only then.
  bool makes_tables = false;
  // Whether a trial has shown that all writes are told of.
  bool is_trusted = false;

  static DictWatcher& one() {
    static DictWatcher* const watcher = new DictWatcher();
    return *watcher;
  }

  // False, with an exception, where the interpreter has no watcher to give or the dict cannot be watched.
  bool watch(PyObject* dict, Dicts* reader) {
    if (id_ < 0 && (id_ = PyDict_AddWatcher(on_event)) < 0) return false;
    if (makes_tables && !make_table(dict)) return false;
    if (PyDict_Watch(id_, dict) < 0) return false;
    readers_[dict].push_back(reader);
    return true;
  }

  // Where the dict is gone, another may lie where it was: that one has other readers.
  void let_go(PyObject* dict, Dicts* reader) {
    auto found = readers_.find(dict);
    if (found == readers_.end()) return;
    Readers& readers = found->second;
    auto place = std::find(readers.begin(), readers.end(), reader);
    if (place == readers.end()) return;
    readers.erase(place);
    if (!readers.empty()) return;
    readers_.erase(found);
    if (PyDict_Unwatch(id_, dict) < 0) PyErr_Clear();
  }

  // Tells those who read the dict that it is no longer what they read.
  inline void tell(PyObject* dict);

 private:
  using Readers = c10::SmallVector<Dicts*, 2>;

  int id_ = -1;
  std::unordered_map<PyObject*, Readers> readers_;

  // Just before the change; nothing runs between the two.
  static int on_event(PyDict_WatchEvent event, PyObject* dict, PyObject*, PyObject*) {
    one().tell(dict);
    if (event == PyDict_EVENT_DEALLOCATED) one().readers_.erase(dict);
    return 0;
  }

  // Takes the last item out and puts it back: what a dict shares with its object or class it has for itself then.
  static bool make_table(PyObject* dict) {
    auto* table = reinterpret_cast<PyDictObject*>(dict);
    if (table->ma_values == nullptr) return true;
    static PyObject* const mark = PyUnicode_InternFromString("__overhead_lint_watched__");
    const bool was_empty = PyDict_GET_SIZE(dict) == 0;
    if (was_empty && PyDict_SetItem(dict, mark, Py_None) < 0) return false;
    PyObject* item = PyObject_CallMethod(dict, "popitem", nullptr);
    if (item == nullptr) return false;
    int status = was_empty ? 0 : PyDict_SetItem(dict, PyTuple_GET_ITEM(item, 0), PyTuple_GET_ITEM(item, 1));
    Py_DECREF(item);
    if (status == 0 && table->ma_values != nullptr) {
      PyErr_SetString(PyExc_TypeError, "the dict of an object stays a part of it");
      status = -1;
    }
    return status == 0;
  }
};

// Dicts as they were when they were added: the first change of any of them is told. Borrows them.
class Dicts {
 public:
  Dicts() = default;
  Dicts(const Dicts&) = delete;
  ~Dicts() {
    for (PyObject* dict : dicts_) DictWatcher::one().let_go(dict, this);
  }

  bool add(PyObject* dict) {
    if (!DictWatcher::one().watch(dict, this)) return false;
    dicts_.push_back(dict);
    return true;
  }
  bool are_current() const { return !changed_; }
  void look_again() { changed_ = false; }

 private:
  friend class DictWatcher;

  bool changed_ = false;
  std::vector<PyObject*> dicts_;
};

inline void DictWatcher::tell(PyObject* dict) {
  auto found = readers_.find(dict);
  if (found == readers_.end()) return;
  for (Dicts* reader : found->second) reader->changed_ = true;
}

inline void tell_readers(PyObject* dict) { DictWatcher::one().tell(dict); }

// A dict when it was last looked at; to be looked at each time where changes are not told of. Borrows it.
class Look {
 public:
  void take(PyObject* dict) {
    if (dicts_ != nullptr) return dicts_->look_again();
    if (!DictWatcher::one().is_trusted) return;
    dicts_ = std::make_unique<Dicts>();
    if (dicts_->add(dict)) return;
    PyErr_Clear();
    dicts_.reset();
  }
  bool is_current() const { return dicts_ != nullptr && dicts_->are_current(); }

 private:
  std::unique_ptr<Dicts> dicts_;
};

#else

// Nothing shows whether a dict is as it was.
class Look {
 public:
  void take(PyObject*) {}
  bool is_current() const { return false; }
};

#endif
#endif

// The namespace of a class; a new reference, or null.
inline PyObject* dict_of(PyTypeObject* type) {
#if PY_VERSION_HEX < 0x030C0000
  return Py_XNewRef(type->tp_dict);
#else
  return PyType_GetDict(type);
#endif
}

// The number of a class; 0 where it has none.
inline unsigned int version_of(const PyTypeObject* type) {
#if PY_VERSION_HEX < 0x030C0000
  if (!(type->tp_flags & Py_TPFLAGS_VALID_VERSION_TAG)) return 0;
#endif
  return type->tp_version_tag;  // later ones take it away with the first change
}

}  // namespace overhead::dispatch
