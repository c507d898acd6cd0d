// Which entry will probably serve a call, by what tells its arguments from those of other calls.
//
// An entry that is predicted is tried first, by its own guards, like any other: a wrong prediction costs time.
#pragma once

#include <ATen/core/grad_mode.h>

#include <unordered_map>

#include "binding.h"
#include "tensor_meta.h"

namespace overhead::dispatch {

class Prediction {
 public:
  using Key = uint64_t;

  // What guards most often read of arguments: sizes and types of tensors, numbers, and which object it is.
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
  std::unordered_map<Key, const void*> entries_;

  static Key mixed(Key key, Key part) {
    key = (key ^ part) * 0x9E3779B97F4A7C15u;
    return key ^ (key >> 29);
  }

  static Key of_value(PyObject* value) {
    if (THPVariable_CheckExact(value)) return of_tensor(flat::impl_of(value));
    if (PyLong_CheckExact(value)) return static_cast<Key>(PyLong_AsUnsignedLongLongMask(value));
    if (PyFloat_CheckExact(value) || PyUnicode_CheckExact(value)) return static_cast<Key>(PyObject_Hash(value));
    // Containers are mostly built anew for each call.
    if (PyTuple_CheckExact(value) || PyList_CheckExact(value)) return static_cast<Key>(Py_SIZE(value)) + 3;
    return reinterpret_cast<Key>(value);
  }

  static Key of_tensor(const c10::TensorImpl* impl) {
    Key key = mixed(impl->key_set().raw_repr(), impl->requires_grad() ? 1 : 0);
    // Others may run code of Python to say their sizes, or have none.
    if (impl->layout() != c10::kStrided || impl->has_symbolic_sizes_strides() || impl->is_python_dispatch()) return key;
    key = mixed(key, static_cast<Key>(static_cast<int>(impl->dtype().toScalarType())));
    for (int64_t size : impl->sizes()) key = mixed(key, static_cast<Key>(size));
    return key;
  }
};

}  // namespace overhead::dispatch
