// Moments in which only stock torch.compile may serve a call: what Python cannot tell as fast.
#pragma once

#include <ATen/PythonTorchFunctionTLS.h>
#include <c10/core/impl/LocalDispatchKeySet.h>
#include <c10/core/impl/TorchDispatchModeTLS.h>
#include <dlfcn.h>

#include <memory>
#include <vector>

#include "versions.h"

// Declared here: their own headers include what torch's wheels do not bring, or half of the JIT.
namespace at::functorch {
struct DynamicLayer;
TORCH_API const std::vector<DynamicLayer>& getDynamicLayerStack();
}  // namespace at::functorch
namespace torch::jit::tracer {
struct TracingState;
TORCH_API const std::shared_ptr<TracingState>& getTracingState();
}  // namespace torch::jit::tracer

namespace overhead::dispatch {

// No mode, transform or tracer is active on this thread.
inline bool thread_is_plain() {
  return !c10::impl::tls_local_dispatch_key_set().included_.has(c10::DispatchKey::Meta) &&
      at::functorch::getDynamicLayerStack().empty() && c10::impl::TorchDispatchModeTLS::stack_len() == 0 &&
      at::impl::PythonTorchFunctionTLS::stack_len() == 0 && torch::jit::tracer::getTracingState() == nullptr;
}

// Dynamo's frame callback and its guard-complete hook, asked through torch's own functions.
class Dynamo {
 public:
  // Takes `get_eval_frame_callback` and `set_guard_complete_hook`. They live as long as torch does.
  void use(PyObject* get_callback, PyObject* set_hook) {
    Py_XSETREF(get_callback_, Py_NewRef(get_callback));
    Py_XSETREF(set_hook_, Py_NewRef(set_hook));
    find_hook();
  }

  bool is_idle() const {
    return !evaluates_frames() && (hook_ != nullptr ? *hook_ == nullptr : take_hook() == nullptr);
  }

  // Frames of this thread are handed to Dynamo: compiled code would be compiled once more. True in doubt.
  bool evaluates_frames() const {
    PyObject* callback = PyObject_CallNoArgs(get_callback_);
    if (callback == nullptr) return !forget_error();
    Py_DECREF(callback);
    return callback != Py_None;
  }

 private:
  PyObject *get_callback_ = nullptr, *set_hook_ = nullptr;
  PyObject** hook_ = nullptr;

  static bool forget_error() {
    PyErr_Clear();
    return false;
  }

  // There is no getter: the hook is taken away and put back, under the interpreter lock. Borrowed.
  PyObject* take_hook() const {
    PyObject* hook = PyObject_CallOneArg(set_hook_, Py_None);
    if (hook == nullptr) {
      PyErr_Clear();
      return Py_None;
    }
    Py_DECREF(hook);
    if (hook == Py_None) return nullptr;
    Py_XDECREF(PyObject_CallOneArg(set_hook_, hook));
    return hook;
  }

  // Where torch's library shows the variable, reading it is cheaper. Believed only if it follows the setter.
  void find_hook() {
    hook_ = nullptr;
    auto** found = reinterpret_cast<PyObject**>(dlsym(RTLD_DEFAULT, "guard_complete_hook"));
    if (found == nullptr) return;
    PyObject* before = PyObject_CallOneArg(set_hook_, set_hook_);
    if (before == nullptr) return PyErr_Clear();
    bool follows = *found == set_hook_;
    Py_XDECREF(PyObject_CallOneArg(set_hook_, before));
    follows = follows && *found == (before == Py_None ? nullptr : before);
    Py_DECREF(before);
    if (PyErr_Occurred()) PyErr_Clear();
    if (follows) hook_ = found;
  }
};

inline Dynamo& dynamo() {
  static Dynamo one;
  return one;
}

}  // namespace overhead::dispatch
