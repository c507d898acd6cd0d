// Small constants as tensors, made and copied to the device once.
#pragma once

#include <ATen/PythonTorchFunctionTLS.h>
#include <ATen/detail/CUDAHooksInterface.h>
#include <c10/core/DefaultDtype.h>
#include <c10/core/impl/TorchDispatchModeTLS.h>
#include <torch/csrc/Device.h>
#include <torch/csrc/Dtype.h>
#include <torch/csrc/autograd/python_variable.h>

#include <cstring>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "blocks.h"

namespace overhead::contexts::constants {

constexpr size_t most_entries = 1024;  // past it all are dropped: such values are not constant
constexpr size_t most_bytes = 2048;    // of a key
constexpr int most_levels = 32;        // of nested lists

inline PyObject* slow = nullptr;       // the function of Python, for what is not dealt with here
inline PyObject* make = nullptr;       // makes a tensor that lasts, or None
inline PyObject *cuda_names = nullptr, *graph_names = nullptr;  // what the modules of torch hold
inline PyObject* stock_capturing = nullptr;

inline PyObject* bind(PyObject*, PyObject* args) {
  PyObject *slow_call = nullptr, *maker = nullptr, *cuda = nullptr, *graphs = nullptr, *capturing = nullptr;
  if (!PyArg_ParseTuple(args, "OOO!O!O", &slow_call, &maker, &PyDict_Type, &cuda, &PyDict_Type, &graphs, &capturing)) {
    return nullptr;
  }
  keep(slow, slow_call);
  keep(make, maker);
  keep(cuda_names, cuda);
  keep(graph_names, graphs);
  keep(stock_capturing, capturing);
  Py_RETURN_NONE;
}

// The key: bytes that tell values apart that are equal but not the same (1, True, 1.0; 0.0, -0.0).
class Key {
 public:
  template <class T>
  void add(T value) {
    std::memcpy(bytes_ + size_, &value, sizeof(T));
    size_ += sizeof(T);
  }

  // False for what is no number, no nested list of numbers, or too long. Runs no Python code.
  bool add_value(PyObject* value, int levels = most_levels) {
    if (size_ + 32 > sizeof(bytes_)) return false;
    PyTypeObject* type = Py_TYPE(value);
    if (type == &PyFloat_Type) return add_tagged('f', PyFloat_AS_DOUBLE(value));
    if (type == &PyLong_Type) return add_int(value);
    if (type == &PyBool_Type) return add_tagged('b', value == Py_True);
    if (type == &PyList_Type || type == &PyTuple_Type) return levels > 0 && add_items(value, levels - 1);
    if (type != &PyComplex_Type) return false;
    const Py_complex number = PyComplex_AsCComplex(value);
    return add_tagged('c', number.real) && add_tagged('c', number.imag);
  }

  std::string_view view() const { return {bytes_, size_}; }

 private:
  template <class T>
  bool add_tagged(char tag, T value) {
    add(tag);
    add(value);
    return true;
  }

  bool add_int(PyObject* value) {
    int overflow = 0;
    const long long number = PyLong_AsLongLongAndOverflow(value, &overflow);
    return overflow == 0 && add_tagged('i', number);
  }

  bool add_items(PyObject* list, int levels) {
    const Py_ssize_t count = PySequence_Fast_GET_SIZE(list);
    PyObject** items = PySequence_Fast_ITEMS(list);
    add_tagged(PyList_CheckExact(list) ? 'l' : 't', count);
    Py_ssize_t i = 0;
    if (count > 0 && PyFloat_CheckExact(items[0])) i = add_floats(items, count);
    for (; i < count; ++i) {
      if (!add_value(items[i], levels)) return false;
    }
    return true;
  }

  // The floats that a list begins with, under one tag; most lists are nothing else.
  Py_ssize_t add_floats(PyObject** items, Py_ssize_t count) {
    const auto fits = static_cast<Py_ssize_t>((sizeof(bytes_) - size_ - 32) / sizeof(double));
    char* const head = bytes_ + size_;
    add_tagged('F', Py_ssize_t{0});
    Py_ssize_t i = 0;
    for (; i < count && i < fits && PyFloat_CheckExact(items[i]); ++i) add(PyFloat_AS_DOUBLE(items[i]));
    std::memcpy(head + 1, &i, sizeof(i));
    return i;
  }

  size_t size_ = 0;
  char bytes_[most_bytes];
};

// The table.

struct Entry {
  PyObject* object;     // owned
  c10::Storage storage;  // kept, so that its address stays taken
  uint32_t version;

  // Whether nobody wrote to the tensor.
  bool holds() const {
    const c10::TensorImpl* tensor = THPVariable_Unpack(object).unsafeGetTensorImpl();
    return tensor->version_counter().current_version() == version && !tensor->requires_grad() &&
           tensor->unsafe_storage().unsafeGetStorageImpl() == storage.unsafeGetStorageImpl();
  }
};
struct Hash {
  using is_transparent = void;
  size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
};
using Table = std::unordered_map<std::string, Entry, Hash, std::equal_to<>>;

inline Table*& entries() {
  static auto* table = new Table();  // never destroyed: it refers to Python objects
  return table;
}

inline void clear_entries() {
  Table* gone = std::exchange(entries(), new Table());
  for (auto& [key, entry] : *gone) Py_DECREF(entry.object);
  delete gone;
}

inline PyObject* clear(PyObject*, PyObject*) {
  clear_entries();
  Py_RETURN_NONE;
}

// After a fork: the tensors of a device cannot be used, nor freed.
inline PyObject* abandon(PyObject*, PyObject*) {
  entries() = new Table();
  Py_RETURN_NONE;
}

inline PyObject* count(PyObject*, PyObject*) { return PyLong_FromSize_t(entries()->size()); }

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

inline bool find_device(PyObject* given, c10::Device& device) {
  if (given == nullptr || given == Py_None) return true;
  if (THPDevice_Check(given)) {
    device = reinterpret_cast<THPDevice*>(given)->device;
  } else if (!PyUnicode_CheckExact(given) || !device_by_name(given, device)) {
    return false;
  }
  if (device.type() == c10::DeviceType::CUDA) return cuda_is_ready(device);
  device = c10::Device(device.type());  // cpu:0 is the CPU
  return device.type() == c10::DeviceType::CPU;
}

inline bool modes_active() {
  return at::impl::torch_function_mode_enabled() || c10::impl::TorchDispatchModeTLS::stack_len() != 0;
}

// const_tensor(value, dtype=None, device=None)

inline bool add_place(Key& key, PyObject* dtype, PyObject* given) {
  c10::Device device(c10::DeviceType::CPU);
  if (!find_device(given, device)) return false;
  key.add(static_cast<int8_t>(device.type()));
  key.add(device.index());
  const bool own = dtype != nullptr && dtype != Py_None;
  if (own && !THPDtype_Check(dtype)) return false;
  key.add(own ? reinterpret_cast<THPDtype*>(dtype)->scalar_type : c10::typeMetaToScalarType(c10::get_default_dtype()));
  key.add(own);
  return true;
}

inline PyObject* remember(const Key& key, PyObject* made) {
  if (entries()->size() >= most_entries) clear_entries();
  const at::Tensor& tensor = THPVariable_Unpack(made);
  const uint32_t version = tensor.unsafeGetTensorImpl()->version_counter().current_version();
  const Entry entry{Py_NewRef(made), tensor.storage(), version};
  const auto [at, is_new] = entries()->try_emplace(std::string(key.view()), entry);
  if (!is_new) Py_DECREF(std::exchange(at->second, entry).object);
  return made;
}

inline PyObject* find_or_make(PyObject* (&values)[3], Key& key) {
  const auto known = entries()->find(key.view());
  if (known != entries()->end() && known->second.holds()) return Py_NewRef(known->second.object);
  PyObject* made = PyObject_CallFunctionObjArgs(make, values[0], values[1] ? values[1] : Py_None,
                                                values[2] ? values[2] : Py_None, nullptr);
  if (made == nullptr) return nullptr;
  if (THPVariable_CheckExact(made)) return remember(key, made);
  Py_DECREF(made);
  return nullptr;
}

inline PyObject* const_tensor(PyObject*, PyObject* const* args, Py_ssize_t given, PyObject* names) {
  static PyObject* const known[] = {PyUnicode_InternFromString("value"), PyUnicode_InternFromString("dtype"),
                                    PyUnicode_InternFromString("device")};
  PyObject* values[3] = {};
  try {
    Key key;
    if (read_arguments(args, given, names, known, values) && values[0] != nullptr && !modes_active() &&
        add_place(key, values[1], values[2]) && key.add_value(values[0])) {
      PyObject* found = find_or_make(values, key);
      if (found != nullptr || PyErr_Occurred()) return found;
    }
  } catch (const std::exception&) {
    // A device that does not parse, a driver that fails: Python says so as stock does.
  }
  return PyObject_Vectorcall(slow, args, given, names);
}

inline PyMethodDef* functions() {
  static PyMethodDef all[] = {
      {"bind_constants", bind, METH_VARARGS,
       "bind_constants(const_tensor, make, cuda, graphs, capturing): what to call where this module cannot answer, and "
       "the contents of torch's modules."},
      {"const_tensor", fast(const_tensor), METH_FASTCALL | METH_KEYWORDS,
       "const_tensor(value, dtype=None, device=None)\n--\n\n"
       "Give torch.tensor(value, dtype=dtype, device=device), the same tensor for the same constant."},
      {"clear_constants", clear, METH_NOARGS, "Drop all tensors that are kept."},
      {"abandon_constants", abandon, METH_NOARGS, "Keep all tensors alive, and give none of them again."},
      {"count_constants", count, METH_NOARGS, "How many tensors are kept."},
      {nullptr, nullptr, 0, nullptr}};
  return all;
}

}  // namespace overhead::contexts::constants
