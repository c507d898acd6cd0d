// One compiled code object, and how to tell that it may run.
#pragma once

#include <ATen/SavedTensorHooks.h>

#include "binding.h"
#ifdef OVERHEAD_DICTS_TELL_CHANGES
#include "flat_state.h"
#endif

namespace overhead::dispatch {

class Entry {
 public:
  // Borrows from `parts`: (run, names of its guard manager, check or None, FlatState or None,
  // check of the global state or None, what to do after an error). One of check and FlatState is None.
  bool fill(PyObject* parts) {
    return PyArg_ParseTuple(
        parts, "OO!OOOO", &run_, &PyDict_Type, &manager_, &check_, &flat_, &global_state_, &after_error_);
  }

  // Dynamo clears the manager's back reference when it drops the entry.
  bool is_alive(PyObject* cache_entry) const {
    PyObject* value = PyDict_GetItemWithError(manager_, cache_entry);
    if (value == nullptr) PyErr_Clear();
    return value != nullptr && value != Py_None;
  }

  bool is_same(const Entry& other) const { return identity() == other.identity(); }

  // Tells it from all others, one code that is remembered in several states among them; may be held longer than
  // the entry, to be compared.
  const void* identity() const { return is_remembered() ? flat_ : run_; }

  PyObject* function() const { return run_; }  // borrowed

  bool is_remembered() const { return flat_ != Py_None; }

  // Everything that the guards read is as it was when they passed.
  bool recognises(const Bound& bound, const Binding& binding) const {
#ifdef OVERHEAD_DICTS_TELL_CHANGES
    auto* watched = reinterpret_cast<flat::FlatState*>(flat_)->watched;
    Py_ssize_t own = binding.prefix();
    auto given = static_cast<Py_ssize_t>(binding.count()) - own;
    if (watched == nullptr || !watched->holds(bound.data() + own, given)) return false;
    if (at::SavedTensorDefaultHooks::get_hooks(true).has_value() || !is_true(PyObject_CallNoArgs(global_state_)))
      return false;
    watched->hits++;
    return true;
#else
    return false;
#endif
  }

  // Dynamo's guards pass. Only for an entry that is not remembered: that one has no check.
  bool accepts(PyObject* locals) const { return is_true(PyObject_CallOneArg(check_, locals)); }

  PyObject* run(const Bound& bound, const Binding& binding) const {
    PyObject* result = binding.call(run_, bound);
    if (result == nullptr) restore();
    return result;
  }

 private:
  PyObject *run_ = nullptr, *manager_ = nullptr, *check_ = nullptr, *flat_ = nullptr, *global_state_ = nullptr,
           *after_error_ = nullptr;

  static bool is_true(PyObject* answer) {
    if (answer == nullptr) PyErr_Clear();  // the slow way asks again, and raises
    Py_XDECREF(answer);
    return answer == Py_True;
  }

  void restore() const {
    PyObject *type = nullptr, *value = nullptr, *traceback = nullptr;
    PyErr_Fetch(&type, &value, &traceback);
    PyObject* done = PyObject_CallNoArgs(after_error_);
    if (done == nullptr) PyErr_WriteUnraisable(after_error_);
    Py_XDECREF(done);
    PyErr_Restore(type, value, traceback);
  }
};

}  // namespace overhead::dispatch
