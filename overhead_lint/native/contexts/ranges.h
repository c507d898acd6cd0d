// Named ranges for profilers and NVTX tools.
#pragma once

#include <Python.h>

#include "active.h"
#include "blocks.h"

namespace overhead::contexts::ranges {

inline PyTypeObject *record_type = nullptr, *range_type = nullptr;
inline PyObject *record_slow = nullptr, *range_slow = nullptr;  // the functions of Python
inline PyObject* range_wrap = nullptr;                          // what decorates a function with a range
inline PyObject* record_function = nullptr;                     // the stock class
inline PyObject *profiler_names = nullptr, *nvtx_names = nullptr;  // what the modules of torch hold
inline PyObject *stock_push = nullptr, *stock_pop = nullptr;

inline PyObject* bind(PyObject*, PyObject* args) {
  PyObject *record = nullptr, *wrap = nullptr, *slow_record = nullptr, *slow_range = nullptr;
  PyObject *stock = nullptr, *profiler = nullptr, *nvtx = nullptr, *push = nullptr, *pop = nullptr;
  if (!PyArg_ParseTuple(args, "O!OOOOO!O!OO", &PyType_Type, &record, &wrap, &slow_record, &slow_range,
                        &stock, &PyDict_Type, &profiler, &PyDict_Type, &nvtx, &push, &pop)) {
    return nullptr;
  }
  record_type = reinterpret_cast<PyTypeObject*>(Py_NewRef(record));
  keep(range_wrap, wrap);
  keep(record_slow, slow_record);
  keep(range_slow, slow_range);
  keep(record_function, stock);
  keep(profiler_names, profiler);
  keep(nvtx_names, nvtx);
  keep(stock_push, push);
  keep(stock_pop, pop);
  Py_RETURN_NONE;
}

// record(name, args=None)

struct Record {
  PyObject_HEAD
  PyObject* name;
  PyObject* args;
};
struct Saved {
  PyObject* stock;  // owned; null: no profiler ran at entry
};
using Entered = Active<Saved>;

inline PyObject* record(PyObject*, PyObject* const* args, Py_ssize_t count, PyObject* names) {
  static PyObject* const known[] = {PyUnicode_InternFromString("name"), PyUnicode_InternFromString("args")};
  PyObject* values[2] = {};
  if (!read_arguments(args, count, names, known, values) || values[0] == nullptr) {
    return PyObject_Vectorcall(record_slow, args, count, names);
  }
  PyObject* made = new_block(record_type);
  if (made == nullptr) return nullptr;
  auto* block = reinterpret_cast<Record*>(made);
  block->name = Py_NewRef(values[0]);
  block->args = Py_NewRef(values[1] == nullptr ? Py_None : values[1]);
  return made;
}

// Set by every profiler that torch starts. -1 with an error set.
inline int profiler_runs() {
  static PyObject* const flag = PyUnicode_InternFromString("_is_profiler_enabled");
  PyObject* value = PyDict_GetItemWithError(profiler_names, flag);
  if (value == Py_False) return 0;
  if (value == nullptr) return PyErr_Occurred() ? -1 : 1;
  return PyObject_IsTrue(value);
}

inline PyObject* enter_stock_range(Record* block) {
  PyObject* name = PyCallable_Check(block->name) ? PyObject_CallNoArgs(block->name) : Py_NewRef(block->name);
  if (name == nullptr) return nullptr;
  PyObject* stock = PyObject_CallFunctionObjArgs(record_function, name, block->args, nullptr);
  Py_DECREF(name);
  PyObject* entered = stock == nullptr ? nullptr : PyObject_CallMethod(stock, "__enter__", nullptr);
  if (entered == nullptr) {
    Py_XDECREF(stock);
    return nullptr;
  }
  Py_DECREF(entered);
  return stock;
}

inline PyObject* enter_record(PyObject* self, PyObject*) {
  const int runs = profiler_runs();
  if (runs < 0) return nullptr;
  PyObject* stock = nullptr;
  if (runs != 0 && (stock = enter_stock_range(reinterpret_cast<Record*>(self))) == nullptr) return nullptr;
  Entered::push(self, {stock});
  return Py_NewRef(self);
}

inline PyObject* leave_record(PyObject* self, PyObject* const* args, Py_ssize_t count) {
  Saved saved;
  if (!Entered::take(self, saved) || saved.stock == nullptr) Py_RETURN_NONE;
  PyObject* method = PyObject_GetAttrString(saved.stock, "__exit__");
  PyObject* result = method == nullptr ? nullptr : PyObject_Vectorcall(method, args, count, nullptr);
  Py_XDECREF(method);
  Py_DECREF(saved.stock);
  return result;
}

inline void destroy_record(PyObject* self) {
  auto* block = reinterpret_cast<Record*>(self);
  PyTypeObject* type = Py_TYPE(self);
  Py_CLEAR(block->name);
  Py_CLEAR(block->args);
  type->tp_free(self);
  Py_DECREF(type);
}

// nvtx_range(msg, *args, **kwargs)

struct Range {
  PyObject_HEAD
  PyObject* message;  // str that needs no formatting
};

inline bool is_plain(PyObject* text) {
  const Py_ssize_t size = PyUnicode_GET_LENGTH(text);
  return PyUnicode_FindChar(text, '{', 0, size, 1) < 0 && PyUnicode_FindChar(text, '}', 0, size, 1) < 0;
}

inline PyObject* nvtx_range(PyObject*, PyObject* const* args, Py_ssize_t count, PyObject* names) {
  if (count != 1 || names != nullptr || !PyUnicode_CheckExact(args[0]) || !is_plain(args[0])) {
    return PyObject_Vectorcall(range_slow, args, count, names);
  }
  PyObject* made = new_block(range_type);
  if (made != nullptr) reinterpret_cast<Range*>(made)->message = Py_NewRef(args[0]);
  return made;
}

inline PyObject* in_library(PyObject* name) {
  static PyObject* const library = PyUnicode_InternFromString("_nvtx");
  PyObject* functions = PyDict_GetItemWithError(nvtx_names, library);
  if (functions == nullptr) return nullptr;
  if (PyModule_CheckExact(functions)) {  // the common case, without the steps of an attribute
    PyObject* found = PyDict_GetItemWithError(PyModule_GetDict(functions), name);
    if (found != nullptr) return Py_NewRef(found);
  }
  return PyObject_GetAttr(functions, name);
}

// Calls what torch.cuda.nvtx calls; through its own function if that was replaced.
inline PyObject* call_nvtx(PyObject* name, PyObject* stock, PyObject* library_name, PyObject* argument) {
  PyObject* wrapper = PyDict_GetItemWithError(nvtx_names, name);
  PyObject* target = wrapper == stock ? in_library(library_name) : Py_XNewRef(wrapper);
  if (target == nullptr) {
    if (!PyErr_Occurred()) PyErr_SetObject(PyExc_AttributeError, name);
    return nullptr;
  }
  PyObject* result = PyObject_Vectorcall(target, &argument, argument == nullptr ? 0 : 1, nullptr);
  Py_DECREF(target);
  return result;
}

inline PyObject* enter_range(PyObject* self, PyObject*) {
  static PyObject* const name = PyUnicode_InternFromString("range_push");
  static PyObject* const library_name = PyUnicode_InternFromString("rangePushA");
  PyObject* result = call_nvtx(name, stock_push, library_name, reinterpret_cast<Range*>(self)->message);
  if (result == nullptr) return nullptr;
  Py_DECREF(result);
  Py_RETURN_NONE;
}

inline PyObject* leave_range(PyObject*, PyObject* const*, Py_ssize_t) {
  static PyObject* const name = PyUnicode_InternFromString("range_pop");
  static PyObject* const library_name = PyUnicode_InternFromString("rangePop");
  PyObject* result = call_nvtx(name, stock_pop, library_name, nullptr);
  if (result == nullptr) return nullptr;
  Py_DECREF(result);
  Py_RETURN_NONE;
}

inline void destroy_range(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  Py_CLEAR(reinterpret_cast<Range*>(self)->message);
  type->tp_free(self);
  Py_DECREF(type);
}

// Types.

template <PyObject* Record::*Value>
PyObject* get_value(PyObject* self, void*) {
  PyObject* value = reinterpret_cast<Record*>(self)->*Value;
  return Py_NewRef(value == nullptr ? Py_None : value);
}

template <PyObject* Record::*Value>
int set_value(PyObject* self, PyObject* value, void*) {
  keep(reinterpret_cast<Record*>(self)->*Value, value == nullptr ? Py_None : value);
  return 0;
}

inline PyType_Spec& record_spec() {
  static PyMethodDef methods[] = {{"__enter__", enter_record, METH_NOARGS, nullptr},
                                  {"__exit__", fast(leave_record), METH_FASTCALL, nullptr},
                                  {nullptr, nullptr, 0, nullptr}};
  static PyGetSetDef attributes[] = {
      {"name", get_value<&Record::name>, set_value<&Record::name>, nullptr, nullptr},
      {"args", get_value<&Record::args>, set_value<&Record::args>, nullptr, nullptr},
      {nullptr, nullptr, nullptr, nullptr, nullptr}};
  static PyType_Slot slots[] = {{Py_tp_dealloc, reinterpret_cast<void*>(destroy_record)},
                                {Py_tp_methods, methods},
                                {Py_tp_getset, attributes},
                                {0, nullptr}};
  static PyType_Spec spec = {"contexts.RecordBlock", sizeof(Record), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
                             slots};
  return spec;
}

inline PyObject* decorate(PyObject* self, PyObject* args, PyObject* names) {
  PyObject* function = nullptr;
  if (names != nullptr && PyDict_GET_SIZE(names) != 0) {
    PyErr_SetString(PyExc_TypeError, "nvtx_range()() takes no keyword arguments");
    return nullptr;
  }
  if (!PyArg_ParseTuple(args, "O", &function)) return nullptr;
  return PyObject_CallFunctionObjArgs(range_wrap, self, function, nullptr);
}

inline PyObject* rebuild(PyObject* self, PyObject*) {  // a copy may go where nothing is compiled
  return Py_BuildValue("O(O)", range_slow, reinterpret_cast<Range*>(self)->message);
}

inline PyType_Spec& range_spec() {
  static PyMethodDef methods[] = {{"__enter__", enter_range, METH_NOARGS, nullptr},
                                  {"__exit__", fast(leave_range), METH_FASTCALL, nullptr},
                                  {"__reduce__", rebuild, METH_NOARGS, nullptr},
                                  {nullptr, nullptr, 0, nullptr}};
  static PyType_Slot slots[] = {{Py_tp_dealloc, reinterpret_cast<void*>(destroy_range)},
                                {Py_tp_call, reinterpret_cast<void*>(decorate)},
                                {Py_tp_methods, methods},
                                {0, nullptr}};
  static PyType_Spec spec = {"contexts.RangeBlock", sizeof(Range), 0, Py_TPFLAGS_DEFAULT, slots};
  return spec;
}

inline PyMethodDef* functions() {
  constexpr int keywords = METH_FASTCALL | METH_KEYWORDS;
  static PyMethodDef all[] = {
      {"bind_ranges", bind, METH_VARARGS,
       "bind_ranges(record, range_wrap, record_slow, range_slow, record_function, profiler, nvtx, push, pop): the "
       "class of record, what to call where this module cannot, and the contents of torch's modules."},
      {"record", fast(record), keywords,
       "record(name, args=None)\n--\n\nA named range in profiles, skipped while no profiler runs."},
      {"nvtx_range", fast(nvtx_range), keywords,
       "nvtx_range(msg, *args, **kwargs)\n--\n\nPush an NVTX range at entry and pop it at exit."},
      {nullptr, nullptr, 0, nullptr}};
  return all;
}

inline bool add_types(PyObject* module) {
  range_type = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&range_spec()));
  return range_type != nullptr && add_base_type(module, record_spec(), "RecordBlock");
}

}  // namespace overhead::contexts::ranges
