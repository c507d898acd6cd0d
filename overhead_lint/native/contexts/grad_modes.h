// Blocks and calls without gradients, with gradients, and in inference mode.
#pragma once

#include <ATen/PythonTorchFunctionTLS.h>
#include <ATen/core/grad_mode.h>
#include <c10/core/InferenceMode.h>

#include "active.h"
#include "blocks.h"
#include "stand_in.h"

namespace overhead::contexts::grad {

inline PyTypeObject *no_grad_type = nullptr, *enable_grad_type = nullptr, *inference_mode_type = nullptr;
// The functions of Python: for a function to wrap, and for wrong arguments.
inline PyObject *no_grad_wraps = nullptr, *enable_grad_wraps = nullptr, *inference_mode_wraps = nullptr;
inline PyObject* set_grad_enabled = nullptr;  // torch's, which tells function modes

inline bool set_mode(bool enabled) {
  if (!at::impl::torch_function_mode_enabled()) {
    at::GradMode::set_enabled(enabled);
    return true;
  }
  PyObject* result = PyObject_CallOneArg(set_grad_enabled, enabled ? Py_True : Py_False);
  Py_XDECREF(result);
  return result != nullptr;
}

struct GradBlock {
  PyObject_HEAD
  bool was_left;
  bool last;  // as in stock: what the last exit restored, for one that has no entry of its own
};
struct SavedGrad {
  bool enabled;
};
using EnteredGrad = Active<SavedGrad>;

template <bool Enabled>
PyObject* enter_grad(PyObject* self, PyObject*) {
  const SavedGrad saved{at::GradMode::is_enabled()};
  if (!set_mode(Enabled)) return nullptr;
  EnteredGrad::push(self, saved);
  Py_RETURN_NONE;
}

template <bool Enabled>
PyObject* leave_grad(PyObject* self, PyObject* const*, Py_ssize_t) {
  auto* block = reinterpret_cast<GradBlock*>(self);
  SavedGrad saved{block->last};
  const bool taken = EnteredGrad::take(self, saved);
  // Stock's no_grad restores False where it was never entered, its enable_grad has nothing to restore.
  if (Enabled && !taken && !block->was_left) return never_entered(self, "prev");
  block->last = saved.enabled;
  block->was_left = true;
  if (!set_mode(saved.enabled)) return nullptr;
  Py_RETURN_NONE;
}

struct InferenceBlock {
  PyObject_HEAD
  bool mode;
  bool was_left;
};
struct SavedInference {
  c10::InferenceMode* guard;  // owned
};
using EnteredInference = Active<SavedInference>;

inline PyObject* enter_inference(PyObject* self, PyObject*) {
  EnteredInference::push(self, {new c10::InferenceMode(reinterpret_cast<InferenceBlock*>(self)->mode)});
  Py_RETURN_NONE;
}

inline PyObject* leave_inference(PyObject* self, PyObject* const*, Py_ssize_t) {
  auto* block = reinterpret_cast<InferenceBlock*>(self);
  SavedInference saved;
  if (!EnteredInference::take(self, saved)) {
    // As in stock, what is over may be ended again.
    if (!block->was_left) return never_entered(self, "_inference_mode_context");
    Py_RETURN_NONE;
  }
  block->was_left = true;
  delete saved.guard;
  Py_RETURN_NONE;
}

inline PyObject* get_mode(PyObject* self, void*) {
  return PyBool_FromLong(reinterpret_cast<InferenceBlock*>(self)->mode);
}

inline int set_inference(PyObject* self, PyObject* value, void*) {
  if (value == nullptr || !PyBool_Check(value)) {
    PyErr_SetString(PyExc_TypeError, "inference_mode: mode must be bool");
    return -1;
  }
  reinterpret_cast<InferenceBlock*>(self)->mode = value == Py_True;
  return 0;
}

// no_grad(), enable_grad(), inference_mode(mode=True)

inline PyObject* no_grad(PyObject*, PyObject* const* args, size_t count, PyObject* names) {
  if (PyVectorcall_NARGS(count) == 0 && names == nullptr) return new_block(no_grad_type);
  return PyObject_Vectorcall(no_grad_wraps, args, count, names);
}

inline PyObject* enable_grad(PyObject*, PyObject* const* args, size_t count, PyObject* names) {
  if (PyVectorcall_NARGS(count) == 0 && names == nullptr) return new_block(enable_grad_type);
  return PyObject_Vectorcall(enable_grad_wraps, args, count, names);
}

inline PyObject* inference_mode(PyObject*, PyObject* const* args, size_t count, PyObject* names) {
  const Py_ssize_t given = PyVectorcall_NARGS(count);
  if (names != nullptr || given > 1 || (given == 1 && !PyBool_Check(args[0]))) {
    return PyObject_Vectorcall(inference_mode_wraps, args, count, names);
  }
  PyObject* made = new_block(inference_mode_type);
  if (made != nullptr) reinterpret_cast<InferenceBlock*>(made)->mode = given == 0 || args[0] == Py_True;
  return made;
}

// bind_no_grad(stand_in, type, wraps) and so on.
template <PyTypeObject*& Type, PyObject*& Wraps, vectorcallfunc Call>
PyObject* bind(PyObject*, PyObject* args) {
  PyObject *stand_in = nullptr, *type = nullptr, *wraps = nullptr;
  if (!PyArg_ParseTuple(args, "O!O!O", stand_in_type, &stand_in, &PyType_Type, &type, &wraps)) return nullptr;
  Type = reinterpret_cast<PyTypeObject*>(Py_NewRef(type));
  keep(Wraps, wraps);
  serve(stand_in, Call);
  Py_RETURN_NONE;
}

inline PyObject* bind_setter(PyObject*, PyObject* setter) {
  keep(set_grad_enabled, setter);
  Py_RETURN_NONE;
}

// What a wrapped function comes down to: call(function, args, kwargs).

inline bool are_call(PyObject* const* args, Py_ssize_t count) {
  if (count == 3 && PyTuple_Check(args[1]) && PyDict_Check(args[2])) return true;
  PyErr_SetString(PyExc_TypeError, "takes a function, a tuple and a dict");
  return false;
}

template <bool Enabled>
PyObject* call_in_grad_mode(PyObject*, PyObject* const* args, Py_ssize_t count) {
  if (!are_call(args, count)) return nullptr;
  const bool before = at::GradMode::is_enabled();
  if (!set_mode(Enabled)) return nullptr;
  PyObject* result = PyObject_Call(args[0], args[1], args[2]);
  if (!at::impl::torch_function_mode_enabled()) {
    at::GradMode::set_enabled(before);
    return result;
  }
  PyObject *type, *value, *traceback;
  PyErr_Fetch(&type, &value, &traceback);  // a mode runs Python code
  if (set_mode(before)) {
    PyErr_Restore(type, value, traceback);
    return result;
  }
  Py_XDECREF(type);
  Py_XDECREF(value);
  Py_XDECREF(traceback);
  Py_XDECREF(result);
  return nullptr;
}

template <bool Mode>
PyObject* call_in_inference_mode(PyObject*, PyObject* const* args, Py_ssize_t count) {
  if (!are_call(args, count)) return nullptr;
  c10::InferenceMode guard(Mode);
  return PyObject_Call(args[0], args[1], args[2]);
}

// Types.

template <bool Enabled>
PyType_Spec& grad_spec(const char* name) {
  static PyMethodDef methods[] = {{"__enter__", enter_grad<Enabled>, METH_NOARGS, nullptr},
                                  {"__exit__", fast(leave_grad<Enabled>), METH_FASTCALL, nullptr},
                                  {nullptr, nullptr, 0, nullptr}};
  static PyType_Slot slots[] = {
      {Py_tp_dealloc, reinterpret_cast<void*>(free_block)}, {Py_tp_methods, methods}, {0, nullptr}};
  static PyType_Spec spec = {name, sizeof(GradBlock), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};
  return spec;
}

inline PyType_Spec& inference_spec() {
  static PyMethodDef methods[] = {{"__enter__", enter_inference, METH_NOARGS, nullptr},
                                  {"__exit__", fast(leave_inference), METH_FASTCALL, nullptr},
                                  {nullptr, nullptr, 0, nullptr}};
  static PyGetSetDef attributes[] = {{"mode", get_mode, set_inference, nullptr, nullptr},
                                     {nullptr, nullptr, nullptr, nullptr, nullptr}};
  static PyType_Slot slots[] = {{Py_tp_dealloc, reinterpret_cast<void*>(free_block)},
                                {Py_tp_methods, methods},
                                {Py_tp_getset, attributes},
                                {0, nullptr}};
  static PyType_Spec spec = {"contexts.InferenceModeBlock", sizeof(InferenceBlock), 0,
                             Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};
  return spec;
}

inline PyMethodDef* functions() {
  static PyMethodDef all[] = {
      {"bind_no_grad", bind<no_grad_type, no_grad_wraps, no_grad>, METH_VARARGS,
       "bind_no_grad(stand_in, type, wraps): what is called, the class of blocks, and what to call with arguments."},
      {"bind_enable_grad", bind<enable_grad_type, enable_grad_wraps, enable_grad>, METH_VARARGS,
       "bind_enable_grad(stand_in, type, wraps): as bind_no_grad."},
      {"bind_inference_mode", bind<inference_mode_type, inference_mode_wraps, inference_mode>, METH_VARARGS,
       "bind_inference_mode(stand_in, type, wraps): as bind_no_grad, with other arguments than a bool."},
      {"bind_grad_setter", bind_setter, METH_O, "bind_grad_setter(function): torch's own, which tells function modes."},
      {"call_without_grad", fast(call_in_grad_mode<false>), METH_FASTCALL, nullptr},
      {"call_with_grad", fast(call_in_grad_mode<true>), METH_FASTCALL, nullptr},
      {"call_in_inference_mode", fast(call_in_inference_mode<true>), METH_FASTCALL, nullptr},
      {"call_outside_inference_mode", fast(call_in_inference_mode<false>), METH_FASTCALL, nullptr},
      {nullptr, nullptr, 0, nullptr}};
  return all;
}

inline bool add_types(PyObject* module) {
  return add_base_type(module, grad_spec<false>("contexts.NoGradBlock"), "NoGradBlock") &&
         add_base_type(module, grad_spec<true>("contexts.EnableGradBlock"), "EnableGradBlock") &&
         add_base_type(module, inference_spec(), "InferenceModeBlock");
}

}  // namespace overhead::contexts::grad
