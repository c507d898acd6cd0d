// Whether a dict or a class has changed since it was looked at.
//
// CPython 3.10 and 3.11 number every change of a dict. Later ones tell watchers just before a change, so that the
// changes of watched dicts are counted here. Free-threaded builds do not: others write while they are told.
#pragma once

#include <Python.h>

#include <cstdint>
#include <memory>
#include <unordered_map>

namespace overhead::dispatch {

#if PY_VERSION_HEX < 0x030C0000
#define OVERHEAD_DICTS_ARE_NUMBERED
#endif
#if !defined(Py_GIL_DISABLED)
#define OVERHEAD_DICTS_TELL_CHANGES
#endif

#ifdef OVERHEAD_DICTS_ARE_NUMBERED

inline constexpr bool kDictsAreNumbered = true;
inline uint64_t version_of(PyObject* dict) { return reinterpret_cast<PyDictObject*>(dict)->ma_version_tag; }

// A dict as it is now. Borrows it.
class DictVersion {
 public:
  bool take(PyObject* dict) {
    dict_ = dict;
    version_ = version_of(dict);
    return true;
  }
  PyObject* dict() const { return dict_; }
  bool is_current() const { return version_of(dict_) == version_; }

 private:
  PyObject* dict_ = nullptr;
  uint64_t version_ = 0;
};

#else

inline constexpr bool kDictsAreNumbered = false;
inline uint64_t version_of(PyObject*) { return 0; }

#ifdef OVERHEAD_DICTS_TELL_CHANGES

struct WatchedDict {
  PyObject* dict;  // null once it is gone
  uint64_t changes = 0;
};

// The one watcher of this process, and what it was told. Never destroyed: dicts may outlive everything else.
class DictWatcher {
 public:
  // Whether the dict of an object is made a table of its own when it is watched: some interpreters tell of writes
  // to attributes only then.
  bool makes_tables = false;

  static DictWatcher& one() {
    static DictWatcher* const watcher = new DictWatcher();
    return *watcher;
  }

  // Null, with an exception, where the interpreter has no watcher to give or the dict cannot be watched.
  std::shared_ptr<WatchedDict> watch(PyObject* dict) {
    if (id_ < 0 && (id_ = PyDict_AddWatcher(told)) < 0) return nullptr;
    if (makes_tables && !make_table(dict)) return nullptr;
    std::shared_ptr<WatchedDict>& known = watched_[dict];
    if (known == nullptr) {
      known = std::make_shared<WatchedDict>(WatchedDict{dict});
      if (PyDict_Watch(id_, dict) < 0) {
        watched_.erase(dict);
        return nullptr;
      }
    }
    return known;
  }

  // One holder less; the last one but the map is the last at all.
  void let_go(std::shared_ptr<WatchedDict>& held) {
    if (held == nullptr) return;
    if (held.use_count() == 2 && held->dict != nullptr) {
      if (PyDict_Unwatch(id_, held->dict) < 0) PyErr_Clear();
      watched_.erase(held->dict);
    }
    held.reset();
  }

 private:
  int id_ = -1;
  std::unordered_map<PyObject*, std::shared_ptr<WatchedDict>> watched_;

  // Just before the change; nothing runs between the two.
  static int told(PyDict_WatchEvent event, PyObject* dict, PyObject*, PyObject*) {
    auto& watched = one().watched_;
    auto found = watched.find(dict);
    if (found == watched.end()) return 0;
    found->second->changes++;
    if (event == PyDict_EVENT_DEALLOCATED) {
      found->second->dict = nullptr;
      watched.erase(found);
    }
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

// A dict as it is now. Borrows it.
class DictVersion {
 public:
  DictVersion() = default;
  DictVersion(DictVersion&& other) noexcept
      : dict_(other.dict_), changes_(other.changes_), watched_(std::move(other.watched_)) {}
  DictVersion& operator=(DictVersion&& other) noexcept {
    DictWatcher::one().let_go(watched_);
    dict_ = other.dict_;
    changes_ = other.changes_;
    watched_ = std::move(other.watched_);
    return *this;
  }
  ~DictVersion() { DictWatcher::one().let_go(watched_); }

  bool take(PyObject* dict) {
    DictWatcher::one().let_go(watched_);
    watched_ = DictWatcher::one().watch(dict);
    if (watched_ == nullptr) return false;
    dict_ = dict;
    changes_ = watched_->changes;
    return true;
  }
  PyObject* dict() const { return dict_; }
  bool is_current() const { return watched_->changes == changes_; }

 private:
  PyObject* dict_ = nullptr;
  uint64_t changes_ = 0;
  std::shared_ptr<WatchedDict> watched_;
};

#endif
#endif

// The number of a class; 0 where it has none.
inline unsigned int version_of(const PyTypeObject* type) {
#if PY_VERSION_HEX < 0x030C0000
  if (!(type->tp_flags & Py_TPFLAGS_VALID_VERSION_TAG)) return 0;
#endif
  return type->tp_version_tag;  // later ones take it away with the first change
}

}  // namespace overhead::dispatch
