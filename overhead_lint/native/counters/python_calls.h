// Counts calls of the user's Python functions, and entries of context managers by kind, through a
// C profile function of this thread: no Python code of ours runs, which Dynamo would try to compile.
#pragma once

#include "attribution.h"

#include <cstring>
#include <string>
#include <unordered_map>

namespace overhead::sink {

class PythonCalls {
 public:
  using Kinds = std::unordered_map<PyCodeObject*, std::string>;

  // `entries`: code objects of __enter__ functions, with the kind of context manager that they enter.
  // `generators`: those of generators that have a kind of their own when a generator-based one runs them.
  void start(Kinds entries, Kinds generators) {
    if (users_++) return;
    for (const auto& kinds : {entries, generators})
      for (auto& [code, _] : kinds) Py_INCREF(reinterpret_cast<PyObject*>(code));
    entries_ = std::move(entries);
    generators_ = std::move(generators);
    PyEval_SetProfile(&on_event, nullptr);
  }

  // False when something else took the thread's profile function meanwhile, and calls were missed.
  // Whatever is there now is not ours, and stays.
  bool stop() {
    bool kept = PyThreadState_Get()->c_profilefunc == &on_event;
    if (--users_) return kept;
    if (kept) PyEval_SetProfile(nullptr, nullptr);
    set_guest(nullptr);
    for (auto* kinds : {&entries_, &generators_}) {
      for (auto& [code, _] : *kinds) Py_DECREF(reinterpret_cast<PyObject*>(code));
      kinds->clear();
    }
    return kept;
  }

  // Is called with (frame, "call", None) at each call from now on, as a profile function of Python's would be:
  // for who needs the thread's only profile function while this one has it. Null takes it away.
  void set_guest(PyObject* guest) {
    Py_XINCREF(guest);
    PyObject* before = guest_;
    guest_ = guest;
    Py_XDECREF(before);
  }

  static PythonCalls& one() {
    static auto* calls = new PythonCalls;
    return *calls;
  }

 private:
  static int on_event(PyObject*, PyFrameObject* frame, int event, PyObject*) {
    if (event != PyTrace_CALL) return 0;
    one().on_call(frame);
    return one().guest_ ? one().call_guest(frame) : 0;
  }

  int call_guest(PyFrameObject* frame) {
    PyObject* guest = guest_; // it may take itself away
    Py_INCREF(guest);
    PyObject* result = PyObject_CallFunction(guest, "OsO", frame, "call", Py_None);
    Py_DECREF(guest);
    Py_XDECREF(result);
    return result ? 0 : -1;
  }

  void on_call(PyFrameObject* frame) {
    PyCodeObject* code = PyFrame_GetCode(frame);
    if (auto entry = entries_.find(code); entry != entries_.end()) {
      count(Kind::contexts);
      if (attribution().wants(Kind::contexts))
        attribution().note_named(Kind::contexts, walk(PyFrame_GetBack(frame), false).site, kind_of(frame, entry->second));
    } else if (codes().role(code, frame) == CodeTable::Role::user && !is_comprehension(code) && !is_resumed(code)) {
      count(Kind::python_calls);
      if (attribution().wants(Kind::python_calls))
        attribution().note_named(
            Kind::python_calls, {code, code->co_firstlineno}, "calls of " + CodeTable::text(code->co_name));
    }
    Py_DECREF(reinterpret_cast<PyObject*>(code));
  }

  // The kind of the generator that `self` of this frame runs, where it has one of its own.
  const std::string& kind_of(PyFrameObject* frame, const std::string& otherwise) const {
    PyObject* found = reinterpret_cast<PyObject*>(frame);
    Py_INCREF(found);
    for (const char* name : {"f_locals", "self", "gen", "gi_code"}) {
      PyObject* next = std::strcmp(name, "self") ? PyObject_GetAttrString(found, name)
                                                 : PyMapping_GetItemString(found, name);
      Py_DECREF(found);
      found = next;
      if (found) continue;
      PyErr_Clear(); // no generator-based context manager
      return otherwise;
    }
    auto known = generators_.find(reinterpret_cast<PyCodeObject*>(found));
    Py_DECREF(found);
    return known == generators_.end() ? otherwise : known->second;
  }

  Kinds entries_, generators_;
  PyObject* guest_ = nullptr;
  int users_ = 0;
};

} // namespace overhead::sink
