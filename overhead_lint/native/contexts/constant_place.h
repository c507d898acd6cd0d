// The device that a constant lies on.
#pragma once

#include <ATen/detail/CUDAHooksInterface.h>
#include <torch/csrc/Device.h>

#include <string>
#include <vector>

namespace overhead::contexts::constants {

inline PyObject *cuda_names = nullptr, *graph_names = nullptr;  // what the modules of torch hold
inline PyObject* stock_capturing = nullptr;

// Which device is meant. False where nothing can be kept for it now, or Python is to find out.

struct Named {
  PyObject* name;
  c10::Device device;
};

inline bool device_by_name(PyObject* name, c10::Device& device) {
  static auto* known = new std::vector<Named>();
  for (const Named& entry : *known) {
    if (entry.name == name) {
      device = entry.device;
      return true;
    }
  }
  const char* text = PyUnicode_AsUTF8(name);
  if (text == nullptr) {
    PyErr_Clear();
    return false;
  }
  device = c10::Device(std::string(text));
  if (known->size() < 16) known->push_back({Py_NewRef(name), device});
  return true;
}

// Whether the current stream is being captured: by torch's function, or by what that one calls.
inline PyObject* ask_capturing() {
  static PyObject* const name = PyUnicode_InternFromString("is_current_stream_capturing");
  static PyObject* const called = PyUnicode_InternFromString("_cuda_isCurrentStreamCapturing");
  PyObject* function = PyDict_GetItemWithError(cuda_names, name);
  if (function == nullptr) return nullptr;
  PyObject* inner = function == stock_capturing ? PyDict_GetItemWithError(graph_names, called) : nullptr;
  return PyObject_CallNoArgs(inner == nullptr ? function : inner);
}

inline bool cuda_is_ready(c10::Device& device) {
  const auto& hooks = at::detail::getCUDAHooks();
  if (!hooks.hasCUDA()) return false;
  PyObject* captures = ask_capturing();
  if (captures == nullptr) PyErr_Clear();
  const bool free = captures == Py_False;
  Py_XDECREF(captures);
  if (free && !device.has_index()) device.set_index(hooks.getCurrentDevice());
  return free;
}

struct Place {
  c10::Device asked{c10::DeviceType::CPU};  // without an index: the current device
  c10::Device found{c10::DeviceType::CPU};

  // Whether the same device would be found now.
  bool holds() const {
    c10::Device now = asked;
    if (now.type() != c10::DeviceType::CUDA) return true;
    return cuda_is_ready(now) && now == found;
  }
};

inline bool find_device(PyObject* given, Place& place) {
  if (given == nullptr || given == Py_None) return true;
  if (THPDevice_Check(given)) {
    place.asked = reinterpret_cast<THPDevice*>(given)->device;
  } else if (!PyUnicode_CheckExact(given) || !device_by_name(given, place.asked)) {
    return false;
  }
  place.found = place.asked;
  if (place.asked.type() == c10::DeviceType::CUDA) return cuda_is_ready(place.found);
  place.found = c10::Device(place.asked.type());  // cpu:0 is the CPU
  return place.found.type() == c10::DeviceType::CPU;
}

}  // namespace overhead::contexts::constants
