// Which entry will probably serve a call, by what tells its arguments from those of other calls.
//
// An entry that is predicted is tried first, by its own guards, like any other: a wrong prediction costs time.
#pragma once

#include <ATen/core/grad_mode.h>

#include <cstring>
#include <unordered_map>

#include "binding.h"
#include "tensor_meta.h"

namespace overhead::dispatch {

class Prediction {
 public:
  using Key = uint64_t;

  // What guards most often read of arguments: sizes, strides and types of tensors, numbers, and which object it is.
  static Key key(const Bound& bound, size_t count) {
    Key key = at::GradMode::is_enabled() ? 1 : 2;
    for (size_t i = 0; i < count; i++) key = mixed(key, of_value(bound[i]));
    return key;
  }

  // What `learn` was told of this key, or null.
  const void* entry(Key key) const {
    auto found = entries_.find(key);
    return found == entries_.end() ? nullptr : found->second;
  }

  void learn(Key key, const void* entry) {
    if (entries_.size() >= most) entries_.clear();  // arguments that never repeat
    entries_[key] = entry;
  }

 private:
  static constexpr size_t most = 1024;
  static constexpr int deepest = 4;
  std::unordered_map<Key, const void*> entries_;

  static Key mixed(Key key, Key part) {
    key = (key ^ part) * 0x9E3779B97F4A7C15u;
    return key ^ (key >> 29);
  }

  static Key of_value(PyObject* value, int depth = 0) {
    if (THPVariable_CheckExact(value))
      return mixed(of_tensor(flat::impl_of(value)), reinterpret_cast<Key>(Py_TYPE(value)));
    if (PyLong_CheckExact(value)) return static_cast<Key>(PyLong_AsUnsignedLongLongMask(value));
    if (PyUnicode_CheckExact(value)) return static_cast<Key>(PyObject_Hash(value));
    if (PyFloat_CheckExact(value)) return of_float(PyFloat_AS_DOUBLE(value));
    // Containers are mostly built anew for each call.
    if (PyTuple_CheckExact(value) || PyList_CheckExact(value)) return of_items(value, depth);
    if (PyDict_CheckExact(value)) return of_dict(value, depth);
    return reinterpret_cast<Key>(value);
  }

  // By its bits, so that it is told from the whole number of that value, and 0.0 from -0.0.
  static Key of_float(double value) {
    Key bits = 0;
    std::memcpy(&bits, &value, sizeof(bits));
    return mixed(bits, 5);
  }

  static Key of_items(PyObject* value, int depth) {
    Key key = static_cast<Key>(Py_SIZE(value)) + (PyList_CheckExact(value) ? 3 : 4);
    for (Py_ssize_t i = 0; depth < deepest && i < Py_SIZE(value); i++)
      key = mixed(key, of_value(PySequence_Fast_GET_ITEM(value, i), depth + 1));
    return key;
  }

  static Key of_dict(PyObject* value, int depth) {
    Key key = static_cast<Key>(PyDict_GET_SIZE(value)) + 6;
    PyObject *name = nullptr, *item = nullptr;
    for (Py_ssize_t at = 0; depth < deepest && PyDict_Next(value, &at, &name, &item);)
      key = mixed(mixed(key, of_value(name, depth + 1)), of_value(item, depth + 1));
    return key;
  }

  static Key of_tensor(const c10::TensorImpl* impl) {
    Key key = mixed(impl->key_set().raw_repr(), impl->requires_grad() ? 1 : 0);
    // Others may run code of Python to say their sizes, or have none.
    if (impl->layout() != c10::kStrided || impl->has_symbolic_sizes_strides() || impl->is_python_dispatch()) return key;
    key = mixed(key, static_cast<Key>(static_cast<int>(impl->dtype().toScalarType())));
    key = mixed(key, static_cast<Key>(impl->device().index() + 1));
    for (int64_t size : impl->sizes()) key = mixed(key, static_cast<Key>(size));
    for (int64_t stride : impl->strides()) key = mixed(key, static_cast<Key>(stride));
    return key;
  }
};

}  // namespace overhead::dispatch
