// Answers that hardly ever change: switches from the environment, signatures of functions, devices.
#pragma once

#include <ATen/detail/CUDAHooksInterface.h>
#include <torch/csrc/Device.h>

#include <unordered_map>

#include "blocks.h"

namespace overhead::contexts::queries {

inline PyObject *flag_slow = nullptr, *signature_slow = nullptr, *properties_slow = nullptr;  // of Python
inline PyObject* properties = nullptr;  // by device: what the function of Python has kept
inline PyObject* flags[2] = {};  // what was answered, by name: for the default False, and for True

inline PyObject* bind(PyObject*, PyObject* args) {
  PyObject *flag = nullptr, *signature = nullptr, *device = nullptr, *kept = nullptr;
  if (!PyArg_ParseTuple(args, "OOOO!", &flag, &signature, &device, &PyDict_Type, &kept)) return nullptr;
  keep(flag_slow, flag);
  keep(signature_slow, signature);
  keep(properties_slow, device);
  keep(properties, kept);
  for (PyObject*& table : flags) {
    if (table == nullptr && (table = PyDict_New()) == nullptr) return nullptr;
  }
  Py_RETURN_NONE;
}

// env_flag(name, default=False)

inline PyObject* env_flag(PyObject*, PyObject* const* args, Py_ssize_t count, PyObject* names) {
  static PyObject* const known[] = {PyUnicode_InternFromString("name"), PyUnicode_InternFromString("default")};
  PyObject* values[2] = {};
  if (!read_arguments(args, count, names, known, values) || values[0] == nullptr ||
      !PyUnicode_CheckExact(values[0]) || (values[1] != nullptr && !PyBool_Check(values[1]))) {
    return PyObject_Vectorcall(flag_slow, args, count, names);
  }
  PyObject* table = flags[values[1] == Py_True];
  PyObject* answer = PyDict_GetItemWithError(table, values[0]);
  if (answer != nullptr) return Py_NewRef(answer);
  if (PyErr_Occurred()) return nullptr;
  answer = PyObject_Vectorcall(flag_slow, args, count, names);
  if (answer != nullptr && PyDict_SetItem(table, values[0], answer) < 0) Py_CLEAR(answer);
  return answer;
}

inline PyObject* refresh_env_flags(PyObject*, PyObject*) {
  for (PyObject* table : flags) {
    if (table != nullptr) PyDict_Clear(table);
  }
  Py_RETURN_NONE;
}

// cached_signature(func)

struct Seen {  // all owned
  PyObject *reference, *code, *defaults, *keyword_defaults, *annotations, *signature;
};
using Table = std::unordered_map<PyObject*, Seen>;
inline Table& seen_functions() {
  static auto* table = new Table();  // never destroyed: it refers to Python objects
  return *table;
}

inline void drop(Seen seen) {
  Py_DECREF(seen.reference);
  Py_DECREF(seen.code);
  Py_XDECREF(seen.defaults);
  Py_XDECREF(seen.keyword_defaults);
  Py_XDECREF(seen.annotations);
  Py_DECREF(seen.signature);
}

inline PyObject* forget(PyObject*, PyObject* reference) {
  Table& table = seen_functions();
  for (auto at = table.begin(); at != table.end(); ++at) {
    if (at->second.reference != reference) continue;
    const Seen gone = at->second;
    table.erase(at);  // first: what is dropped may run code
    drop(gone);
    break;
  }
  Py_RETURN_NONE;
}

// Whether a function has an attribute that inspect.signature asks instead of the code. -1: an error.
inline int speaks_for_itself(PyFunctionObject* function) {
  static PyObject* const wrapped = PyUnicode_InternFromString("__wrapped__");
  static PyObject* const signature = PyUnicode_InternFromString("__signature__");
  PyObject* attributes = function->func_dict;
  if (attributes == nullptr || PyDict_GET_SIZE(attributes) == 0) return 0;
  const int found = PyDict_Contains(attributes, wrapped);
  return found != 0 ? found : PyDict_Contains(attributes, signature);
}

inline bool remember(PyFunctionObject* function, PyObject* signature) {
  static PyMethodDef definition = {"forget", forget, METH_O, nullptr};
  static PyObject* const callback = PyCFunction_New(&definition, nullptr);
  auto* object = reinterpret_cast<PyObject*>(function);
  PyObject* reference = PyWeakref_NewRef(object, callback);
  if (reference == nullptr) return false;
  Table& table = seen_functions();
  const auto known = table.find(object);
  const bool replaces = known != table.end();
  const Seen before = replaces ? known->second : Seen{};
  table[object] = {reference, Py_NewRef(function->func_code), Py_XNewRef(function->func_defaults),
                   Py_XNewRef(function->func_kwdefaults), Py_XNewRef(function->func_annotations),
                   Py_NewRef(signature)};
  if (replaces) drop(before);
  return true;
}

inline PyObject* cached_signature(PyObject*, PyObject* const* args, Py_ssize_t count, PyObject* names) {
  if (count != 1 || names != nullptr || !PyFunction_Check(args[0])) {
    return PyObject_Vectorcall(signature_slow, args, count, names);
  }
  auto* function = reinterpret_cast<PyFunctionObject*>(args[0]);
  const int speaks = speaks_for_itself(function);
  if (speaks < 0) return nullptr;
  if (speaks != 0) return PyObject_Vectorcall(signature_slow, args, count, names);
  Table& table = seen_functions();
  const auto at = table.find(args[0]);
  if (at != table.end()) {
    const Seen& seen = at->second;
    if (seen.code == function->func_code && seen.defaults == function->func_defaults &&
        seen.keyword_defaults == function->func_kwdefaults &&
        seen.annotations == function->func_annotations) {
      return Py_NewRef(seen.signature);
    }
  }
  PyObject* signature = PyObject_Vectorcall(signature_slow, args, count, names);
  if (signature != nullptr && !remember(function, signature)) Py_CLEAR(signature);
  return signature;
}

// device_properties(device=None)

// What is kept for a device, borrowed; null where Python is to answer.
inline PyObject* find_properties(PyObject* device) {
  const auto& hooks = at::detail::getCUDAHooks();
  if (PyDict_GET_SIZE(properties) == 0 || !hooks.hasCUDA()) return nullptr;  // a simulated device comes and goes
  if (device == nullptr || device == Py_None) {
    PyObject* index = PyLong_FromLong(hooks.getCurrentDevice());
    if (index == nullptr) return nullptr;
    PyObject* found = PyDict_GetItemWithError(properties, index);
    Py_DECREF(index);
    return found;
  }
  const bool plain = PyLong_CheckExact(device) || PyUnicode_CheckExact(device) || THPDevice_Check(device);
  return plain ? PyDict_GetItemWithError(properties, device) : nullptr;
}

inline PyObject* device_properties(PyObject*, PyObject* const* args, Py_ssize_t count, PyObject* names) {
  static PyObject* const known[] = {PyUnicode_InternFromString("device")};
  PyObject* values[1] = {};
  if (read_arguments(args, count, names, known, values)) {
    try {
      PyObject* found = find_properties(values[0]);
      if (found != nullptr) return Py_NewRef(found);
    } catch (const std::exception&) {
      // A driver that fails: Python says so as stock does.
    }
    if (PyErr_Occurred()) return nullptr;
  }
  return PyObject_Vectorcall(properties_slow, args, count, names);
}

inline PyObject* count_signatures(PyObject*, PyObject*) { return PyLong_FromSize_t(seen_functions().size()); }

inline PyMethodDef* functions() {
  constexpr int keywords = METH_FASTCALL | METH_KEYWORDS;
  static PyMethodDef all[] = {
      {"bind_queries", bind, METH_VARARGS,
       "bind_queries(env_flag, cached_signature, device_properties, properties): what to call where this module cannot "
       "answer, and what the last of them keeps."},
      {"device_properties", fast(device_properties), keywords,
       "device_properties(device=None)\n--\n\nGive torch.cuda.get_device_properties(device), asked for once."},
      {"env_flag", fast(env_flag), keywords,
       "env_flag(name, default=False)\n--\n\nRead a switch from the environment, once."},
      {"refresh_env_flags", refresh_env_flags, METH_NOARGS, "Forget what env_flag read."},
      {"cached_signature", fast(cached_signature), keywords,
       "cached_signature(func)\n--\n\nGive inspect.signature(func), made once for a plain Python function."},
      {"count_signatures", count_signatures, METH_NOARGS, "How many functions' signatures are kept."},
      {nullptr, nullptr, 0, nullptr}};
  return all;
}

}  // namespace overhead::contexts::queries
